import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { openApiDocument } from "../../src/contract/openapi.ts";
import { root } from "../support/run.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

interface Document {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, { get: { parameters: { name: string; schema: { default?: string | number } }[] } }>;
}

const document = openApiDocument() as unknown as Document;
const { schemas } = document.components;
const schemaOf = (name: string): Schema => schemas[name] ?? expect.fail(`there is no schema ${name}`);
const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : schemaOf(schema.$ref.split("/").at(-1) ?? "");

const sections = new Map(
  readFileSync(join(root, "docs/reference/service.md"), "utf8")
    .split(/^#{2,3} (?=[0-9])/m)
    .map((text) => [/^[0-9.]*[0-9]/.exec(text)?.[0] ?? "", text]),
);

const types = "array|string|integer|number|boolean|object";
const typed = new RegExp(`((?:\`\\w+\`(?:, | and )?)+) \\((${types})s?( or null)?`, "g");
const row = new RegExp(`^\\| (\`.+?) \\| ((?:${types})(?: or null)?) \\|`, "gm");

/** Each field that a section gives a type, in a table or in parentheses. */
function fieldsOf(section: string): { name: string; type: string | string[]; rules: string }[] {
  const text = (sections.get(section) ?? "").replace(row, "$1 ($2)");
  return Array.from(text.matchAll(typed), ([whole, names = "", type = "", orNull]) => {
    const rules = text.slice(text.indexOf(whole) + whole.length).split("\n")[0] ?? "";
    const given = orNull === undefined ? type : [type, "null"];
    return Array.from(names.matchAll(/`(\w+)`/g), ([, name = ""]) => ({ name, type: given, rules }));
  }).flat();
}

/** The properties of schemas, those of an object in place too. */
const propertiesOf = (schema: Schema): [string, Schema][] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, each]) => [[name, each], ...propertiesOf(each)]);

/** Fields that each section describes; all that the service sends is here. */
const described = {
  "2.1": ["Order", "Domicilio"],
  "2.2": ["Cliente"],
  "2.3": ["Pago"],
  "2.4": ["Linea", "Opcion"],
  "2.5": ["OrdersResponse"],
  "2.6": ["CatalogItem"],
  "2.7": ["CampaignCreated", "CampaignStatus"],
  "4.2": ["CatalogResult", "RejectedItem"],
  "4.3": ["CampaignCreated", "Recipient"],
  "4.4": ["Counts", "RecipientStatus"],
};

describe.each(Object.entries(described))("section %s of docs/reference/service.md", (section, names) => {
  const properties = names.flatMap((name) => propertiesOf(schemaOf(name)));

  it.each(fieldsOf(section))("gives $name the type $type", ({ name, type }) => {
    const found = properties.filter(([each]) => each === name).map(([, schema]) => resolved(schema).type);
    expect(found).not.toEqual([]);
    expect(new Set(found.map(String))).toEqual(new Set([String(type)]));
  });
});

test("every field of what the service sends is in docs/reference/service.md with its type", () => {
  // The sections about a campaign leave shared fields to each other.
  const written = new Set(
    Object.keys(described).flatMap((section) => fieldsOf(section).map(({ name }) => name)),
  );
  const all = Object.values(described)
    .flat()
    .flatMap((name) => propertiesOf(schemaOf(name)));
  const unwritten = all.map(([name]) => name).filter((name) => !written.has(name));
  expect(new Set(unwritten)).toEqual(new Set(["recipients", "counts"]));
});

test("the service sends every field, but domicilio of deliveries alone", () => {
  const missing = Object.values(described)
    .flat()
    .filter((name) => !["CatalogItem", "Recipient"].includes(name))
    .flatMap((name) => {
      const { properties = {}, required = [] } = schemaOf(name);
      return Object.keys(properties).filter((property) => !required.includes(property));
    });
  expect(missing).toEqual(["domicilio"]);
  expect(fieldsOf("2.1").find(({ name }) => name === "domicilio")?.rules).toMatch(/^\) delivery only/);
});

test.each([
  ["4.2", "CatalogEvent"],
  ["4.3", "CampaignRequest"],
])("the fields of the request of section %s are those of its table", (section, name) => {
  const { properties = {}, required = [] } = schemaOf(name);
  const rows = Array.from(
    (sections.get(section) ?? "").matchAll(/^\| (`(\w+)`|header media URL) \| (.*) \|$/gm),
  );
  expect(Object.keys(properties)).toEqual(rows.map(([, , field = "header_media_url"]) => field));
  const always =
    section === "4.2" ? ["event_id", "occurred_at", "action", "items"] : ["idempotency_key", "recipients"];
  expect(required).toEqual(always);
});

test("the query of section 4.1 has its defaults", () => {
  const rows = Array.from((sections.get("4.1") ?? "").matchAll(/^\| `(\w+)` \| (\S+) \|/gm));
  const { parameters } = document.paths["/v1/orders"]?.get ?? expect.fail();
  expect(parameters.map(({ name, schema }) => [name, String(schema.default ?? "none")])).toEqual(
    rows.map(([, name, value = ""]) => [name, value.replaceAll("`", "")]),
  );
});
