import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // One zone for every machine: the README shows local times.
    env: { TZ: "America/Argentina/Buenos_Aires" },
    globalSetup: ["test/support/suite.ts"],
    setupFiles: ["test/support/each-file.ts"],
    testTimeout: 20_000,
    // No test leaves anything behind in a module, and to load them all for each file takes longer than the tests.
    isolate: false,
    // For two cores: many tests wait for a process or a pause. The soak keeps both cores busy.
    maxWorkers: process.env["BPOS_SOAK"] === "1" ? 2 : 3,
  },
});
