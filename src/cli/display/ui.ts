import type { OutStream } from "../../system.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Runtime } from "../runtime.ts";
import { createTheme, type Theme, wantsColor } from "./theme.ts";

/** Where the text of a view will stand. Every view returns a text that ends with a newline. */
export interface Ui {
  theme: Theme;
  texts: Texts;
  width: number | undefined;
  money: { locale: string; currency: string };
  badge: "MOCK" | "SANDBOX" | null;
  /** The current instant, epoch milliseconds, for ages. */
  now: number;
}

export type Look = Pick<Ui, "money" | "badge"> & {
  /** The time of the mock that the output tells of; undefined where there is none. */
  mockNow?: (() => number | undefined) | undefined;
};

export function chooseBadge({ isMock, sandbox }: { isMock: boolean; sandbox: boolean }): Look["badge"] {
  return isMock ? "MOCK" : sandbox ? "SANDBOX" : null;
}

const plainLook: Look = { money: { locale: "es-AR", currency: "ARS" }, badge: null };

export function uiFor(
  stream: OutStream,
  { system, texts, outTexts, flags }: Pick<Runtime, "system" | "texts" | "outTexts" | "flags">,
  { mockNow, ...look }: Look = plainLook,
): Ui {
  const openedAt = system.clock.now();
  return {
    theme: createTheme(wantsColor(stream, system.env, flags)),
    texts: stream === system.stderr ? texts : outTexts,
    width: stream.isTerminal ? (stream.columns() ?? 80) : undefined,
    ...look,
    get now() {
      return mockNow?.() ?? openedAt;
    },
  };
}
