import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  age,
  createdTime,
  isoTime,
  isoTimeToSecond,
  maskKey,
  maskPhone,
  money,
  number,
  price,
  timeOfDay,
  timeToSecond,
  visible,
} from "../../src/cli/display/format.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { sized } from "../support/soak.ts";
import { anyText } from "../support/texts.ts";
import { pipe } from "./ui.ts";

const ui = pipe();
/** Characters that can act on a terminal or hide in a line. */
const DANGEROUS =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0001}]/u;

describe("visible", () => {
  it("shows escapes, newlines, bidirectional marks and zero-width characters as signs", () => {
    expect(visible("a\u001b[2J\r\nb\u202ec\u200b\u009b\u007f\u0000")).toBe(
      "a␛[2J␍⏎b‹U+202E›c‹U+200B›‹U+009B›␡␀",
    );
  });

  it("keeps accents, wide characters, emoji families, flags and keycaps", () => {
    const text = "Ñandú é́ 寿司 👨‍👩‍👧 👍🏽 🇦🇷 ❤️ 1️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿";
    expect(visible(text)).toBe(text);
  });

  it("leaves nothing that acts or hides, in any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(visible(text)).not.toMatch(DANGEROUS);
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    expect(all.filter((character) => DANGEROUS.test(visible(character)))).toEqual([]);
  });
});

describe("money", () => {
  it("follows locale and currency, with spaces that grep can find", () => {
    expect(money(9700, ui)).toBe("$ 9.700,00");
    expect(money(1234.5, { money: { locale: "en-US", currency: "USD" } })).toBe("$1,234.50");
    expect(money(12345678901234567890n, ui)).toBe("$ 12.345.678.901.234.567.890,00");
  });

  it("shows zero as zero, and what is no amount as it came", () => {
    expect(money(0, ui)).toBe("$ 0,00");
    expect(money(-0, ui)).toBe("$ 0,00");
    expect(money(null, ui)).toBe("—");
    expect(money(undefined, ui)).toBe("—");
    expect(money("12\u001b", ui)).toBe("12␛");
    expect(money(Number.NaN, ui)).toBe("NaN");
    expect(money({ a: 1n }, ui)).toBe('{"a":1}');
  });
});

describe("an amount and a number", () => {
  const amounts = fc.oneof(
    fc.integer({ min: -10_000_000, max: 10_000_000 }).map((cents) => cents / 100),
    ...[fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt(), fc.integer(), fc.nat(2000)],
  );
  const written = (value: number | bigint, locale: string, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, { ...options, signDisplay: "negative", useGrouping: "always" })
      .format(value)
      .replaceAll("\u00a0", " ");

  it("read as Intl writes them, however they are written here", () => {
    const currencies = fc.constantFrom("ARS", "USD", "CLP", "EUR", "valueOf");
    const property = fc.property(
      amounts,
      currencies,
      fc.constantFrom("es-AR", "en-US"),
      (value, name, locale) => {
        const currency = name === "valueOf" ? "XXX" : name;
        const style = { style: "currency", currency } as const;
        const look = { money: { locale, currency } };
        expect(money(value, look)).toBe(written(value, locale, style));
        expect(number(value, look)).toBe(written(value, locale, {}));
        if (typeof value === "number")
          expect(price(value, look)).toBe(written(value, locale, { ...style, maximumFractionDigits: 20 }));
      },
    );
    fc.assert(property, { numRuns: sized(200, 2_000) });
  });
});

describe("times", () => {
  const at = (language: "en" | "es") => ({ texts: textsIn(language) });

  it("read as Intl writes them, over a year in every zone", () => {
    const own = process.env["TZ"];
    onTestFinished(() => {
      process.env["TZ"] = own;
    });
    const usual = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit" } as const;
    const options = { ...usual, minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
    const spanish = /^(\d+)-(\d+)-(\d+) (.{5})/;
    const wrong: string[][] = [];
    const zones = Intl.supportedValuesOf("timeZone").filter((_, n) => n % sized(20, 1) === 0);
    for (const timeZone of zones) {
      process.env["TZ"] = timeZone;
      // Swedish writes as ISO 8601 does.
      const format = new Intl.DateTimeFormat("sv-SE", { ...options, timeZone });
      for (let instant = Date.UTC(2026, 0, 1, 3, 7, 9); instant < Date.UTC(2027, 0, 2); instant += 87.4e6) {
        const [iso, written] = [new Date(instant).toISOString(), format.format(instant)];
        const here = [
          isoTimeToSecond(iso, at("en")),
          timeToSecond(iso),
          timeOfDay(iso),
          isoTime(iso, at("es")),
        ];
        const [clock, day] = [written.slice(11), written.replace(spanish, "$3/$2/$1 $4").slice(0, -3)];
        const there = [written, clock, clock.slice(0, 5), day];
        if (String(here) !== String(there)) wrong.push([timeZone, ...here, ...there]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("are shown in the machine's zone whatever offset they carry, in one form a language", () => {
    for (const iso of [
      "2026-02-01T02:59:59.999Z",
      "2026-01-31T23:59:59.999-03:00",
      "2026-02-01T11:59:00+09:00",
    ]) {
      expect(createdTime({ created_at: 0, created_at_iso: iso }, at("en"))).toBe("2026-01-31 23:59");
      expect(createdTime({ created_at_iso: iso }, at("es"))).toBe("31/01/2026 23:59");
      expect(isoTime(iso, at("en"))).toBe("2026-01-31 23:59");
      expect(isoTime(iso, at("es"))).toBe("31/01/2026 23:59");
      expect(timeOfDay(iso)).toBe("23:59");
    }
  });

  it("become ages that a person reads at a glance", () => {
    const minute = 60_000;
    expect([0, 40_000, 3 * minute, 125 * minute, 76 * 60 * minute, -5, Number.NaN].map(age)).toEqual([
      "0 s",
      "40 s",
      "3 min",
      "2 h 05 min",
      "3 d 4 h",
      "0 s",
      "—",
    ]);
  });
});

it("masks phones and keys", () => {
  expect(maskPhone("+5491161234567")).toBe("+54…4567");
  expect(maskPhone("4567")).toBe("…");
  expect(maskKey("bpk_live_0123456789ab3f9a")).toBe("bpk_…3f9a");
  expect(maskKey("bpk_short")).toBe("bpk_…");
  expect(maskKey("0123456789abcdef")).toBe("…cdef");
});
