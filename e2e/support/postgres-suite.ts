import type { TestProject } from "vitest/node";
import { type PostgresServer, startServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The PostgreSQL of this run. */
    postgres: PostgresServer;
  }
}

/** Starts one PostgreSQL for all tests; what it returns ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, end } = await startServer();
  project.provide("postgres", server);
  return end;
}
