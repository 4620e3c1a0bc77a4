import { dirname, join } from "node:path";
import type { Script } from "node:vm";
import type { Compile } from "./code-cache.ts";

type Exports = Record<string, unknown>;
type Require = (path: string) => unknown;
type Wrapped = (this: Exports, ...given: readonly unknown[]) => void;

const head = "(function (exports, require, module, __filename, __dirname) {";

/** Reads the files of the command, and compiles them. */
export interface Source {
  read: (file: string) => string;
  compile: Compile;
  /** Loads Node's own modules, and packages. */
  require: Require;
}

/** Loads the files of the command as Node's `require` would. */
export class Loader {
  readonly #loaded = new Map<string, { exports: Exports }>();
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  compile(file: string): Script {
    const code = `${head}${this.#source.read(file)}\n})`;
    return this.#source.compile(code, { filename: file, columnOffset: -head.length });
  }

  /** Returns the exports of a file, which runs at the first call. */
  load(file: string): unknown {
    const loaded = this.#loaded.get(file);
    if (loaded !== undefined) return loaded.exports;

    const run = this.compile(file).runInThisContext() as Wrapped;
    const folder = dirname(file);
    const require: Require = (path) =>
      path.startsWith(".") ? this.load(join(folder, path)) : this.#source.require(path);

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
}
