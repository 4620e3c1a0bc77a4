import { defineConfig } from "vitest/config";
import general from "../../vitest.config.ts";

/** The executable for Windows under Wine, in the place of the built command: with tests of its own, and those of `test/binary` that need no shell of Linux. */
export default defineConfig({
  ...general,
  root: `${import.meta.dirname}/../..`,
  test: {
    ...general.test,
    include: [
      "test/windows/*.test.ts",
      "test/binary/{exit-codes,profile,push-kills,send-kills,undo-kills}.test.ts",
    ],
    exclude: [],
    setupFiles: ["test/support/each-file.ts", "test/windows/each-file.ts"],
    testTimeout: 60_000,
    // A process of Wine hung at its start once; the workflow on Windows has no second try.
    retry: process.platform === "win32" ? 0 : 1,
    maxWorkers: 2,
  },
});
