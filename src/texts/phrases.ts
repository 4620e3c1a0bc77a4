import type { T } from "./texts.ts";

/** A value as read, in quotes, long ones cut. */
export function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
}

/** Values as read, each in quotes. */
export const quotedAll = (texts: readonly string[]): string => texts.map(quoted).join(", ");

/** A text as one word of a command that a person copies to a shell. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_.,:/@%+-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const units = ["KB", "MB", "GB", "TB"];

export type DecimalSign = "." | ",";

/** A size in bytes as people say it: `12 KB`, `1.4 GB`. */
export function sizeText(bytes: number, sign: DecimalSign): string {
  const steps = Math.min(units.length, Math.max(1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** steps;
  const text = value < 10 && steps > 1 ? value.toFixed(1).replace(".", sign) : String(Math.ceil(value));
  return `${text} ${units[steps - 1] ?? ""}`;
}

/** The command that finishes a send. */
export const resumed = (ref: string | undefined): string =>
  ref === undefined ? "`bpos campaign resume`" : `\`bpos campaign resume ${shellWord(ref)}\``;

/** A day as the reader writes it, of ISO 8601 in this machine's zone. */
export function dateText(iso: string, t: T): string {
  const [year = "", month = "", day = ""] = iso.slice(0, 10).split("-");
  return t("{year}-{month}-{day}", { year, month, day });
}

/** A time as the reader writes it, of ISO 8601 in this machine's zone. */
export const timeText = (iso: string, t: T): string => `${dateText(iso, t)} ${iso.slice(11, 16)}`;

/** A file by its name; a source without a name is reported with an English description. */
export function fileName(file: string, t: T): string {
  if (file === "standard input") return t("standard input");
  if (file === "standard output") return t("standard output");
  return file === "of this branch" ? t("of this branch") : file;
}
