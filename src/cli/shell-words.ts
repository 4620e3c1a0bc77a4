import type { shells } from "./flags.ts";
import { visible } from "./format.ts";

/** A shell that completes. */
export type Shell = (typeof shells)[number];

/** The words of a command line as a person means them; the last one is being typed. */
export interface TypedWords {
  words: string[];
  /** The quote that the last word has open, or none. */
  quote: "'" | '"' | "";
  /** How much of the last word the shell leaves alone: it replaces only what is behind that. */
  kept: number;
}

/** A word of bash as it was typed, without its quotes and backslashes. */
function unquoted(raw: string): { text: string; quote: TypedWords["quote"] } {
  let quote: TypedWords["quote"] = "";
  let text = "";
  for (let at = 0; at < raw.length; at++) {
    const sign = raw[at] ?? "";
    const next = raw[at + 1] ?? "";
    const escapes = quote === "" || (quote === '"' && '"$`\\'.includes(next));
    if (sign === "\\" && quote !== "'" && escapes) {
      text += next;
      at++;
    } else if (quote === "" && (sign === "'" || sign === '"')) quote = sign;
    else if (sign === quote) quote = "";
    else text += sign;
  }
  return { text, quote };
}

/** bash breaks words at `=` and `:`; here they are whole again, as far as they belong to a flag or stand alone. */
function rejoined(raw: readonly string[]): { words: string[]; kept: number } {
  const words: string[] = [];
  let kept = 0;
  let glue = false;
  for (const word of raw) {
    const isBreak = /^[=:]+$/.test(word);
    const joins = words.length > 0 && (isBreak || glue);
    if (joins) {
      const before = words.at(-1) ?? "";
      // A break that is typed last stands before an empty word.
      kept = isBreak ? before.length + word.length : before.length;
      words[words.length - 1] = before + word;
    } else {
      kept = 0;
      words.push(word);
    }
    glue = isBreak;
  }
  return { words, kept };
}

/** What a shell hands over, as the words that a person means. */
export function typedWords(shell: Shell, raw: readonly string[]): TypedWords {
  // Windows PowerShell drops empty arguments, so that each comes behind a sign of its own.
  if (shell === "powershell") return { words: raw.map((word) => word.slice(1)), quote: "", kept: 0 };
  if (shell !== "bash") return { words: [...raw], quote: "", kept: 0 };
  const { words, kept } = rejoined(raw);
  const clean = words.map(unquoted);
  const last = words.at(-1) ?? "";
  return {
    words: clean.map(({ text }) => text),
    quote: clean.at(-1)?.quote ?? "",
    kept: unquoted(last.slice(0, kept)).text.length,
  };
}

const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

function forBash(value: string, quote: TypedWords["quote"]): string | undefined {
  // Inside an open quote nothing can stand for itself that ends it, or that the history expands.
  if (quote === "'") return value.includes("'") ? undefined : value;
  if (quote === '"') return value.includes("!") ? undefined : value.replace(/["$`\\]/g, "\\$&");
  return PLAIN.test(value) ? value : value.replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, "\\$&");
}

/**
 * A value as its shell may insert it into the line, with whatever quotes it needs; undefined for one that must not get
 * there: control characters and what hides, and what the open quote cannot hold. zsh and fish quote by themselves.
 */
export function insertable(shell: Shell, value: string, quote: TypedWords["quote"] = ""): string | undefined {
  if (value === "" || visible(value) !== value) return undefined;
  if (shell === "bash") return forBash(value, quote);
  // PowerShell takes typographic quotes for plain ones.
  if (shell === "powershell" && !/^[\w+./-]+$/.test(value)) return `'${value.replace(/['‘’‚‛]/g, "$&$&")}'`;
  return value;
}
