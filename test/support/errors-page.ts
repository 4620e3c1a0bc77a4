import { type ErrorReason, type ExitName, exitCodes, exitNameOf } from "../../src/errors.ts";
import { en } from "../../src/i18n/en.ts";
import { causeOf } from "../../src/i18n/shapes.ts";

const reasons = Object.keys(exitNameOf) as ErrorReason[];
const exits = Object.keys(exitCodes) as ExitName[];

/** What `bpos help exit-codes` says of each code. */
const exitRows =
  en.topics["exit-codes"]({
    exits: exits.map((name) => [exitCodes[name], name]),
    reasons: [],
    folders: { config: "", state: "" },
  }).parts[0]?.rows ?? [];

const reasonSection = (reason: ErrorReason): string[] => {
  const { cause, remedy } = causeOf(en.errors, reason);
  return [`### ${reason}`, "", cause, "", ...(remedy === undefined ? [] : [`**What to do:** ${remedy}`, ""])];
};

const exitSection = ([title, meaning]: readonly [string, string], index: number): string[] => [
  `## Exit code ${title}`,
  "",
  meaning,
  "",
  ...reasons.filter((reason) => exitNameOf[reason] === exits[index]).flatMap(reasonSection),
];

const head = `# Errors

Every error says what happened, why, and what to do next. Each has a reason, which never changes its name. With \`-o json\` the error is
one line of JSON on standard error: \`code\` is the name of the exit code, \`reason\` one of the sections below, \`docs\` its place in
this page. \`bpos help errors REASON\` prints a section in a terminal, with \`--lang es\` in Spanish.

Made from the texts of bpos by \`npm run docs\`: do not edit it.
`;

/** docs/errors.md: every exit code and the reasons that end in it, with cause and remedy. */
export function errorsPage(): string {
  return `${head}\n${exitRows.flatMap(exitSection).join("\n").trimEnd()}\n`;
}
