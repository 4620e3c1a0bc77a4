import type { TestProject } from "vitest/node";
import { launchServer } from "./browser.ts";
import { type PostgresServer, startServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser of this run is connected to. */
    browser: string;
    /** The PostgreSQL of this run. */
    postgres: PostgresServer;
  }
}

/** Starts one browser and one PostgreSQL for all tests; what it returns ends them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [browser, postgres] = await Promise.all([launchServer(), startServer()]);
  project.provide("browser", browser.wsEndpoint());
  project.provide("postgres", postgres.server);
  return async () => {
    await Promise.all([browser.close(), postgres.end()]);
  };
}
