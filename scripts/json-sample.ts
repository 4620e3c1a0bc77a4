import type * as z from "zod";
import type { AnyCommand } from "../src/cli/line/help.ts";
import { commandPath } from "../src/cli/line/help.ts";
import { examples } from "../src/contract/examples.ts";
import { toJsonSchema } from "../src/maintenance/schema/schema.ts";
import { loadSchemas } from "../src/schemas.ts";

interface Schema {
  type?: string | string[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** Values by key name; the first matching pattern counts. */
const values: readonly (readonly [name: RegExp, value: unknown])[] = [
  [/^(responded_at|expires_at)$/, null],
  [/^(at|since|now|before|oldest|.*_at)$/, "2026-01-31T12:00:00.000-03:00"],
  [/^(phone)$/, "+5491155550101"],
  [/^(branch|profile|default|name)$/, "centro"],
  [/^(base_url|url)$/, "https://pos.example.com"],
  [/^campaigns_base_url$/, "https://msg.example.com"],
  [/^(push_id|send_id|world_id|branch_id)$/, "0190c2a1-7f3b"],
  [/^campaign_id$/, "cmp_1"],
  [/^(template)$/, "pedido_listo"],
  [/^(external_ref|ref)$/, "enero"],
  [/^(codigo|codes)$/, "00123"],
  [/^languages$/, "es_AR"],
  [/^(file|rejected_file|errors_file|fixed_file)$/, "prices.csv"],
  [/^(config_file|journal_file|journal|place)$/, "/home/pos/.local/state/bpos/journal.db"],
  [/^api_key$/, "bpk_…3f9a"],
  [/^(machine|host)$/, "caja-1"],
  [/^country$/, "AR"],
  [/^currency$/, "ARS"],
];

/** Stands for what the service sends, which docs/reference/service.md describes. */
const served = new Set(["Order", "OrdersResponse", "CampaignStatus", "Counts"]);

/** Stands for what the service sends; a page shows `{…}`. */
const elided = {};

const valueNamed = (name: string, isText: boolean): unknown => {
  const [, value] = values.find(([pattern]) => pattern.test(name)) ?? [];
  return value === undefined || (typeof value === "string" && !isText) ? undefined : value;
};

function sampleOf(schema: Schema, name: string, root: Schema): unknown {
  const id = schema.$ref?.split("/").at(-1);
  if (id !== undefined) return served.has(id) ? elided : sampleOf(root.$defs?.[id] ?? {}, name, root);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  const isText = [schema, ...(schema.anyOf ?? [])].some(({ type }) => [type].flat().includes("string"));
  const named = valueNamed(name, isText);
  if (named !== undefined) return named;
  if (first !== undefined) return sampleOf(first, name, root);

  switch ([schema.type].flat()[0]) {
    case "object": {
      const needed = Object.entries(schema.properties ?? {}).filter(([key]) =>
        schema.required?.includes(key),
      );
      return Object.fromEntries(needed.map(([key, each]) => [key, sampleOf(each, key, root)]));
    }
    case "array":
      return /errors|commands|replies/.test(name) ? [] : [sampleOf(schema.items ?? {}, name, root)];
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return name === "ok";
    default:
      return name === "" || schema.type === undefined ? elided : "…";
  }
}

/** A value with each part on one line if it fits. */
function print(value: unknown, room: number): string {
  if (value === elided) return "{…}";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([key, each]) => (isList ? "" : `${JSON.stringify(key)}:`) + print(each, room - 2),
  );
  const [open, close] = isList ? "[]" : "{}";
  const line = `${open}${parts.join(",")}${close}`;
  if (line.length <= room && !line.includes("\n")) return line;
  const inner = parts.map((part) => `  ${part.replaceAll("\n", "\n  ")}`);
  const lines: string[] = [];
  for (const part of inner) {
    const last = lines.at(-1);
    const joined = `${last ?? ""},${part.slice(2)}`;
    if (last === undefined || joined.length > room || joined.includes("\n")) lines.push(part);
    else lines[lines.length - 1] = joined;
  }
  return `${open}\n${lines.join(",\n")}\n${close}`;
}

/** A sample document of a schema. It is made up, except for an order, which is the service's own example. */
export function sample(form: z.ZodType): unknown {
  const id = form.meta()?.id;
  if (id === "Order") return examples.listOrders.response.orders[0];
  const schema = toJsonSchema(form) as Schema;
  const events = schema.oneOf;
  return events === undefined ? sampleOf(schema, "", schema) : sampleOf({ ...events[0] }, "", schema);
}

const schemas = await loadSchemas();

/** The JSON sample of a command as its page shows it; undefined where it prints none. */
export function sampleText(command: AnyCommand): string | undefined {
  const forms = schemas[commandPath(command).slice("bpos ".length)];
  const form = forms?.document ?? forms?.line;
  // Their own pages show these.
  if (form === undefined || ["bpos help", "bpos openapi"].includes(commandPath(command))) return undefined;
  const text = print(sample(form), 130);
  // The mock has branches and templates of its own.
  if (!/^bpos mock\b/.test(commandPath(command))) return text;
  return text
    .replace('"branch":"centro"', '"branch":"demo"')
    .replace('"name":"centro"', '"name":"pedido_listo"');
}
