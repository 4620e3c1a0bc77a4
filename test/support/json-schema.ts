import { Ajv2020 } from "ajv/dist/2020.js";
import type * as z from "zod";
import { commandTree } from "../../scripts/command-tree.ts";
import { readGlobalFlags } from "../../src/cli/line/global-flags.ts";
import { type AnyCommand, commandPath, isCalled } from "../../src/cli/line/help.ts";
import { toJsonSchema } from "../../src/maintenance/schema/schema.ts";
import { loadSchemas } from "../../src/schemas.ts";
import type { Run } from "./run.ts";

const schemas = await loadSchemas();

type Schema = Record<string, unknown> & { $defs?: Record<string, unknown> };
type Check = (document: unknown) => string | undefined;

/** The service's data is passed on as it came, so it may be anything. */
const served = ["Order", "OrdersResponse", "CampaignStatus", "Counts"];

/** Without what `--fields` may have left out. */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (typeof schema !== "object" || schema === null) return schema;
  const rest = Object.entries(schema).filter(([name]) => name !== "required");
  return Object.fromEntries(rest.map(([name, value]) => [name, withoutRequired(value)]));
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const checks = new Map<string, Map<z.ZodType, Check>>();

/** Returns what is wrong with a document of ours: a key that the schema does not have, too. */
function checkOf(form: z.ZodType, hasFields: boolean): Check {
  const known = checks.get(String(hasFields)) ?? new Map<z.ZodType, Check>();
  checks.set(String(hasFields), known);
  const before = known.get(form);
  if (before !== undefined) return before;

  const schema = toJsonSchema(form, true) as Schema;
  for (const id of served) if (schema.$defs?.[id]) schema.$defs[id] = { type: "object" };
  const isServed = served.includes(form.meta()?.id ?? "");
  const validate = ajv.compile(
    isServed ? { type: "object" } : ((hasFields ? withoutRequired(schema) : schema) as Schema),
  );
  const check: Check = (document) => (validate(document) ? undefined : ajv.errorsText(validate.errors));
  known.set(form, check);
  return check;
}

let tree: AnyCommand | undefined;

/** The words of the command in a line; its flags may stand anywhere. */
export function commandWords(argv: readonly string[]): string[] {
  tree ??= commandTree();
  let at: AnyCommand = tree;
  for (let n = 0; n < argv.length; n++) {
    const word = argv[n] ?? "";
    if (word === "--") break;
    if (word.startsWith("-") && word !== "-") {
      const option = [...at.options, ...tree.options].find(
        ({ long, short }) => word === long || word === short,
      );
      if (option?.required) n += 1;
      continue;
    }
    const child = at.commands.find((each) => isCalled(each, word));
    if (child === undefined) break;
    at = child;
  }
  return commandPath(at).split(" ").slice(1);
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

function formatOf(
  { json, output, jq }: ReturnType<typeof readGlobalFlags>,
  env: Readonly<Record<string, string>>,
) {
  if (jq !== undefined) return undefined;
  return json === true ? "json" : (output ?? env["BPOS_OUTPUT"]);
}

function fail(argv: readonly string[], problem: string, text: string): never {
  throw new Error(
    `bpos ${argv.join(" ")} prints JSON that its schema does not allow: ${problem}\n${text.slice(0, 2_000)}`,
  );
}

function checkErrors(argv: readonly string[], stderr: string): void {
  const { error, log } = schemas;
  for (const text of stderr.split("\n").filter((line) => /^\{"(error":\{|at":"[^"]*","level)/.test(line))) {
    const form = text.startsWith('{"error') ? error?.document : log?.line;
    const document = parse(text);
    const problem = form && document !== undefined && checkOf(form, false)(document);
    if (problem) fail(argv, problem, text);
  }
}

/** Throws for a JSON document that a run wrote and its schema, as `bpos schema` prints it, does not allow; an unknown key is one. */
export function checkJson(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  { stdout, stderr }: Pick<Run, "stdout" | "stderr">,
): void {
  checkErrors(argv, stderr);
  if (!/^\s*\{/.test(stdout)) return;

  const flags = readGlobalFlags(argv);
  const format = formatOf(flags, env);
  if (format !== "json" && format !== "ndjson") return;

  const words = commandWords(argv);
  const isHelp = argv.includes("--help") || argv.includes("-h");
  const isVersion = argv.includes("--version") || argv.includes("-V");
  const topic = isHelp ? ["help"] : isVersion ? ["version"] : undefined;
  const name = topic ?? words;
  // Its output describes JSON.
  if (name[0] === "schema") return;
  const forms = schemas[name.join(" ")];
  if (forms === undefined) fail(argv, "there is no schema", stdout);
  const { document, line } = forms;
  const whole = format === "json" ? parse(stdout) : undefined;
  const isWhole = whole !== undefined && document !== undefined;
  const form = isWhole ? document : (line ?? document);
  // A line that was cut off, by a signal or a full disk, is none.
  const found = isWhole
    ? [whole]
    : stdout
        .split("\n")
        .map(parse)
        .filter((each) => each !== undefined);
  for (const each of found) {
    const problem = form && checkOf(form, flags.fields !== undefined)(each);
    if (problem) fail(argv, problem, JSON.stringify(each));
  }
}
