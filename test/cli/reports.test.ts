import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LosslessNumber } from "../../src/api/json.ts";
import { sendPreview } from "../../src/campaigns/send/view.ts";
import { sendReportJson } from "../../src/campaigns/send-report.ts";
import { campaignStatus, recipientsCsv } from "../../src/campaigns/status/view.ts";
import { pushReportJson } from "../../src/catalog/sending/report-json.ts";
import { pushReport } from "../../src/catalog/sending/view.ts";
import { JsonList, jsonParts, toJson } from "../../src/cli/display/json.ts";
import { progressLine } from "../../src/cli/display/progress.ts";
import { newSheet, rejectedCsv } from "../../src/cli/files/rejected-rows.ts";
import { openRows } from "../../src/input/files/rows.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { campaign, from, preview, push, send, statusOf } from "./samples.ts";
import { NOW, pipe, places, terminal, uncoloured } from "./ui.ts";

describe.each(places)("reports on %s", (_name, make) => {
  it("show what came of a push and why rows were rejected", () => {
    const text = uncoloured(pushReport(push(), make({ badge: "MOCK" }), from));
    expect(text).toMatch(
      /^MOCK · Catalog push · prices\.csv · centro · 2026-\d\d-\d\d \d\d:\d\d\nDone\.\s+1\.240\s+rows:\s+1\.228\s+accepted,\s+1\s+missing\s+from\s+the\s+service's\s+answer,\s+9\s+duplicates,\s+2\s+rejected\s+\(1\s+by\s+bpos,\s+1\s+by\s+the\s+service\)\./,
    );
    for (const row of [
      /Sent +1\.230/,
      /Accepted +1\.228/,
      /Stale, ignored +0/,
      /Rejected by bpos +1\n/,
      /by the service +1\n/,
    ])
      expect(text).toMatch(row);
    expect(text).toMatch(/17 {2}00017 {2}bpos {5}precio "consultar" is not a price: write an amount of/);
    expect(text).toMatch(/40 {2}-5 {5}service {2}=unknown category/);
    expect(text).toContain("--rejected FILE");
  });

  it("never call a push done of which nothing was accepted", () => {
    for (const outcome of ["complete", "partial", "nothing", "stale"] as const) {
      const report = push({ outcome, accepted: 0, skipped_stale: 3, duplicate_batches: 1 });
      expect(uncoloured(pushReport(report, make(), from))).not.toMatch(/\b(?:Done|Listo)\b/);
    }
  });

  it("show whom a send would message, and whether it is live", () => {
    const request = { ...preview().request, headerUrl: "https://x.test/a.jpg" };
    const text = uncoloured(sendPreview(send(), preview({ request }), make()));
    for (const part of ["LIVE", "centro", "pedido_listo", "es_AR", "enero-1", "https://x.test/a.jpg"]) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(/Planned +2\.345/);
    expect(text).toContain("+5491161234567  Ana · 1042");
    expect(text).toContain("2.345 recipients would be messaged, in 3 calls.");
    expect(uncoloured(sendPreview(send({ dry_run: true }), preview(), make({ badge: "SANDBOX" })))).toMatch(
      /^SANDBOX · Campaign send · dry run\nMode +SANDBOX[\s\S]*Nothing was sent\.\n$/,
    );
  });

  it("show counts with their share, then recipients, failures first", () => {
    const text = uncoloured(campaignStatus({ ...statusOf(campaign()), recipients_hidden: 996 }, make()));
    expect(text).toMatch(/^Campaign cmp_1\nStatus: sent\n/);
    expect(text).toMatch(/Failed +4 +<1 %/);
    expect(text).toMatch(/Read +600 +60 %/);
    const phones = [...text.matchAll(/\+549116123000(\d)/g)].map(([, digit]) => digit);
    expect(phones).toEqual(["3", "1", "2", "4"]);
    expect(text).toContain("The number is not on the platform");
    expect(text).toContain("teleported");
    expect(text.replaceAll("\n", " ")).toContain("996 recipients are counted but not listed");
  });
});

const whole = (chunks: Iterable<string>): string => [...chunks].join("");

describe("JSON", () => {
  it.each([true, false])(
    "is written in parts as it is at once, whatever is in its lists (pretty: %s)",
    (pretty) => {
      const number = fc.constant(new LosslessNumber("12345678901234567890.50"));
      const list = fc.array(fc.oneof(fc.jsonValue(), number, fc.constant(undefined)), {
        maxLength: 250,
        size: "max",
      });
      fc.assert(
        fc.property(list, (all) => {
          const value = { all, none: [], lazy: new JsonList(all, (each) => [each]), more: { all } };
          const asked = { ...value, lazy: all.map((each) => [each]) };
          expect(whole(jsonParts(value, pretty))).toBe(toJson(asked, pretty));
        }),
      );
    },
  );

  it("of a push has exactly the promised keys", () => {
    const json = JSON.parse([...jsonParts(pushReportJson(push()), false)].join("")) as object;
    expect(Object.keys(json).join()).toBe(
      "push_id,action,occurred_at,read,sent,batches,accepted,skipped_stale,duplicate_batches,unchanged,rejected,rejected_file,outcome,dry_run",
    );
    expect(json).toMatchObject({
      rejected: [
        {
          codigo: "00017",
          error:
            'precio "consultar" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
          source: "file",
          line: 17,
        },
        { codigo: "-5", error: "=unknown category", source: "service", line: 40 },
      ],
    });
  });

  it("of a send has exactly the promised keys", () => {
    const json = sendReportJson(send()) as Record<"invalid" | "duplicate_rows" | "excluded_rows", object[]>;
    expect(Object.keys(json).join()).toBe(
      "send_id,template,external_ref,recipients,campaigns,invalid,duplicate_rows,excluded_rows,outcome,dry_run",
    );
    for (const list of [json.invalid, json.duplicate_rows, json.excluded_rows])
      expect(Object.keys(list[0]!)).toEqual(["line", "phone", "error"]);
    expect(json.duplicate_rows).toMatchObject([
      { line: 12, error: "the same person as line 3, with other values: only those of line 3 are sent" },
    ]);
    expect(json.excluded_rows).toMatchObject([{ line: 14, error: "excluded by line 7 of bajas.csv" }]);
  });
});

describe("CSV", () => {
  const columns = ["codigo", "nombre", "precio"];

  const cell = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom("=", "+", "-", "@", "'", "\t", "\r", '"', ",", ";", " ", "5", ".", "a"),
    }),
    fc.string({ unit: "grapheme" }),
  );
  // Lines that a quote holds together are judged by their look, which is another matter.
  const row = fc.tuple(cell, cell, cell).filter((cells) => !/[\n\0]/.test(cells.join("")));
  const rejectedAs = (rows: readonly string[][]): string =>
    whole(
      rejectedCsv(
        rows.map((cells) => ({ source: "service", codigo: null, line: 1, error: "=no", cells })),
        newSheet(columns, ""),
        textsIn("en"),
      ),
    );

  it("of rejected rows gives back every cell when it is read again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1 }), async (rows) => {
        const file = { name: "rejected.csv", bytes: Buffer.from(rejectedAs(rows)) };
        const read: (readonly string[])[] = [];
        const source = await openRows(file, { format: "csv" }, "items");
        await source.stream({
          header: (names) => read.push(names),
          row: ({ cells }) => read.push(cells),
        });
        expect(read).toEqual([[...columns, "error"], ...rows.map((cells) => [...cells, "=no"])]);
      }),
    );
  });

  it("of recipients leaves absent times empty", () => {
    const [, first] = [...recipientsCsv(statusOf(campaign()), pipe()).text].join("").split("\r\n");
    expect(first).toBe(
      "cmp_1,enero-1,+5491161230001,read,2026-01-01T08:00:01-03:00,2026-01-01T08:00:01-03:00,2026-01-01T08:00:01-03:00,,,",
    );
  });
});

describe("progress", () => {
  const state = { label: "Pushing products", done: 400, total: 1240, startedAt: NOW - 4000 };

  it("shows how far, how fast and how long", () => {
    expect(progressLine(state, terminal(80))).toBe(
      "Pushing products  ██████░░░░░░░░░░░░░░  32 %  400/1.240  100/s  8 s left",
    );
    expect(progressLine({ ...state, total: undefined }, terminal(80))).toBe("Pushing products  400  100/s");
  });
});
