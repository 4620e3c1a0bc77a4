import { describe, expect, it } from "vitest";
import { sendReport } from "../../src/campaigns/send/view.ts";
import { campaignStatus } from "../../src/campaigns/status/view.ts";
import type { PastPush } from "../../src/catalog/history/run.ts";
import { pushHistoryTable } from "../../src/catalog/history/view.ts";
import { pushReport, pushReportJson } from "../../src/catalog/push/view.ts";
import { isoTime } from "../../src/cli/format.ts";
import { en } from "../../src/i18n/en.ts";
import { es } from "../../src/i18n/es.ts";
import { ordersList } from "../../src/orders/list/view.ts";
import { orderTicket } from "../../src/orders/show/view.ts";
import { campaign, from, order, page, paidPickUp, push, send, statusOf } from "./samples.ts";
import { lines, pipe, terminal, uncoloured, widest } from "./ui.ts";

const ui = terminal(80, { texts: es });

/** The headings of the widest table of a report. */
const headings = (text: string): number =>
  Math.max(
    ...lines(text).map((line, index, all) =>
      all[index + 1]?.startsWith("──") === true ? line.trim().split(/ {2,}/).length : 0,
    ),
  );

/** The parts of every text that are a flag, a command, a variable or a state: the same in each language. */
const fixed = (text: string): string[] =>
  (
    text.match(
      /--[a-z][a-z-]+|BPOS_[A-Z_]+|\bbpos (?:orders|catalog|campaign|mock|demo|openapi)\b|\bpendiente\b|\.(?:csv|json|ndjson)\b/g,
    ) ?? []
  ).sort();

function* leaves(english: unknown, spanish: unknown, path: string): Generator<[string, string, string]> {
  if (typeof english === "string" && typeof spanish === "string") yield [path, english, spanish];
  if (typeof english !== "object" || english === null) return;
  for (const [name, value] of Object.entries(english))
    yield* leaves(value, (spanish as Record<string, unknown>)[name], `${path}.${name}`);
}

describe("in Spanish", () => {
  it("every text that takes no values names the same flags, commands and states as the English one", () => {
    const both = [...leaves(en, es, "")];
    expect(both.length).toBeGreaterThan(300);
    for (const [path, english, spanish] of both)
      expect([path, ...fixed(spanish)]).toEqual([path, ...fixed(english)]);
  });

  it("no sentence was left in English", () => {
    const same = [...leaves(en, es, "")].filter(
      ([, english, spanish]) =>
        english === spanish && !english.includes("bpos ") && /^[A-Z]?[a-z]+(?: [a-z]+){2,}/.test(english),
    );
    expect(same).toEqual([]);
  });

  it("times stand day first, and what is no time as it came", () => {
    const late = "2026-01-31T23:59:59.999-03:00";
    expect(isoTime(late, ui)).toBe("31/1/26 23:59");
    expect([undefined, "", "soon", "2026-99-99T11:00:00Z"].map((iso) => isoTime(iso, ui))).toEqual([
      "—",
      "—",
      "soon",
      "2026-99-99T11:00:00Z",
    ]);
  });

  it("a kitchen ticket speaks the counter's words", () => {
    const text = uncoloured(orderTicket(paidPickUp, ui));
    for (const words of [
      "Pedido 1043",
      "1/1/26 08:00",
      "RETIRA",
      "$ 2.500,00 c/u",
      "PAGÓ ONLINE · nada a cobrar",
    ])
      expect(text).toContain(words);
    expect(uncoloured(orderTicket(order(), ui))).toMatch(/A COBRAR +\$ 9\.700,00/);
  });

  it("tables keep as many columns as in English on a terminal of 80 columns", () => {
    const past: PastPush = {
      ...pushReportJson(push()),
      at: "2026-01-01T08:00:00-03:00",
      file: "precios-enero-2026.csv",
      outcome: "unknown",
    } as unknown as PastPush;
    const unclear = send({ outcome: "unknown" });
    const [call] = unclear.campaigns;
    unclear.campaigns.push({ ...call!, campaign_id: null, people: 345 });
    const views = [
      (u: typeof ui) =>
        ordersList(page([order(), paidPickUp]), { states: ["pendiente"], paged: true, limited: false }, u),
      (u: typeof ui) =>
        pushHistoryTable([past, past], { more: false, unfinished: new Set([past.push_id]) }, u),
      (u: typeof ui) => sendReport(unclear, u, from),
      (u: typeof ui) => campaignStatus(statusOf(campaign(), campaign({ campaign_id: "cmp_2" })), u),
    ];
    for (const view of views) {
      expect(headings(view(ui))).toBeGreaterThanOrEqual(headings(view({ ...ui, texts: en })));
      expect(widest(view(ui))).toBeLessThanOrEqual(80);
    }
  });

  it("what came of a push is told in words, and its JSON stays English", () => {
    const past = (action: string, outcome: string): PastPush =>
      ({
        ...pushReportJson(push()),
        at: "2026-01-01T08:00:00-03:00",
        file: "p.csv",
        action,
        outcome,
      }) as unknown as PastPush;
    const table = pushHistoryTable(
      [past("upsert", "complete"), past("delete", "odd")],
      { more: false, unfinished: new Set() },
      pipe({ texts: es }),
    );
    expect(table).toMatch(/1\/1\/26 08:00 .*subida .*completa\n.*baja .*odd/);
    expect(pushReport(push(), ui, from)).toMatch(/no es un número/);
    expect(JSON.stringify(pushReportJson(push()))).toMatch(/is not a number/);
  });
});
