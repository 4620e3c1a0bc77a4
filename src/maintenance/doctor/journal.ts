import { readTrust } from "../../cli/session/network.ts";
import { databaseHost, isDatabase, isPublicHost } from "../../contract/addresses.ts";
import type { Check, Finding } from "../../errors/findings.ts";
import type { Detail } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { How } from "../../journal/engine/postgres-login.ts";
import type { DatabaseLook } from "../../journal/upkeep/inspect-postgres.ts";
import { noWork, type PendingWork } from "../../journal/upkeep/inspect-queries.ts";
import { ownJournal } from "../../settings/journal-place.ts";
import type { CheckContext } from "./context.ts";
import { failBy, pass, unchecked, warn } from "./row.ts";

interface JournalContext {
  place: string;
  /** The file of this machine. */
  ownFile: string;
  /** The identities of the branch, one an address; none where its key is not known. */
  branches: readonly string[];
  command: { profile: string | null; isMock: boolean };
  /** For a database; where this process runs. */
  how: How & { now: () => number; host: string };
}

function checkWork(work: PendingWork, { branches, command }: JournalContext, exists: boolean): Check {
  if (exists && branches.length === 0) return unchecked("unfinished", "key");

  const isFine = work.processes.length > 0 || (work.sends.length === 0 && work.push === null);
  return (isFine ? pass : warn)("unfinished", { kind: "work", ...work, ...command });
}

async function checkFile(context: JournalContext): Promise<Check[]> {
  const { place: file, branches } = context;
  const { inspectJournal } = await import("../../journal/upkeep/inspect.ts");
  const look = await inspectJournal(file, branches);
  const unfinished = unchecked("unfinished", "journal");

  if (look.kind === "broken") return [failBy("journal", look.error), unfinished];
  if (look.kind === "busy") return [warn("journal", { kind: "journal_busy", file }), unfinished];

  const { bytes, work } = look.kind === "good" ? look : { bytes: null, work: noWork };
  return [pass("journal", { kind: "journal", file, bytes }), checkWork(work, context, bytes !== null)];
}

const steps = ["journal", "journal_rights", "journal_schema"] as const;

/** The row to which a reason belongs. */
function chooseStep(trouble: Detail): (typeof steps)[number] {
  if (typeof trouble === "string") return "journal";
  const kind = trouble.kind === "database" ? trouble.problem.kind : trouble.kind;
  if (["journal_newer", "journal_outdated", "half_copied"].includes(kind)) return "journal_schema";
  const isOfRights = /^(no_.+_rights|foreign_.+|read_only)$/.test(kind);
  return isOfRights ? "journal_rights" : "journal";
}

type Server = NonNullable<DatabaseLook["server"]>;

function checkServer(
  name: string,
  { place, ownFile, how }: JournalContext,
  server: Server,
  left: boolean,
): Check[] {
  const { version, ms, schema } = server;
  const tls = server.tls === 1;
  const isOpen = !tls && isPublicHost(databaseHost(place, how.env));
  const reached: Finding = { kind: "database", name, version, ms, tls };
  const made: Finding = { kind: "schema", version: schema, left: left ? ownFile : null };

  return [
    (isOpen ? warn : pass)("journal", reached),
    pass("journal_rights", { kind: "database_rights", user: server.user, exists: schema !== null }),
    (left ? warn : pass)("journal_schema", made),
  ];
}

async function checkDatabase(context: JournalContext): Promise<Check[]> {
  const { place, ownFile, branches, how } = context;
  const { inspectDatabase } = await import("../../journal/upkeep/inspect-postgres.ts");
  const { isLeftBehind } = await import("../../journal/upkeep/inspect.ts");
  const { name: file, server, trouble, work } = await inspectDatabase(place, branches, how);
  const rows = server === undefined ? [] : checkServer(file, context, server, isLeftBehind(ownFile));
  if (trouble === undefined) return [...rows, checkWork(work, context, server?.schema !== null)];

  const broken = server === undefined ? "journal" : chooseStep(trouble);
  const at = steps.indexOf(broken);
  const error = new BposError("journal_unreadable", { file, detail: trouble });
  const left = [...steps.slice(at + 1), "unfinished" as const];
  return [...rows.slice(0, at), failBy(broken, error), ...left.map((step) => unchecked(step, broken))];
}

/** Checks the journal and what is unfinished in it, of these branches by their ids. Creates and changes nothing. */
export async function checkJournal(
  { runtime, found, caFile, limitMs }: CheckContext,
  branches: readonly string[],
): Promise<Check[]> {
  const { system, flags } = runtime;
  const { journalError, settings, mock } = found;
  if (journalError !== undefined)
    return [failBy("journal", journalError), unchecked("unfinished", "journal")];

  const { env, host, clock } = system;
  const secureContext = caFile?.status === "fail" ? undefined : await readTrust(runtime, flags.caFile);
  const context: JournalContext = {
    place: settings.journal,
    ownFile: ownJournal(system).place,
    branches,
    command: { profile: flags.profile ?? null, isMock: mock !== undefined },
    how: { env, host, limitMs, secureContext, now: () => clock.now() },
  };
  return isDatabase(context.place) ? checkDatabase(context) : checkFile(context);
}
