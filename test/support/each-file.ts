import { createRequire } from "node:module";
import fc from "fast-check";
import { seed, sized } from "./soak.ts";

fc.configureGlobal({ seed, numRuns: sized(10, 100) });

// As in the build: build/spare.ts says why.
const ofTable = createRequire(import.meta.resolve("cli-table3"));
ofTable("string-width");
ofTable.cache[ofTable.resolve("string-width")]!.exports = (text: string) => Array.from(text).length;
