import type { NotTaken } from "../../api/forward.ts";
import { envWord, lastWords, type RunCommand } from "../../delivery/order-outputs.ts";
import type { ReplyEvent, ReplyFailure, ReplyOutput } from "./reply-events.ts";

/** How `--exec` hands replies on. */
export interface ReplyExecOptions {
  /** A shell line of the user's. */
  command: string;
  /** How long it may take for one reply, in milliseconds. */
  timeoutMs: number;
  run: RunCommand;
  /** The event as one line of JSON. */
  lineOf: (event: ReplyEvent) => string;
}

function environment({ fields, event }: ReplyEvent): Record<string, string> {
  const { campaign_id, external_ref, send_id, at, repeated } = event;
  return {
    ...{ BPOS_EVENT: "reply", BPOS_AT: at, BPOS_REPEATED: String(repeated), BPOS_SEND_ID: send_id ?? "" },
    // Anybody may have written these; the line on standard input has them as they came.
    BPOS_CAMPAIGN_ID: envWord(campaign_id ?? ""),
    BPOS_EXTERNAL_REF: envWord(external_ref ?? ""),
    BPOS_PHONE: envWord(fields.phone ?? ""),
  };
}

/**
 * The output that runs a command line of the user's for each reply, with the event as a line of JSON on standard input
 * and `BPOS_…` variables in its environment. It has the reply when it ends with 0.
 */
export function replyExecOutput({ command, timeoutMs, run, lineOf }: ReplyExecOptions): ReplyOutput {
  return {
    name: "exec",
    async give(reply, signal): Promise<ReplyFailure | undefined> {
      const ended = await run(command, {
        input: lineOf(reply),
        env: environment(reply),
        timeoutMs,
        signal,
      });
      if (ended.code === 0 && !ended.timedOut) return undefined;
      if (ended.stopped) return { kind: "stopped" };
      return {
        kind: "exec",
        command,
        exitCode: ended.code,
        killedBy: ended.signal,
        timedOutMs: ended.timedOut ? timeoutMs : null,
        detail: lastWords(ended.output),
      };
    },
  };
}

/** How long a post that is under way goes on after the wish to stop. */
const stopGraceMs = 700;

/**
 * The output that posts the bytes of each reply as they came. It has the reply when it answers with a 2xx.
 *
 * @param post posts once; undefined when that was taken.
 */
export function forwardOutput(
  url: string,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  post: (body: Buffer, signal: AbortSignal) => Promise<NotTaken | undefined>,
): ReplyOutput {
  return {
    name: "forward",
    async give({ body }, signal): Promise<ReplyFailure | undefined> {
      const late = new AbortController();
      const over = new AbortController();
      const onAbort = (): void => {
        void sleep(stopGraceMs, over.signal).then(() => late.abort());
      };
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        const failed = await post(Buffer.from(body), late.signal);
        if (failed === undefined) return undefined;
        const { status, detail, stopped } = failed;
        return stopped ? { kind: "stopped" } : { kind: "forward", url, status, detail };
      } finally {
        signal.removeEventListener("abort", onAbort);
        over.abort();
      }
    },
  };
}
