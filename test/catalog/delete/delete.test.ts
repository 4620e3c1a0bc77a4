import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunningMock } from "../../../src/mock/index.ts";
import { callsOf, fileOf, parse } from "../../support/push.ts";
import { type Run, shell, temporaryFolder, type World } from "../../support/run.ts";
import { pointedAt, service } from "../../support/service.ts";

type Deleter = (argv: string[], world?: World) => Promise<Run>;

/** A service with the products A, B and 007. */
async function shop(): Promise<{ mock: RunningMock; remove: Deleter; inactive: () => Promise<string[]> }> {
  const { mock, env } = await service({ scenario: "empty" });
  const run = shell({ env });
  await run(["catalog", "push", fileOf("codigo,nombre,precio", "A,Agua,1", "B,Bife,2", "007,Té,3")]);
  return {
    mock,
    remove: (argv, world) => run(["catalog", "delete", ...argv], world),
    inactive: async () =>
      (await mock.control.catalog("demo")).filter(({ active }) => !active).map(({ codigo }) => codigo),
  };
}

describe("catalog delete", () => {
  it("deactivates the products whose codes it is given, each once, and says so", async () => {
    const { remove, inactive, mock } = await shop();
    const { code, stdout } = await remove(["A", "007", "A"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Catalog delete · .*\nDone\. 3 codes: 2 deactivated, 1 duplicate\./);
    expect(stdout).toMatch(/Codes read +3\nRejected by bpos +0\nDuplicate rows +1\nSent +2\nDeactivated +2/);
    expect(await inactive()).toEqual(["A", "007"]);
    expect((await callsOf(mock)).filter((call) => call.startsWith("POST"))).toHaveLength(2);
    expect(await remove(["B", "-q"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.each([
    ["--file", (file: string) => ["--file", file], undefined],
    ["--file -", () => ["--file", "-"], "codigo\nA\n007\n"],
    ["-", () => ["-"], '[{"codigo":"A"},{"codigo":"007"}]'],
  ])("reads codes from %s, whatever else stands in the rows", async (_, argv, stdin) => {
    const { remove, inactive } = await shop();
    const file = fileOf("codigo;precio", "A;consultar", "007;");
    const result = await remove([...argv(file), "--json"], stdin === undefined ? {} : { stdin });
    expect(result.code).toBe(0);
    expect(parse(result.stdout)).toMatchObject({ action: "delete", read: 2, sent: 2, accepted: 2 });
    expect(await inactive()).toEqual(["A", "007"]);
  });

  it("ends with 3 for a code that the service does not know, and writes it to a file", async () => {
    const { remove, inactive } = await shop();
    const rejected = join(temporaryFolder(), "r.csv");
    const { code, stdout } = await remove(["A", "7", "--rejected", rejected, "--json"]);
    expect(code).toBe(3);
    expect(parse(stdout)).toMatchObject({
      accepted: 1,
      rejected: [{ codigo: "7", error: "unknown codigo", source: "service", line: null }],
      rejected_file: rejected,
    });
    expect(readFileSync(rejected, "utf8")).toBe("codigo,error\r\n7,unknown codigo\r\n");
    expect(await inactive()).toEqual(["A"]);
    expect((await remove(["--file", rejected, "--json"])).code).toBe(3);
  });

  it.each([
    ["neither a code nor a file", []],
    ["a code and a file", ["A", "--file", "x.csv"]],
    ["an empty code", ["A", " "]],
    ["a file that is not there", ["--file", "nowhere.csv"]],
    ["a rejected file in a folder that is not there", ["A", "--rejected", "no/where.csv"]],
    ["the key and the codes on standard input", ["-", "--api-key-file", "-"]],
  ])("refuses %s with 2", async (_, argv) => {
    const { code, stdout } = await shell({ env: pointedAt("http://127.0.0.1:9") })([
      "catalog",
      "delete",
      ...argv,
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});
