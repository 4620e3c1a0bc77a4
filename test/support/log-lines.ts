import { expect } from "vitest";
import * as z from "zod";
import { snakeCase } from "../../src/cli/display/json.ts";
import { type EventRow, instant as instantField, watchEvents } from "../../src/orders/watch/events.ts";
import type { Run } from "./run.ts";

const instant = z.iso.datetime({ offset: true });
const failure = { reason: z.string(), status: z.int().optional() };

/** The events of a watch that people are told of; a poll that finds nothing new is told on a terminal alone. */
const told = Object.entries<EventRow>(watchEvents).filter(
  ([event, { level }]) => level !== undefined && event !== "polled",
);

/** The facts of an event of a watch, as the table of events has them. */
function factsOfWatch({ fields = {} }: EventRow): z.ZodRawShape {
  const facts = Object.entries(fields).flatMap(([name, kind]): [string, z.ZodType][] => {
    if (name === "error") return Object.entries(failure);
    return [[snakeCase(name), kind === instantField ? instant : (kind as z.ZodType)]];
  });
  return Object.fromEntries(facts);
}

/** The facts of a line of each event, beside the keys of all. */
export const factsOf: Record<string, z.ZodRawShape> = {
  ...Object.fromEntries(told.map(([event, row]) => [event, factsOfWatch(row)])),
  "printer.failed": {
    ...failure,
    output: z.string(),
    printer: z.string(),
    problem: z.string(),
    max_pause_ms: z.int(),
  },
  // Replies have outputs, too.
  "output.failed": {
    output: z.string(),
    again_ms: z.number(),
    order_id: z.string().optional(),
    replies: z.int().optional(),
    reason: z.string().optional(),
  },
  "reply.unfinished": { output: z.string() },
  "listen.began": { url: z.string() },
  "poll.failed": { reason: z.string() },
  request: { method: z.string(), url: z.string(), attempt: z.int() },
  response: {
    method: z.string(),
    url: z.string(),
    status: z.int().optional(),
    failure: z.string().optional(),
    ms: z.int().optional(),
    attempt: z.int().optional(),
    wait_ms: z.number().optional(),
  },
  "on_failure.failed": { exit_code: z.int() },
  "key_command.output": { profile: z.string() },
  notice: {},
  warning: {},
};

const levels: Record<string, string> = {
  error: "error",
  notice: "info",
  warning: "warn",
  ...Object.fromEntries(told.map(([event, { level }]) => [event, level === "warning" ? "warn" : "info"])),
};

export const logLine = z.looseObject({
  at: instant,
  level: z.enum(["info", "warn", "error"]),
  event: z.string().regex(/^[a-z]+(?:[._][a-z]+)*$/),
  branch: z.string().optional(),
  message: z.string().min(1),
});
const errorLine = logLine.extend({
  event: z.literal("error"),
  code: z.string(),
  hint: z.string(),
  reason: z.string(),
  docs: z.string(),
});

export type LogLine = z.infer<typeof logLine>;

/** The lines of standard error, each of them an object of the keys that its event has. */
export function linesOf({ stderr }: Pick<Run, "stderr">): LogLine[] {
  expect(stderr === "" || stderr.endsWith("\n")).toBe(true);
  return stderr
    .split("\n")
    .slice(0, -1)
    .map((text) => {
      // No sign in it acts on a terminal.
      expect(text).not.toMatch(/[\p{Cc}\u202e\u200b]/u);
      const line = logLine.parse(JSON.parse(text));
      expect(line.level).toBe(levels[line.event] ?? line.level);
      if (line.event === "error") return errorLine.parse(line);
      const facts = factsOf[line.event];
      if (facts === undefined) throw new Error(`an event that nobody knows: ${text}`);
      z.strictObject({ ...logLine.shape, ...facts }).parse(line);
      return line;
    });
}
