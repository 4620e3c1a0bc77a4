import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join, parse, resolve } from "node:path";
import { BposError } from "../../errors.ts";
import type { Journal, Reports } from "../../journal/journal.ts";
import { rename } from "../../rename.ts";
import type { System } from "../../system.ts";

const maxNames = 1_000;

function* freeNames(file: string): Generator<string> {
  yield file;
  const { dir, name, ext } = parse(file);
  for (let n = 2; n <= maxNames; n++) yield join(dir, `${name}-${n}${ext}`);
}

function realPath(cwd: string, file: string): string {
  const path = resolve(cwd, file);
  try {
    return fs.realpathSync(path);
  } catch {
    return join(fs.realpathSync(dirname(path)), basename(path));
  }
}

/** Files that `--rejected` and `--errors` must not replace: other reports, and the files that this command reads, by any name. */
interface Kept {
  reports: Reports;
  inputs: readonly string[];
}

const fileId = (path: string): string | undefined => {
  const { dev, ino } = fs.statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {};
  return ino === undefined ? undefined : `${dev}:${ino}`;
};

function fileIds(cwd: string, files: readonly string[]): string[] {
  const named = files.filter((file) => file !== "-");
  return named.flatMap((file) => fileId(resolve(cwd, file)) ?? []);
}

/** True if a file is one of those, by any name. */
export function isOneOf(cwd: string, file: string, files: readonly string[]): boolean {
  const [id] = fileIds(cwd, [file]);
  return id !== undefined && fileIds(cwd, files).includes(id);
}

function readKept({ reports }: Journal, cwd: string, inputs: readonly string[]): Kept {
  return { reports, inputs: fileIds(cwd, inputs) };
}

/** `own` is a report as bpos wrote it; what cannot be read is somebody's, as is a link that leads nowhere. */
async function inspectTarget(
  { reports, inputs }: Kept,
  path: string,
): Promise<"free" | "empty" | "own" | "taken"> {
  if (fs.lstatSync(path, { throwIfNoEntry: false }) === undefined) return "free";
  try {
    const found = fs.statSync(path);
    if (!found.isFile() || inputs.includes(fileId(path) ?? "")) return "taken";
    if (found.size === 0) return "empty";
    const hash = createHash("sha256");
    for await (const chunk of fs.createReadStream(path)) hash.update(chunk as Buffer);
    // Changes nothing, and fails on Windows while another program has it open, as a spreadsheet does.
    fs.renameSync(path, path);
    return (await reports.isOurs(path, hash.digest("hex"))) ? "own" : "taken";
  } catch {
    return "taken";
  }
}

/** Puts a report in its place, completely or not at all. After a crash at any point, the journal knows which report is there. */
async function put(
  reports: Reports,
  path: string,
  pid: number,
  chunks: Iterable<string | Uint8Array>,
): Promise<void> {
  const temporary = join(dirname(path), `.bpos-${pid}.tmp`);
  const mode = fs.lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o600;
  try {
    fs.rmSync(temporary, { force: true });
    const hash = createHash("sha256");
    const handle = fs.openSync(temporary, "wx", 0o600);
    try {
      for (const chunk of chunks) {
        hash.update(chunk);
        fs.writeFileSync(handle, chunk);
      }
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.chmodSync(temporary, mode & 0o777);

    const digest = hash.digest("hex");
    await reports.add(path, digest);
    await rename(temporary, path);
    await reports.forget(path, digest);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes the reports of these names that are unchanged since bpos wrote them, up to the first free name. */
async function removeOwn(kept: Kept, cwd: string, names: Iterable<string>): Promise<void> {
  for (const name of names) {
    const path = realPath(cwd, name);
    const standing = await inspectTarget(kept, path);
    if (standing === "free") return;
    if (standing !== "own") continue;
    fs.rmSync(path, { force: true });
    await kept.reports.forget(path);
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
export function writeReport(
  { cwd, pid }: Pick<System, "cwd" | "pid">,
  journal: Journal,
  file: string,
  { chunks, inputs = [] }: { chunks: Iterable<string | Uint8Array>; inputs?: readonly string[] },
): Promise<string> {
  return orUnwritable(file, async () => {
    const kept = readKept(journal, cwd, inputs);
    const names = freeNames(file);
    for (const name of names) {
      const path = realPath(cwd, name);
      if ((await inspectTarget(kept, path)) === "taken") continue;

      await put(journal.reports, path, pid, chunks);
      // The report that an earlier run wrote under the next free name is out of date now.
      await removeOwn(kept, cwd, names);
      return name;
    }
    throw new Error(`${file} and ${maxNames - 1} names behind it are taken`);
  });
}

/** Removes unchanged reports of earlier runs: correcting one later would send stale data. */
export function removeReport(
  { cwd }: Pick<System, "cwd">,
  journal: Journal,
  file: string,
  inputs: readonly string[],
): Promise<void> {
  return orUnwritable(file, async () => {
    const kept = readKept(journal, cwd, inputs);
    const [first = file, ...others] = freeNames(file);
    await removeOwn(kept, cwd, [first]);
    await removeOwn(kept, cwd, others);
  });
}
