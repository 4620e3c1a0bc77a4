// The public surface of bpos, a line each: commands and flags, keys of JSON, reasons of errors, exported names and types. `npm run docs`
// writes it to test/docs/surface.txt. A test compares it, so that nothing documented disappears or changes unnoticed.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { commandJson } from "../src/cli/line/help-json.ts";
import { type ErrorReason, exitNames } from "../src/errors.ts";
import { commandTree } from "./command-tree.ts";
import { ownKeys, printingCommands } from "./schema-keys.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

interface CommandFacts {
  command: string;
  aliases: string[];
  arguments: { argument: string; required: boolean; variadic: boolean }[];
  flags: { flag: string; short: string | null; value: string | null; choices: string[] | null }[];
  exit_codes: number[];
  environment: string[];
  commands: CommandFacts[];
}

function commandLines(facts: CommandFacts): string[] {
  const words = facts.arguments.map(({ argument, required, variadic }) => {
    const name = `${argument}${variadic ? "..." : ""}`;
    return required ? `<${name}>` : `[${name}]`;
  });
  const names = [facts.command, ...words, ...facts.aliases.map((alias) => `(or ${alias})`)].join(" ");
  const flags = facts.flags.map(({ flag, short, value, choices }) =>
    [`flag ${facts.command} ${flag}`, short, value && `<${value}>`, choices?.join("|")]
      .filter(Boolean)
      .join(" "),
  );
  return [
    `command ${names}`,
    `exits ${facts.command} ${facts.exit_codes.join(" ")}`,
    `environment ${facts.command} ${facts.environment.join(" ")}`,
    ...flags,
    ...facts.commands.flatMap(commandLines),
  ];
}

const keyLines = (): string[] =>
  printingCommands().flatMap((command) => ownKeys(command).map((key) => `json ${command}: ${key}`));

const reasonLines = (): string[] =>
  (Object.keys(exitNames) as ErrorReason[]).map((reason) => `reason ${reason} ${exitNames[reason]}`);

/** Longer types, such as those of schemas, are only named: their contents appear with the type of their values. */
const maxType = 400;

function typeLines(): string[] {
  const { options } = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  ) ?? { options: {} };
  const entries = { bpos: "src/index.ts", "bpos/mock": "src/mock/index.ts" };
  const program = ts.createProgram(
    Object.values(entries).map((file) => join(root, file)),
    options,
  );
  const checker = program.getTypeChecker();
  const format = (type: ts.Type): string => {
    const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    return text.length > maxType ? "…" : text.replaceAll(/import\("[^"]*"\)\./g, "").replaceAll(/\s+/g, " ");
  };
  const lines = (module: string, file: string): string[] => {
    const source = program.getSourceFile(join(root, file));
    const symbol = source && checker.getSymbolAtLocation(source);
    return (symbol === undefined ? [] : checker.getExportsOfModule(symbol)).flatMap((exported) => {
      const own = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const name = `${module} ${exported.name}`;
      const isType = (own.flags & (ts.SymbolFlags.Type & ~ts.SymbolFlags.Class)) !== 0;
      const isValue = (own.flags & ts.SymbolFlags.Value) !== 0;
      const type = checker.getDeclaredTypeOfSymbol(own);
      const members = checker
        .getPropertiesOfType(type)
        .filter(({ name: member }) => !member.startsWith("__"))
        .map((member) => {
          const mark = member.flags & ts.SymbolFlags.Optional ? "?" : "";
          return `type ${name}.${member.name}${mark}: ${format(checker.getTypeOfSymbol(member))}`;
        });
      const shape = type.isUnion() || members.length === 0 ? [`type ${name}: ${format(type)}`] : members;
      return [
        ...(isValue ? [`export ${name}: ${format(checker.getTypeOfSymbol(own))}`] : []),
        ...(isType || own.flags & ts.SymbolFlags.Class ? shape : []),
      ];
    });
  };
  return Object.entries(entries).flatMap(([module, file]) => lines(module, file));
}

/** All of it, sorted. */
export function surfaceText(): string {
  const commands = commandLines(commandJson(commandTree()) as unknown as CommandFacts);
  const lines = [...commands, ...keyLines(), ...reasonLines(), ...typeLines()];
  return `${[...new Set(lines)].sort().join("\n")}\n`;
}
