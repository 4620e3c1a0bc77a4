import type { OutStream, System } from "../system.ts";
import type { GlobalFlags } from "./global-flags.ts";
import { canRedraw } from "./terminal.ts";

/** Whether text on that stream has colours: by flag, by the environment, or because it is a terminal. */
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
