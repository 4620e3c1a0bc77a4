// Prints the sizes that CONTRIBUTING.md sets bounds for: `npm run stats`, with `-- --small` the small files by name.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
const linesOf = (file) => readFileSync(file, "utf8").split("\n").length - 1;
const sum = (files) => files.reduce((lines, file) => lines + linesOf(file), 0);
const isText = (file) => relative(root, file).startsWith(join("src", "i18n"));

const src = filesIn("src");
const importers = new Map(src.map((file) => [file, new Set()]));
let dynamicImports = 0;
for (const file of src) {
  const text = readFileSync(file, "utf8");
  dynamicImports += text.match(/await import\(/g)?.length ?? 0;
  for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g))
    importers.get(resolve(dirname(file), path))?.add(file);
}
const small = src.filter(
  (file) =>
    linesOf(file) <= 40 && importers.get(file).size === 1 && !isText(file) && !file.endsWith("command.ts"),
);
const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const filesListed = (heading) => {
  const section = (contributing.split(`## ${heading}\n`)[1] ?? "").split("\n## ")[0];
  return [...section.matchAll(/^\d+\. `src\//gm)].length;
};

const rows = [
  ["files in src", src.length, 285],
  ["lines in src", sum(src), 42_200],
  ["lines in src without i18n", sum(src.filter((file) => !isText(file))), 33_900],
  ["lines in test", sum(filesIn("test")), 34_200],
  ["files of 40 lines or fewer with one importer", small.length, 10],
  ["`await import(` in src", dynamicImports, 80],
  ["files on the path of a price list", filesListed("How a price list travels"), 20],
  ["files on the path of an order", filesListed("How an order travels"), 15],
  ["files on the path of a campaign", filesListed("How a campaign travels"), 15],
];
for (const [what, figure, bound] of rows)
  console.log(`${what.padEnd(46)}${String(figure).padStart(8)}  ≤ ${bound}${figure > bound ? "  over" : ""}`);
if (process.argv.includes("--small")) for (const file of small) console.log(relative(root, file));
