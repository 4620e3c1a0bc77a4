import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { branchId } from "../../../src/journal/records/branches.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { journalOf } from "../../support/journal.ts";
import { accepted, fileOf } from "../../support/push.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { pointedAt, service } from "../../support/service.ts";

const screen = { terminal: 400 };
const history = ["catalog", "history"];

interface Past {
  push_id: string;
  action: string;
  at: string;
  file: string | null;
  outcome: string;
  sent: number;
  batches: number;
  accepted: number;
  rejected: object[];
  rejected_left_out?: number;
}

const pastOf = (stdout: string): Past[] => (JSON.parse(stdout) as { pushes: Past[] }).pushes;

describe("catalog history", () => {
  it("lists the pushes and deletes newest first, with what came of them", async () => {
    const { env } = await service({ scenario: "empty" });
    const run = shell({ env });
    const file = fileOf("codigo,nombre,precio", "A,Agua,1", "N,,2");
    const rejected = join(temporaryFolder(), "rechazados.csv");
    await run(["catalog", "push", file, "--rejected", rejected]);
    await run(["catalog", "delete", "A"]);
    const { code, stdout } = await run([...history, "--json"]);
    expect(code).toBe(0);
    expect(pastOf(stdout)).toMatchObject([
      { action: "delete", file: null, sent: 1, accepted: 1, rejected: [], outcome: "complete" },
      {
        action: "upsert",
        file,
        sent: 2,
        accepted: 1,
        rejected: [{ codigo: "N" }],
        outcome: "partial",
        rejected_file: rejected,
      },
    ]);
    expect(pastOf(stdout)[0]!.at).toMatch(/^\d{4}-.*[+-]\d\d:\d\d$/);
    const lines = (await run([...history, "-o", "ndjson"])).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as Past)).toEqual(pastOf(stdout));
    const table = (await run(history)).stdout;
    expect(table.indexOf("delete")).toBeLessThan(table.indexOf("upsert"));
    expect((await run(history, screen)).stdout).toContain("2 pushes");
  });

  it("says that there are none, and that more are not shown", async () => {
    const { env } = await service({ scenario: "empty" });
    const run = shell({ env });
    expect((await run([...history, "--json"])).stdout).toBe('{\n  "pushes": []\n}\n');
    expect((await run(history, screen)).stdout).toContain(
      "This machine's journal has no pushes for this branch.",
    );
    for (const code of ["A", "B"]) await run(["catalog", "delete", code]);
    expect((await run(history, screen)).stdout).not.toContain("--limit");
    const { stdout } = await run([...history, "--limit", "1"], screen);
    expect(stdout).toContain("--limit");
    expect(pastOf((await run([...history, "--limit", "1", "--json"])).stdout)).toHaveLength(1);
    expect((await run([...history, "--limit", "0"])).code).toBe(2);
  });

  /** A push of two batches of two, killed when it had come this far. */
  it.each([
    ["before anything left", 0, 0, { outcome: "nothing", sent: 0, batches: 0, accepted: 0 }],
    ["with a batch out", 1, 0, { outcome: "unknown", sent: 2, batches: 1, accepted: 0 }],
    ["between two batches", 1, 1, { outcome: "partial", sent: 2, batches: 1, accepted: 2 }],
    ["with the second batch out", 2, 1, { outcome: "unknown", sent: 4, batches: 2, accepted: 2 }],
    ["after the last answer", 2, 2, { outcome: "complete", sent: 4, batches: 2, accepted: 4 }],
  ])("tells of a push that was killed %s", async (_, attempts, answers, expected) => {
    const home = temporaryFolder();
    const env: Record<string, string> = { ...pointedAt("http://127.0.0.1:9"), BPOS_HOME: home };
    const journal = await journalOf(home);
    const branch = branchId({
      address: "http://127.0.0.1:9",
      world: undefined,
      apiKey: env["BPOS_API_KEY"]!,
    });
    const event = (n: number) => ({
      first_row: n * 2,
      row_count: 2,
      event_id: `e${n}`,
      occurred_at: "2026-01-01T09:00:00.000-03:00",
      stamp: n,
    });
    const push = { push_id: "p", branch, action: "upsert", file: "p.csv", contentHash: "h", at: 0 } as const;
    await journal.pushes.begin(push, () => [event(0), event(1)]);
    const kept = (n: number) => ({ ...event(n), state: "attempted", answer: null }) as const;
    for (let n = 0; n < attempts; n++) await journal.pushes.attempted("p", [kept(n)]);
    for (let n = 0; n < answers; n++)
      await journal.pushes.answered("p", [{ event: kept(n), answer: JSON.stringify(accepted(2)) }]);
    await journal.close();
    const run = shell({ env, clock: fakeClock() });
    expect(pastOf((await run([...history, "--json"])).stdout)).toMatchObject([
      { push_id: "p", file: "p.csv", read: null, unchanged: null, ...expected },
    ]);
    const table = (await run(history, { terminal: 400 })).stdout;
    expect(table).toContain(expected.outcome);
    // Intents are written down ahead: nobody knows whether what has no answer left at all.
    expect(table.includes(`≤ ${expected.sent}`)).toBe(expected.outcome === "unknown");
    const next = "run the same command again with the same file.";
    if (expected.outcome === "complete") expect(table).not.toContain("again");
    else expect(table).toContain(next);
  });

  it("says what to do about a push without a clear answer, as long as it is the newest", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const run = shell({ env });
    const file = fileOf("codigo,nombre,precio", "A,Agua,1");
    await mock.control.addFault("POST /v1/catalog/items status=502 times=1");
    expect((await run(["catalog", "push", file, "--retries", "0"])).code).toBe(7);
    expect((await run(history, screen)).stdout).toContain("run the same command again with the same file.");
    await run(["catalog", "delete", "B"]);
    const later = (await run(history, screen)).stdout;
    expect(later).toContain(`An older push is not complete (${file}), and there are newer ones`);
    expect(later).not.toContain("with the same file");
    await mock.control.addFault("POST /v1/catalog/items status=502 times=1");
    expect((await run(["catalog", "delete", "C", "--retries", "0"])).code).toBe(7);
    expect((await run(history, screen)).stdout).toContain("run the same command again");
  });

  it("is written as CSV, under the names of the JSON", async () => {
    const { env } = await service({ scenario: "empty" });
    const run = shell({ env });
    const file = fileOf("codigo,nombre,precio", "A,Agua,1", "N,,2");
    await run(["catalog", "push", file]);
    const [push] = pastOf((await run([...history, "--json"])).stdout);
    const { stdout } = await run([...history, "-o", "csv"]);
    expect(stdout.split("\r\n")).toEqual([
      "push_id,at,action,file,read,sent,batches,accepted,skipped_stale,duplicate_batches,unchanged,rejected,rejected_file,outcome",
      `${push!.push_id},${push!.at},upsert,${file},2,2,1,1,0,0,0,1,,partial`,
      "",
    ]);
  });

  it("counts the rejected products that it does not keep, in every form", async () => {
    const { env } = await service({ scenario: "empty" });
    const run = shell({ env });
    const rows = Array.from({ length: 10_002 }, (_, n) => `,Agua ${n},1`);
    await run(["catalog", "push", fileOf("codigo,nombre,precio", "A,Agua,1", ...rows)]);
    const [push] = pastOf((await run([...history, "--json"])).stdout);
    expect([push!.rejected.length, push!.rejected_left_out]).toEqual([10_000, 2]);
    const { stdout } = await run([...history, "-o", "csv", "--fields", "rejected,outcome"]);
    expect(stdout).toBe("rejected,outcome\r\n10002,partial\r\n");
    expect((await run(history, screen)).stdout).toContain("10.002");
  });
});
