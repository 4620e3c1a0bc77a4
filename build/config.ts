import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { BuildOptions, InputOptions, OutputOptions } from "rolldown";
import { catalogsOf } from "./catalogs.ts";
import { dense } from "./dense.ts";
import { jq } from "./jq.ts";
import { lazy } from "./lazy.ts";
import { notices } from "./notices.ts";
import { page } from "./page.ts";
import { spare } from "./spare.ts";
import { groups } from "./stages.ts";

/** A release archive has no repository, and can be inside another one. */
const readCommit = (): string | null =>
  existsSync(".git") ? execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim() : null;

const input: InputOptions = {
  platform: "node",
  // src/version.ts
  transform: { define: { builtFrom: JSON.stringify(readCommit()) } },
};

const output: OutputOptions = {
  dir: "dist",
  // Comments are in the source, and stack traces keep their lines.
  comments: { legal: true, annotation: false, jsdoc: false },
  // Node reads such a file in two thirds of the time, and keeps it in half the memory.
  charset: "ascii",
};

/** CommonJS: Node starts it sooner (docs/dev/decisions/29-commonjs-command.md). */
const commonjs: OutputOptions = { ...output, format: "cjs", entryFileNames: "[name].cjs" };

// build.ts builds these one after another.
export default [
  {
    // Loads the command.
    ...input,
    input: "src/start.ts",
    plugins: [lazy],
    output: commonjs,
  },
  {
    // The command.
    ...input,
    input: "src/main.ts",
    // Other files may export more than they do in the source.
    preserveEntrySignatures: "allow-extension",
    plugins: [catalogsOf("src"), notices, page, jq, spare, lazy, dense],
    output: { ...commonjs, chunkFileNames: "chunks/[name]-[hash].cjs", codeSplitting: { groups } },
  },
  {
    // The library.
    ...input,
    input: { index: "src/index.ts", "mock/index": "src/mock/index.ts" },
    plugins: [catalogsOf("src/mock"), spare, dense],
    output: { ...output, format: "esm", chunkFileNames: "chunks/[name]-[hash].js" },
  },
] satisfies BuildOptions[];
