import type { Texts } from "../i18n/texts.ts";
import type { Theme } from "./theme.ts";

/**
 * Everything a view needs to know about where its text will stand. Every view of a report returns a text that ends
 * with a newline; the caller writes it as it is.
 */
export interface Ui {
  theme: Theme;
  texts: Texts;
  /** Columns of the terminal; undefined in a pipe, where nothing is cut and no box is drawn. */
  width: number | undefined;
  /** Locale and currency in which amounts are shown, for example es-AR and ARS. */
  money: { locale: string; currency: string };
  /** What the first line of a table says of a run that is not live. */
  badge: "MOCK" | "SANDBOX" | null;
  /** The current instant, epoch milliseconds, for ages. */
  now: number;
}
