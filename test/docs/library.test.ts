import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

const page = readFileSync(join(root, "docs/reference/service.md"), "utf8");
const [usage = "", ...others] = Array.from(page.matchAll(/```ts\n(.*?)```/gs), ([, code = ""]) => code);
const execute = promisify(execFile);

/** Returns what the examples say that they print: a comment at the end of a line or of its own. */
const printed = (code: string): string[] =>
  Array.from(
    code.matchAll(/(?:console\.log\(.*\)+;|listOrders\(\);) \/\/ (.*)$|^\/\/ (.*)$/gm),
    ([, a, b]) => a ?? b ?? "",
  );

/** The imports of all, then each in its own scope, with the client of the first. */
function programOf(blocks: readonly string[]): string {
  const isImport = (line: string): boolean => line.startsWith("import ");
  const lines = [usage, ...blocks].flatMap((block) => block.split("\n"));
  const begin = usage.slice(usage.indexOf("const client"), usage.indexOf("try {"));
  const bodies = blocks.map(
    (block) =>
      `{\n${block
        .split("\n")
        .filter((line) => !isImport(line))
        .join("\n")}}`,
  );
  return [...new Set(lines.filter(isImport)), begin, ...bodies, "await client.close();"].join("\n");
}

it("every example of docs/reference/service.md prints what it says", { timeout: 60_000 }, async () => {
  const { mock } = await service({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
  await mock.control.placeOrders({ count: 2 });
  await mock.control.putTemplate("pedido_listo", {
    ...{
      id: "tpl_1",
      languages: ["es_AR"],
      header: "none",
      params: 2,
      state: "approved",
      body: "{{1}} {{2}}",
    },
  });
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["undici", "@types"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  symlinkSync(root, join(folder, "node_modules/bpos"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "program.mts"), programOf(others));
  const env = {
    ...{ PATH: process.env["PATH"], BPOS_BASE_URL: mock.baseUrl, BPOS_CAMPAIGNS_URL: mock.campaignsBaseUrl },
    BPOS_API_KEY: mock.keys[0]!.key,
  };
  const argv = ["--import", join(root, "node_modules/tsx/dist/loader.mjs"), "program.mts"];
  const { stdout } = await execute(process.execPath, argv, { cwd: folder, env });
  expect(stdout.trim().split("\n")).toEqual(others.flatMap(printed));

  const config = {
    compilerOptions: {
      ...{ module: "nodenext", target: "es2023", strict: true },
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
    },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...config, files: ["program.mts"] }));
  const checked = await execute(process.execPath, [
    join(root, "node_modules/typescript-7/bin/tsc"),
    "-p",
    folder,
  ]).catch((error: unknown) => error as { stdout: string });
  expect(checked.stdout).toBe("");
});

it("names every method and option of the client in an example", () => {
  const surface = readFileSync(join(root, "test/docs/surface.txt"), "utf8");
  const names = Array.from(
    surface.matchAll(/^type bpos (?:Client|LibraryOptions|CallOptions)\.(\w+)/gm),
    ([, name = ""]) => name,
  );
  expect(names.length).toBeGreaterThan(15);
  const code = [usage, ...others].join("\n");
  expect(names.filter((name) => !new RegExp(`\\.${name}\\(|\\b${name}:`).test(code))).toEqual([]);
});

it("is loaded by require, and importing it does nothing", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/bpos"));
  const line = /```js\n(.*?)```/s.exec(page)?.[1] ?? "";
  const { stdout, stderr } = await execute(
    process.execPath,
    ["-e", `${line}; console.log(typeof createClient)`],
    { cwd: folder },
  );
  expect({ stdout, stderr }).toEqual({ stdout: "function\n", stderr: "" });
  expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).toMatchObject({ sideEffects: false });
});
