import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replyText } from "../../src/campaigns/listen/view.ts";
import { replyFields } from "../../src/campaigns/replies.ts";
import { orderTicket } from "../../src/orders/ticket.ts";
import { orderReceipt } from "../../src/printing/order-receipt.ts";
import { sized } from "../support/soak.ts";
import { anyText } from "../support/texts.ts";
import { everyView } from "./every-view.ts";
import { order } from "./samples.ts";
import { pipe, terminal } from "./ui.ts";

const size = 2 ** 20;

/** A text of 1 MiB: parts, again and again, behind a beginning of its own. */
const long = (part: string, begin = ""): string =>
  begin + part.repeat(Math.ceil((size - Buffer.byteLength(begin)) / Buffer.byteLength(part)));

const named: readonly [what: string, text: string][] = [
  ["one word", long("a")],
  ["words", long("hola ")],
  ["emoji", long("🍣")],
  ["families", long("👨‍👩‍👧‍👦")],
  ["one endless emoji", long("\u200d👩", "👨")],
  ["one endless flag", long("\u{e0067}", "🏴")],
  ["flags", long("🇦")],
  ["accents", long("\u0301", "a")],
  ["accented letters", long("e\u0301")],
  ["joiners", long("\u200d")],
  ["right to left", long("\u202eשלום ")],
  ["control characters", long("\u0001")],
  ["letters between control characters", long("a\u0001")],
  ["escapes", long("\u001b[2J")],
  ["lines", long("\n")],
  ["joined letters", long("क्")],
  ["Korean letters", long("ᄀ")],
  ["halves of characters", "\ud800".repeat(size / 2)],
];
/** Drawn as what is repeated, so that a failure names no text of 1 MiB. */
const parts = fc.tuple(
  fc.oneof(
    fc.constantFrom("a", "hola ", "🍣", "\u0001", "a\u0001", "\n", "क्", "ᄀ"),
    anyText({ minLength: 1 }),
  ),
  anyText(),
);

/** The processor's milliseconds: a busy machine takes longer, and works no more for it. */
function workOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Some five times what the slowest text takes on two quiet cores: what reads a text again and again takes minutes. */
const limitMs = 500;

/** The least of a few, since the first run of a view compiles it. */
const leastOf = (work: () => unknown): number => Math.min(...[1, 2, 3].map(() => workOf(work)));

describe("a text of 1 MiB", () => {
  const screen = terminal(80);
  const paper = { paper: 80, language: "escpos", drawer: false, beep: false, ui: screen } as const;
  const orderOf = (text: string) =>
    order({ cliente: { nombre: text, telefono: "+549" }, domicilio: { referencia: text } });

  it.each(named.filter((_, n) => n % sized(5, 1) === 0))(
    "of %s is on the screen and on paper at once",
    (_what, text) => {
      const reply = everyView["a reply"]!;
      expect(leastOf(() => reply(text, screen))).toBeLessThan(limitMs);
      expect(leastOf(() => orderTicket(orderOf(text), screen))).toBeLessThan(limitMs);
      expect(leastOf(() => orderReceipt(orderOf(text), paper))).toBeLessThan(limitMs);
    },
  );

  it.each(Object.entries(everyView).filter((_, n) => n % sized(5, 1) === 0))(
    "is cut by the view of %s",
    { timeout: 60_000 },
    (_name, view) => {
      fc.assert(
        fc.property(parts, ([part, begin]) => {
          const text = long(part, begin);
          let shown = "";
          // A view has that text up to thirty times.
          const work = workOf(() => {
            shown = view(text, screen);
          });
          expect(work).toBeLessThan(30 * limitMs);
          expect(shown.length).toBeLessThan(size);
        }),
        { numRuns: sized(1, 6) },
      );
    },
  );

  it("is whole in a pipe", () => {
    const text = "x".repeat(size);
    for (const name of ["a ticket", "a reply", "a list of orders", "sends to a person"])
      expect([name, everyView[name]!(text, pipe()).includes(text)]).toEqual([name, true]);
  });
});

it("says how much of a text is left out", () => {
  const body = { text: "a".repeat(120_000) };
  const event = {
    event: "reply",
    at: "2026-01-01T08:12:00-03:00",
    repeated: false,
    body,
    name: null,
  } as const;
  const ids = { campaign_id: null, external_ref: null, send_id: null };
  const reply = { event: { ...event, ...ids }, body: "", fields: replyFields(body), send: undefined };
  const shown = replyText(reply, terminal(80)).replace(/\s/g, "");
  expect(shown).toContain(`${"a".repeat(4_076)}…‹+115924›`);
  expect(shown).not.toContain("a".repeat(4_077));
});
