import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // One zone for every machine: the README shows local times.
    env: { TZ: "America/Argentina/Buenos_Aires" },
    testTimeout: 20_000,
    // The suite runs on two cores, beside the binaries that it starts.
    maxWorkers: 2,
  },
});
