import type { HelpLook } from "./help-page.ts";
import type { Runtime } from "./runtime.ts";

const widest = 100;
const asIs = (text: string): string => text;

/** Whether a command line can end in a help page on standard output. */
const asksForHelp = (argv: readonly string[]): boolean =>
  argv.length === 0 || argv.some((word) => ["-h", "--help", "help"].includes(word));

/** The look of help pages; colours are loaded only for a page on a terminal. */
export async function helpLook(argv: readonly string[], runtime: Runtime): Promise<HelpLook> {
  const { stdout } = runtime.system;
  const columns = Math.min(stdout.columns() ?? 80, widest);
  if (!asksForHelp(argv)) return { columns, title: asIs, command: asIs };
  const { wantsColor } = await import("./color.ts");
  if (!wantsColor(stdout, runtime.system.env, runtime.flags)) return { columns, title: asIs, command: asIs };
  const { createTheme } = await import("./theme.ts");
  const theme = createTheme(true);
  return { columns, title: theme.heading, command: theme.accent };
}

/** Shows what `bpos` alone says to somebody who sees it for the first time. */
export async function showStart(runtime: Runtime): Promise<void> {
  const { uiFor } = await import("./output.ts");
  const { forPeople } = await import("./terminal.ts");
  const { startScreen } = await import("./start.ts");
  const { stdout } = runtime.system;
  await forPeople(stdout, runtime.system).write(startScreen(uiFor(stdout, runtime)));
}
