import { Chalk, type ChalkInstance } from "chalk";
import type { OutStream, System } from "../../system.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Runtime } from "../runtime.ts";

export function canRedraw(stream: OutStream, { env }: Pick<System, "env">): boolean {
  return stream.isTerminal && env["TERM"] !== "dumb";
}

/** Colours by meaning: a view says what a text is, never which colour it has. */
export type Theme = Readonly<ReturnType<typeof buildTheme>>;

const themes = new Map<boolean, Theme>();

/** One for all branches of a run. */
export function createTheme(color: boolean): Theme {
  const theme = themes.get(color) ?? buildTheme(color);
  themes.set(color, theme);
  return theme;
}

/** The level is explicit, because chalk's own detection reads the process, which a view must not. */
function buildTheme(color: boolean) {
  // The sixteen basic colours follow the reader's own palette, dark or light.
  const chalk = new Chalk({ level: color ? 1 : 0 });
  // Each is wrapped, since chalk joins all its arguments, and `lines.map(style)` passes three.
  const { bold, dim, inverse, green, yellow, red, cyan } = chalk;
  const style = (paint: ChalkInstance) => (text: string) => paint(text);
  return {
    heading: style(bold),
    strong: style(bold),
    dim: style(dim),
    inverse: style(inverse),
    accent: style(cyan),
    good: style(green),
    warn: style(yellow),
    bad: style(red),
  };
}

export function wantsColor(
  stream: OutStream,
  env: System["env"],
  flags: { color?: boolean | undefined },
): boolean {
  if (flags.color === false || env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return canRedraw(stream, { env });
}

/** How a view is shown: its colours, language, width and money. Every view returns a text that ends with a newline. */
export interface Ui {
  theme: Theme;
  texts: Texts;
  width: number | undefined;
  money: { locale: string; currency: string };
  badge: "MOCK" | "SANDBOX" | null;
  /** The current instant, epoch milliseconds, for ages. */
  now: number;
}

export type DisplayOptions = Pick<Ui, "money" | "badge"> & {
  /** The time of the mock that the output tells of; undefined where there is none. */
  mockNow?: (() => number | undefined) | undefined;
};

export function chooseBadge({
  isMock,
  sandbox,
}: {
  isMock: boolean;
  sandbox: boolean;
}): DisplayOptions["badge"] {
  return isMock ? "MOCK" : sandbox ? "SANDBOX" : null;
}

const defaultDisplay: DisplayOptions = { money: { locale: "es-AR", currency: "ARS" }, badge: null };

export function uiFor(
  stream: OutStream,
  { system, texts, outTexts, flags }: Pick<Runtime, "system" | "texts" | "outTexts" | "flags">,
  { mockNow, ...display }: DisplayOptions = defaultDisplay,
): Ui {
  const openedAt = system.clock.now();
  return {
    theme: createTheme(wantsColor(stream, system.env, flags)),
    texts: stream === system.stderr ? texts : outTexts,
    width: stream.isTerminal ? (stream.columns() ?? 80) : undefined,
    ...display,
    get now() {
      return mockNow?.() ?? openedAt;
    },
  };
}
