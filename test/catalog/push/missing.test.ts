import { describe, expect, it } from "vitest";
import type { RunningMock } from "../../../src/mock/index.ts";
import { accepted, batches, callsOf, event, fileOf, parse } from "../../support/push.ts";
import { type Run, shell, temporaryFolder } from "../../support/run.ts";
import { reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, realService, service } from "../../support/service.ts";

const header = "codigo,nombre,precio";
const codes = Array.from({ length: 10 }, (_, n) => `P${n}`);
const rowsOf = (...some: string[]): string[] => some.map((code) => `${code},Product ${code},1.5`);

interface Shop {
  mock: RunningMock;
  home: string;
  run: (argv: string[]) => Promise<Run>;
  push: (rows: readonly string[], ...flags: string[]) => Promise<Run>;
  pushFile: (file: string, ...flags: string[]) => Promise<Run>;
  inactive: () => Promise<string[]>;
}

/** A service that has confirmed the ten products. */
async function shop(): Promise<Shop> {
  const { mock, env } = await realService({ scenario: "empty" });
  const home = temporaryFolder();
  const run = shell({ env: { ...env, BPOS_HOME: home } });
  const pushFile: Shop["pushFile"] = (file, ...flags) =>
    run(["catalog", "push", file, "--deactivate-missing", "--json", ...flags]);
  const push: Shop["push"] = (rows, ...flags) => pushFile(fileOf(header, ...rows), ...flags);
  const first = await push(rowsOf(...codes));
  expect(first.code).toBe(0);
  expect(first.stderr).toContain("has no confirmed products yet");
  expect(parse(first.stdout).deactivated).toBeUndefined();
  const inactive = async (): Promise<string[]> =>
    (await mock.control.catalog("demo")).filter(({ active }) => !active).map(({ codigo }) => codigo);
  return { mock, home, run, push, pushFile, inactive };
}

const errorOf = ({ stderr }: Run): { reason?: string; limit?: string } =>
  (JSON.parse(stderr) as { error: object }).error;
const reasonOf = (run: Run): unknown => errorOf(run).reason;

describe("catalog push --deactivate-missing", () => {
  it("deactivates after the upserts what the file no longer has, and reports both", async () => {
    const { mock, push, inactive } = await shop();
    const { code, stdout, stderr } = await push(rowsOf(...codes.slice(0, 8), "NEW"));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const report = parse(stdout);
    expect(report).toMatchObject({ action: "upsert", sent: 9, accepted: 9, outcome: "complete" });
    expect(report.deactivated).toMatchObject({ action: "delete", sent: 2, accepted: 2, outcome: "complete" });
    expect(report.deactivated).toMatchObject({ codes: ["P8", "P9"] });
    expect(await inactive()).toEqual(["P8", "P9"]);
    expect((await callsOf(mock)).slice(-3)).toEqual([
      "GET /v1/orders",
      "POST /v1/catalog/items",
      "POST /v1/catalog/items",
    ]);
    // They are deactivated once.
    expect(parse((await push(rowsOf(...codes.slice(0, 8), "NEW"))).stdout).deactivated).toBeUndefined();
  });

  it("stamps the deactivation later than the upserts, in batches", async () => {
    const server = await scriptedServer(...batches(...[3, 2, 2, 1].map((n) => reply(accepted(n)))));
    const run = shell({ env: pointedAt(server.url) });
    const push = (...some: string[]): Promise<Run> => {
      const flags = ["--deactivate-missing", "--max-deactivate", "100%", "--batch-size"];
      return run([
        "catalog",
        "push",
        fileOf(header, ...rowsOf(...some)),
        ...flags,
        some.length > 2 ? "3" : "2",
      ]);
    };
    await push("A", "B", "C");
    expect((await push("D", "E")).code).toBe(0);
    const events = server.requests.map(event);
    expect(events.map(({ action, items }) => [action, items.map(({ codigo }) => codigo).join("")])).toEqual([
      ["upsert", "ABC"],
      ["upsert", "DE"],
      ["delete", "AB"],
      ["delete", "C"],
    ]);
    const stamps = events.map(({ occurred_at }) => Date.parse(occurred_at));
    expect(stamps.toSorted((a, b) => a - b)).toEqual(stamps);
    expect(new Set(stamps).size).toBe(4);
  });

  it("shows both to a person, and what would be deactivated in a preview", async () => {
    const { env } = await service({ scenario: "empty" });
    const run = shell({ env });
    const push = (...flags: string[]): Promise<Run> => {
      const rows = flags.length === 0 ? rowsOf(...codes) : rowsOf(...codes.slice(0, 9));
      return run(["catalog", "push", fileOf(header, ...rows), "--deactivate-missing", ...flags]);
    };
    await push();
    const preview = await push("--dry-run");
    expect(preview.stdout).toMatch(
      /Catalog push · dry run[\s\S]*9 products would[\s\S]*Catalog delete · dry run/,
    );
    expect(preview.stdout).toMatch(/1 product would be deactivated in 1 call[\s\S]*P9/);
    const { stdout } = await push("--strict");
    expect(stdout).toMatch(/^Catalog push · .*prices\.csv · \S.* · \d{4}-\d\d-\d\d \d\d:\d\d\n/);
    expect(stdout).toMatch(/\nNo longer in the file\nP9\n/);
    expect(stdout).toMatch(/Catalog push · [\s\S]*Accepted +9[\s\S]*Catalog delete · [\s\S]*Deactivated +1/);
  });

  it("names fifty codes of many, and says where the others are", async () => {
    const { env } = await service({ scenario: "empty" });
    const run = shell({ env });
    const many = Array.from({ length: 60 }, (_, n) => `P${n}`);
    const push = (...flags: string[]): Promise<Run> =>
      run([
        "catalog",
        "push",
        fileOf(header, ...rowsOf("A")),
        "--deactivate-missing",
        "--max-deactivate",
        "60",
        ...flags,
      ]);
    await run(["catalog", "push", fileOf(header, ...rowsOf("A", ...many)), "--deactivate-missing"]);
    expect((await push("--dry-run")).stdout).toContain("10 more are not shown; --json lists them.");
    const { stdout } = await push();
    expect(stdout).toMatch(
      /\nNo longer in the file\nP0, (?:P\d+, ){48}P\d+\n10 more are not shown; `bpos catalog history/,
    );
    const { pushes } = JSON.parse((await run(["catalog", "history", "--json"])).stdout) as {
      pushes: { codes?: string[] }[];
    };
    expect(pushes.map(({ codes }) => codes?.length)).toEqual([60, undefined, undefined]);
  });

  it("catalog delete names its codes, the refused ones with why", async () => {
    const { run } = await shop();
    const { code, stdout } = await run(["catalog", "delete", "P1", "P2", "NONE"]);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^Catalog delete · \S+ · \d{4}-\d\d-\d\d \d\d:\d\d\nPartly done\. 3 codes: 2 deactivated, 1 rejected by the service\./,
    );
    expect(stdout).toContain("\nCodes\nP1, P2, NONE\n");
    const json = await run(["catalog", "delete", "P3", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ action: "delete", accepted: 1, codes: ["P3"] });
    expect((await run(["catalog", "delete", "NONE"])).stdout).not.toContain("Done");
  });

  it.each([
    ["is empty", ",Product,1.5"],
    ["lost digits of", '"7,79123E+12",Product,1.5'],
    ["is a date that a spreadsheet made of one", "1-feb,Product,1.5"],
    ["is what a failed calculation left", "#N/A,Product,1.5"],
    ["stands in a row that is too short", "P9,Product"],
    ["stands in a row that is too long", "P9,Product,1,5"],
    ["stands in a row that is too long to be read", `P9,${"x".repeat(100_000)},1.5`],
    ["is behind an open quote", '"P9,Product,1.5'],
    ["is behind a quote that is closed too late", 'P9,"Product,1.5\nP10,Product",1.5'],
    ["contains a line break", '"P9\nP10",Product,1.5'],
  ])("refuses when a code %s, and sends nothing", async (_, row) => {
    const { mock, push } = await shop();
    const before = await callsOf(mock);
    const result = await push([...rowsOf(...codes.slice(0, 9)), row]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(reasonOf(result)).toBe("rows_unreadable");
    expect(await callsOf(mock)).toEqual(before);
  });

  it.each([
    ["is a number", '{"codigo":9,"nombre":"Product"}'],
    ["is no text", '{"codigo":true,"nombre":"Product"}'],
    ["is a list", '{"codigo":["P9"],"nombre":"Product"}'],
    ["is not named", '["P9","Product"]'],
    ["stands in a line that is no JSON", '{"codigo":"P9","nombre":'],
  ])("refuses when the code of an NDJSON line %s, and sends nothing", async (_, line) => {
    const { mock, pushFile } = await shop();
    const before = await callsOf(mock);
    const good = codes.slice(0, 9).map((codigo) => JSON.stringify({ codigo, nombre: "Product" }));
    const result = await pushFile(fileOf(...good, line), "--format", "ndjson");
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(reasonOf(result)).toBe("rows_unreadable");
    expect(await callsOf(mock)).toEqual(before);
  });

  it.each([
    ["by default", 7, [], 10],
    ["by default", 8, [], 0],
    ["with a share", 4, ["--max-deactivate", "50%"], 10],
    ["with a share", 5, ["--max-deactivate", "50%"], 0],
    ["with a share that no binary number is", 7, ["--max-deactivate", "29%"], 10],
    ["with a number", 6, ["--max-deactivate", "3"], 10],
    ["with a number", 7, ["--max-deactivate", "3"], 0],
    ["with none", 9, ["--max-deactivate", "0"], 10],
  ])("guards %s: a file with %i of ten, %j, ends with %i", async (_, left, flags, code) => {
    const { mock, push, inactive } = await shop();
    const before = await callsOf(mock);
    const result = await push(rowsOf(...codes.slice(0, left)), ...flags);
    expect(result.code).toBe(code);
    expect(await inactive()).toHaveLength(code === 0 ? 10 - left : 0);
    if (code === 2) {
      expect(errorOf(result)).toMatchObject({ reason: "too_many_missing", limit: flags[1] ?? "20%" });
      expect(await callsOf(mock)).toEqual(before);
    }
  });

  it.each([
    ["unknown", reset(), 7],
    ["refused", reply({ code: "ERROR_CODE_INPUT_ERROR", message: "No" }, 400), 5],
  ])("deactivates nothing when an upsert is %s half-way", async (_, answer, code) => {
    const one = reply(accepted(1));
    const server = await scriptedServer(...batches(one, one, one, one, answer));
    const run = shell({ env: pointedAt(server.url) });
    const push = (...some: string[]): Promise<Run> => {
      const flags = ["--batch-size", "1", "--retries", "0", "--max-deactivate", "9", "--deactivate-missing"];
      return run(["catalog", "push", fileOf(header, ...rowsOf(...some)), ...flags, "--json"]);
    };
    await push("A", "B", "C");
    const result = await push("A", "B");
    expect(result.code).toBe(code);
    expect(parse(result.stdout).deactivated).toBeUndefined();
    expect(server.requests.every((request) => event(request).action === "upsert")).toBe(true);
  });

  it("reports the upserts when the deactivation after them is refused", async () => {
    const denied = reply({ code: "ERROR_CODE_ACCESS_DENIED", message: "No" }, 403);
    const server = await scriptedServer(...batches(reply(accepted(2)), reply(accepted(1)), denied));
    const run = shell({ env: pointedAt(server.url) });
    const push = (...some: string[]): Promise<Run> => {
      const file = fileOf(header, ...rowsOf(...some));
      return run(["catalog", "push", file, "--deactivate-missing", "--max-deactivate", "1", "--json"]);
    };
    await push("A", "B");
    const { code, stdout } = await push("A");
    expect(code).toBe(4);
    expect(parse(stdout)).toMatchObject({ accepted: 1, outcome: "complete" });
  });

  it("shows with --dry-run what would be deactivated, with the same guard", async () => {
    const { mock, push, inactive } = await shop();
    const before = await callsOf(mock);
    const preview = await push(rowsOf(...codes.slice(0, 9)), "--dry-run", "--changed-only");
    expect(preview.code).toBe(0);
    expect(parse(preview.stdout)).toMatchObject({ dry_run: true, unchanged: 9 });
    expect(parse(preview.stdout).deactivated).toMatchObject({ dry_run: true, action: "delete" });
    expect((await push(rowsOf("P1"), "--dry-run")).code).toBe(10);
    expect(await callsOf(mock)).toEqual(before);
    expect(await inactive()).toEqual([]);
  });
});
