import { dirname, join } from "node:path";
import type { Address } from "../../api/call.ts";
import { age, count, shown } from "../../cli/display/format.ts";
import { toJson } from "../../cli/display/json.ts";
import { type Output, openOutput } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readWantedMock } from "../../cli/session/branches.ts";
import { worldFile } from "../../cli/session/mocks.ts";
import { openShared } from "../../cli/session/shared.ts";
import { isLoopback, webUrl } from "../../contract/addresses.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { JournalOutage } from "../../delivery/outage.ts";
import { execOutput, keepInQuarantine, stdoutOutput, wasCut } from "../../delivery/outputs.ts";
import { Deliveries } from "../../delivery/queue.ts";
import { masker } from "../../errors/mask-key.ts";
import { BposError } from "../../errors.ts";
import { toPerson } from "../../input/phone.ts";
import { JournalError, LockLost } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import { folders } from "../../settings/folders.ts";
import { webhookSecret } from "../../settings/key-file.ts";
import { traceSettings } from "../../settings/settings.ts";
import { recipientIn } from "../find/person.ts";
import type { ListenFlags } from "./command.ts";
import { keepReplies } from "./keep.ts";
import {
  environment,
  forwardOutput,
  parseBody,
  type ReplyEvent,
  type ReplyFailure,
  type ReplyOutput,
  replyFields,
  replyText,
} from "./replies.ts";
import { openReceiver, type ReceiverOptions } from "./server.ts";

const defaultHost = "127.0.0.1";
const outputTimeoutMs = 30_000;
const journalPauseMs = 5_000;

interface Context {
  runtime: Runtime;
  flags: ListenFlags;
  output: Output;
  shared: ReturnType<typeof openShared>;
  secret: string | undefined;
  id: string;
}

function listenFailure(error: unknown, host: string, port: number): unknown {
  const { code = "", message, syscall } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return new BposError("port_busy", { host, port, pid: null });
  if (code === "EACCES" && syscall === "listen") return new BposError("port_denied", { host, port });
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code))
    return new BposError("usage_flag", { problem: { kind: "host_unusable", host, detail: message } });
  return error;
}

function readAddress(flag: string, url: string): Address {
  const address = webUrl(url);
  if (address?.username === "" && address.password === "")
    return { origin: address.origin, path: address.pathname + address.search };
  const problem = { kind: "value", flag, problem: { kind: "not_forward_address" } } as const;
  throw new BposError("usage_flag", { problem });
}

async function openOutputs(
  { runtime, flags, output, shared, id }: Context,
  gone: Promise<Error>,
): Promise<ReplyOutput[]> {
  const { stdout, clock, run } = runtime.system;
  const toLine = ({ event }: ReplyEvent): string => `${toJson(event)}\n`;
  const outputs: ReplyOutput[] = [];
  if (flags.exec !== undefined)
    outputs.push(
      execOutput(
        { command: flags.exec, timeoutMs: outputTimeoutMs, run },
        (reply: ReplyEvent) => ({ input: toLine(reply), env: environment(reply) }),
        {
          of: (failure) => ({ kind: "exec", ...failure }),
          mayHave: wasCut,
        },
      ),
    );
  if (flags.forwardTo !== undefined) {
    const address = readAddress("--forward-to", flags.forwardTo);
    const { dispatcher, proxies, check } = await shared.network();
    check(address.origin);
    // A proxy that cannot be used is told before a reply waits for it.
    proxies?.of(address.origin);
    const timeoutMs = runtime.flags.timeout ?? outputTimeoutMs;
    outputs.push(forwardOutput(dispatcher, address, { id, timeoutMs }));
  }
  if (outputs.length > 0 && output.quiet) return outputs;
  const ui = (): Output["ui"] => ({
    ...output.ui,
    now: clock.now(),
    width: output.ui.width === undefined ? undefined : (stdout.columns() ?? output.ui.width),
  });
  const formatReply = (reply: ReplyEvent): string =>
    output.format === "ndjson" ? toLine(reply) : replyText(reply, ui());
  const printed: ReplyOutput = stdoutOutput(
    gone,
    (reply) => output.delivery(formatReply(reply)),
    ({ message }) => ({ kind: "stdout", detail: message }),
  );
  return [...outputs, printed];
}

/** What is wrong with a reply itself, and would be again at each try; anything else has to do with where it goes. */
function isDefect(error: unknown): boolean {
  return [TypeError, RangeError, SyntaxError, URIError].some((defect) => error instanceof defect);
}

/** Keeps a reply that cannot be delivered where orders of that kind are; its file, where that can be written. */
function quarantined({ runtime: { system } }: Context, body: string): string | undefined {
  try {
    return keepInQuarantine(join(folders(system).state, "quarantine"), `reply ${body}`, body);
  } catch (error) {
    if (error instanceof BposError) return undefined;
    throw error;
  }
}

/** Writes down that an output is about to get a reply, and finds what that belongs to. */
async function begin({ replies, sends }: Journal, to: string, arrival: number) {
  const { body: text, at, again, wasBegun } = await replies.begin(to, arrival);
  const body = parseBody(text);
  const fields = replyFields(body);
  const { campaign_id, external_ref } = fields;
  const send = await sends.ofReply({ campaign_id, external_ref });
  const person = send && toPerson(fields.phone ?? "");
  const call = send && person && (await sends.callTo(send.send_id, person));
  const name = call ? recipientIn(call, person).name : null;
  const named = { campaign_id, external_ref, send_id: send?.send_id ?? null, name };
  const event = {
    event: "reply",
    at: isoWithOffset(at),
    ...named,
    repeated: again || wasBegun,
    body,
  } as const;
  return { item: { event, body: text, fields, send }, wasBegun };
}

function startDeliveries(
  context: Context,
  journal: Journal,
  outputs: readonly ReplyOutput[],
  outage: JournalOutage,
) {
  const { replies, check } = journal;
  const { runtime, output } = context;
  const { clock } = runtime.system;
  const { signal } = outage;
  const words = output.texts.listen;
  const from = ({ fields: { phone } }: ReplyEvent): string => (phone === null ? words.nobody : shown(phone));
  const deliveries = new Deliveries<ReplyEvent, ReplyFailure, ReplyOutput>({
    outputs,
    outbox: {
      next: (name, after) => replies.next(name, after),
      begin: (name, arrival) => begin(journal, name, arrival),
      delivered: (name, arrival) => replies.delivered(name, arrival),
      notDelivered: (name, arrival) => replies.notDelivered(name, arrival),
    },
    async onFailed({ item, failure, againMs, output: { name }, isFirst }) {
      if (runtime.flags.verbose !== undefined)
        await output.warning(words.failed(from(item), failure, age(againMs)));
      else if (isFirst) {
        const waiting = (await replies.waiting()).find((each) => each.output === name)?.replies ?? 0;
        await output.warning(words.down(name, failure, count(waiting, output.ui)));
      }
      return undefined;
    },
    onRecovered: ({ name }) => output.warning(words.works(name)),
    onUnfinished: (reply, { name }) => output.warning(words.unfinished(from(reply), name)),
    async setAside(error, { name }, arrival) {
      if (!isDefect(error)) return false;
      const { body } = await replies.begin(name, arrival);
      await output.warning(words.setAside(name, String(error), quarantined(context, body) ?? null));
      return true;
    },
    async onError(error) {
      if (error instanceof LockLost || !(error instanceof JournalError)) throw error;
      if (error.trouble === "down") await outage.wait(error, check, signal);
      else {
        await output.warning(words.journalFailed(output.texts.detail(error.detail), age(journalPauseMs)));
        await clock.sleep(journalPauseMs, signal);
      }
      deliveries.wake();
    },
    ...{ now: () => clock.now(), sleep: (...how) => clock.sleep(...how) },
    ...{ firstBackoffMs: 1_000, toleranceMs: 0, signal },
  });
  return deliveries;
}

/** Tells what was not taken: each status once a minute, or a stranger could fill the screen. */
function tellRefusals({ runtime: { system }, output }: Context): ReceiverOptions["onRefusal"] {
  const told = new Map<number, number>();
  return ({ status, cause }) => {
    const now = system.clock.now();
    if (cause !== undefined || now - (told.get(status) ?? Number.NEGATIVE_INFINITY) < 60_000) return;
    told.set(status, now);
    void output.notice(output.texts.listen.refused(status));
  };
}

async function tellListening({ flags, output, secret }: Context, port: number): Promise<void> {
  const { host = defaultHost, publicUrl } = flags;
  const words = output.texts.listen;
  const name = host.includes(":") ? `[${host}]` : host;
  const isLocal = isLoopback(host.toLowerCase());
  const how = { isLocal, publicUrl, hasSecret: secret !== undefined };
  await output.notice(words.listening(`http://${name}:${port}/`, port, how));
  if (!isLocal && secret === undefined) await output.warning(words.anybody(`${name}:${port}`));
}

/** Under which names it is reached; others than this machine reach one without --public-url under any. */
function listHostNames({
  host = defaultHost,
  publicUrl,
  trustAnyHost = false,
}: ListenFlags): ReceiverOptions["names"] {
  if (publicUrl !== undefined) return { own: [new URL(publicUrl).hostname], trustAnyHost };
  return isLoopback(host.toLowerCase()) ? { own: [], trustAnyHost } : undefined;
}

async function receiveReplies(
  context: Context,
  journal: Journal,
  outputs: readonly ReplyOutput[],
  mask: (text: string) => string,
): Promise<void> {
  const { runtime, flags, output, secret } = context;
  const { host = defaultHost, port = 4020 } = flags;
  const words = output.texts.listen;
  const names = outputs.map(({ name }) => name);
  const stop = new AbortController();
  const signal = AbortSignal.any([runtime.signal, stop.signal]);
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    stop.abort();
  };
  const outage = new JournalOutage({
    ...{ clock: runtime.system.clock, maxMs: journalPauseMs, signal },
    began: ({ detail }) => output.warning(words.journalDown(output.texts.detail(detail))),
    ended: (afterMs) => output.warning(output.texts.watch.journalBack(age(afterMs))),
  });
  let wake = (): void => undefined;
  const now = (): number => runtime.system.clock.now();
  const keep = keepReplies(journal, { output, id: context.id, outputs: names, now, mask, outage, fail });
  const take: ReceiverOptions["take"] = async (...reply) => {
    await keep(...reply);
    wake();
  };
  const how = {
    host,
    port,
    secret,
    names: listHostNames(flags),
    take,
    onRefusal: tellRefusals(context),
    onDefect: fail,
  };
  const receiver = await openReceiver(how).catch((error: unknown) => {
    throw listenFailure(error, host, port);
  });
  const closed = new Promise<void>((resolve) => {
    const close = (): void => void receiver.close(300).then(resolve);
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
  });
  await tellListening(context, receiver.port);
  for (const { output: to, replies } of await journal.replies.waiting())
    if (!names.includes(to)) await output.notice(words.waiting(count(replies, output.ui), to));
  const deliveries = startDeliveries(context, journal, outputs, outage);
  wake = () => deliveries.wake();
  deliveries.ended.addEventListener("abort", () => stop.abort());
  await deliveries.done().catch(fail);
  await closed;
  if (failures.length > 0) throw failures[0];
}

export async function listen(runtime: Runtime, flags: ListenFlags): Promise<void> {
  const { system, signal } = runtime;
  const wanted = readWantedMock(runtime);
  const profiles = wanted === undefined || runtime.flags.profile !== undefined;
  const isEmbedded = wanted === "embedded";
  const { settings } = await traceSettings(system, runtime.flags, { profiles, journal: !isEmbedded });
  const badge = chooseBadge({ isMock: wanted !== undefined, sandbox: settings.sandbox });
  const money = { locale: settings.locale, currency: settings.currency };
  const output = openOutput(runtime, ["table", "ndjson"], { money, badge });
  const { publicUrl, secretFile } = flags;
  const found = await webhookSecret(system, secretFile);
  if (found?.isOpen === true && secretFile !== undefined)
    await output.warning(output.texts.listen.secretFileOpen(secretFile));
  if (publicUrl !== undefined) readAddress("--public-url", publicUrl);
  const [maskKey, maskSecret] = [masker(settings.apiKey ?? ""), masker(found?.key ?? "")];
  const journalFile = isEmbedded ? join(dirname(worldFile(system)), "mock-journal.db") : settings.journal;
  const shared = openShared(runtime, signal);
  let unwatch = (): void => undefined;
  const gone = new Promise<Error>((closed) => {
    const stalled = (): void => void output.warning(output.texts.notices.stdoutStalled);
    unwatch = system.stdout.watch({ stalled, closed });
  });
  try {
    const context = { runtime, flags, output, shared, secret: found?.key, id: system.uuid() };
    const outputs = await openOutputs(context, gone);
    const opened = await shared.journal(journalFile);
    // Of two that listen with one journal neither would deliver every reply.
    const journal = await opened.under({ work: "listen", branch: "all" });
    await receiveReplies(context, journal, outputs, (text) => maskSecret(maskKey(text)));
  } finally {
    unwatch();
    await shared.close();
  }
  if (signal.aborted) throw new BposError("interrupted", { during: "listen" });
}
