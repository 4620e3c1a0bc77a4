/** Whether a text looks like a key of a service: by its prefix, or by letters and digits as nobody would name anything. */
export function looksLikeKey(text: string): boolean {
  const isMixed = (run: string): boolean => (run.match(/\d+/g) ?? []).length > 2;
  return /^\s*(?:bpk|sk|pk)_/i.test(text) || (text.match(/[a-z\d]{20,}/gi) ?? []).some(isMixed);
}

/** No service has longer ones: what is longer is a file that was named by mistake. */
export const maxKeyLength = 512;

/** A key of which only the fixed prefix and the last four characters are left: `bpk_…3f9a` (`docs/service.md` 5). */
export function maskedKey(key: string): string {
  const prefix = /^[a-z]{1,8}_/i.exec(key)?.[0] ?? "";
  const end = key.slice(-4);
  // Four characters of a short secret are too much of it, and a sign could end the text of JSON that it stands in.
  return `${prefix}…${key.length - prefix.length < 10 || /[^\w.-]/.test(end) ? "" : end}`;
}

/** Where one character of a secret may end, that begins at `at` of a text in small letters. */
type Step = (text: string, at: number) => number[];

const maxBackslashes = 8;
const hexOf = (code: number, digits = 2): string => code.toString(16).padStart(digits, "0");

function backslashesAt(text: string, at: number): number {
  let count = 0;
  while (count < maxBackslashes && text[at + count] === "\\") count++;
  return count;
}

/** `%62`, also of an address within an address. */
function percentByte(byte: number): Step {
  const hex = hexOf(byte);
  return (text, at) => {
    const ends: number[] = [];
    if (text[at] !== "%") return ends;
    for (let times = 0, begin = at + 1; times <= 4; times++, begin += 2) {
      if (text.startsWith(hex, begin)) ends.push(begin + 2);
      if (!text.startsWith("25", begin)) break;
    }
    return ends;
  };
}

/** `\u0062`, also of JSON within JSON. */
function jsonUnit(code: number): Step {
  const unit = `u${hexOf(code, 4)}`;
  return (text, at) => {
    const begin = at + backslashesAt(text, at);
    return begin > at && text.startsWith(unit, begin) ? [begin + unit.length] : [];
  };
}

const inTurn =
  (steps: readonly Step[]): Step =>
  (text, at) =>
    steps.reduce<number[]>((ends, step) => ends.flatMap((end) => step(text, end)), [at]);

/** `&#98;` and `&#x62;`. */
function entityAt(text: string, at: number, codes: ReadonlySet<number>): number[] {
  const [found, hex, digits = ""] = /^&#(x?)0{0,6}([\da-f]{1,6});/.exec(text.slice(at, at + 17)) ?? [];
  return found !== undefined && codes.has(Number.parseInt(digits, hex === "x" ? 16 : 10))
    ? [at + found.length]
    : [];
}

/** As it is, behind any number of backslashes. */
function plainAt(text: string, at: number, sign: string): number[] {
  const ends: number[] = [];
  for (let skipped = 0, most = backslashesAt(text, at); skipped <= most; skipped++)
    if (text.startsWith(sign, at + skipped)) ends.push(at + skipped + sign.length);
  return ends;
}

/** A character in small letters, and how texts may write it in either case: as it is, or as an escape of JSON, of an address or of HTML. */
function character(sign: string): { first: string; step: Step } {
  const first = sign.toLowerCase();
  const cases = [...new Set([sign, first, sign.toUpperCase()])];
  const json = cases.map((form) =>
    inTurn(Array.from({ length: form.length }, (_, at) => jsonUnit(form.charCodeAt(at)))),
  );
  const percent = cases.map((form) => inTurn(Array.from(Buffer.from(form), percentByte)));
  const codes = new Set(cases.map((form) => form.codePointAt(0) ?? 0));
  const escapedAt: Step = (text, at) => {
    if (text[at] === "\\") {
      // Most backslashes stand before something else.
      return text[at + backslashesAt(text, at)] === "u" ? json.flatMap((step) => step(text, at)) : [];
    }
    if (text[at] === "%") return percent.flatMap((step) => step(text, at));
    return text[at] === "&" ? entityAt(text, at, codes) : [];
  };
  return { first, step: (text, at) => [...plainAt(text, at, first), ...escapedAt(text, at)] };
}

/** The same length in small letters, so that places in one are places in the other. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (sign) =>
    sign.toLowerCase().length === sign.length ? sign.toLowerCase() : sign,
  ).join("");
}

/** Where a secret stands in a text in small letters: first place, and the one behind its last. */
type Span = readonly [number, number];

/** A function that finds a secret. One that no escape is part of is found as it is; any other one by its first escape. */
function finder(form: string): (text: string) => Span[] {
  const signs = Array.from(form, character);
  const whole = signs.map(({ first }) => first).join("");
  // What may stand before the first escape, by its last sign.
  const beginnings = new Map<string | undefined, string[]>();
  for (let length = 1; length < whole.length; length++) {
    const last = whole[length - 1];
    beginnings.set(last, [...(beginnings.get(last) ?? []), whole.slice(0, length)]);
  }
  const spelled = (text: string, at: number): Span[] => {
    let ends = [at];
    for (const { step } of signs) {
      ends =
        ends.length === 1 ? step(text, ends[0] ?? at) : [...new Set(ends.flatMap((end) => step(text, end)))];
      if (ends.length === 0) return [];
    }
    return [[at, Math.max(...ends)]];
  };
  return (text) => {
    const found: Span[] = [];
    for (let at = text.indexOf(whole); at >= 0; at = text.indexOf(whole, at + 1))
      found.push([at, at + whole.length]);
    for (const { index } of text.matchAll(/[\\%&]/g))
      for (const before of ["", ...(beginnings.get(text[index - 1]) ?? [])])
        if (text.startsWith(before, index - before.length))
          found.push(...spelled(text, index - before.length));
    return found;
  };
}

/** Replaces every echo of a secret, in either case, in its base64, and however it is escaped. */
export function masker(secret: string, mark = maskedKey(secret)): (text: string) => string {
  if (secret === "") return (text) => text;
  const bytes = Buffer.from(secret);
  const forms = new Set([secret, bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")]);
  const finders = Array.from(forms, finder);
  return (text) => {
    const lower = lowered(text);
    const spans = finders.flatMap((find) => find(lower)).sort(([one], [other]) => one - other);
    let masked = "";
    let kept = 0;
    for (const [begin, end] of spans) {
      // One that overlaps the one before goes with it.
      if (begin >= kept) masked += text.slice(kept, begin) + mark;
      kept = Math.max(kept, end);
    }
    return masked + text.slice(kept);
  };
}
