import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    // The suite runs on two cores, beside the binaries that it starts.
    maxWorkers: 2,
  },
});
