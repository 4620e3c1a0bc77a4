import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script, type ScriptOptions } from "node:vm";
import { crc32 } from "node:zlib";

/** Makes a script of the code of a file. */
export type Compile = (code: string, options: ScriptOptions & { filename: string }) => Script;

export const compile: Compile = (code, options) => new Script(code, options);

/** Runs `work`; returns undefined if it throws. */
function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

type Check = (path: string) => boolean;

/** Makes the folder where it is missing; not by `recursive`, which in /proc never ends. Returns its real path, or undefined where others could put code into it. */
function ownFolder(folder: string, isExposed: Check): string | undefined {
  for (const each of [dirname(folder), folder]) {
    if (isExposed(each)) return undefined;
    if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
  }
  return realpathSync(folder);
}

const sumOf = (code: Buffer): Buffer => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(code));
  return sum;
};

function keep(file: string, script: Script): void {
  const part = `${file}.${process.pid}`;
  const isKept = attempted(() => {
    const code = script.createCachedData();
    writeFileSync(part, Buffer.concat([code, sumOf(code)]), { mode: 0o600 });
    renameSync(part, file);
    return true;
  });
  if (!isKept) attempted(() => rmSync(part, { force: true }));
}

/** The bytes of a file of this user, or of root, which no other may write. */
function ownBytes(file: string): Buffer {
  // Not a link, nor a pipe, which would be waited for.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { mode, uid } = fstatSync(fd);
    const own = process.geteuid?.();
    if (own !== undefined && ((uid !== own && uid !== 0) || (mode & 0o022) !== 0)) return Buffer.alloc(0);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** V8 would run what a disk or a loss of power damaged. */
function kept(file: string): Buffer | undefined {
  const bytes = attempted(() => ownBytes(file)) ?? Buffer.alloc(0);
  const code = bytes.subarray(0, -4);
  return sumOf(code).equals(bytes.subarray(-4)) ? code : undefined;
}

/** Compiles as `compile` does, and keeps what was compiled in `wanted` from one run to the next, where nobody else could change it. Never fails: without it all takes a little longer. */
export function cachedCompile(wanted: string, isExposed: Check): Compile {
  const folder = attempted(() => ownFolder(wanted, isExposed));
  if (folder === undefined) return compile;
  const fresh: [file: string, script: Script][] = [];
  // Only at the end, so that what was compiled at its first call is in it.
  process.once("exit", () => {
    for (const [file, script] of fresh) keep(file, script);
  });
  return (code, options) => {
    const { filename } = options;
    // A name that holds the hash of what is in the file. V8 refuses what another version of it made, or other flags.
    if (!/-[\w-]{8}\.cjs$/.test(filename)) return compile(code, options);
    const file = join(folder, `${basename(filename)}-${process.version}`);
    const cachedData = kept(file);
    const script = new Script(code, { ...options, ...(cachedData && { cachedData }) });
    if (script.cachedDataRejected !== false) fresh.push([file, script]);
    return script;
  };
}
