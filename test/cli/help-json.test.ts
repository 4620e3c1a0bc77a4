import { expect, it } from "vitest";
import { commandEntries } from "../../scripts/command-tree.ts";
import { exitCodes } from "../../src/errors.ts";
import { shell } from "../support/run.ts";

interface Entry {
  command: string;
  description: string;
  arguments: { argument: string }[];
  flags: { flag: string; short: string | null; value: string | null; choices: string[] | null }[];
  exit_codes: number[];
  commands: Entry[];
}

const run: ReturnType<typeof shell> = (...how) => shell()(...how);
const asJson = async (...argv: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await run(argv);
  expect({ code, stderr }, argv.join(" ")).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};
const all = (entry: Entry): Entry[] => [entry, ...entry.commands.flatMap(all)];

it("help --json has every command with its flags, arguments and exit codes", async () => {
  const tree = all((await asJson("help", "--json")) as Entry);
  const declared = commandEntries().map((entry) => ({
    command: entry.path,
    description: entry.description,
    arguments: entry.arguments.map(({ name }) => name),
    flags: entry.groups.flatMap(([, flags]) => flags.map(({ long, flags: text }) => long ?? text)).sort(),
    exit_codes: entry.exits.map((name) => exitCodes[name]),
  }));
  expect(
    tree.map(({ command, description, flags, exit_codes, ...entry }) => ({
      ...{ command, description, exit_codes },
      arguments: entry.arguments.map(({ argument }) => argument),
      flags: flags.map(({ flag }) => flag).sort(),
    })),
  ).toEqual(declared);
  const output = tree[0]?.flags.find(({ flag }) => flag === "--output");
  expect(output).toMatchObject({ short: "-o", value: "format", choices: ["table", "json", "ndjson", "csv"] });
});

it("of one command it is the same by help and by --help, in the language that is asked for", async () => {
  const shown = await asJson("help", "orders", "show", "--json");
  expect(shown).toMatchObject({ command: "bpos orders show", arguments: [{ argument: "id" }] });
  expect(await asJson("orders", "show", "--help", "--json")).toEqual(shown);
  expect(await asJson("orders", "show", "--help", "-o", "json")).toEqual(shown);
  const { description } = (await asJson("help", "orders", "show", "--json", "--lang", "es")) as Entry;
  expect(description).toContain("pedido");
});

it("--jq filters help and version, and BPOS_OUTPUT leaves them for people", async () => {
  expect((await run(["help", "--jq", ".commands[0].command"])).stdout).toBe("bpos orders\n");
  expect((await run(["--version", "--jq", ".version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await run(["--help", "--jq", "error"])).code).toBe(2);
  const one = shell();
  for (const argv of [["--version"], ["--help"], ["help", "files"], ["orders", "list", "--help"]]) {
    const plain = await one(argv);
    expect(await one(argv, { env: { BPOS_OUTPUT: "json" } })).toEqual(plain);
    expect(plain.stdout).not.toMatch(/^\{/);
  }
});

it("a version and a topic are JSON too, and what has no such form refuses it", async () => {
  const { version } = (await asJson("--version", "--json")) as { version: string };
  expect(await run(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
  expect(await asJson("-V", "-o", "json")).toEqual({
    ...{ version, commit: null, node: process.versions.node },
    ...{ form: "npm", os: "linux", arch: process.arch },
  });
  for (const words of [["files"], ["errors"], ["errors", "locked"]]) {
    const { title, parts } = (await asJson("help", ...words, "--json")) as { title: string; parts: object[] };
    expect(title).not.toBe("");
    expect(parts.length).toBeGreaterThan(0);
  }
  for (const argv of [
    ["help", "-o", "csv"],
    ["--version", "-o", "ndjson"],
    ["help", "files", "-o", "csv"],
    ["completion", "bash", "--json"],
  ])
    expect(await run(argv), argv.join(" ")).toMatchObject({ code: 2, stdout: "" });
});
