import { basename } from "node:path";
import { type Plugin, RolldownMagicString } from "rolldown";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";

/** `const name = require("path");` at the top of a chunk, and where `name` stands in it. */
interface Load {
  statement: ESTree.Span;
  path: string;
  /** Spans of `name` in `name.member`. */
  objects: ESTree.Span[];
  places: number;
  isAssigned: boolean;
}

/** Our own files and the modules of Node; not the bundler's own functions, which every file needs at once. */
const isLate = (path: string): boolean =>
  /^(node:|\.|chunks\/)/.test(path) && !path.includes("rolldown-runtime");

/** The path of `require("path")`. */
function requiredPath(node: ESTree.Expression | null): string | undefined {
  if (node?.type !== "CallExpression" || node.callee.type !== "Identifier") return undefined;
  const [path] = node.arguments;
  const isPath = path?.type === "Literal" && typeof path.value === "string";
  return isPath && node.callee.name === "require" ? path.value : undefined;
}

/** Finds the loads at the top of a chunk, by the name that each gets. */
function findLoads(program: ESTree.Program): Map<string, Load> {
  const loads = new Map<string, Load>();
  for (const statement of program.body) {
    if (statement.type !== "VariableDeclaration") continue;
    for (const { id, init } of statement.declarations) {
      const path = requiredPath(init);
      if (id.type === "Identifier" && path !== undefined && isLate(path))
        loads.set(id.name, { statement, path, objects: [], places: 0, isAssigned: false });
    }
  }
  new Visitor({
    MemberExpression({ object }) {
      if (object.type === "Identifier") loads.get(object.name)?.objects.push(object);
    },
    AssignmentExpression({ left }) {
      const load = left.type === "Identifier" ? loads.get(left.name) : undefined;
      if (load !== undefined) load.isAssigned = true;
    },
    Identifier({ name }) {
      const load = loads.get(name);
      if (load !== undefined) load.places += 1;
    },
  }).visit(program);
  return loads;
}

/**
 * Loads each file of ours, and each module of Node, at its first use: `name.member` becomes `name().member`.
 * A run uses only part of what its files import. The bundler can only load all of it at the start: then
 * `bpos --version` takes 30 % longer, `orders list --json` 15 %, `--help` 8 %.
 */
export const lazy: Plugin = {
  name: "lazy",
  renderChunk(code, { fileName, imports }) {
    const loads = findLoads(parseSync(fileName, code).program);
    const loaded = new Set([...loads.values()].map(({ path }) => basename(path)));
    const missed = imports.find((file) => isLate(file) && !loaded.has(basename(file)));
    if (missed !== undefined)
      this.error(`${fileName} does not load ${missed} in the form that is known here`);

    const text = new RolldownMagicString(code);
    for (const [name, { statement, path, objects, places, isAssigned }] of loads) {
      // The bundler makes an ES module of it first.
      if (isAssigned) continue;
      if (places !== objects.length + 1)
        this.error(`${fileName} uses ${name} otherwise than for its members`);
      for (const { start, end } of objects) text.overwrite(start, end, `(${name}())`);
      const late = `let ${name}$;\nconst ${name} = () => (${name}$ ??= require(${JSON.stringify(path)}));`;
      text.overwrite(statement.start, statement.end, late);
    }
    return text.toString();
  },
};
