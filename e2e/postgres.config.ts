import { defineConfig } from "vitest/config";

/** The journal on a real PostgreSQL. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ["e2e/postgres/*.test.ts"],
    env: { TZ: "America/Argentina/Buenos_Aires" },
    globalSetup: ["test/support/suite.ts", "e2e/support/postgres-suite.ts"],
    setupFiles: ["test/support/each-file.ts"],
    testTimeout: 60_000,
    isolate: false,
    // For two cores: most of the time is the wait until a lock has lapsed.
    maxWorkers: 3,
  },
});
