import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Compile } from "./code-cache.ts";

type Exports = Record<string, unknown>;
type Require = (path: string) => unknown;
type Wrapped = (this: Exports, ...given: readonly unknown[]) => void;

const head = "(function (exports, require, module, __filename, __dirname) {";

/** Loads the files of the command as Node's `require` would, each compiled by `compile`; Node loads its own modules and packages. */
export class Loader {
  readonly #loaded = new Map<string, { exports: Exports }>();
  readonly #texts = new Map<string, Buffer>();
  readonly #folder: string;
  readonly #compile: Compile;
  readonly #requireOfNode: Require;

  constructor(folder: string, compile: Compile) {
    this.#folder = folder;
    this.#compile = compile;
    this.#requireOfNode = createRequire(join(folder, "start.cjs"));
  }

  /** What a file exports; it runs at the first call. */
  load(file: string): unknown {
    const loaded = this.#loaded.get(file);
    if (loaded !== undefined) return loaded.exports;

    const code = `${head}${this.#readText(file)}\n})`;
    const script = this.#compile(code, { filename: file, columnOffset: -head.length });
    const run = script.runInThisContext() as Wrapped;
    const folder = dirname(file);
    const require: Require = (path) =>
      path.startsWith(".") ? this.load(join(folder, path)) : this.#requireOfNode(path);

    const module = { exports: {} };
    this.#loaded.set(file, module);
    try {
      run.call(module.exports, module.exports, require, module, file, folder);
    } catch (error) {
      // The next use shall fail in the same way, not find a half of it.
      this.#loaded.delete(file);
      throw error;
    }
    return module.exports;
  }

  #readText(file: string): string {
    const kept = this.#texts.get(file);
    if (kept !== undefined) return kept.toString();
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      // Not ENOENT and the like: those are for files of the person.
      throw new Error(`Cannot find module '${file}'`, { cause: error });
    }
  }

  /** Reads what may be needed later, such as the text of an error: an update of bpos removes these files while a watch runs. */
  readRest(): void {
    const folder = join(this.#folder, "chunks");
    try {
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        if (name.endsWith(".cjs") && !this.#loaded.has(file)) this.#texts.set(file, readFileSync(file));
      }
    } catch {
      // They were removed already: the first use reports it.
    }
  }
}
