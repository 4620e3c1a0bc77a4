import { createRequire } from "node:module";
import { Script } from "node:vm";
import { readAsset } from "../own-files.ts";
import type { Compile } from "./code-cache.ts";
import { Loader } from "./load.ts";

const read = (file: string): Buffer => readAsset(file.replaceAll("\\", "/"));

/** The code that V8 compiled when the executable was made; none for a system whose V8 could not be run then. */
function kept(file: string): { cachedData: Buffer } | undefined {
  try {
    return { cachedData: read(`${file}.code`) };
  } catch {
    return undefined;
  }
}

const compile: Compile = (code, options) => new Script(code, { ...options, ...kept(options.filename) });

const loader = new Loader({
  read: (file) => read(file).toString(),
  require: createRequire(process.execPath),
  compile,
});
const command = loader.load("dist/main.cjs") as { runMain(argv: readonly string[]): Promise<number> };

void command.runMain(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
