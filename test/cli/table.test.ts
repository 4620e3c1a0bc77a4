import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible } from "../../src/cli/display/format.ts";
import { type Column, table } from "../../src/cli/display/table.ts";
import { pad, textWidth, title, truncate, wrap } from "../../src/cli/display/text.ts";
import type { Ui } from "../../src/cli/display/ui.ts";
import { sized } from "../support/soak.ts";
import { anyText } from "../support/texts.ts";
import { lines, pipe, terminal, widest } from "./ui.ts";

interface Product {
  code: string;
  name: string;
  price: string;
}

const columns: Column<Product>[] = [
  { title: "Code", cell: (row) => row.code, priority: 1 },
  { title: "Name", cell: (row) => row.name, priority: 2, shrinkTo: 8 },
  { title: "Price", cell: (row) => row.price, align: "right", priority: 3 },
];
const rows: Product[] = [
  { code: "A1", name: "寿司 🍣", price: "9,00" },
  { code: "B2", name: "Ñoquis", price: "1.200,00" },
];
const texts = fc.oneof(anyText(), fc.string({ unit: "grapheme-composite" }), fc.string());

describe("width", () => {
  it("counts what a terminal shows", () => {
    const widths = { abc: 3, Ñandú: 5, 寿司: 4, "🍣": 2, "👨‍👩‍👧": 2, "🇦🇷": 2, é: 1, "1️⃣": 2, "—…█": 3, ｱ: 1 };
    for (const [text, width] of Object.entries(widths))
      expect([text, textWidth(text)]).toEqual([text, width]);
  });

  it("cuts, fills and wraps without ever being too wide or losing a letter", () => {
    fc.assert(
      fc.property(texts.map(visible), fc.integer({ min: 2, max: 30 }), (text, width) => {
        expect(textWidth(truncate(text, width))).toBeLessThanOrEqual(width);
        expect(textWidth(pad(truncate(text, width), width))).toBe(width);
        const wrapped = wrap(text, width);
        for (const line of wrapped) expect(textWidth(line)).toBeLessThanOrEqual(width);
        const letters = (some: string): string => some.replaceAll(" ", "").normalize();
        expect(letters(wrapped.join(""))).toBe(letters(text));
      }),
    );
  });
});

describe("table", () => {
  it("is aligned on a terminal, with a rule below the header", () => {
    expect(lines(table(columns, rows, terminal(80)))).toEqual([
      "Code  Name        Price",
      "───────────────────────",
      "A1    寿司 🍣      9,00",
      "B2    Ñoquis   1.200,00",
    ]);
  });

  it("has no colour, rule, box or cut in a pipe", () => {
    const long = { code: "C3", name: "x".repeat(300), price: "1" };
    const text = table(columns, [...rows, long], pipe());
    expect(text).not.toMatch(/[\u001b─│…\t]/);
    expect(text).toContain(long.name);
    expect(lines(text)[2]).toMatch(/^B2 {4}Ñoquis {2,}1\.200,00$/);
  });

  it("looks the same whether it has few rows or more than people read", () => {
    const many = fc.array(fc.tuple(texts, texts, texts), { minLength: 1, maxLength: 5 });
    const compare = (cells: [string, string, string][], ui: Ui): void => {
      const few = cells.map(([code, name, price]) => ({ code, name, price }));
      const all = Array.from({ length: 301 }, (_, n) => few[n % few.length]!);
      const [head = "", rule = ""] = lines(table(columns, few, ui));
      const begin = ui.width === undefined ? [head] : [head, rule];
      const body = lines(table(columns, few, ui)).slice(begin.length, begin.length + few.length);
      const drawn = lines(table(columns, all, ui)).slice(0, begin.length + few.length);
      expect(drawn).toEqual([...begin, ...body]);
    };
    fc.assert(
      fc.property(many, (cells) => {
        compare(cells, pipe());
        compare(cells, terminal(40));
      }),
      { numRuns: sized(5, 100) },
    );
  });

  it("leaves out the least important column first and says so", () => {
    const text = lines(table(columns, rows, terminal(14)));
    expect(text[0]).toBe("Code  Name");
    expect(text.slice(4).join(" ")).toContain("No room for: Price.");
    expect(lines(table(columns, rows, terminal(30))).join(" ")).not.toContain("Not shown");
  });

  it("cuts what may be cut before it leaves anything out", () => {
    const long = [{ code: "C3", name: "x".repeat(50), price: "1,00" }];
    const text = lines(table(columns, long, terminal(30)));
    expect(text[0]).toMatch(/Price$/);
    expect(text[2]).toMatch(/^C3 {4}x+… {2} 1,00$/);
  });

  it("wraps the last column where it is told to, under itself", () => {
    const wrapping: Column<Product>[] = [
      { title: "Code", cell: (row) => row.code, priority: 1 },
      { title: "Why", cell: (row) => row.name, priority: 1, shrinkTo: 8, wraps: true },
    ];
    const row = { code: "A1", name: "the price is no number", price: "" };
    expect(lines(table(wrapping, [row], terminal(20))).slice(2)).toEqual([
      "A1    the price is",
      "      no number",
    ]);
    expect(lines(table(wrapping, [row], pipe()))).toHaveLength(2);
  });

  it("never exceeds the width and never gains a line, whatever the cells hold", () => {
    const cell = fc.record({ code: texts, name: texts, price: texts });
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 5 }), fc.integer({ min: 2, max: 120 }), (some, width) => {
        const text = table(columns, some, terminal(width));
        expect(widest(text)).toBeLessThanOrEqual(width);
        expect(lines(table(columns, some, pipe()))).toHaveLength(some.length + 1);
        const body = lines(text).slice(2, 2 + some.length);
        expect(body.join("")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  it("aligns what cli-table3 measures wrong, and ends the colour of each line", () => {
    const { dim } = terminal(30).theme;
    const odd = ["🧋 té", "🫓 pan", "ก็", "e\u0301", "Ñandú", "€ 5", "\u{f0000}x", "plain"];
    const wrapping: Column<string>[] = [
      { title: "Name", cell: (text) => text, priority: 1, style: dim },
      {
        title: "Twice",
        cell: (text) => `${text} ${text}`,
        priority: 1,
        shrinkTo: 6,
        wraps: true,
        style: dim,
      },
      { title: "End", cell: () => "end", align: "right", priority: 1 },
    ];
    const body = table(wrapping, odd, terminal(24)).trimEnd().split("\n").slice(2);
    expect(body.length).toBeGreaterThan(odd.length);
    const firsts = body.filter((line) => line.endsWith("end"));
    expect(firsts.map(textWidth)).toEqual(odd.map(() => 24));
    expect(firsts.map((line) => lines(line).join("").split(/ {2,}/)[0])).toEqual(odd.map(visible));
    // Each line switches its own colour off, so that none runs into the next column.
    for (const line of body)
      expect(line.match(/\u001b\[2m/g)?.length).toBe(line.match(/\u001b\[22m/g)?.length);
  });
});

it("says MOCK or SANDBOX in the first line", () => {
  expect(lines(title("Orders", terminal(80, { badge: "MOCK" })).join("\n"))).toEqual(["MOCK · Orders"]);
  expect(title("Orders", pipe({ badge: "SANDBOX" }))).toEqual(["SANDBOX · Orders"]);
  expect(title("Orders", pipe())).toEqual(["Orders"]);
});
