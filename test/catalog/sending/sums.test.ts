import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toItemList } from "../../../src/catalog/item-list.ts";
import { newReport, toReport } from "../../../src/catalog/sending/report.ts";
import type { PushRequest } from "../../../src/catalog/sending/request.ts";
import { pushReport } from "../../../src/catalog/sending/view.ts";
import type { RejectedRow } from "../../../src/input/files/table.ts";
import type { PushEvent } from "../../../src/journal/records/pushes.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { pipe } from "../../cli/ui.ts";
import { accepted, batches, fileOf } from "../../support/push.ts";
import { shell } from "../../support/run.ts";
import { reply, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";
import { sized } from "../../support/soak.ts";

const badRow = (line: number): RejectedRow => ({
  source: "file",
  line,
  codigo: null,
  cells: [],
  problem: { kind: "code_missing" },
});
const nat = (max: number) => fc.nat(max);
/** A batch, and what the service says of it: also more or less than was in it. */
const batch = fc.record({
  rows: fc.integer({ min: 1, max: 5 }),
  state: fc.constantFrom("planned", "attempted", "answered", "answered", "answered"),
  duplicate: fc.boolean(),
  accepted: nat(5),
  rejected: nat(5),
  stale: nat(5),
  isExact: fc.boolean(),
});
type Batch = typeof batch extends fc.Arbitrary<infer T> ? T : never;
const made = fc.record({
  batches: fc.array(batch, { maxLength: 4 }),
  here: nat(4),
  unchanged: nat(4),
  repeated: nat(4),
  action: fc.constantFrom("upsert", "delete"),
  isDryRun: fc.boolean(),
});
type Made = typeof made extends fc.Arbitrary<infer T> ? T : never;

function toEvent(each: Batch, first: number): PushEvent {
  const counts = { accepted: each.accepted, rejected: each.rejected, stale: each.stale };
  if (each.isExact) {
    counts.accepted = Math.min(counts.accepted, each.rows);
    counts.rejected = Math.min(counts.rejected, each.rows - counts.accepted);
    counts.stale = each.rows - counts.accepted - counts.rejected;
  }
  const rejected = Array.from({ length: counts.rejected }, (_, n) => ({
    codigo: `C${first + n}`,
    error: "no",
  }));
  const answer = {
    duplicate: each.duplicate,
    accepted: counts.accepted,
    skipped_stale: counts.stale,
    rejected,
  };
  const times = { event_id: `e${first}`, stamp: 1, occurred_at: "2026-01-01T08:00:00.000-03:00" };
  return {
    ...times,
    first_row: first,
    row_count: each.rows,
    state: each.state,
    answer: each.state === "answered" ? JSON.stringify(answer) : null,
  };
}

function reportOf({ batches: all, here, unchanged, repeated, action, isDryRun }: Made) {
  const listed = all.reduce((sum, { rows }) => sum + rows, 0);
  const items = toItemList(Array.from({ length: listed }, (_, n) => ({ codigo: `C${n}`, precio: 1 })));
  const isDelete = action === "delete";
  const request: PushRequest = {
    ...{ action, items, file: "prices.csv", branch: "b", batchSize: 5, inFlight: 1, storeId: undefined },
    rejected: Array.from({ length: here }, (_, n) => badRow(n)),
    unchanged: isDelete ? 0 : unchanged,
    read: listed + here + (isDelete ? 0 : unchanged) + repeated,
    dryRun: isDryRun,
  };
  if (isDryRun)
    return { ...newReport(request, "p", ""), planned: { wouldSend: listed, calls: all.length, first: [] } };
  let first = 0;
  const events = all.map((each) => {
    const event = toEvent(each, first);
    first += each.rows;
    return event;
  });
  return toReport(request, "p", events, undefined);
}

const number = (text: string): number => Number(text.replace("−", "-"));
/** The count of each row of the report's table. */
const tableOf = (text: string): Map<string, number> =>
  new Map(
    [...text.matchAll(/^(\S.*?) {2,}([-−]?\d+)$/gm)].map(([, what = "", count = ""]) => [
      what,
      number(count),
    ]),
  );

describe.each([
  ["English", textsIn("en")],
  ["Spanish", textsIn("es")],
])("in %s", (_, texts) => {
  const { t } = texts;
  const ui = { ...pipe(), texts };

  it("what became of all rows adds up to them, in words and in the table", () => {
    let worded = 0;
    fc.assert(
      fc.property(made, (given) => {
        const report = reportOf(given);
        const text = pushReport(report, ui, { file: "prices.csv", branch: "b" });
        const [, all = "", parts = ""] =
          /(?:\. |^)(\d+) (?:rows?|codes?|filas?|códigos?): (.*?)(?:\.$|;)/m.exec(text) ?? [];
        if (parts !== "") {
          worded += 1;
          const listed = parts.replace(/ \([^)]*\)/, "").split(", ");
          expect([parts, listed.reduce((sum, part) => sum + number(part.split(" ")[0] ?? ""), 0)]).toEqual([
            parts,
            number(all),
          ]);
          expect(number(all)).toBe(report.read);
          const [, both, bpos, service] = /(\d+) [a-z]+ \((\d+) (?:by|por) bpos, (\d+) /.exec(parts) ?? [];
          if (both !== undefined) expect(number(both)).toBe(number(bpos ?? "") + number(service ?? ""));
        }
        const table = tableOf(text);
        const sum = (...rows: string[]): number => rows.reduce((all, row) => all + (table.get(row) ?? 0), 0);
        const { action } = report;
        // A delete of nothing that was read follows a push.
        if (report.read === 0) return;
        const isPush = action === "upsert";
        const wouldSend = t(isPush ? "Would be sent" : "Would be deactivated");
        const sent = t("Sent // products");
        const left = ["Rejected by bpos", "Duplicate rows // of a push", "Unchanged, not sent", "Not sent"];
        expect(sum(...left.map((each) => t(each)), report.dry_run ? wouldSend : sent)).toBe(report.read);
        expect(table.get(t(isPush ? "Rows read" : "Codes read"))).toBe(report.read);
        if (report.dry_run) return;
        const said = [
          isPush ? "Accepted" : "Deactivated",
          "Applied by an earlier attempt",
          "Stale, ignored",
          "Rejected by the service",
          "Without an answer",
          "Not in the service's answer",
        ];
        expect(sum(...said.map((each) => t(each)))).toBe(table.get(sent));
      }),
      { numRuns: sized(150, 5_000) },
    );
    expect(worded).toBeGreaterThan(20);
  });
});

describe("nine rows, of which six are no product and the service refuses one", () => {
  const rows = [
    "A,Agua,1",
    "B,Pan,2",
    "C,Sal,3",
    ...Array.from({ length: 6 }, (_, n) => `D${n},x,consultar`),
  ];
  const push = async (...flags: string[]) => {
    const refused = { rejected: [{ codigo: "C", error: "precio: too dear" }] };
    const server = await scriptedServer(...batches(reply(accepted(2, refused))));
    const run = shell({ env: { ...pointedAt(server.url), NO_COLOR: "1" } });
    return run(["catalog", "push", fileOf("codigo,nombre,precio", ...rows), ...flags]);
  };

  it("are told whole, in both languages", async () => {
    const { stdout } = await push();
    expect(stdout).toContain(
      "\nPartly done. 9 rows: 2 accepted, 7 rejected (6 by bpos, 1 by the service).\n",
    );
    expect(stdout).toMatch(/Rows read +9\nRejected by bpos +6\nUnchanged, not sent +0\nSent +3\n/);
    expect(stdout).toMatch(/Accepted +2\nStale, ignored +0\nRejected by the service +1\n/);
    const spanish = await push("--lang", "es");
    expect(spanish.stdout).toContain(
      "\nHecho en parte. 9 filas: 2 aceptadas, 7 rechazadas (6 por bpos, 1 por el servicio).\n",
    );
  });
});
