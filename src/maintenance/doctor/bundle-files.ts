import { arch, release } from "node:os";
import { maskKey } from "../../cli/display/format.ts";
import { onlyGiven } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { databaseName, isDatabase } from "../../contract/addresses.ts";
import { isoWithOffset, orderStates } from "../../contract/limits.ts";
import type { Check } from "../../errors/findings.ts";
import type { JournalEvent, JournalSummary } from "../../journal/summary.ts";
import { findInstallation } from "../../own-files.ts";
import { readProfiles } from "../../settings/profile-file.ts";
import { version } from "../../version.ts";
import { findBranchNames, type Place } from "../journal/place.ts";
import type { DoctorSettings } from "./machine.ts";
import { checkWithoutPeople, openPseudonyms, type Pseudonyms } from "./pseudonyms.ts";
import { toCheckJson } from "./view.ts";

export type BundleFile =
  | "versions.json"
  | "settings.json"
  | "checks.json"
  | "journal.json"
  | "events.ndjson"
  | "printer.json";

/** What doctor has found out. */
export interface Found {
  runtime: Runtime;
  settings: DoctorSettings;
  checks: readonly Check[];
  exitCode: number;
  /** Undefined where there is none, or where it could not be read: its row says why. */
  journal: JournalSummary | undefined;
  /** The identities of the branch. */
  branches: readonly string[];
  /** Else a profile whose branch a mock of this machine serves would have a pseudonym. */
  askWorld: Place["askWorld"];
  printer: readonly { way: "sent" | "received"; bytes: Uint8Array }[];
}

const toEngine = (journal: Found["journal"]): object | null =>
  journal === undefined ? null : { engine: journal.engine, version: journal.version, driver: journal.driver };

const toVersions = ({ runtime: { system }, journal }: Found): object => ({
  bpos: version,
  node: system.nodeVersion,
  platform: system.platform,
  release: release(),
  arch: arch(),
  installation: findInstallation(),
  journal: toEngine(journal),
  made_at: isoWithOffset(system.clock.now()),
});

/** Those that change what bpos does; of their values nothing is told. */
const telling = /^(BPOS_|PG|LC_|NODE_|SSL_CERT|LANG|TZ|TERM|CI|NO_COLOR|FORCE_COLOR|PAGER)|_PROXY$/i;

function toSettings({ runtime: { system }, settings: { settings, traced, mock } }: Found): object {
  const { apiKey = "" } = settings;
  const shown: Readonly<Record<string, unknown>> = {
    api_key: apiKey === "" ? null : maskKey(apiKey),
    key_command: null,
    journal: isDatabase(settings.journal) ? databaseName(settings.journal, system.env) : settings.journal,
  };
  const rows = Object.entries(traced).flatMap(([setting, found]) => {
    if (found === undefined) return [];
    const value: unknown = setting in shown ? shown[setting] : found.value;
    return [{ setting, value, source: found.source.kind, from: found.source.name || null }];
  });
  return {
    rehearsal: mock !== undefined,
    settings: rows,
    environment: Object.keys(system.env)
      .filter((name) => telling.test(name) && system.env[name] !== "")
      .sort(),
  };
}

type Naming = { names: Pseudonyms; branch: (id: string) => string };

function toJournal({ journal }: Found, { names, branch }: Naming): object {
  if (journal === undefined) return { engine: null };
  const { engine, bytes, subjects, owed } = journal;
  const shown = owed.map((each) => ({
    ...each,
    branch: branch(each.branch),
    consumer: names.consumer(each.consumer),
    output: names.output(each.output),
  }));
  return { engine, bytes, subjects, owed: shown };
}

const phoneField = /"(?:phone|telefono|phone_number|wa_id|from)"\s*:\s*"?(\+?\d[\d ().-]{6,})/;

/** Of an event only what is named here: whatever a service or a customer wrote stays out. */
function toEvent(event: JournalEvent, { names, branch }: Naming): object {
  const { kind, at, branch: of, id, from, polled_at: polled, order_id: order, body } = event;
  const phone = event.person || phoneField.exec(body ?? "")?.[1];
  return onlyGiven({
    kind,
    at: isoWithOffset(at),
    branch: of && branch(of),
    state: event.state || undefined,
    id: id && names.of(kind === "push" ? "push" : "send", id),
    people: event.people ?? undefined,
    pending: event.pending,
    ...event.report,
    consumer: event.consumer && names.consumer(event.consumer),
    output: event.output && names.output(event.output),
    order: order && names.of("order", order),
    from: from ? (orderStates.find((each) => each === from) ?? "other") : undefined,
    polled_at: polled ? isoWithOffset(polled) : undefined,
    phone: body === undefined ? undefined : phone ? names.phone(phone) : null,
  });
}

function toPrinter({ settings: { settings }, checks, printer }: Found): object | undefined {
  const rows = checks.filter(({ name }) => name === "printer");
  const row = rows.find(({ status }) => status === "fail") ?? rows[0];
  if (row === undefined) return undefined;

  const { finding } = row;
  const failure =
    finding.kind === "failure" && finding.failure.reason === "printer_failed" && finding.failure;
  return {
    language: settings.printer.language,
    paper: settings.printer.paper,
    state: failure ? failure.facts.problem.kind : row.status,
    dialogue: printer.map(({ way, bytes }) => ({ way, hex: Buffer.from(bytes).toString("hex") })),
  };
}

/** The texts of a bundle, in which nothing is of a person. */
export async function makeFiles(found: Found): Promise<Partial<Record<BundleFile, string>>> {
  const { system } = found.runtime;
  const names = openPseudonyms(system.uuid());
  const { mock, settings, lost } = found.settings;
  const branch = mock ?? { name: settings.profile ?? "this branch", settings, world: undefined };
  // A profile file that cannot be read names nothing.
  const known =
    lost === undefined
      ? await findBranchNames({ branch, askWorld: found.askWorld }, readProfiles(system).profiles)
      : new Map<string, string>();
  for (const id of found.branches) known.set(id, branch.name);
  const naming: Naming = {
    names,
    branch: (id) => known.get(id) ?? names.of("branch", id),
  };
  const clean = (text: string): string => {
    const home = system.homedir.length > 1 ? text.replaceAll(system.homedir, "~") : text;
    return system.mask(home).replace(/(\w:\/\/)[^\s/@]*@/g, "$1…@");
  };
  const write = (value: object, indent = 2): string =>
    `${JSON.stringify(value, (_, each: unknown) => (typeof each === "string" ? clean(each) : each), indent)}\n`;

  const checks = found.checks.map((check) => toCheckJson(checkWithoutPeople(check, names)));
  const printer = toPrinter(found);
  return {
    "versions.json": write(toVersions(found)),
    "settings.json": write(toSettings(found)),
    "checks.json": write({ exit_code: found.exitCode, checks }),
    "journal.json": write(toJournal(found, naming)),
    "events.ndjson": (found.journal?.events ?? []).map((event) => write(toEvent(event, naming), 0)).join(""),
    ...(printer && { "printer.json": write(printer) }),
  };
}
