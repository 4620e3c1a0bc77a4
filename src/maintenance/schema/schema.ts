import * as z from "zod";
import { openOutput } from "../../cli/display/output.ts";
import { column, listing } from "../../cli/display/table.ts";
import { note, title } from "../../cli/display/text.ts";
import {
  type AnyCommand,
  commandAt,
  commandPath,
  type JsonForms,
  readFacts,
  visibleCommands,
} from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { plainJsonSchema } from "../../contract/json-schema.ts";
import { similarTo } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { SchemaFlags } from "./command.ts";
import * as general from "./general.ts";

interface Entry {
  command: string;
  formats: string[];
}

/** JSON that is of no command. */
const others: Readonly<Record<string, JsonForms>> = {
  error: general.error,
  log: general.log,
  version: general.version,
};

const below = (command: AnyCommand): AnyCommand[] =>
  visibleCommands(command).flatMap((each) => [each, ...below(each)]);

/** What a command prints as JSON, or what one of `others` is; undefined where there is none. */
export async function findForms(program: AnyCommand, words: readonly string[]) {
  const other = words.length === 1 ? others[words[0] ?? ""] : undefined;
  const command = commandAt(program, words);
  return other ?? (command && (await readFacts(command).loadForms?.()));
}

async function listForms(program: AnyCommand): Promise<Entry[]> {
  const commands = below(program).map((command) => commandPath(command).split(" ").slice(1));
  const entries: Entry[] = [];
  for (const words of [...commands, ...Object.keys(others).map((name) => [name])]) {
    const forms = await findForms(program, words);
    const formats = [...(forms?.document ? ["json"] : []), ...(forms?.line ? ["ndjson"] : [])];
    if (formats.length > 0) entries.push({ command: words.join(" "), formats });
  }
  return entries;
}

/** As it is published an object may get further keys; `isClosed` is for who checks what is written today. */
export function toJsonSchema(form: z.ZodType, isClosed = false) {
  const { $schema, $ref, $defs, ...schema } = z.toJSONSchema(form, {
    io: isClosed ? "output" : "input",
    unrepresentable: "any",
    override(found) {
      plainJsonSchema(found);
      // Only the description of the service tells null from nothing.
      delete found.jsonSchema["sent"];
    },
  });
  // What has a name of its own is referred to, the whole too.
  const { [$ref?.split("/").at(-1) ?? ""]: root, ...others } = $defs ?? {};
  return { $schema, ...schema, ...root, ...(Object.keys(others).length > 0 && { $defs: others }) };
}

function refuse(known: readonly Entry[], words: readonly string[]): BposError {
  const text = words.join(" ");
  const similar = similarTo(
    text,
    known.map(({ command }) => command),
  );
  return new BposError("usage_flag", { problem: { kind: "schema_unknown", text, similar } });
}

export async function printSchema(
  runtime: Runtime,
  program: AnyCommand,
  words: readonly string[],
  { lines }: SchemaFlags,
): Promise<void> {
  const formats = words.length === 0 ? (["table", "json", "ndjson"] as const) : (["json", "table"] as const);
  const output = openOutput(runtime, formats);
  if (words.length > 0) {
    const { document, line } = (await findForms(program, words)) ?? {};
    const form = lines ? (line ?? document) : (document ?? line);
    if (form === undefined) throw refuse(await listForms(program), words);
    const id = { title: `bpos ${words.join(" ")}` };
    return output.data(`${JSON.stringify({ ...id, ...toJsonSchema(form) }, null, 2)}\n`);
  }

  const schemas = await listForms(program);
  if (output.format === "json") return output.document({ schemas });
  if (output.format === "ndjson") {
    for (const each of schemas) await output.document(each);
    return undefined;
  }
  await output.list((ui) => {
    const words = ui.texts.help.schema;
    const columns = [
      column<Entry>(words.columns.command, 1, ({ command }) => command),
      column<Entry>(words.columns.formats, 1, ({ formats }) => formats.join(", ")),
    ];
    return listing(columns, schemas, { head: title(words.title, ui), foot: note(words.next, ui) }, ui);
  });
}
