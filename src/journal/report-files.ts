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
import { type Journal, prepared } from "./open.ts";

/** Names that are tried; more files of one name that all belong to others are a mistake. */
const maxNames = 1_000;
const chunkBytes = 1 << 16;

/** What a path holds: nothing, an empty file, a report as bpos wrote it, or anything else. */
type Standing = "free" | "empty" | "own" | "taken";

/** A report that is to be written: its name as given, relative to `cwd`, and its text. */
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

/** One spelling for a path, however it was written and through whatever links. */
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

function standingOf(journal: Journal, path: string): Standing {
  // A link that leads nowhere is somebody's too.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return "free";
  try {
    const hash = hashOfFile(path);
    if (hash === undefined) return "taken";
    if (hash === null) return "empty";
    const known = prepared(journal, "SELECT 1 FROM report_file WHERE path = ? AND hash = ?").get(path, hash);
    return known === undefined ? "taken" : "own";
  } catch {
    return "taken";
  }
}

/** Writes a file that nobody has yet; the hash of what it holds. */
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
function put(journal: Journal, path: string, { pid, chunks }: Report): void {
  const temporary = join(dirname(path), `.bpos-${pid}.tmp`);
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o600;
  try {
    rmSync(temporary, { force: true });
    const hash = writeNew(temporary, mode & 0o777, chunks);
    prepared(journal, "INSERT INTO report_file VALUES (?, ?) ON CONFLICT DO NOTHING").run(path, hash);
    renameSync(temporary, path);
    prepared(journal, "DELETE FROM report_file WHERE path = ? AND hash <> ?").run(path, hash);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Takes away the reports of these names that are as bpos wrote them, up to the first name that nothing has. */
function removeOwn(journal: Journal, cwd: string, names: Iterable<string>): void {
  for (const name of names) {
    const path = realPath(cwd, name);
    const standing = standingOf(journal, path);
    if (standing === "free") return;
    if (standing !== "own") continue;
    rmSync(path, { force: true });
    prepared(journal, "DELETE FROM report_file WHERE path = ?").run(path);
  }
}

/** Does it, or throws `output_unwritable`. */
function orUnwritable<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new BposError("output_unwritable", { file, detail: (error as Error).message }, { cause: error });
  }
}

/**
 * Writes a report, for its owner alone where it is new: over an earlier one only if that is as bpos wrote it, else to the next free
 * name, since somebody may have corrected it. Returns that name. Throws `output_unwritable`.
 *
 * @example
 * writeReport(journal, { file: "rejected.csv", cwd: "/srv", pid: 7, chunks: ["codigo,error\r\n"] }); // "rejected-2.csv"
 */
export function writeReport(journal: Journal, report: Report): string {
  const { file, cwd } = report;
  return orUnwritable(file, () => {
    const names = namesOf(file);
    for (const name of names) {
      const path = realPath(cwd, name);
      if (standingOf(journal, path) === "taken") continue;
      put(journal, path, report);
      // What an earlier run wrote behind a file of others is out of date now.
      removeOwn(journal, cwd, names);
      return name;
    }
    throw new Error(`${file} and ${maxNames - 1} names behind it are taken`);
  });
}

/**
 * Takes away the reports that earlier runs left under this name, unless somebody changed them: whoever corrected them later would
 * send what is old. Throws `output_unwritable`.
 */
export function removeReports(journal: Journal, { file, cwd }: Pick<Report, "file" | "cwd">): void {
  orUnwritable(file, () => {
    const [first = file, ...others] = namesOf(file);
    removeOwn(journal, cwd, [first]);
    removeOwn(journal, cwd, others);
  });
}
