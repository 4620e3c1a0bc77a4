import { defineConfig } from "vitest/config";

/** Tests of what `npm run release` made. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.test.ts"],
    env: { TZ: "America/Argentina/Buenos_Aires" },
    globalSetup: ["../support/suite.ts"],
    setupFiles: ["../support/each-file.ts"],
    testTimeout: 120_000,
    // To make a Debian takes a minute, on a slow line several.
    hookTimeout: 400_000,
    isolate: false,
    maxWorkers: 2,
  },
});
