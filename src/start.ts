import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { folders } from "./settings/folders.ts";
import { isExposed } from "./settings/rights.ts";
import { type Compile, cachedCompile, compile } from "./system/code-cache.ts";
import { Loader } from "./system/load.ts";
import { realMachine } from "./system/machine.ts";

const readRestAfterMs = 3_000;

/** The files of an installation. */
class Files {
  readonly #used = new Set<string>();
  readonly #rest = new Map<string, Buffer>();

  read(file: string): string {
    this.#used.add(file);
    const kept = this.#rest.get(file);
    if (kept !== undefined) return kept.toString();
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      // Not ENOENT and the like: those are for files of the person.
      throw new Error(`Cannot find module '${file}'`, { cause: error });
    }
  }

  /** Reads what may be needed later, such as the text of an error: an update of bpos removes these files while a watch runs. */
  readRest(folder: string): void {
    try {
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        if (name.endsWith(".cjs") && !this.#used.has(file)) this.#rest.set(file, readFileSync(file));
      }
    } catch {
      // They were removed already: the first use reports it.
    }
  }
}

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
  const folder = import.meta.dirname;
  const files = new Files();
  const loader = new Loader({
    read: (file) => files.read(file),
    compile: compiler(argv),
    require: createRequire(join(folder, "start.cjs")),
  });
  setTimeout(() => files.readRest(join(folder, "chunks")), readRestAfterMs).unref();
  const { runMain } = loader.load(join(folder, "main.cjs")) as typeof import("./main.ts");
  return runMain(argv);
}
