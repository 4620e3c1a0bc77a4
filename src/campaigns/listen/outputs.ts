import { type Address, userAgent } from "../../api/call.ts";
import { type Dispatcher, send, TransportError } from "../../api/transport.ts";
import { toJson } from "../../cli/display/json.ts";
import type { Output as Display } from "../../cli/display/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { openShared } from "../../cli/session/shared.ts";
import { webUrl } from "../../contract/addresses.ts";
import { type ExecFailure, envWord, execOutput, stdoutOutput, wasCut } from "../../delivery/outputs.ts";
import type { Output } from "../../delivery/queue.ts";
import type { Detail } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { T } from "../../texts/texts.ts";
import type { ListenFlags } from "./command.ts";
import { type ReplyEvent, replyText } from "./view.ts";

const outputTimeoutMs = 30_000;
const maxAnswerBytes = 1024 * 1024;

export type ReplyFailure =
  | ({ kind: "exec" } & ExecFailure)
  | { kind: "forward"; url: string; status: number | null; detail: Detail }
  | { kind: "stdout"; detail: string };

export type ReplyOutput = Output<ReplyEvent, ReplyFailure>;

/** An output by the flag that names it. */
export const outputWord = (name: string, t: T): string =>
  ({ stdout: t("standard output"), exec: "--exec", forward: "--forward-to" })[name] ?? name;

export function readAddress(flag: string, url: string): Address {
  const address = webUrl(url);
  if (address?.username === "" && address.password === "")
    return { origin: address.origin, path: address.pathname + address.search };
  const problem = { kind: "value", flag, problem: { kind: "not_forward_address" } } as const;
  throw new BposError("usage_flag", { problem });
}

/** Returns the environment of a command for a reply. The ids and the phone are untrusted input. */
function environment({ fields, event }: ReplyEvent): Record<string, string> {
  return {
    BPOS_EVENT: event.event,
    BPOS_AT: event.at,
    BPOS_REPEATED: String(event.repeated),
    BPOS_SEND_ID: event.send_id ?? "",
    BPOS_CAMPAIGN_ID: envWord(event.campaign_id ?? ""),
    BPOS_EXTERNAL_REF: envWord(event.external_ref ?? ""),
    BPOS_PHONE: envWord(fields.phone ?? ""),
  };
}

const toLine = ({ event }: ReplyEvent): string => `${toJson(event)}\n`;

function commandOutput(command: string, { run }: Runtime["system"]): ReplyOutput {
  const toFailure = (failure: ExecFailure) => ({ kind: "exec" as const, ...failure });
  return execOutput(
    { command, outputNumber: 1, timeoutMs: outputTimeoutMs, run },
    (reply: ReplyEvent) => ({ input: toLine(reply), env: environment(reply) }),
    { of: toFailure, mayHave: wasCut },
  );
}

export const forwardedBy = "bpos-forwarded-by";

function forwardOutput(
  dispatcher: Dispatcher,
  address: Address,
  { id, timeoutMs }: { id: string; timeoutMs: number },
): ReplyOutput {
  const headers = { "content-type": "application/json", "user-agent": userAgent, [forwardedBy]: id };
  const { origin: url } = address;
  return {
    name: "forward",
    async deliver({ body }, signal) {
      try {
        const { status } = await send(dispatcher, {
          method: "POST",
          ...address,
          headers,
          body: Buffer.from(body),
          timeoutMs,
          maxBytes: maxAnswerBytes,
          signal,
        });
        if (status >= 200 && status < 300) return undefined;
        return { kind: "forward", url, status, detail: "" };
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        // A request that timed out may have arrived.
        if (error.kind === "aborted") return "stopped";
        return { kind: "forward", url, status: null, detail: error.detail };
      }
    },
  };
}

function printedOutput(
  { stdout, clock }: Runtime["system"],
  display: Display,
  gone: Promise<Error>,
): ReplyOutput {
  const { format, ui } = display;
  const formatReply = (reply: ReplyEvent): string => {
    if (format === "ndjson") return toLine(reply);
    // A window is resized at any time.
    const width = ui.width === undefined ? undefined : (stdout.columns() ?? ui.width);
    return replyText(reply, { ...ui, now: clock.now(), width });
  };
  return stdoutOutput<ReplyEvent, ReplyFailure>(
    gone,
    (reply) => display.delivery(formatReply(reply)),
    ({ message }) => ({ kind: "stdout", detail: message }),
  );
}

/** The outputs that the flags name, and standard output; with `--quiet` only where there is no other. */
export async function openOutputs(
  runtime: Runtime,
  flags: ListenFlags,
  display: Display,
  { shared, id, gone }: { shared: ReturnType<typeof openShared>; id: string; gone: Promise<Error> },
): Promise<ReplyOutput[]> {
  const { system } = runtime;
  const outputs: ReplyOutput[] = [];
  if (flags.exec !== undefined) outputs.push(commandOutput(flags.exec, system));

  if (flags.forwardTo !== undefined) {
    const address = readAddress("--forward-to", flags.forwardTo);
    const { dispatcher, proxies, check } = await shared.network();
    check(address.origin);
    // An unusable proxy is reported before a reply waits for it.
    proxies?.of(address.origin);
    const timeoutMs = runtime.flags.timeout ?? outputTimeoutMs;
    outputs.push(forwardOutput(dispatcher, address, { id, timeoutMs }));
  }

  if (outputs.length === 0 || !display.quiet) outputs.push(printedOutput(system, display, gone));
  return outputs;
}
