import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandEntries } from "../../scripts/command-tree.ts";
import { sample, sampleText } from "../../scripts/json-sample.ts";
import { toJsonSchema } from "../../src/maintenance/schema/schema.ts";
import { loadSchemas } from "../../src/schemas.ts";
import { checkJson, commandWords } from "../support/json-schema.ts";
import { root, shell } from "../support/run.ts";
import { service } from "../support/service.ts";

interface Schema {
  $schema: string;
  title: string;
  properties?: Record<string, object>;
  required?: string[];
  additionalProperties?: unknown;
  $defs?: Record<string, { properties: Record<string, object>; additionalProperties?: unknown }>;
}

const schemas = await loadSchemas();
const run: ReturnType<typeof shell> = (...how) => shell()(...how);

async function schemaOf(...argv: string[]): Promise<Schema> {
  const { code, stdout, stderr } = await run(["schema", ...argv]);
  expect({ code, stderr }, argv.join(" ")).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Schema;
}

it("prints the schema of a command's JSON, in which further keys may come", async () => {
  const schema = await schemaOf("orders", "list");
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "bpos orders list",
    required: ["orders", "page", "per_page", "total", "has_more"],
  });
  expect(Object.keys(schema.$defs?.["Order"]?.properties ?? {})).toContain("order_id");
  for (const { command } of await listed()) {
    const text = JSON.stringify(await schemaOf(...command.split(" ")));
    // A layout, which a person writes, is refused with a key that is misspelt.
    expect(text.includes('"additionalProperties":false'), command).toBe(command === "layout");
    expect(text.length, command).toBeGreaterThan(100);
  }
});

const listed = async () => {
  const { stdout } = await run(["schema", "--json"]);
  return (JSON.parse(stdout) as { schemas: { command: string; formats: string[] }[] }).schemas;
};

it("lists every command that prints JSON; the others refuse it", async () => {
  const commands = (await listed()).map(({ command }) => `bpos ${command}`);
  const silent = commandEntries()
    .filter(({ command }) => command.commands.length === 0)
    .map(({ path }) => path)
    .filter((path) => !commands.includes(path));
  expect(silent).toEqual(["bpos demo", "bpos schema", "bpos completion"]);
  expect((await run(["schema"])).stdout).toContain("orders watch            ndjson\n");
  expect(await run(["schema", "orders", "lst"])).toMatchObject({ code: 2, stdout: "" });
  expect((await run(["schema", "orders", "lst"])).stderr).toContain("orders list");
});

it("has a line of -o ndjson apart, and the events of a watch", async () => {
  expect((await schemaOf("orders", "list", "--lines")).properties).toHaveProperty("order_id");
  const { stdout } = await run(["schema", "orders", "watch", "--jq", ".oneOf[].properties.event.const"]);
  expect(stdout.trim().split("\n")).toContain("watch.recovered");
});

it("names for --fields are the keys of a row", () => {
  const taking = commandEntries().filter(({ fields }) => fields !== undefined);
  expect(taking.length).toBeGreaterThan(8);
  for (const { fields = [], path } of taking) {
    // A campaign's recipients are chosen.
    if (path === "bpos campaign status") continue;
    const { line } = schemas[path.slice("bpos ".length)] ?? {};
    const keys = Object.keys(line ? ((toJsonSchema(line) as Schema).properties ?? {}) : {});
    // The page says beside the list what the history does not keep, and what only some pushes have.
    const own = keys.filter(
      (key) => !/_left_out$|^(codes|without_price|prices_to_zero|undo_of|left_alone)$/.test(key),
    );
    expect([...fields].sort(), path).toEqual(own.sort());
  }
});

it("the suite's own check refuses an unknown key, a missing one, and another type", async () => {
  const { env } = await service({ scenario: "empty" });
  const { stdout } = await shell({ env })(["doctor", "--json"]);
  const document = JSON.parse(stdout) as { ok: boolean; checks: object[] };
  const check = (changed: object): void =>
    checkJson(["doctor", "--json"], {}, { stdout: JSON.stringify(changed), stderr: "" });
  check(document);
  expect(() => check({ ...document, more: 1 })).toThrow("additional properties");
  expect(() => check({ ok: true })).toThrow("required");
  expect(() => check({ ...document, ok: 1 })).toThrow("boolean");
  expect(() => check({ ...document, checks: [{ ...document.checks[0], more: 1 }] })).toThrow();
});

it("the samples of docs/reference/commands.md are what the schemas allow", () => {
  const shown = readFileSync(join(root, "docs/reference/commands.md"), "utf8");
  for (const { command, path } of commandEntries()) {
    const { document, line } = schemas[path.slice("bpos ".length)] ?? {};
    const form = document ?? line;
    const text = sampleText(command);
    if (form === undefined || text === undefined) continue;
    expect(shown, path).toContain(`\`\`\`json\n${text}\n\`\`\``);
    const argv = [...path.split(" ").slice(1), "-o", document === undefined ? "ndjson" : "json"];
    checkJson(argv, {}, { stdout: `${JSON.stringify(sample(form))}\n`, stderr: "" });
  }
});

it("finds the command in a line, wherever its flags stand", () => {
  const words = (line: string): string => commandWords(line.split(" ")).join(" ");
  expect(words("-p orders --json campaign ls --limit 2")).toBe("campaign list");
  expect(words("mock orders set 7 listo --json")).toBe("mock orders set");
  expect(words("catalog push --map list prices.csv")).toBe("catalog push");
});
