import { readFileSync } from "node:fs";
import type { Plugin } from "rolldown";

/** jq is a program of its own, in WebAssembly: it is read only for --jq. */
export const jq: Plugin = {
  name: "jq",
  generateBundle() {
    const source = readFileSync("node_modules/jq-wasm/dist/build/jq.wasm");
    this.emitFile({ type: "asset", fileName: "jq.wasm", source });
  },
};
