import { databasePasswords } from "../contract/addresses.ts";
import { masker } from "../errors/mask-key.ts";
import type { TextQuestion } from "../system/prompts.ts";
import type { OutStream, System } from "../system.ts";
import { findLanguage, type Language, type Texts } from "../texts/texts.ts";
import type { Log } from "./display/log.ts";
import type { GlobalFlags } from "./line/global-flags.ts";

export interface Runtime {
  system: GuardedSystem;
  /** The same before standard error had a log, times or plain signs. */
  plain: GuardedSystem;
  /** The language of help and standard error; English where that is JSON. */
  texts: Texts;
  /** The language of standard output. */
  outTexts: Texts;
  signal: AbortSignal;
  /** The global flags: as typed until the line is parsed, checked when a command runs. */
  flags: GlobalFlags;
  /** The exit code when nothing is thrown. A command sets it when its work was only partly done. */
  exitCode: number;
  /** Set when the --jq program failed. The command's work is done, and its exit code stays unless it is 0. */
  jqFailed?: boolean;
  /** True for a command that sends, without --dry-run. */
  sends?: boolean;
  /** The `outcome` of the report, where the command has one. */
  outcome?: string | undefined;
  /** Set by --on-failure: called with the exit code, once everything is written. */
  onFailure?: (exitCode: number) => Promise<void>;
  /** Set by --on-failure of a command that runs for long: runs it for what happens to a branch meanwhile. Nothing waits for it. */
  onEvent?: (event: BranchEvent) => void;
  /** The event that ended such a command. */
  ending?: BranchEvent;
  /** The one way in, for the demo: runs a whole command line in another System. */
  main(argv: readonly string[], system: System): Promise<number>;
  /** Starts the embedded mock of --mock. Only this loads the mock. */
  startMock(options: { data?: string; now: () => number }): Promise<EmbeddedMock>;
}

/** An event of a branch, for the command of --on-failure; the branch's name is safe in a shell. */
export interface BranchEvent {
  event: "outage" | "recovered" | "stopped";
  branch: string;
}

/** A mock that runs in this process, for a rehearsal. */
export interface EmbeddedMock {
  baseUrl: string;
  campaignsBaseUrl: string;
  keys: readonly { branch: string; key: string }[];
  /** Null for a world that ends with the command. */
  worldId: string | null;
  close(): Promise<void>;
}

export interface GuardedSystem extends System {
  /** With `--log-format json`: standard error has one JSON object a line. */
  readonly log?: Log;
  /** Replaces a key or another secret by `mark` in everything that is written from here on. */
  readonly hide: (secret: string, mark?: string) => void;
  /** Calls `listener` with everything that is written to that stream from here on. */
  readonly tap: (stream: "stdout" | "stderr", listener: (text: string) => void) => void;
}

export function guardPrompts(prompts: System["prompts"], safe: (text: string) => string): System["prompts"] {
  const checking = <H extends Pick<TextQuestion, "check">>(how: H): H => ({
    ...how,
    check: (answer: string) => {
      const objection = how.check(answer);
      return objection && safe(objection);
    },
  });
  return {
    confirm: (question, ...how) => prompts.confirm(safe(question), ...how),
    choose: (question, choices, how) => prompts.choose(safe(question), choices.map(safe), how),
    text: (question, how, signal) => prompts.text(safe(question), checking(how), signal),
    secret: (question, how, signal) => prompts.secret(safe(question), checking(how), signal),
  };
}

/** Removes the secrets passed to `hide` from everything that a command writes, asks or logs. */
export function guardSystem(system: System): GuardedSystem {
  const maskers = new Map<string, (text: string) => string>();
  const maskAll = (text: string): string => [...maskers.values()].reduce((safe, mask) => mask(safe), text);
  const taps: { stdout?: (text: string) => void; stderr?: (text: string) => void } = {};
  const stream = (name: keyof typeof taps): OutStream => ({
    ...system[name],
    write(text) {
      const safe = maskAll(text);
      taps[name]?.(safe);
      return system[name].write(safe);
    },
  });
  const hide = (secret: string, mark?: string): void => {
    // A shorter secret, or one of digits alone, can occur in any text by chance.
    const isMaskable = secret.length >= 8 && /[a-z]/i.test(secret);
    if (isMaskable && !maskers.has(secret)) maskers.set(secret, masker(secret, mark));
  };
  // Before anything can be wrong with the line.
  for (const password of databasePasswords(system.env["BPOS_JOURNAL"] ?? "")) hide(password, "…");
  return {
    ...system,
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    prompts: guardPrompts(system.prompts, maskAll),
    // The key is in a command's environment, and a shell that traces itself prints it.
    async run(...how) {
      const ended = await system.run(...how);
      return { ...ended, output: maskAll(ended.output) };
    },
    page: (command, text) => system.page(command, maskAll(text)),
    tap(name, listener) {
      taps[name] = listener;
    },
    hide,
  };
}

/** The locale as POSIX ranks its variables. */
export const readLocale = (env: System["env"]): string =>
  env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";

/** `--lang`, then `BPOS_LANG`, then the locale; any other language is English. */
export function chooseLanguage({ lang }: Pick<GlobalFlags, "lang">, env: System["env"]): Language {
  const named = findLanguage(lang ?? "") ?? findLanguage(env["BPOS_LANG"] ?? "");
  return named ?? findLanguage(readLocale(env)) ?? "en";
}

export function readMockWish(env: System["env"], flag = false): { address: string } | "embedded" | undefined {
  const variable = env["BPOS_MOCK"] ?? "";
  if (/^https?:/.test(variable)) return { address: variable };
  return flag || !["", "0"].includes(variable) ? "embedded" : undefined;
}
