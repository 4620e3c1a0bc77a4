import { expect } from "vitest";
import * as z from "zod";
import type { Run } from "./run.ts";

const instant = z.iso.datetime({ offset: true });
const failure = { reason: z.string(), status: z.int().optional() };

/** What a line of each event says beside the keys of all; the events of many commands are the last two. */
export const factsOf = {
  "watch.began": { interval_ms: z.int(), consumer: z.string(), branches: z.int().optional() },
  "watch.outage": { since: instant, next_poll_at: instant, stops_after_ms: z.int().optional(), ...failure },
  "watch.recovered": { after_s: z.int() },
  "watch.stopped": failure,
  "watch.printing": { printers: z.array(z.string()) },
  "output.failed": {
    output: z.string(),
    again_ms: z.number(),
    order_id: z.string().optional(),
    replies: z.int().optional(),
    reason: z.string().optional(),
  },
  "output.works": { output: z.string() },
  "output.owed": { output: z.string(), orders: z.int(), changes: z.int() },
  "printer.failed": {
    ...failure,
    output: z.string(),
    printer: z.string(),
    problem: z.string(),
    max_pause_ms: z.int(),
  },
  "printer.works": { output: z.string() },
  "stations.adopted": { output: z.string(), deliveries: z.int() },
  "order.quarantined": { file: z.string(), order_id: z.string().optional() },
  "order.late": { order_id: z.string(), since: instant, orders: z.int().optional() },
  "answer.mismatch": {},
  "reply.unfinished": { output: z.string() },
  "branch.watched_already": { other: z.string() },
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
} satisfies Record<string, z.ZodRawShape>;

const levels: Record<string, string> = { error: "error", notice: "info", warning: "warn" };

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
      const facts = factsOf[line.event as keyof typeof factsOf] as z.ZodRawShape | undefined;
      if (facts === undefined) throw new Error(`an event that nobody knows: ${text}`);
      z.strictObject({ ...logLine.shape, ...facts }).parse(line);
      return line;
    });
}
