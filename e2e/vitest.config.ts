import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.test.ts"],
    env: { TZ: "America/Argentina/Buenos_Aires" },
    globalSetup: ["../test/support/suite.ts", "support/suite.ts"],
    setupFiles: ["../test/support/each-file.ts"],
    testTimeout: 60_000,
    isolate: false,
    // A page, its browser and a mock keep two cores busy.
    maxWorkers: 1,
  },
});
