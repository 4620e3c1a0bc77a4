import { stripVTControlCharacters } from "node:util";
import { isoWithOffset } from "../../contract/limits.ts";
import type { OutStream, System } from "../../system.ts";
import { toJson } from "./json.ts";

/** The event of a line without its own event. */
const defaultEvents = { info: "notice", warn: "warning", error: "error" } as const;

/** The keys of a line beside its message: a stable event, the branch, and facts for programs; never customers' data. */
export type LogFacts = { event?: string; branch?: string } & Record<string, unknown>;

/** Writes one line of JSON to standard error. */
export type Log = (level: keyof typeof defaultEvents, message: string, facts?: LogFacts) => Promise<void>;

function openLog({ stderr, clock }: Pick<System, "stderr" | "clock">): Log {
  return (level, message, { event = defaultEvents[level], branch, ...facts } = {}) => {
    const own = { at: isoWithOffset(clock.now()), level, event, branch, message };
    return stderr.write(`${toJson({ ...own, ...facts, ...own })}\n`);
  };
}

/** The same system with a log: whatever else is written to standard error is a line too, and nothing there is a terminal. */
export function withLog<S extends System>(system: S): S & { log: Log } {
  const log = openLog(system);
  const stderr: OutStream = {
    ...system.stderr,
    isTerminal: false,
    columns: () => undefined,
    rows: () => undefined,
    async write(text) {
      const message = stripVTControlCharacters(text).trim();
      if (message !== "") await log("info", message);
    },
  };
  return { ...system, stderr, log };
}

/** Each line of the stream begins with the time, to the second. */
export function withTimes(stream: OutStream, { now }: Pick<System["clock"], "now">): OutStream {
  let isMidLine = false;
  return {
    ...stream,
    write(text) {
      const time = `${isoWithOffset(now()).replace(/\.\d+/, "")} `;
      const begin = isMidLine || text === "" ? "" : time;
      if (text !== "") isMidLine = !text.endsWith("\n");
      return stream.write(begin + text.replace(/\n(?!$)/g, `\n${time}`));
    },
  };
}
