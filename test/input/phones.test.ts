import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { expect, test } from "vitest";
import { countryCode, type Phone, readPhone } from "../../src/input/phone.ts";
import { sized } from "../support/soak.ts";

const read = (text: string, country: string): Phone =>
  readPhone(text, { column: "telefono", country: countryCode(country) });

/** A mobile: its country, its one number in the form of today, and the forms in which people still write it. */
interface Mobile {
  country: string;
  number: string;
  forms: string[];
}

const digits = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const argentine = fc
  .tuple(fc.constantFrom("11", "221", "351", "2966", "3835"), fc.integer({ min: 4, max: 6 }), digits(7))
  .map(([area, first, rest]): Mobile => {
    const local = `${first}${rest}`.slice(0, 10 - area.length);
    const forms = [
      "+549AL",
      "+54 9 A L",
      "+54 A L",
      "+54 A 15 L",
      "0A 15 L",
      "(0A) 15-L",
      "A 15 L",
      "A L",
      "9 A L",
      "549AL",
      "00549AL",
    ];
    return {
      country: "AR",
      number: `+549${area}${local}`,
      forms: forms.map((form) => form.replace("A", area).replace("L", local)),
    };
  });
const mexican = fc.tuple(fc.constantFrom("55", "33", "81", "222"), digits(8)).map(([area, rest]): Mobile => {
  const number = `${area}${rest}`.slice(0, 10);
  const forms = ["+52N", "+521N", "+52 1 N", "52 1 N", "1 N", "N", "01 N", "044 N", "045 N", "+52 044 N"];
  return { country: "MX", number: `+52${number}`, forms: forms.map((form) => form.replace("N", number)) };
});
const brazilian = fc
  .tuple(fc.constantFrom("11", "21", "31", "68", "85"), fc.integer({ min: 6, max: 9 }), digits(7))
  .map(([area, first, rest]): Mobile => {
    const local = `${first}${rest}`;
    const forms = [
      "+55A9L",
      "+55 A 9L",
      "+55 A L",
      "+55AL",
      "(A) 9L",
      "(0A) L",
      "A9L",
      "A L",
      "55 A L",
      "0 15 A 9L",
    ];
    return {
      country: "BR",
      number: `+55${area}9${local}`,
      forms: forms.map((form) => form.replace("A", area).replace("L", local)),
    };
  });
const mobile = fc
  .oneof(argentine, mexican, brazilian)
  .filter(({ number }) => parsePhoneNumberFromString(number)?.isValid() === true);

/** As people group digits by eye. */
const grouped = (form: string, at: number): string =>
  form.length - at > 4 ? `${form.slice(0, -at)}-${form.slice(-at)}` : form;

test("all written forms of one mobile are one person", () => {
  fc.assert(
    fc.property(mobile, fc.integer({ min: 2, max: 4 }), ({ country, number, forms }, at) => {
      for (const form of [...forms, ...forms.map((each) => grouped(each, at))])
        expect(read(form, country), form).toMatchObject({ ok: true, person: number });
    }),
    { numRuns: sized(50, 300) },
  );
});

test("two mobiles are never one person, nor a mobile and a Brazilian landline", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(mobile, { minLength: 2, maxLength: 20, selector: ({ number }) => number }),
      (mobiles) => {
        const persons = mobiles.map(({ country, forms }) => read(forms[0]!, country));
        expect(new Set(persons.map((each) => each.ok && each.person)).size).toBe(mobiles.length);
      },
    ),
  );
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5 }), digits(7), (first, rest) => {
      const persons = [`+55 11 ${first}${rest}`, `+55 11 9${first}${rest}`].map((text) => read(text, "BR"));
      const known = persons.filter((each) => each.ok).map((each) => each.person);
      expect(new Set(known).size).toBe(known.length);
    }),
  );
});

test("the short way for a number that stands for itself finds what the library's parser finds", () => {
  const number = fc
    .tuple(fc.constantFrom("54", "549", "52", "521", "55"), fc.integer({ min: 9, max: 11 }).chain(digits))
    .map(([code, rest]) => `+${code}${rest}`);
  fc.assert(
    fc.property(number, (text) => {
      const parsed = parsePhoneNumberFromString(text, { extract: false });
      const phone = read(text, "AR");
      if (parsed?.isValid() === true) expect(phone).toMatchObject({ ok: true, phone: parsed.number });
    }),
    { numRuns: sized(100, 3_000) },
  );
});

test("the short way for an Argentine mobile dialled within the country finds what the library's parser finds", () => {
  const area = fc.oneof(
    fc.constantFrom("11", "221", "351", "115", "215", "2966", "3715"),
    digits(2),
    digits(3),
    digits(4),
  );
  const dialled = fc
    .tuple(area, digits(8), fc.constantFrom("0A 15 L", "0A15L", "(0A) 15-L", "0 A-15 L"))
    .map(([code, local, form]) => form.replace("A", code).replace("L", local.slice(0, 10 - code.length)));
  fc.assert(
    fc.property(dialled, (text) => {
      const parsed = parsePhoneNumberFromString(text, { defaultCountry: "AR", extract: false });
      const phone = read(text, "AR");
      if (parsed?.isValid() === true) expect(phone).toMatchObject({ ok: true, phone: parsed.number });
      else expect(phone.ok).toBe(false);
    }),
    { numRuns: sized(100, 3_000) },
  );
});

test.each([
  ["+55 11 7876-5432", "+551178765432", "+5511978765432"],
  ["+55 11 97876-5432", "+5511978765432", "+5511978765432"],
  ["+55 11 3876-5432", "+551138765432", "+551138765432"],
  ["044 55 1234 5678", "+525512345678", "+525512345678"],
  ["+52 1 55 1234 5678", "+5215512345678", "+525512345678"],
  ["\u202a+54 9 11 6123\u00a04567\u202c", "+5491161234567", "+5491161234567"],
  ["+54 800 555 1234", "+548005551234", "+548005551234"],
])("%s is messaged as %s, person %s", (text, phone, person) =>
  expect(read(text, "MX")).toEqual({ ok: true, phone, person }),
);

test.each(["+54 9 11 6123-4567 / 11 6123-4568", "+54", "+54 9 11 6123-4567 x12", "+52 ", "+55()", "+"])(
  "%j is none",
  (text) => expect(read(text, "AR").ok).toBe(false),
);
