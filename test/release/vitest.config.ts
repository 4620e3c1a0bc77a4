import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.test.ts"],
    env: { TZ: "America/Argentina/Buenos_Aires" },
    globalSetup: ["../support/suite.ts"],
    setupFiles: ["../support/each-file.ts"],
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: 1,
  },
});
