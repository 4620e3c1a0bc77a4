import type { TestProject } from "vitest/node";
import { launchServer } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of this run's browser. */
    browser: string;
  }
}

/** Starts one browser for all tests; what it returns ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await launchServer();
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
}
