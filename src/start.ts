import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { folders } from "./settings/folders.ts";
import { isExposed } from "./settings/rights.ts";
import { type Compile, cachedCompile, compile } from "./system/code-cache.ts";
import { Loader } from "./system/load.ts";
import { realMachine } from "./system/machine.ts";

const readRestAfterMs = 3_000;

function compiler(argv: readonly string[]): Compile {
  // That needs next to nothing of our code.
  if (argv[0] === "--version") return compile;
  const machine = realMachine();
  // The parser of HTTP is WebAssembly, all of which the V8 of Node 20 optimises: a quarter of a short command's time.
  // Before other code is compiled: what is kept of that is good for the same flags alone.
  if (machine.nodeVersion.startsWith("20.")) setFlagsFromString("--liftoff-only");
  if (machine.env["NODE_DISABLE_COMPILE_CACHE"] === "1") return compile;
  return cachedCompile(folders(machine).cache, (path) => isExposed(path, machine));
}

/** Runs a command line with the real system and returns its exit code: what `bin/bpos.js` calls. */
export function start(argv: readonly string[]): Promise<number> {
  const loader = new Loader(import.meta.dirname, compiler(argv));
  setTimeout(() => loader.readRest(), readRestAfterMs).unref();
  const { runMain } = loader.load(join(import.meta.dirname, "main.cjs")) as typeof import("./main.ts");
  return runMain(argv);
}
