import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, parse, resolve } from "node:path";
import { BposError } from "../errors.ts";
import type { Reports } from "../journal/journal.ts";

const maxNames = 1_000;
const chunkBytes = 1 << 16;

type Standing = "free" | "empty" | "own" | "taken";

interface Report {
  file: string;
  cwd: string;
  pid: number;
  chunks: Iterable<string>;
}

/** `rejected.csv`, `rejected-2.csv`, `rejected-3.csv`, … */
function* namesOf(file: string): Generator<string> {
  yield file;
  const { dir, name, ext } = parse(file);
  for (let n = 2; n <= maxNames; n++) yield join(dir, `${name}-${n}${ext}`);
}

function realPath(cwd: string, file: string): string {
  const path = resolve(cwd, file);
  try {
    return realpathSync(path);
  } catch {
    return join(realpathSync(dirname(path)), basename(path));
  }
}

/** The hash of a file's bytes; null for an empty one, undefined for what is no regular file. */
function hashOfFile(path: string): string | null | undefined {
  // Without O_NONBLOCK a FIFO would be waited for.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(handle).isFile()) return undefined;
    const hash = createHash("sha256");
    const chunk = Buffer.alloc(chunkBytes);
    let size = 0;
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
      hash.update(chunk.subarray(0, read));
      size += read;
    }
    return size === 0 ? null : hash.digest("hex");
  } finally {
    closeSync(handle);
  }
}

async function standingOf(reports: Reports, path: string): Promise<Standing> {
  // A link that leads nowhere is somebody's too.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return "free";
  try {
    const hash = hashOfFile(path);
    if (hash === undefined) return "taken";
    if (hash === null) return "empty";
    return (await reports.isOurs(path, hash)) ? "own" : "taken";
  } catch {
    return "taken";
  }
}

function writeNew(path: string, mode: number, chunks: Iterable<string>): string {
  const hash = createHash("sha256");
  const handle = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    for (const chunk of chunks) {
      const bytes = Buffer.from(chunk);
      hash.update(bytes);
      writeFileSync(handle, bytes);
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  if (mode !== 0o600) chmodSync(path, mode);
  return hash.digest("hex");
}

/** Puts a report in its place, whole or not at all; wherever a crash falls, the journal knows what stands there. */
async function put(reports: Reports, path: string, { pid, chunks }: Report): Promise<void> {
  const temporary = join(dirname(path), `.bpos-${pid}.tmp`);
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o600;
  try {
    rmSync(temporary, { force: true });
    const hash = writeNew(temporary, mode & 0o777, chunks);
    await reports.add(path, hash);
    renameSync(temporary, path);
    await reports.forget(path, hash);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Takes away the reports of these names that are as bpos wrote them, up to the first name that nothing has. */
async function removeOwn(reports: Reports, cwd: string, names: Iterable<string>): Promise<void> {
  for (const name of names) {
    const path = realPath(cwd, name);
    const standing = await standingOf(reports, path);
    if (standing === "free") return;
    if (standing !== "own") continue;
    rmSync(path, { force: true });
    await reports.forget(path);
  }
}

async function orUnwritable<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
  }
}

/** Over an earlier report only if that is as bpos wrote it, else to the next free name: somebody may have corrected it. Returns that name. */
export function writeReport(reports: Reports, report: Report): Promise<string> {
  const { file, cwd } = report;
  return orUnwritable(file, async () => {
    const names = namesOf(file);
    for (const name of names) {
      const path = realPath(cwd, name);
      if ((await standingOf(reports, path)) === "taken") continue;
      await put(reports, path, report);
      // What an earlier run wrote behind a file of others is out of date now.
      await removeOwn(reports, cwd, names);
      return name;
    }
    throw new Error(`${file} and ${maxNames - 1} names behind it are taken`);
  });
}

/** Takes away reports of earlier runs that nobody changed: whoever corrected them later would send what is old. */
export function removeReports(reports: Reports, { file, cwd }: Pick<Report, "file" | "cwd">): Promise<void> {
  return orUnwritable(file, async () => {
    const [first = file, ...others] = namesOf(file);
    await removeOwn(reports, cwd, [first]);
    await removeOwn(reports, cwd, others);
  });
}
