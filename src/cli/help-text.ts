import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import type { ExitName } from "../errors.ts";

/** A command of whose flags and arguments nothing is known. */
export type AnyCommand = CommandUnknownOpts;

/** A command line and what it is good for. */
type Example = readonly string[];

/** What of the outside a command answers to: the exit codes a script meets, the variables it reads. */
interface Facts {
  exits: readonly ExitName[];
  variables: readonly string[];
  /** Set for a command that lists objects: it takes `--fields`. */
  takesFields?: boolean;
}

/** What a help page says beside commander's own declarations. */
export interface HelpFacts extends Facts {
  examples: readonly Example[];
}

const nothing: HelpFacts = { examples: [], exits: [], variables: [] };
const factsByCommand = new WeakMap<AnyCommand, HelpFacts>();

/** The exit codes that matter, by what a command does. */
export const exits = {
  /** Reads a file and calls nobody. */
  read: ["ok", "usage", "partial"],
  /** Asks the service. */
  ask: ["ok", "usage", "denied", "refused", "unavailable", "config"],
  /** Changes something at the service. */
  send: ["ok", "usage", "partial", "denied", "refused", "unavailable", "unknown", "config", "interrupted"],
  /** Asks until something is final. */
  follow: ["ok", "usage", "denied", "refused", "unavailable", "pending", "config", "interrupted"],
  /** Asks until it is stopped. */
  watch: ["ok", "usage", "partial", "denied", "unavailable", "config", "interrupted"],
  /** Looks into the journal. */
  recall: ["ok", "usage", "denied", "config"],
  /** Looks at the file of profiles, or changes it. */
  file: ["ok", "usage", "config"],
  /** Listens until it is stopped. */
  serve: ["ok", "usage", "config", "interrupted"],
  /** Talks to a mock. */
  talk: ["ok", "usage", "refused", "unavailable", "config"],
} as const satisfies Record<string, readonly ExitName[]>;

/** The environment variables that matter, by what a command talks to. */
export const variables = {
  orders: ["BPOS_API_KEY", "BPOS_BASE_URL", "BPOS_PROFILE", "BPOS_MOCK"],
  campaigns: ["BPOS_API_KEY", "BPOS_CAMPAIGNS_URL", "BPOS_PROFILE", "BPOS_MOCK"],
  listen: ["BPOS_WEBHOOK_SECRET", "BPOS_API_KEY", "BPOS_PROFILE", "BPOS_MOCK"],
  mock: ["BPOS_MOCK"],
} as const;

/** Adds a command with its description, its examples, and what else its help says. */
export function verb(
  parent: AnyCommand,
  name: string,
  { description, examples }: { description: string; examples: readonly Example[] },
  facts: Facts = nothing,
): Command {
  const command = parent.command(name).description(description);
  setFacts(command, { ...facts, examples });
  return command;
}

/** Settles what the help of a command says beside its declarations. */
export function setFacts(command: AnyCommand, facts: HelpFacts): void {
  factsByCommand.set(command, facts);
}

/** What the help of a command says beside its declarations. */
export function factsOf(command: AnyCommand): HelpFacts {
  return factsByCommand.get(command) ?? nothing;
}
