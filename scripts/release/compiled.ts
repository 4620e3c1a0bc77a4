// Run by the Node of an executable: `node compiled.ts FOLDER ARGUMENTS` runs a command line, and keeps what V8 compiled of the files that
// FOLDER has nothing of yet. Without arguments it compiles all other files.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { Loader } from "../../src/system/load.ts";

const [, , folder = "", ...line] = process.argv;
const pathOf = (file: string): string => join(folder, `${file}.code`);

// V8 notes in its code at how many collections it was not used, which differs from run to run.
setFlagsFromString("--no-flush-bytecode");

/** The same text as V8 keeps names: it would also write whether it has needed a hash of this text yet. */
const toName = (file: string): string => Object.keys({ [file]: true })[0] ?? file;

const fresh = new Map<string, Script>();
const loader = new Loader({
  read: (file) => readFileSync(file, "utf8"),
  compile(code, options) {
    const script = new Script(code, { ...options, filename: toName(options.filename) });
    if (!existsSync(pathOf(options.filename))) fresh.set(options.filename, script);
    return script;
  },
  require: createRequire(import.meta.url),
});

if (line.length === 0) {
  const files = readdirSync("dist/chunks").filter((name) => name.endsWith(".cjs"));
  for (const name of files) loader.compile(join("dist/chunks", name));
} else {
  const command = loader.load("dist/main.cjs") as { runMain(argv: string[]): Promise<number> };
  process.exitCode = await command.runMain(line);
}

// Compiled code is valid only for the same flags.
setFlagsFromString("--flush-bytecode");
for (const [file, script] of fresh) {
  mkdirSync(dirname(pathOf(file)), { recursive: true });
  writeFileSync(pathOf(file), script.createCachedData());
}
