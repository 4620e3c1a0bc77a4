import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { accepted, batches, event, parse, priceList } from "../../support/push.ts";
import { fixture, shell, temporaryFolder } from "../../support/run.ts";
import { reply, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";

describe("catalog push", () => {
  it.each(["catalog.csv", "catalog.json"])(
    "reports the 9 bad rows of fixtures/%s by line and pushes all the others",
    async (name) => {
      const { mock, env } = await service({ scenario: "empty" });
      const result = await shell({ env })(["catalog", "push", fixture(name), "--json"]);
      expect(result.code).toBe(3);
      const report = parse(result.stdout);
      expect(report).toMatchObject({ read: 300, outcome: "partial", dry_run: false, skipped_stale: 0 });
      expect(report.rejected).toHaveLength(9);
      expect(report.accepted).toBe(291);
      const lines = readFileSync(fixture(name), "utf8").split("\n");
      for (const { line, error, codigo } of report.rejected) {
        expect(error).not.toBe("");
        if (codigo !== null && codigo !== "")
          expect(lines.slice(line - 1, line + 6).join("\n")).toContain(codigo);
      }
      const stored = await mock.control.catalog("demo");
      expect(stored).toHaveLength(291);
      const bad = new Set(report.rejected.map(({ codigo }) => codigo));
      expect(stored.filter(({ codigo }) => bad.has(codigo))).toEqual([]);
    },
  );

  it("shows the rejected rows to a person, with line and reason, on a terminal and in a pipe", async () => {
    const { env } = await service({ scenario: "empty" });
    const run = shell({ env });
    for (const world of [{ terminal: 80 }, {}]) {
      const { code, stdout } = await run(["catalog", "push", fixture("catalog.csv")], world);
      expect(code).toBe(3);
      expect(stdout).toContain("291");
      expect(stdout).toContain("consultar");
    }
  });

  it("reads standard input, and says nothing with -q when all went well", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const stdin =
      '{"codigo":"007","nombre":"Alfajor","precio":0.1}\n{"codigo":"1E5","nombre":"Flan","precio":12.5}\n';
    const result = await shell({ env })(["catalog", "push", "-", "-q"], { stdin });
    expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await mock.control.catalog("demo")).map(({ codigo, precio }) => [codigo, precio])).toEqual([
      ["007", 0.1],
      ["1E5", 12.5],
    ]);
  });

  it("sends batches in order, each with a later stamp and its own id", async () => {
    const server = await scriptedServer(...batches(...[500, 500, 200].map((n) => reply(accepted(n)))));
    const result = await shell({ env: pointedAt(server.url) })([
      "catalog",
      "push",
      priceList(1200),
      "--json",
    ]);
    expect(result.code).toBe(0);
    expect(parse(result.stdout)).toMatchObject({ batches: 3, accepted: 1200, outcome: "complete" });
    const events = server.requests.map(event);
    expect(events.flatMap(({ items }) => items.map(({ codigo }) => codigo))).toEqual(
      Array.from({ length: 1200 }, (_, n) => String(n).padStart(5, "0")),
    );
    const stamps = events.map(({ occurred_at }) => Date.parse(occurred_at));
    expect(stamps[1]).toBeGreaterThan(stamps[0]!);
    expect(stamps[2]).toBeGreaterThan(stamps[1]!);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(3);
  });

  it("writes a rejected file that can be fixed and pushed as it is", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const folder = temporaryFolder();
    const file = join(folder, "prices.csv");
    const rejected = join(folder, "rejected.csv");
    writeFileSync(file, "Código;Descripción;Precio\n0001;Agua;1,50\n0002;Ñoquis;consultar\n0003;Té;3,50\n");
    const run = shell({ env });
    const first = await run(["catalog", "push", file, "--rejected", rejected, "--json"]);
    expect(first.code).toBe(3);
    expect(parse(first.stdout)).toMatchObject({ accepted: 2, rejected_file: rejected });
    const content = readFileSync(rejected, "utf8");
    expect(content).toContain("consultar");
    writeFileSync(rejected, content.replace(/consultar/, '"2,50"'));
    const second = await run(["catalog", "push", rejected, "--json"]);
    expect(second.code).toBe(0);
    expect((await mock.control.catalog("demo")).find(({ codigo }) => codigo === "0002")).toMatchObject({
      nombre: "Ñoquis",
      precio: 2.5,
    });
  });

  it("calls stale items by their name and ends with 3", async () => {
    const server = await scriptedServer(
      ...batches(reply({ duplicate: false, accepted: 0, skipped_stale: 2, rejected: [] })),
    );
    const result = await shell({ env: pointedAt(server.url) })(["catalog", "push", priceList(2), "--json"]);
    expect(result.code).toBe(3);
    expect(parse(result.stdout)).toMatchObject({ outcome: "stale", skipped_stale: 2 });
  });

  it("ends with 4 for another branch's store_id, 5 when the service refuses, 2 for a file that is not there", async () => {
    const { env } = await service({ scenario: "empty" });
    const run = shell({ env });
    const file = priceList(1);
    expect((await run(["catalog", "push", file, "--store-id", "2"])).code).toBe(4);
    expect((await run(["catalog", "push", file, "--store-id", "1"])).code).toBe(0);
    const missing = await run(["catalog", "push", "nowhere.csv"]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("nowhere.csv");
    const refusing = await scriptedServer(
      ...batches(reply({ code: "ERROR_CODE_INPUT_ERROR", message: "No, gracias" }, 400)),
    );
    const refused = await shell({ env: pointedAt(refusing.url) })(["catalog", "push", file, "--json"]);
    expect(refused.code).toBe(5);
    expect(parse(refused.stdout).outcome).toBe("refused");
    expect(JSON.parse(refused.stderr)).toMatchObject({
      error: { code: "refused", status: 400, service_code: "ERROR_CODE_INPUT_ERROR" },
    });
  });
});
