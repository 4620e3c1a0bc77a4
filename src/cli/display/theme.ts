import { Chalk, type ChalkInstance } from "chalk";
import type { OutStream, System } from "../../system.ts";
import type { GlobalFlags } from "../line/global-flags.ts";

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

/** The level is explicit: chalk's own detection looks at the process, which a view must not. */
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
  flags: Pick<GlobalFlags, "color">,
): boolean {
  if (flags.color === false || env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return canRedraw(stream, { env });
}
