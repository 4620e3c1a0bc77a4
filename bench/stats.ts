// Prints what can be counted of the source: `npm run stats`. Nothing here is a bound.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";

const longFunction = 50;

const listFiles = (folder: string): string[] =>
  execFileSync("git", ["ls-files", folder], { encoding: "utf8" }).trim().split("\n");
const read = (file: string): string => readFileSync(file, "utf8");

function countIn(files: readonly string[], pattern: RegExp): number {
  return files.reduce((sum, file) => sum + (read(file).match(pattern)?.length ?? 0), 0);
}
const countLines = (files: readonly string[]): number => countIn(files, /\n/g);

function countLongFunctions(file: string): number {
  const tree = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const lineAt = (place: number): number => tree.getLineAndCharacterOfPosition(place).line;
  let count = 0;
  const visit = (node: ts.Node): void => {
    const lines = lineAt(node.end) - lineAt(node.getStart(tree)) + 1;
    if (ts.isFunctionLike(node) && lines > longFunction) count += 1;
    node.forEachChild(visit);
  };
  visit(tree);
  return count;
}

const contributing = read("CONTRIBUTING.md");

function countSteps(heading: string): number {
  const [section = ""] = (contributing.split(`## ${heading}\n`)[1] ?? "").split("\n## ");
  return section.match(/^\d+\. `src\//gm)?.length ?? 0;
}

const src = listFiles("src");
const code = src.filter((file) => /\.tsx?$/.test(file));
const longFunctions = code.reduce((sum, file) => sum + countLongFunctions(file), 0);
const figures = {
  "files in src": src.length,
  "lines in src": countLines(src),
  "lines in src without catalogs of texts": countLines(code),
  "lines in test": countLines(listFiles("test")),
  "spreads of an object on one line, `...{ a, b }`": countIn(code, /\.\.\.\{ [^{}\n]* \}/g),
  "`as BposError`": countIn(code, /\bas BposError\b/g),
  [`functions over ${longFunction} lines`]: longFunctions,
  "functions and values named `…Of`": countIn(code, /\b(function|const|let) \w+Of\b/g),
  "files on the path of a price list": countSteps("How a price list travels"),
  "files on the path of an order": countSteps("How an order travels"),
  "files on the path of a campaign": countSteps("How a campaign travels"),
};

for (const [what, figure] of Object.entries(figures))
  process.stdout.write(`${what.padEnd(50)}${String(figure).padStart(7)}\n`);
