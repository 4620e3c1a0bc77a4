import type * as z from "zod";
import { toJsonSchema } from "../src/maintenance/schema/schema.ts";
import { loadSchemas } from "../src/schemas.ts";

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  const?: unknown;
}

/** Returns every key of a form, with a dot for each level and `[]` for a list. What has a name, such as `Order`, is not entered. Keys of an event begin with its name. */
function keysOf(form: z.ZodType): string[] {
  const found = new Set<string>();
  const root = toJsonSchema(form) as Schema;
  const entered = new Set<string>();
  const visit = (schema: Schema, at: string): void => {
    const ref = schema.$ref?.split("/").at(-1) ?? "";
    // Only a part that contains itself has such a name.
    if (ref.startsWith("__") && !entered.has(ref)) {
      entered.add(ref);
      visit(root.$defs?.[ref] ?? {}, at);
    }
    for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) visit(each, at);
    if (schema.items !== undefined) visit(schema.items, `${at}[]`);
    const event = schema.properties?.["event"]?.const;
    const prefix = [event, at].filter((each) => typeof each === "string" && each !== "");
    for (const [name, each] of Object.entries(schema.properties ?? {})) {
      const path = [...prefix, name].join(".");
      found.add(path);
      visit(each, path);
    }
  };
  visit(root, "");
  return [...found];
}

/** Parts that are what another command prints, by their prefix. */
const repeated: Readonly<Record<string, readonly (readonly [prefix: string, command: string])[]>> = {
  "catalog push": [["deactivated.", "catalog push"]],
  "catalog history": [["pushes[].", "catalog push"]],
  "campaign list": [["sends[].", "campaign send"]],
  "campaign resume": [
    ["", "campaign send"],
    ["sends[].", "campaign send"],
  ],
  "campaign status": [["", "campaign find"]],
};

const schemas = await loadSchemas();

const allKeys = (command: string): string[] => {
  const { document, line } = schemas[command] ?? {};
  const form = document ?? line;
  return form === undefined ? [] : keysOf(form);
};

/** Returns the keys that a command repeats from another one. */
export function repeatedKeys(command: string): string[] {
  return (repeated[command] ?? []).flatMap(([prefix, other]) => allKeys(other).map((key) => prefix + key));
}

/** Returns the keys of the JSON document of a command, or of its line if there is no document, without those of {@link repeatedKeys}. */
export function ownKeys(command: string): string[] {
  const others = new Set(repeatedKeys(command));
  return allKeys(command).filter((key) => !others.has(key));
}

/** The commands that print JSON, without those that print what an earlier one prints. */
export const printingCommands = (): string[] => {
  const forms = new Set<unknown>();
  return Object.entries(schemas).flatMap(([command, { document, line }]) => {
    const form = document ?? line;
    const isNew = !forms.has(form);
    forms.add(form);
    return isNew ? [command] : [];
  });
};
