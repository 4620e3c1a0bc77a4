/** Returns whether a text looks like a key of a service, by its prefix or by letters and digits that nobody would choose as a name. */
export function looksLikeKey(text: string): boolean {
  const isMixed = (run: string): boolean => (run.match(/\d+/g) ?? []).length > 2;
  return /^\s*(?:bpk|sk|pk)_/i.test(text) || (text.match(/[a-z\d]{20,}/gi) ?? []).some(isMixed);
}

/** No service has longer keys: a longer text is the wrong file. */
export const maxKeyLength = 512;

/** A key of which only the fixed prefix and the last four characters are left: `bpk_…3f9a` (`docs/reference/service.md` 5). */
export function maskedKey(key: string): string {
  const prefix = /^[a-z]{1,8}_/i.exec(key)?.[0] ?? "";
  const end = key.slice(-4);
  // Four characters reveal too much of a short secret, and a special character could end a JSON string.
  return `${prefix}…${key.length - prefix.length < 10 || /[^\w.-]/.test(end) ? "" : end}`;
}

const toHex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
const splitUnits = (text: string): string[] =>
  Array.from({ length: text.length }, (_, at) => `u${toHex(text.charCodeAt(at), 4)}`);

const plainly = (sign: string): string =>
  splitUnits(sign)
    .map((unit) => `\\${unit}`)
    .join("");

/** Matches one character as it is, or as an escape of JSON, of an address or of HTML, each of which may be escaped again. */
function escapeSign(sign: string, at: number): string {
  const cases = [...new Set([sign.toLowerCase(), sign.toUpperCase()])];
  const codes = cases.map((form) => form.codePointAt(0) ?? 0);
  const units = cases.map((form) => splitUnits(form).join(String.raw`\\+`));
  const bytes = cases.map((form) =>
    Array.from(Buffer.from(form), (byte) => `%(?:25)*${toHex(byte, 2)}`).join(""),
  );
  const entities = codes.map((code) => `${code}|x0*${code.toString(16)}`);
  const begin = at === 0 ? String.raw`(?<!\\)` : "";
  const itself = sign === "\\" ? String.raw`\\` : plainly(sign);
  return String.raw`(?:${begin}\\*(?:${[itself, ...units].join("|")})|${bytes.join("|")}|&#0*(?:${entities.join("|")});)`;
}

/** Replaces every echo of a secret, in either case, in its base64, and however it is escaped. */
export function masker(secret: string, mark = maskedKey(secret)): (text: string) => string {
  if (secret === "") return (text) => text;
  const bytes = Buffer.from(secret);
  const forms = [secret, bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
  const buildPattern = (patternAt: (sign: string, at: number) => string): RegExp =>
    new RegExp(forms.map((form) => Array.from(form, patternAt).join("")).join("|"), "gi");
  let plain: RegExp | undefined;
  let spelled: RegExp | undefined;
  return (text) => {
    // Thousands of keys would each have a compiled pattern, for names that cannot hold it.
    if (text.length < secret.length) return text;
    // The larger pattern takes 10 ms to compile, and few texts hold what could be part of a key.
    const isEscaped = /["\\]/.test(secret) || /\\[^"nrt]|%[\da-f]{2}|&#/i.test(text);
    if (!isEscaped || secret.length > maxKeyLength) {
      plain ??= buildPattern(plainly);
      return text.replace(plain, () => mark);
    }
    spelled ??= buildPattern(escapeSign);
    return text.replace(spelled, () => mark);
  };
}
