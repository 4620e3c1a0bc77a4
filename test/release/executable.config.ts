import { defineConfig } from "vitest/config";
import general from "../../vitest.config.ts";

/** The tests of the built command, with the executable that BPOS_TEST_EXECUTABLE names in its place. */
export default defineConfig({
  ...general,
  root: `${import.meta.dirname}/../..`,
  test: {
    ...general.test,
    include: ["test/binary/*.test.ts"],
    // NOT TRIED with it: the first two are about the package of npm, the next measures with `NODE_OPTIONS=--import`, which an
    // executable does not have, and the last about what Node 24 no longer does.
    exclude: ["test/binary/{code-cache,installation,rejected-memory,memory}.test.ts"],
  },
});
