import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";

/** A message and where it is used. */
export interface Use {
  /** Undefined if it is not a literal. */
  message: string | undefined;
  place: string;
  /** The names of its facts; undefined without facts, "some" if they are not literals. */
  facts: readonly string[] | "some" | undefined;
  /** True for the text that `--help` shows beside a flag. */
  isFlagHelp: boolean;
}

/** The texts of an argument: one, or two where the code chooses. */
function literals(node: ESTree.Argument | undefined): string[] | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node?.type !== "ConditionalExpression") return undefined;
  const both = [literals(node.consequent), literals(node.alternate)];
  return both.every((each) => each !== undefined) ? both.flat() : undefined;
}

function factNames(node: ESTree.Argument | undefined): Use["facts"] {
  if (node === undefined) return undefined;
  if (node.type !== "ObjectExpression") return "some";
  const names = node.properties.map((each) =>
    each.type === "Property" && each.key.type === "Identifier" ? each.key.name : undefined,
  );
  return names.every((name) => name !== undefined) ? names : "some";
}

const isT = ({ callee }: ESTree.CallExpression): boolean =>
  callee.type === "Identifier"
    ? callee.name === "t"
    : callee.type === "MemberExpression" &&
      callee.property.type === "Identifier" &&
      callee.property.name === "t";

/** The text in `flag("--all", t("every page"))`. */
const flagHelp = ({ callee, arguments: [, help] }: ESTree.CallExpression): number[] =>
  callee.type === "Identifier" && callee.name === "flag" && help !== undefined ? [help.start] : [];

function findIn(file: string): Use[] {
  const source = readFileSync(file, "utf8");
  const uses: Use[] = [];
  const helps = new Set<number>();
  new Visitor({
    CallExpression(call) {
      for (const start of flagHelp(call)) helps.add(start);
      if (!isT(call)) return;
      const place = `${file}:${source.slice(0, call.start).split("\n").length}`;
      const facts = factNames(call.arguments[1]);
      const isFlagHelp = helps.has(call.start);
      for (const message of literals(call.arguments[0]) ?? [undefined])
        uses.push({ message, place, facts, isFlagHelp });
    },
  }).visit(parseSync(file, source).program);
  return uses;
}

/** The messages in the code of a folder, in the order of its files. */
export const findMessages = (folder: string): Use[] =>
  readdirSync(folder, { encoding: "utf8", recursive: true })
    .filter((file) => /\.tsx?$/.test(file))
    .sort()
    .flatMap((file) => findIn(join(folder, file)));
