import { readFileSync } from "node:fs";
import type { Plugin } from "rolldown";

/** jq is a separate WebAssembly program, read only for --jq. */
export const jq: Plugin = {
  name: "jq",
  generateBundle() {
    const source = readFileSync("node_modules/jq-wasm/dist/build/jq.wasm");
    this.emitFile({ type: "asset", fileName: "jq.wasm", source });
  },
};
