import { describe, expect, it } from "vitest";
import { created, parse, people, type Report, recipientsFile, rows, send } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { on, reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";

const list = (...more: string[]): string[] => ["campaign", "list", ...more];

/** A machine that sent one campaign whole, another one twice, and has a call without an answer. */
async function machine() {
  const left = { added: 1, duplicates: 0, errors: ["+5491150000017 is blocked"] };
  const server = await scriptedServer(
    on("POST /campaigns", reply(created)),
    on("POST /campaigns", reply({ ...created, campaign_id: "c2", recipients: left })),
    on("POST /campaigns", reset()),
  );
  const folder = temporaryFolder();
  const clock = fakeClock();
  const run = shell({ env: { ...pointedAt(server.url), NO_COLOR: "1" }, clock });
  const file = recipientsFile([...rows(2), "no phone,Eva,3", ...rows(1)], folder);
  const first = await run(send(file, "--yes", "--ref", "enero", "--json"));
  await run(send(people(2, folder), "--yes", "--ref", "febrero", "--allow-repeat"));
  await run(send(people(3, folder), "--yes", "--ref", "febrero", "--allow-repeat", "--retries", "0"));
  clock.advance(2 * 3_600_000);
  return { run, first: JSON.parse(first.stdout) as Report };
}

describe("campaign list", () => {
  it("lists sends newest first with state, age and the counts that are known, without a network", async () => {
    const { run } = await machine();
    // A request that nobody expected would fail the test.
    const { code, stdout } = await run(list());
    expect(code).toBe(0);
    const rows = stdout.split("\n").map((line) => line.split(/ {2,}/).slice(2).join("|"));
    expect(rows.slice(1)).toEqual([
      "pedido_listo|febrero|unknown: 1 of 1 call|1|1|0|0|—",
      "pedido_listo|febrero|sent|2|1|1|1|c2",
      "pedido_listo|enero|sent|2|1|2|0|c1",
      "",
    ]);
    expect(stdout).toContain("  2 h 00 min  ");
    const shown = (await run(list(), { terminal: 200 })).stdout;
    expect(shown).toContain("bpos campaign resume febrero");
    expect(shown).not.toContain("bpos campaign resume enero");
    expect(shown).toContain("3 sends.");
    for (const terminal of [40, 80, 200]) {
      const narrow = (await run(list(), { terminal })).stdout.split("\n");
      expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(terminal);
      expect(narrow.join("\n")).toContain("enero");
    }
  });

  it("shows each as the send printed it, with what its calls are now", async () => {
    const { run, first } = await machine();
    const { sends } = JSON.parse((await run(list("--json"))).stdout) as {
      sends: (Report & { at: string })[];
    };
    expect(sends.map(({ outcome }) => outcome)).toEqual(["unknown", "sent", "sent"]);
    const enero = sends[2]!;
    expect(new Set(Object.keys(enero))).toEqual(new Set([...Object.keys(first), "at"]));
    expect(new Set(Object.keys(enero.recipients))).toEqual(new Set(Object.keys(first.recipients)));
    expect(enero).toMatchObject({
      ...{ send_id: first.send_id, external_ref: "enero", campaigns: first.campaigns, outcome: "sent" },
      ...{ recipients: first.recipients, invalid: first.invalid, duplicate_rows: first.duplicate_rows },
      ...{ excluded_rows: [], dry_run: false },
    });
    expect(first).toMatchObject({
      recipients: { read: 4 },
      invalid: [{ line: 4 }],
      duplicate_rows: [{ line: 5 }],
    });
    expect(sends.map(({ recipients }) => recipients["read"])).toEqual([3, 2, 4]);
    expect(sends.map(({ recipients }) => recipients["already_sent"])).toEqual([2, 0, 0]);
    expect(Object.keys(enero.campaigns[0]!)).toEqual(Object.keys(first.campaigns[0]!));
    expect(Date.parse(enero.at)).toBe(Date.UTC(2026, 0, 1, 12));
    expect(sends[0]!.campaigns).toMatchObject([{ campaign_id: null, status: "unknown" }]);
    const lines = (await run(list("-o", "ndjson", "--limit", "2"))).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(sends.slice(0, 2));
  });

  it("is a line a send as CSV, with the counts that are known", async () => {
    const { run, first } = await machine();
    const lines = (await run(list("-o", "csv"))).stdout.trimEnd().split("\r\n");
    expect(lines.map((line) => line.replace(/^[^,]+,[^,]+,/, ""))).toEqual([
      "template,external_ref,outcome,read,invalid,duplicates,excluded,opted_out,already_sent,planned,calls,added,errors,campaign_ids",
      "pedido_listo,febrero,unknown,3,0,0,0,0,2,1,1,0,0,",
      "pedido_listo,febrero,sent,2,0,0,0,0,0,2,1,1,1,c2",
      "pedido_listo,enero,sent,4,1,1,0,0,0,2,1,2,0,c1",
    ]);
    expect(lines.at(-1)).toContain(first.send_id);
  });

  it("gives nothing of the run while it is under way, then what it said first, and of the calls what is true now", async () => {
    const sends = async (): Promise<Report[]> =>
      (JSON.parse((await run(list("--json"))).stdout) as { sends: Report[] }).sends;
    let underWay: Report[] = [];
    let cells = "";
    const server = await scriptedServer(
      on("POST /campaigns", (response, request) => {
        const look = async (): Promise<void> => {
          underWay = await sends();
          const csv = (await run(list("-o", "csv"))).stdout;
          cells = csv.trimEnd().split("pedido_listo,").at(-1) ?? "";
          reply("", 307)(response, request);
        };
        void look();
      }),
      on("POST /campaigns", reset()),
      on("POST /campaigns", reply(created)),
    );
    const run = shell({ env: pointedAt(server.url) });
    const file = recipientsFile([...rows(2), "no phone,Eva,3"]);
    const again = send(file, "--yes", "--ref", "r", "--retries", "0", "--json");
    const ofRun = ({ recipients: { read, already_sent }, invalid }: Report) => [read, already_sent, invalid];
    // Nothing went out: its plan and its report make room for the next one.
    expect((await run(again)).code).toBe(6);
    expect(underWay.map(ofRun)).toEqual([[null, null, null]]);
    expect(cells).toBe("r,unknown,,,,,,,2,1,0,0,");
    expect((await sends()).map(ofRun)).toEqual([[3, 0, [expect.objectContaining({ line: 4 })]]]);
    expect((await run(again)).code).toBe(7);
    const [open, ...others] = await sends();
    expect(others).toEqual([]);
    expect(open).toMatchObject({ outcome: "unknown", recipients: { read: 3, added: 0 } });
    expect((await run(["campaign", "resume"])).code).toBe(0);
    expect(parse((await run(again)).stdout).recipients).toMatchObject({ already_sent: 2, planned: 0 });
    const [settled] = await sends();
    expect(settled).toMatchObject({ ...open, outcome: "sent", recipients: { added: 2 }, campaigns: [{}] });
  });

  it("marks tests, and quotes a reference that a shell would take apart", async () => {
    const ref = "L'été & 50% $HOME";
    const server = await scriptedServer(
      on("POST /campaigns", reply(created)),
      on("POST /campaigns", reset()),
    );
    const run = shell({ env: pointedAt(server.url) });
    await run(send(people(2), "--yes", "--ref", ref, "--test-to", "+5491150000027"));
    const lost = await run(send(people(2), "--yes", "--ref", ref, "--retries", "0"));
    const { stdout } = await run(list(), { terminal: 200 });
    expect(stdout.match(/test, sent/g)).toHaveLength(1);
    const sends = (JSON.parse((await run(list("--json"))).stdout) as { sends: { test?: true }[] }).sends;
    expect(sends.map(({ test }) => test)).toEqual([undefined, true]);
    const word = String.raw`'L'\''été & 50% $HOME'`;
    expect(stdout).toContain(`bpos campaign resume ${word}: `);
    const status = await run(["campaign", "status", "--ref", ref]);
    expect(status.stderr).toContain(`\`bpos campaign resume ${word}\``);
    expect(lost.stderr).toContain(`bpos campaign resume ${word}`);
  });

  it("says what to do when nothing was sent with this key", async () => {
    const { run } = await machine();
    const other = { env: { BPOS_API_KEY: "bpk_other_0123" } };
    const none = await run(list(), { ...other, terminal: 200 });
    expect(none.code).toBe(0);
    expect(none.stdout).toContain("bpos campaign status ID");
    expect(JSON.parse((await run(list("--json"), other)).stdout)).toEqual({ sends: [] });
  });
});
