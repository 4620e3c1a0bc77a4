import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf } from "../support/campaigns.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { clockQuestion, on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";

const people = "telefono,nombre,pedido\n+5491155550101,Ana,1\n";

/** A folder with a list and recipients, and a command of it. */
function desk(env: Record<string, string> = {}) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "prices.csv"), "codigo,precio\nA1,100\n,7\n");
  writeFileSync(join(cwd, "people.csv"), people);
  const run = shell({ env: { BPOS_HOME: cwd, ...env }, cwd });
  return (line: string, lang = "en") => run([...line.split(" "), "--lang", lang]);
}

const linesOf = (text: string): string[] => text.trimEnd().split("\n");

describe("of a command that would have sent something", () => {
  it.each([
    ["catalog push prices.csv", 4],
    ["catalog push nope.csv --mock", 2],
    ["catalog push prices.csv --frist", 2],
    ["catalog push prices.csv --batch-size x", 2],
    ["catalog push prices.csv --strict --mock", 2],
    ["catalog delete", 2],
    ["catalog undo nope --mock", 11],
    ["campaign send people.csv", 2],
    ["campaign send people.csv --template pedido_listo --mock", 2],
    ["campaign send people.csv --template pedido_listo --mock --yes --expect 9", 10],
    ["campaign resume nope --mock", 11],
  ])("the last line says so: %s", async (line, code) => {
    const run = desk();
    const english = await run(line);
    expect([english.code, linesOf(english.stderr).at(-1)]).toEqual([code, "Nothing was sent."]);
    expect(english.stderr).not.toMatch(/^Why:.*Nothing was/m);
    const spanish = await run(line, "es");
    expect(linesOf(spanish.stderr).at(-1)).toBe("No se mandó nada.");
    expect(spanish.stderr).not.toMatch(/^Por qué:.*No se mandó/m);
    // `message` ends with it: the keys are those of every error.
    const { message, ...error } = errorOf((await run(`${line} --json`)).stderr);
    expect(message).toMatch(/Nothing was sent\.$/);
    expect(error).not.toHaveProperty("nothing_sent");
  });

  it.each([
    ["a push", "catalog push prices.csv --retries 0", "POST /v1/catalog/items"],
    ["a send", "campaign send people.csv --template t --yes --retries 0", "POST /campaigns"],
  ])("the last line says so of %s that the service refuses", async (_, line, call) => {
    const server = await scriptedServer(
      ...(call.includes("items") ? [clockQuestion] : []),
      on(call, reply({ code: "ERROR_CODE_ACCESS_DENIED", message: "no", payload: "" }, 403)),
    );
    const { code, stderr } = await desk(pointedAt(server.url))(line);
    expect([code, linesOf(stderr).at(-1)]).toEqual([4, "Nothing was sent."]);
  });
});

it.each([
  ["orders list", 4],
  ["orders show x", 2],
  ["catalog check nope.csv", 2],
  ["catalog push nope.csv --dry-run --mock", 2],
  ["campaign status --mock", 2],
  ["campaign find +5491155550101 --mock", 11],
  ["printer preview --layout nope.json", 2],
  ["profile use nope", 11],
])("of any other nothing says so: %s", async (line, code) => {
  const result = await desk()(line);
  expect(result.code).toBe(code);
  expect(result.stderr).not.toMatch(/Nothing was|^Why: *$/m);
  expect(linesOf(result.stderr).at(-1)).toMatch(/^(?:Next:| )/);
});
