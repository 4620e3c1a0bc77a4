import { Chalk } from "chalk";
import type { OutStream, System } from "../system.ts";
import type { GlobalFlags } from "./command-line.ts";
import { canRedraw } from "./terminal.ts";

type Style = (text: string) => string;

/** Colours by meaning: a view says what a text is, never which colour it has. */
export type Theme = Readonly<
  Record<"heading" | "strong" | "dim" | "good" | "warn" | "bad" | "accent", Style>
>;

/** The level is explicit: chalk's own detection looks at the process, which a view must not. */
export function createTheme(color: boolean): Theme {
  // The sixteen basic colours follow the reader's own palette, dark or light.
  const chalk = new Chalk({ level: color ? 1 : 0 });
  // Each is wrapped, since chalk joins all its arguments, and `lines.map(style)` passes three.
  return {
    heading: (text) => chalk.bold(text),
    strong: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    good: (text) => chalk.green(text),
    warn: (text) => chalk.yellow(text),
    bad: (text) => chalk.red(text),
    accent: (text) => chalk.cyan(text),
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
