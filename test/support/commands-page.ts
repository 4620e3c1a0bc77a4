import { exitCodes } from "../../src/errors.ts";
import { type CommandEntry, commandEntries } from "./command-tree.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function table(rows: readonly (readonly [string, string])[]): string[] {
  return ["| | |", "|---|---|", ...rows.map(([term, what]) => `| \`${term}\` | ${cell(what)} |`), ""];
}

function section({ path, description, usage, examples, groups, exits, ...entry }: CommandEntry): string[] {
  const level = "#".repeat(Math.min(3, path.split(" ").length + 1));
  const lines = examples.map(([line = "", what = ""]) => `${line}  # ${what}`);
  const codes = exits.map((name) => `${exitCodes[name]} ${name}`).join(" · ");
  return [
    `${level} ${path}`,
    "",
    `${description}.`.replace("..", "."),
    "",
    "```sh",
    ...usage,
    "```",
    "",
    ...(lines.length > 0 ? ["```sh", ...lines, "```", ""] : []),
    ...(entry.arguments.some((each) => each.description)
      ? table(entry.arguments.map((each) => [each.name, each.description]))
      : []),
    ...groups.flatMap(([heading, flags]) => [
      `**${heading.replace(":", "")}**`,
      "",
      ...table(flags.map((flag) => [flag.flags, flag.description])),
    ]),
    ...(codes === "" || path === "bpos" ? [] : [`Exit codes: ${codes}.`, ""]),
  ];
}

/** docs/commands.md: every command, argument and flag as it is declared. */
export function commandsPage(): string {
  const lines = commandEntries().flatMap(section);
  return `# Commands\n\nMade from the declarations of the commands by \`npm run docs\`: do not edit it.\n\n${lines.join("\n").trimEnd()}\n`;
}
