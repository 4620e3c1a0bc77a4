import { constants } from "node:fs";
import { access, mkdtemp, rmdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tooFarAheadMs, worthSayingMs } from "../../api/ask.ts";
import { userAgent } from "../../api/call.ts";
import type { Check, CheckName, Finding } from "../../errors.ts";
import { type BposError, type ExitName, exitNameOf, type Failure } from "../../errors.ts";
import { inspectJournal } from "../../journal/inspect.ts";

export const passed = (name: CheckName, finding: Finding): Check => ({ name, status: "pass", finding });

export const warned = (name: CheckName, finding: Finding): Check => ({ name, status: "warn", finding });

/** A row of what keeps commands from working, with the exit code that they would end with. */
export const failed = (name: CheckName, finding: Finding, exit: ExitName): Check => ({
  ...{ name, status: "fail", finding, exit },
});

export const failedBy = (name: CheckName, error: BposError): Check =>
  failed(name, { kind: "failure", failure: error as Failure }, exitNameOf[error.reason]);

/** A row that makes no sense before another is put right; it is no failure of its own. */
export const unchecked = (name: CheckName, because: CheckName): Check =>
  warned(name, { kind: "unchecked", because });

/** How a run ends: as the first check that fails says, from the top. */
export const exitOf = (checks: readonly Check[]): ExitName =>
  checks.flatMap((check) => (check.status === "fail" ? [check.exit] : []))[0] ?? "ok";

/** As in package.json, which a test compares. */
const oldestNode = "20.19.0";

export function nodeRow(version: string): Check {
  const isGood = version.localeCompare(oldestNode, "en", { numeric: true }) >= 0;
  const bpos = userAgent.replace("bpos/", "");
  const finding: Finding = { kind: "node", version, bpos, oldest: oldestNode, isGood };
  return isGood ? passed("node", finding) : failed("node", finding, "config");
}

/** With less free space than this, in bytes, a large push or a busy watch may stop in the middle. */
const littleSpace = 100 * 1024 * 1024;

export function clockRow(aheadMs: number | undefined): Check {
  if (aheadMs === undefined) return passed("clock", { kind: "clock_unknown" });
  // A push refuses only a clock that is ahead: `docs/guarantees.md`, Catalog, 5.
  if (aheadMs >= tooFarAheadMs) return failed("clock", { kind: "clock_ahead", aheadMs }, "config");
  return Math.abs(aheadMs) >= worthSayingMs
    ? warned("clock", { kind: "clock_off", aheadMs })
    : passed("clock", { kind: "clock_good", aheadMs });
}

export function journalRows({
  file,
  branches,
  profile,
  isMock,
}: {
  /** `:memory:` for a rehearsal that keeps nothing. */
  file: string;
  /** Every identity that the branch has or had; none where its key is not known. */
  branches: readonly string[];
  profile: string | null;
  isMock: boolean;
}): Check[] {
  if (file === ":memory:")
    return [passed("journal", { kind: "journal_in_memory" }), passed("unfinished", { kind: "work_none" })];
  const look = inspectJournal(file, branches);
  const broken = (finding: Finding): Check[] => [
    failed("journal", finding, "config"),
    unchecked("unfinished", "journal"),
  ];
  switch (look.kind) {
    case "none":
      return [passed("journal", { kind: "journal_none", file }), passed("unfinished", { kind: "work_none" })];
    case "busy":
      return [warned("journal", { kind: "journal_busy", file }), unchecked("unfinished", "journal")];
    case "newer":
      return broken({ kind: "journal_newer", file });
    case "damaged":
    case "unreadable":
      return broken({ kind: `journal_${look.kind}`, file, said: look.said });
    case "good": {
      const journal = passed("journal", { kind: "journal_good", file, bytes: look.bytes });
      const { sends, push, pids } = look.work;
      if (branches.length === 0) return [journal, unchecked("unfinished", "key")];
      if (pids.length > 0) return [journal, passed("unfinished", { kind: "work_under_way", pids })];
      if (sends.length === 0 && push === null) return [journal, passed("unfinished", { kind: "work_none" })];
      return [journal, warned("unfinished", { kind: "work_open", sends, push, profile, isMock })];
    }
  }
}

async function nearest(folder: string): Promise<string> {
  const found = await stat(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (found !== undefined) return folder;
  const above = dirname(folder);
  return above === folder ? folder : nearest(above);
}

async function tryWriting(folder: string, exists: boolean): Promise<void> {
  // What does not exist yet is made by the first command that needs it; above it nothing is written to find out.
  if (exists) await rmdir(await mkdtemp(join(folder, "doctor-")));
  else await access(folder, constants.W_OK);
}

/** Whether the state folder, which need not be there yet, can be written, and how much room there is. */
export async function diskRow(folder: string): Promise<Check> {
  try {
    const there = await nearest(folder);
    const { bavail, bsize, blocks } = await statfs(there);
    const free = blocks === 0 ? null : bavail * bsize;
    if (free === 0) return failed("disk", { kind: "disk_low", folder, free }, "config");
    await tryWriting(there, there === folder);
    if (free !== null && free < littleSpace) return warned("disk", { kind: "disk_low", folder, free });
    return passed("disk", { kind: "disk_good", folder, free, exists: there === folder });
  } catch (error) {
    const said = (error as Error).message;
    return failed("disk", { kind: "disk_unwritable", folder, said }, "config");
  }
}
