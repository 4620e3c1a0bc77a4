import { Chalk, type ChalkInstance } from "chalk";
import type { OutStream, System } from "../../system.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Runtime } from "../runtime.ts";

export function canRedraw(stream: OutStream, { env }: Pick<System, "env">): boolean {
  return stream.isTerminal && env["TERM"] !== "dumb";
}

/** Colours by meaning: a view says what a text is, never which colour it has. */
export type Theme = Readonly<ReturnType<typeof buildTheme>>;

/** No colours, the terminal's own eight, or eight that are readable on any ground: chalk's levels. */
type Colors = 0 | 1 | 2;

const themes = new Map<Colors, Theme>();

/** One for all branches of a run. */
export function createTheme(colors: Colors): Theme {
  const theme = themes.get(colors) ?? buildTheme(colors);
  themes.set(colors, theme);
  return theme;
}

/** The level is explicit, because chalk's own detection reads the process, which a view must not. */
function buildTheme(level: Colors) {
  const chalk = new Chalk({ level });
  // Each is wrapped, since chalk joins all its arguments, and `lines.map(style)` passes three.
  const style = (paint: ChalkInstance) => (text: string) => paint(text);
  const { bold, dim, inverse } = chalk;
  // Yellow, cyan and green of most palettes vanish on white. These have a contrast of 4:1 or more on white and on black.
  const fixed = { green: 28, yellow: 130, red: 196, cyan: 31 };
  const hue = (name: keyof typeof fixed) => (level === 2 ? chalk.ansi256(fixed[name]) : chalk[name]);
  return {
    heading: style(bold),
    strong: style(bold),
    dim: style(dim),
    inverse: style(inverse),
    accent: style(hue("cyan")),
    good: style(hue("green")),
    warn: style(hue("yellow")),
    bad: style(hue("red")),
  };
}

/** Terminals with 256 colours: nearly all of today's, on Windows too. */
const manyColors = /^(?:xterm|screen|tmux)(?!-(?:16)?color$)|256|direct/;

export function chooseColors(
  stream: OutStream,
  { env, platform }: Pick<System, "env" | "platform">,
  flags: { color?: boolean | undefined },
): Colors {
  const { NO_COLOR, FORCE_COLOR: forced, COLORTERM, TERM = "" } = env;
  const isOn = forced === undefined ? canRedraw(stream, { env }) : forced !== "0" && forced !== "false";
  if (flags.color === false || NO_COLOR || !isOn) return 0;
  return COLORTERM || platform === "win32" || manyColors.test(TERM) ? 2 : 1;
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
    theme: createTheme(chooseColors(stream, system, flags)),
    texts: stream === system.stderr ? texts : outTexts,
    width: stream.isTerminal ? (stream.columns() ?? 80) : undefined,
    ...display,
    get now() {
      return mockNow?.() ?? openedAt;
    },
  };
}
