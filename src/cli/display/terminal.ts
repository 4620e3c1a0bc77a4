import type { OutStream, System } from "../../system.ts";
import { guardPrompts } from "../runtime.ts";
import { visible } from "./format.ts";

/** The signs that a terminal may lack, and ASCII for each, as wide as the sign, so that the layout stays. */
const signs = "─╌│├┤╭╮╰╯┌┐└┘█░·—–…→×≤✓✗‹›";
const plainly = "--|++++++++++#----~>x<+x<>";

/** Signs in two columns first: alone, the sign would say something else. The last are the pictures of control characters. */
const SIGNS = /≤ | …|[─╌│├┤╭╮╰╯┌┐└┘█░·—–…→×≤✓✗‹›]|[\u2400-\u2421⏎]|[\u2800-\u28ff]/g;

function plainSign(sign: string): string {
  if (sign === "≤ ") return "<=";
  // A picture: a character with half of its dots.
  const dots = sign.charCodeAt(0) - 0x2800;
  if (dots >= 0) return dots.toString(2).replaceAll("0", "").length >= 4 ? "#" : " ";
  return sign === " …" ? ".." : (plainly[signs.indexOf(sign)] ?? "?");
}

export const plainSigns = (text: string): string => text.replace(SIGNS, plainSign);

/** Variables of terminals on Windows that know Unicode; the old console sets none. */
const windowsTerminals = ["WT_SESSION", "TERM", "TERM_PROGRAM", "TERMINAL_EMULATOR", "ConEmuANSI"];

export function lacksSigns(env: System["env"], platform: System["platform"]): boolean {
  const { TERM: term } = env;
  if (term === "dumb" || term === "linux") return true;
  if (platform === "win32") return windowsTerminals.every((name) => !env[name]);
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  const [, charset] = /\.([^@]*)/.exec(locale) ?? [];
  if (charset !== undefined) return !/^utf-?8$/i.test(charset);
  return locale === "C" || locale === "POSIX";
}

/** A stream for text to people: on a terminal that lacks our signs ASCII stands for them. Not for JSON, CSV and scripts. */
export function textStream(
  stream: OutStream,
  { env, platform }: Pick<System, "env" | "platform">,
): OutStream {
  if (!stream.isTerminal || !lacksSigns(env, platform)) return stream;
  return { ...stream, write: (text) => stream.write(plainSigns(text)) };
}

/** Makes questions safe whatever names they contain, and standard error readable for people. */
export function withSafePrompts<S extends System>(system: S): S {
  const { stderr, env, platform } = system;
  const isPlain = stderr.isTerminal && lacksSigns(env, platform);
  const prompts = guardPrompts(system.prompts, (text) =>
    isPlain ? plainSigns(visible(text)) : visible(text),
  );
  return { ...system, stderr: textStream(stderr, system), prompts };
}
