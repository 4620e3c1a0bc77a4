import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Option } from "commander";
import { orderStates } from "../contract/order-states.ts";
import { languages } from "../i18n/language.ts";
import type { Remembered } from "../journal/peek.ts";
import { scenarioNames } from "../mock/scenario-names.ts";
import { folders } from "../settings/folders.ts";
import type { System } from "../system.ts";
import { fileFormats, formats, recipientStatuses, shells } from "./choices.ts";

/** A word that may stand there, and what it is. */
export interface Candidate {
  value: string;
  note: string;
}

/** What may stand at a place of the command line: these words, words of this machine, a file, a folder, or anything. */
export type Source =
  | { of: "words"; words: readonly string[]; list?: true }
  | { of: "profiles" }
  | { of: "journal"; what: Remembered }
  | { of: "files" | "folders" | "nothing" };

const journal = (what: Remembered): Source => ({ of: "journal", what });
const words = (...all: string[]): Source => ({ of: "words", words: all });
const list = (...all: string[]): Source => ({ of: "words", words: all, list: true });

/** What a flag takes, by its long name; where a name means two things, by its command too. */
const byFlag: Readonly<Record<string, Source>> = {
  "--profile": { of: "profiles" },
  "--output": words(...formats),
  "--lang": words(...languages),
  "--format": words(...fileFormats),
  "--decimal": words(",", "."),
  "--on-duplicate": words("first", "last"),
  "--encoding": words("utf-8", "utf-16le", "windows-1252"),
  "--status": list(...orderStates, "all"),
  "order --status": words(...orderStates),
  "--only": list(...recipientStatuses),
  "--since": words("today", "yesterday", "2h"),
  "--scenario": words(...scenarioNames),
  "--ref": journal("ref"),
  "--template": journal("template"),
  "--template-id": journal("template_id"),
  "--language": journal("language"),
  "--consumer": journal("consumer"),
};

/** What an argument is, by its command and name. */
const byArgument: Readonly<Record<string, Source>> = {
  "completion shell": words(...shells),
  "status ids": journal("campaign"),
  "resume send": journal("ref"),
  "use name": { of: "profiles" },
  "show name": { of: "profiles" },
  "remove name": { of: "profiles" },
  "rename name": { of: "profiles" },
};

/** What a placeholder in angle brackets says by itself. */
const byPlaceholder: Readonly<Record<string, Source>> = {
  file: { of: "files" },
  folder: { of: "folders" },
};

const nothing: Source = { of: "nothing" };

/** What the value of a flag of that command may be. */
export function flagSource(command: string, option: Option): Source {
  const { long = "", flags } = option;
  const [, placeholder = ""] = /[<[]([^>\].]+)/.exec(flags) ?? [];
  return byFlag[`${command} ${long}`] ?? byFlag[long] ?? byPlaceholder[placeholder] ?? nothing;
}

/** What an argument of that command may be. */
export function argumentSource(command: string, argument: Argument): Source {
  const name = argument.name();
  return byArgument[`${command} ${name}`] ?? byPlaceholder[name] ?? nothing;
}

const mostRemembered = 100;

async function fromJournal(
  system: System,
  what: Remembered,
  { mock }: { mock: boolean },
): Promise<Candidate[]> {
  const file = join(folders(system).state, mock ? "mock-journal.db" : "journal.db");
  // To load SQLite for nothing would be felt at every Tab.
  if (!existsSync(file)) return [];
  const { remembered } = await import("../journal/peek.ts");
  return remembered(file, what, mostRemembered).flatMap(({ value, note }) =>
    value === null ? [] : [{ value, note: note ?? "" }],
  );
}

/** The words that a source holds on this machine. Throws what reading them throws. */
export async function candidatesOf(
  system: System,
  source: Source,
  { mock }: { mock: boolean },
): Promise<Candidate[]> {
  if (source.of === "words") return source.words.map((value) => ({ value, note: "" }));
  if (source.of === "journal") return fromJournal(system, source.what, { mock });
  if (source.of !== "profiles") return [];
  const { profileNames } = await import("../settings/profile-names.ts");
  return profileNames(system).map((value) => ({ value, note: "" }));
}
