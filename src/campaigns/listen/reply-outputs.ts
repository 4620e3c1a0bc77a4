import type { NotTaken } from "../../api/forward.ts";
import { type ExecOptions, envWord, execOutput } from "../../delivery/outputs.ts";
import type { ReplyEvent, ReplyOutput } from "./reply-events.ts";

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

/** The output that runs a command line of the user's for each reply; `lineOf` is the event as one line of JSON. */
export const replyExecOutput = (options: ExecOptions, lineOf: (event: ReplyEvent) => string): ReplyOutput =>
  execOutput(
    options,
    (reply: ReplyEvent) => ({ input: lineOf(reply), env: environment(reply) }),
    (failure) => ({ kind: "exec" as const, ...failure }),
  );

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
    async deliver({ body }, signal) {
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
        return stopped ? "stopped" : { kind: "forward", url, status, detail };
      } finally {
        signal.removeEventListener("abort", onAbort);
        over.abort();
      }
    },
  };
}
