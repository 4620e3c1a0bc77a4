import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber as ParsedNumber,
  PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import type { AreaCountry, RowProblem } from "../errors/problems.ts";
import { unusable } from "./files/file.ts";
import type { TableHead } from "./files/table.ts";
import { hasLostDigits } from "./items/codes.ts";

/** A phone that can be messaged, in international form; `proposal` is the mobile form of what looks like a landline. */
export interface UsablePhone {
  ok: true;
  phone: string;
  /** Equal for all written forms of one mobile. */
  person: string;
  proposal?: string;
}

export type Phone = UsablePhone | { ok: false; problem: RowProblem };

export function countryCode(name: string): CountryCode | null {
  const code = name.trim().toUpperCase();
  return isSupportedCountry(code) ? code : null;
}

function areSeveral(text: string): boolean {
  if (text.indexOf("+") !== text.lastIndexOf("+")) return true;
  const parts = text.split(/[/,;|\n]|\s[yoe]\s/i);
  return parts.filter((part) => part.replace(/\D/g, "").length >= 6).length > 1;
}

type Number = Pick<ParsedNumber, "number" | "countryCallingCode" | "nationalNumber" | "isValid">;

/** In Brazil eight digits that begin with 6 to 9 were mobiles, 2 to 5 are landlines; some with 7 kept eight for longer. */
function mobileForm({ countryCallingCode: code, nationalNumber: digits }: Number): string | null {
  if (code === "54" && /^[1-3]\d{9}$/.test(digits)) return `+549${digits}`;
  if (code === "52" && /^1\d{10}$/.test(digits)) return `+52${digits.slice(1)}`;
  if (code === "55" && /^\d\d[6-9]\d{7}$/.test(digits)) return `+55${digits.slice(0, 2)}9${digits.slice(2)}`;
  return null;
}

/** A number with only digits after the plus; the library's types do not show that its wrapper adds the metadata. */
function parseNumber(international: string): Number {
  const Known = PhoneNumber as unknown as new (number: string) => Number;
  return new Known(international);
}

/** Returns the number if it is valid, or an old mobile form, which is still in use. */
function usable(read: Number): UsablePhone | null {
  const phone = read.number;
  const mobile = mobileForm(read);
  const isLandlineShape = mobile !== null && read.countryCallingCode === "54";
  const isOldForm = mobile !== null && !isLandlineShape && parseNumber(mobile).isValid();
  if (!isOldForm && !read.isValid()) return null;
  return { ok: true, phone, person: mobile ?? phone, ...(isLandlineShape && { proposal: mobile }) };
}

/** A number of one of those countries as it is written to be called from anywhere: nothing has to be worked out. */
const writtenAbroad = /^\+5[245](?:[ ().\u00a0-]*\d){8,13}$/;
/** An Argentine mobile as it is dialled within the country: 0, the area's code, 15, and ten digits without the two. */
const dialledInArgentina = /^\(?0(?:[ ()-]*\d){12}$/;
/** An area code's length by the six digits behind the 0, which hold the longest code with its 15; learnt from the library. */
const areaLengths = new Map<string, number>();

const withoutZero = (text: string): string => text.replace(/\D/g, "").slice(1);
const toMobile = (digits: string, area: number): string =>
  `+549${digits.slice(0, area)}${digits.slice(area + 2)}`;

function readKnown(text: string, country: CountryCode | null): string | null {
  if (writtenAbroad.test(text)) return text.replace(/[^+\d]/g, "");
  if (country !== "AR" || !dialledInArgentina.test(text)) return null;
  const length = areaLengths.get(withoutZero(text).slice(0, 6));
  return length === undefined ? null : toMobile(withoutZero(text), length);
}

function remember(text: string, { phone }: UsablePhone): void {
  const digits = withoutZero(text);
  const length = [2, 3, 4].find((at) => digits.startsWith("15", at) && phone === toMobile(digits, at));
  if (length !== undefined) areaLengths.set(digits.slice(0, 6), length);
}

/** A number with what was once dialled before it within the country: in Mexico until 2019, before a Chilean mobile until 2016. */
const dialledBefore: Readonly<Record<string, RegExp>> = {
  52: /^(?:01|04[45])(\d{10})$/,
  56: /^0(9\d{8})$/,
};

/** Countries where numbers are written without the area code that they need from elsewhere, and how a mobile is dialled with it. */
const areas: Readonly<
  Record<string, { country: AreaCountry; lacks: RegExp; dial: (area: string) => string }>
> = {
  // Its 15 shows that it is a mobile.
  54: { country: "AR", lacks: /^(?:15\d{6,8}|[4-6]\d{6,7})$/, dial: (area) => `0${area} 15` },
  52: { country: "MX", lacks: /^[1-9]\d{6,7}$/, dial: (area) => area },
  55: { country: "BR", lacks: /^(?:9\d{8}|[2-9]\d{7})$/, dial: (area) => `(${area})` },
};

/** Returns the problem of a number without its area code, with its form for the branch's own area code. */
function findMissingArea({ countryCallingCode: code, nationalNumber }: Number, area = "") {
  const found = areas[code];
  if (found?.lacks.test(nationalNumber) !== true) return undefined;
  const { country, dial } = found;
  const digits = country === "AR" ? nationalNumber.replace(/^15/, "") : nationalNumber;
  const isWhole = country === "BR" ? area.length === 2 : area !== "" && area.length + digits.length === 10;
  return { country, ...(isWhole && { local: `${dial(area)} ${digits.replace(/(?=\d{4}$)/, "-")}` }) };
}

interface PhoneSource {
  column: string;
  country: CountryCode | null;
  area?: string | undefined;
}

/** `person` is one key for the forms of one mobile: AR with and without 9, MX 1, BR the ninth digit. */
export function readPhone(written: string, given: PhoneSource): Phone {
  const { column, country } = given;
  // Contacts copied from a telephone contain invisible signs.
  const text = (/[^ -~]/.test(written) ? written.replace(/\p{Cf}/gu, "") : written).trim();
  const bad = (problem: RowProblem): Phone => ({ ok: false, problem });
  if (text === "") return bad({ kind: "phone_missing", column });
  // A shortcut to what the library's parser would find, in half its time.
  const international = readKnown(text, country);
  const direct = international === null ? null : usable(parseNumber(international));
  if (direct !== null) return direct;
  if (hasLostDigits(text)) return bad({ kind: "digits_lost", column, text });
  if (areSeveral(text)) return bad({ kind: "phones_several", text });
  if (!text.startsWith("+") && country === null) return bad({ kind: "phone_country_missing", text });
  const how = country === null ? { extract: false } : { defaultCountry: country, extract: false };
  const parsed = parsePhoneNumberFromString(text, how);
  if (parsed === undefined) return bad({ kind: "phone_invalid", text, country });
  if (parsed.ext !== undefined) return bad({ kind: "phones_several", text });
  const { countryCallingCode: code, nationalNumber } = parsed;
  const dialled = dialledBefore[code]?.exec(nationalNumber)?.[1];
  const found = usable(dialled === undefined ? parsed : parseNumber(`+${code}${dialled}`));
  if (found !== null && country === "AR" && dialledInArgentina.test(text)) remember(text, found);
  if (found !== null) return found;
  const missing = findMissingArea(parsed, given.area);
  if (missing !== undefined) return bad({ kind: "phone_area_missing", text, ...missing });
  return bad({ kind: "phone_invalid", text, country: parsed.country ?? country });
}

/** Returns the person of a phone in international form, with or without its plus, else as dialled in that country; undefined if it is no phone. */
export function toPerson(
  phone: string,
  { country = "", areaCode: area }: { country?: string | undefined; areaCode?: string | undefined } = {},
): string | undefined {
  const read = readPhone(`+${phone.replace(/\D/g, "")}`, { column: "", country: null });
  if (read.ok) return read.person;
  const home = countryCode(country);
  const dialled = home === null ? read : readPhone(phone, { column: "", country: home, area });
  return dialled.ok ? dialled.person : undefined;
}

/** The countries of phones by their length and first digits, which decide it wherever a calling code is that of several. */
const countries = new Map<string, readonly string[]>();

/** Returns the country of a phone in international form; several where nothing tells which, none for a number of no country. */
export function findCountries(phone: string): readonly string[] {
  const first = `${phone.length} ${phone.slice(0, 9)}`;
  const known = countries.get(first);
  if (known !== undefined) return known;
  const parsed = parsePhoneNumberFromString(phone, { extract: false });
  const found = parsed?.country === undefined ? (parsed?.getPossibleCountries() ?? []) : [parsed.country];
  countries.set(first, found);
  return found;
}

export interface PhoneOptions {
  /** Two letters; makes phones readable that are written without `+`. */
  country?: string;
  /** The branch's own area code, for the error of a number without one; it is never filled in. */
  area?: string;
  phoneColumn?: string;
}

export function phoneReader(
  { file, columns }: TableHead,
  index: number,
  options: PhoneOptions,
): (text: string) => Phone {
  const country = options.country === undefined ? null : countryCode(options.country);
  if (options.country !== undefined && country === null)
    throw unusable(file, { kind: "country_unknown", country: options.country });
  const column = columns[index] ?? "";
  return (text) => readPhone(text, { column, country, area: options.area });
}
