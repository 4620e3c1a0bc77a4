import {
  type CountryCode,
  isSupportedCountry,
  isValidPhoneNumber,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import { hasLostDigits } from "./columns.ts";
import type { RowProblem } from "./problems.ts";

/** A phone in international form; `proposal` is the mobile form of what looks like a landline. */
export type Phone =
  | { ok: true; phone: string; person: string; proposal?: string }
  | { ok: false; problem: RowProblem };

/** The country as libphonenumber names it, or null when there is none of that name. */
export function countryCode(name: string): CountryCode | null {
  const code = name.trim().toUpperCase();
  return isSupportedCountry(code) ? code : null;
}

/** Two numbers in one cell: two plus signs, or two long runs of digits with a separator or "y" between them. */
function areSeveral(text: string): boolean {
  if (text.indexOf("+") !== text.lastIndexOf("+")) return true;
  const parts = text.split(/[/,;|\n]|\s[yoe]\s/i);
  return parts.filter((part) => part.replace(/\D/g, "").length >= 6).length > 1;
}

/** Which mobile a number stands for in the countries where old and new forms are both in use. */
function mobileForm({ country, nationalNumber: digits }: PhoneNumber): string | null {
  if (country === "AR" && !digits.startsWith("9")) return `+549${digits}`;
  if (country === "MX" && /^1\d{10}$/.test(digits)) return `+52${digits.slice(1)}`;
  if (country === "BR" && /^\d\d[6-9]\d{7}$/.test(digits))
    return `+55${digits.slice(0, 2)}9${digits.slice(2)}`;
  return null;
}

/** An Argentine mobile (15) or a local number, without the area code that both need. */
function lacksArea({ country, nationalNumber }: PhoneNumber): boolean {
  return country === "AR" && /^(?:15\d{6,8}|[4-6]\d{6,7})$/.test(nationalNumber);
}

/**
 * Reads a phone as people write it. `person` is one key for the forms of one mobile: AR with and without 9, MX with
 * and without 1, BR with and without the ninth digit.
 *
 * @example
 * readPhone("011 15 6123-4567", { column: "telefono", country: "AR" }); // phone: "+5491161234567"
 */
export function readPhone(text: string, given: { column: string; country: CountryCode | null }): Phone {
  const bad = (problem: RowProblem): Phone => ({ ok: false, problem });
  if (text === "") return bad({ kind: "phone_missing", column: given.column });
  if (hasLostDigits(text)) return bad({ kind: "digits_lost", column: given.column, text });
  if (areSeveral(text)) return bad({ kind: "phones_several", text });
  if (!text.startsWith("+") && given.country === null) return bad({ kind: "phone_country_missing", text });
  const parsed = parsePhoneNumberFromString(text, {
    ...(given.country === null ? {} : { defaultCountry: given.country }),
    extract: false,
  });
  if (parsed === undefined) return bad({ kind: "phone_invalid", text, country: given.country });
  if (parsed.ext !== undefined) return bad({ kind: "phone_extension", text });
  const phone = parsed.number;
  const mobile = mobileForm(parsed);
  if (parsed.isValid()) {
    if (parsed.country === "AR" && mobile !== null)
      return { ok: true, phone, person: mobile, proposal: mobile };
    return { ok: true, phone, person: phone };
  }
  // Old mobile forms are no longer in the numbering plan, yet still in use.
  if (parsed.country !== "AR" && mobile !== null && isValidPhoneNumber(mobile)) {
    return { ok: true, phone, person: mobile };
  }
  if (lacksArea(parsed)) return bad({ kind: "phone_area_missing", text });
  return bad({ kind: "phone_invalid", text, country: parsed.country ?? given.country });
}
