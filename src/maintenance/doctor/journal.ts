import { databaseHost, isDatabase, isPublicHost } from "../../contract/addresses.ts";
import type { Detail } from "../../errors/problems.ts";
import { BposError, type Check, type Finding } from "../../errors.ts";
import type { How } from "../../journal/connection.ts";
import type { DatabaseLook } from "../../journal/inspect-postgres.ts";
import { noWork, type OpenWork } from "../../journal/looks.ts";
import { failedBy, passed, unchecked, warned } from "./machine.ts";

export interface JournalContext {
  place: string;
  /** All identities that the branch has or had; none where its key is not known. */
  branches: readonly string[];
  command: { profile: string | null; isMock: boolean };
  /** For a database; where this process runs. */
  how: How & { now: () => number; host: string };
}

function workRow(work: OpenWork, { branches, command }: JournalContext, exists: boolean): Check {
  if (exists && branches.length === 0) return unchecked("unfinished", "key");
  const isFine = work.processes.length > 0 || (work.sends.length === 0 && work.push === null);
  return (isFine ? passed : warned)("unfinished", { kind: "work", ...work, ...command });
}

async function fileRows(context: JournalContext): Promise<Check[]> {
  const { place: file, branches } = context;
  const { inspectJournal } = await import("../../journal/inspect.ts");
  const look = await inspectJournal(file, branches);
  const unfinished = unchecked("unfinished", "journal");
  if (look.kind === "broken") return [failedBy("journal", look.error), unfinished];
  if (look.kind === "busy") return [warned("journal", { kind: "journal_busy", file }), unfinished];
  const { bytes, work } = look.kind === "good" ? look : { bytes: null, work: noWork };
  return [passed("journal", { kind: "journal", file, bytes }), workRow(work, context, bytes !== null)];
}

const steps = ["journal", "journal_rights", "journal_schema"] as const;

/** The row to which a reason belongs. */
function stepOf(trouble: Detail): (typeof steps)[number] {
  if (typeof trouble === "string") return "journal";
  if (trouble.kind === "journal_newer") return "journal_schema";
  const isRight =
    trouble.kind === "database" &&
    ["no_schema_rights", "no_table_rights", "read_only"].includes(trouble.problem.kind);
  return isRight ? "journal_rights" : "journal";
}

function databaseRows({ name: file, server, trouble }: DatabaseLook, isPublic: boolean): Check[] {
  const unreached = server === undefined ? "journal" : undefined;
  const broken = trouble === undefined ? undefined : (unreached ?? stepOf(trouble));
  const at = broken === undefined ? steps.length : steps.indexOf(broken);
  const found = server === undefined ? [] : serverRows(file, isPublic, server);
  const error = new BposError("journal_unreadable", { file, detail: trouble ?? "" });
  return [
    ...found.slice(0, at),
    ...(broken === undefined ? [] : [failedBy(broken, error)]),
    ...steps.slice(at + 1).map((step) => unchecked(step, broken ?? "journal")),
  ];
}

function serverRows(name: string, isPublic: boolean, server: NonNullable<DatabaseLook["server"]>): Check[] {
  const { version, ms, schema, newest } = server;
  const tls = server.tls === 1;
  const isOpen = !tls && isPublic;
  const reached: Finding = { kind: "database", name, version, ms, tls };
  return [
    (isOpen ? warned : passed)("journal", reached),
    passed("journal_rights", { kind: "database_rights", user: server.user, exists: schema !== null }),
    passed("journal_schema", { kind: "schema", version: schema, newest }),
  ];
}

/** What of the journal works, and what in it did not come to its end. Nothing is made or changed. */
export async function journalRows(context: JournalContext): Promise<Check[]> {
  const { place, branches, how } = context;
  if (!isDatabase(place)) return fileRows(context);
  const { inspectDatabase } = await import("../../journal/inspect-postgres.ts");
  const look = await inspectDatabase(place, branches, how);
  const rows = databaseRows(look, isPublicHost(databaseHost(place, how.env)));
  const broken = rows.find(({ status }) => status === "fail");
  const exists = (look.server?.schema ?? null) !== null;
  return [...rows, broken ? unchecked("unfinished", broken.name) : workRow(look.work, context, exists)];
}
