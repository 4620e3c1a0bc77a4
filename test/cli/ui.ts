import { textWidth } from "../../src/cli/display/text.ts";
import { createTheme, type Ui } from "../../src/cli/display/ui.ts";
import { textsIn } from "../../src/texts/texts.ts";

/** Twelve minutes after the order of the contract's example. */
export const NOW = Date.parse("2026-01-01T08:12:00-03:00");

const base = { texts: textsIn("en"), money: { locale: "es-AR", currency: "ARS" }, badge: null, now: NOW };

/** The Ui of a terminal, with colours. */
export function terminal(width: number, more: Partial<Ui> = {}): Ui {
  return { ...base, theme: createTheme(1), width, ...more };
}

/** The Ui of a pipe. */
export function pipe(more: Partial<Ui> = {}): Ui {
  return { ...base, theme: createTheme(0), width: undefined, ...more };
}

/** The three places in which every view must do well. */
export const places: readonly [name: string, make: (more?: Partial<Ui>) => Ui][] = [
  ["a terminal of 80 columns", (more) => terminal(80, more)],
  ["a terminal of 200 columns", (more) => terminal(200, more)],
  ["a pipe", pipe],
];

/** A text without the colours that a theme gave it; any other escape stays. */
export function uncoloured(text: string): string {
  return text.replace(/\u001b\[(?:1|2|3[0-9]|22|39)m/g, "");
}

/** The lines of a view, without colours. */
export function lines(text: string): string[] {
  return uncoloured(text).replace(/\n$/, "").split("\n");
}

/** The columns of the widest line. */
export function widest(text: string): number {
  return Math.max(...lines(text).map(textWidth));
}
