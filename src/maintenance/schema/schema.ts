import * as z from "zod";
import { openOutput } from "../../cli/display/output.ts";
import { column, listing } from "../../cli/display/table.ts";
import { note, title } from "../../cli/display/text.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type JsonForms, plainJsonSchema } from "../../contract/json-schema.ts";
import { similarTo } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { SchemaFlags } from "./command.ts";

type Schemas = Readonly<Record<string, JsonForms>>;
type Entry = ReturnType<typeof listForms>[number];

const listForms = (schemas: Schemas) =>
  Object.entries(schemas).map(([command, { document, line }]) => ({
    command,
    formats: [...(document ? ["json"] : []), ...(line ? ["ndjson"] : [])],
  }));

/** Returns the JSON Schema. Published objects may get further keys; with `isClosed` they may not, for a check of what is printed today. */
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
  // A part with its own name is a reference, even if it is the whole schema.
  const { [$ref?.split("/").at(-1) ?? ""]: root, ...others } = $defs ?? {};
  return { $schema, ...schema, ...root, ...(Object.keys(others).length > 0 && { $defs: others }) };
}

async function printList(runtime: Runtime, schemas: Schemas): Promise<void> {
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const rows = listForms(schemas);
  if (output.format === "json") return output.document({ schemas: rows });
  if (output.format === "table")
    return output.list((ui) => {
      const { t } = ui.texts;
      const columns = [
        column<Entry>(t("Command"), 1, ({ command }) => command),
        column<Entry>(t("Formats"), 1, ({ formats }) => formats.join(", ")),
      ];
      return listing(
        columns,
        rows,
        { head: title(t("JSON Schemas"), ui), foot: note(t("bpos schema COMMAND prints one."), ui) },
        ui,
      );
    });
  for (const row of rows) await output.document(row);
}

/** Prints the JSON Schema of a command, or the list of all. Throws `usage_flag` for a command that prints no JSON. */
export async function printSchema(
  runtime: Runtime,
  schemas: Schemas,
  words: readonly string[],
  { lines }: SchemaFlags,
): Promise<void> {
  if (words.length === 0) return printList(runtime, schemas);
  // A list has two names.
  const text = words.join(" ").replace(/ ls$/, " list");
  const { document, line } = schemas[text] ?? {};
  const form = lines ? (line ?? document) : (document ?? line);
  if (form === undefined) {
    const similar = similarTo(text, Object.keys(schemas));
    throw new BposError("usage_flag", { problem: { kind: "schema_unknown", text, similar } });
  }
  const schema = { title: `bpos ${text}`, ...toJsonSchema(form) };
  await openOutput(runtime, ["json", "table"]).data(`${JSON.stringify(schema, null, 2)}\n`);
}
