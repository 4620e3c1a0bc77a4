import { type AnyCommand, readFacts } from "../line/help.ts";
import type { Runtime } from "../runtime.ts";
import { canRedraw } from "./theme.ts";

/** The pager that a command's output is for; undefined where that is not long by nature, or must be seen as it comes. */
function choosePager({ system, flags }: Runtime, command: AnyCommand): string | undefined {
  const { env, stdout } = system;
  const { watch, wait } = command.opts();
  const isFollowed = watch === true || wait !== undefined;
  const isLines = (flags.output ?? (flags.jq === undefined ? env["BPOS_OUTPUT"] : "json")) === "ndjson";
  if (readFacts(command).isPaged !== true || isFollowed || isLines) return undefined;
  // Who asks for no questions is not there to press a key.
  if (!canRedraw(stdout, system) || !system.stdin.isTerminal || flags.input === false) return undefined;
  const pager = (env["BPOS_PAGER"] ?? env["PAGER"] ?? "").trim();
  return pager === "" || pager === "cat" ? undefined : pager;
}

/** Keeps what the command prints until the function is called that this returns: it shows it, through the pager if it is long. */
export function openPager(runtime: Runtime, command: AnyCommand): () => Promise<void> {
  const pager = choosePager(runtime, command);
  if (pager === undefined) return () => Promise.resolve();
  const { system } = runtime;
  const { stdout } = system;
  let text = "";
  const write = (part: string): Promise<void> => {
    text += part;
    return Promise.resolve();
  };
  runtime.system = { ...system, stdout: { ...stdout, write } };
  return async () => {
    runtime.system = system;
    // The last line is the shell's.
    const isLong = text.split("\n").length > (stdout.rows() ?? 24);
    if (text !== "" && !(isLong && (await system.page(pager, text)))) await stdout.write(text);
  };
}
