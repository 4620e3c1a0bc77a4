import type { OpenPath } from "../errors/problems.ts";
import type { Count } from "./message.ts";
import type { T } from "./texts.ts";

export type { Count } from "./message.ts";

/** A value as read, in quotes, long ones cut. */
export function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
}

/** Values as read, each in quotes. */
export const quotedAll = (texts: readonly string[]): string => texts.map(quoted).join(", ");

/** Headers in quotes, each with its letter where that is how it is chosen. */
export const lettered = (headers: readonly string[], choices: readonly string[]): string[] =>
  headers.map((header, n) => quoted(header) + (choices[n] === header ? "" : ` (${choices[n] ?? ""})`));

/** The flags that choose between columns, each as it is typed. */
export const columnFlags = (
  field: string,
  headers: readonly string[],
  choices: readonly string[],
): string[] =>
  choices.map((choice, n) => {
    const [flag, value] = field === "phone" ? ["--phone-column", choice] : ["--map", `${field}=${choice}`];
    return headers[n] === choice ? `${flag} ${quoted(value)}` : `${flag} ${value}`;
  });

/** A text in which accents that stand apart and what has no width are seen: `A1\u200b`. */
export function unhidden(text: string): string {
  return text.replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, (sign) =>
    Array.from(
      { length: sign.length },
      (_, n) => `\\u${sign.charCodeAt(n).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** A text as one word of a command that a person copies to a shell. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_.,:/@%+-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

type OwnedByOther = Extract<OpenPath, { owner: number }>;

/** Of paths that others may use those that belong to another user. */
export const ownedByOthers = (open: readonly OpenPath[]): OwnedByOther[] =>
  open.filter((each): each is OwnedByOther => "owner" in each);

/** The command that takes from others what is one's own. */
export const chmodLine = (open: readonly OpenPath[]): string =>
  open.flatMap((each) => ("fix" in each ? `chmod ${each.fix} ${shellWord(each.path)}` : [])).join(" && ");

/** A name as it stands in a statement of SQL. */
export const sqlName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

const units = ["KB", "MB", "GB", "TB"];

export type DecimalSign = "." | ",";

/** A number with one decimal: `1.4`. */
export const toOneDecimal = (value: number, sign: DecimalSign): string => value.toFixed(1).replace(".", sign);

/** A size in bytes as people say it: `12 KB`, `1.4 GB`. */
export function sizeText(bytes: number, sign: DecimalSign): string {
  const steps = Math.min(units.length, Math.max(1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** steps;
  const text = value < 10 && steps > 1 ? toOneDecimal(value, sign) : String(Math.ceil(value));
  return `${text} ${units[steps - 1] ?? ""}`;
}

/** "1 order", "1,240 orders". */
export function plural(count: Count, one: string, many: string): string {
  return `${count.shown} ${count.n === 1 ? one : many}`;
}

/** The counts that are not 0, each with its word. */
export const listCounts = (and: string, ...counts: [count: Count, one: string, many: string][]): string =>
  counts.flatMap(([count, one, many]) => (count.n === 0 ? [] : [plural(count, one, many)])).join(and);

/** The outputs of `orders watch` that are named by their flags. */
export const flagOutputs = { "out-dir": "--out-dir", exec: "--exec", notify: "--notify" };

/** A sentence that began as a part of one. */
export const capitalised = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);

/** A number with the word that goes with it. */
export const times = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** The command that finishes a send. */
export const resumed = (ref: string | undefined): string =>
  ref === undefined ? "`bpos campaign resume`" : `\`bpos campaign resume ${shellWord(ref)}\``;

/** The flag and the variable of an address of the service. */
export const addressNames = (which: "base_url" | "campaigns_base_url"): [flag: string, variable: string] =>
  which === "base_url" ? ["--base-url", "BPOS_BASE_URL"] : ["--campaigns-url", "BPOS_CAMPAIGNS_URL"];

/** What changes how a whole column is read. */
export const readingFlags = (format: string | undefined): string[] =>
  format === "xlsx"
    ? ["--sheet", "--header-row", "--decimal"]
    : format === "csv"
      ? ["--decimal", "--delimiter", "--encoding", "--header-row"]
      : ["--decimal", "--encoding"];

/** A day as the reader writes it, of ISO 8601 in this machine's zone. */
export function dateText(iso: string, t: T): string {
  const [year = "", month = "", day = ""] = iso.slice(0, 10).split("-");
  return t("{year}-{month}-{day}", { year, month, day });
}

/** A time as the reader writes it, of ISO 8601 in this machine's zone. */
export const timeText = (iso: string, t: T): string => `${dateText(iso, t)} ${iso.slice(11, 16)}`;

/** A file by its name; what has none is called something in English by whoever reports it. */
export function fileName(file: string, t: T): string {
  if (file === "standard input") return t("standard input");
  if (file === "standard output") return t("standard output");
  return file === "of this branch" ? t("of this branch") : file;
}
