import { dirname, join } from "node:path";
import type { Address } from "../../api/call.ts";
import { wantedMock } from "../../cli/branches.ts";
import { age, count, shown } from "../../cli/format.ts";
import { toJson } from "../../cli/json.ts";
import { worldFile } from "../../cli/mocks.ts";
import { badgeOf, type Output, openOutput } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { openNetwork } from "../../cli/session.ts";
import { isLoopback } from "../../contract/public-host.ts";
import { stdoutOutput } from "../../delivery/outputs.ts";
import { masker } from "../../errors/mask-key.ts";
import { BposError } from "../../errors.ts";
import { type Journal, openJournal } from "../../journal/journal.ts";
import { webhookSecret } from "../../settings/key-file.ts";
import { resolveSettings } from "../../settings/settings.ts";
import type { ListenFlags } from "./command.ts";
import {
  forwardOutput,
  type ListenNotices,
  listenReplies,
  type ReplyEvent,
  type ReplyOutput,
  replyExecOutput,
} from "./deliver.ts";
import { replyText } from "./view.ts";

const defaultPort = 4020;
const defaultHost = "127.0.0.1";
const execTimeoutMs = 30_000;
const forwardTimeoutMs = 30_000;

interface Context {
  runtime: Runtime;
  flags: ListenFlags;
  output: Output;
  secret: string | undefined;
  /** Marks what this process forwards. */
  id: string;
  /** Done at the end, the last first. */
  closers: (() => Promise<void> | void)[];
}

/** What keeps from listening there: a port that is taken or not for this user, or a host that is not this machine's. */
function listenFailure(error: unknown, host: string, port: number): unknown {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return new BposError("port_busy", { host, port, pid: null });
  if (code === "EACCES" && syscall === "listen") return new BposError("port_denied", { host, port });
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code ?? ""))
    return new BposError("usage_flag", { problem: { kind: "host_unusable", host, detail: message } });
  return error;
}

/** Throws `usage_flag` for what is no http(s) address, or has credentials. */
function addressOf(flag: string, url: string): Address {
  const address = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (address?.username === "" && address.password === "")
    return { origin: address.origin, path: address.pathname + address.search };
  const problem = { kind: "value", flag, problem: { kind: "not_forward_address" } } as const;
  throw new BposError("usage_flag", { problem });
}

async function forwarder({ runtime, id, closers }: Context, url: string): Promise<ReplyOutput> {
  const { flags, system } = runtime;
  const address = addressOf("--forward-to", url);
  const timeoutMs = flags.timeout ?? forwardTimeoutMs;
  const { dispatcher, proxies, check } = await openNetwork(runtime, { ...flags, timeout: timeoutMs });
  closers.push(() => dispatcher.destroy());
  check(address.origin);
  // A proxy that cannot be used is told before a reply waits for it.
  proxies?.of(address.origin);
  return forwardOutput({ dispatcher, address, id, timeoutMs, clock: system.clock });
}

/** Where replies go: standard output is left out with --quiet when they go elsewhere. */
async function outputsOf(context: Context): Promise<ReplyOutput[]> {
  const { runtime, flags, output, closers } = context;
  const { stdout, clock, run } = runtime.system;
  const lineOf = ({ event }: ReplyEvent): string => `${toJson(event)}\n`;
  const outputs: ReplyOutput[] = [];
  if (flags.exec !== undefined)
    outputs.push(replyExecOutput({ command: flags.exec, timeoutMs: execTimeoutMs, run }, lineOf));
  if (flags.forwardTo !== undefined) outputs.push(await forwarder(context, flags.forwardTo));
  if (outputs.length > 0 && output.quiet) return outputs;
  const ui = (): Output["ui"] => ({
    ...output.ui,
    now: clock.now(),
    width: output.ui.width === undefined ? undefined : (stdout.columns() ?? output.ui.width),
  });
  const gone = new Promise<Error>((resolve) => {
    const stalled = (): void => void output.warning(output.texts.notices.stdoutStalled);
    closers.push(stdout.watch({ stalled, closed: resolve }));
  });
  const printed = stdoutOutput(
    gone,
    (reply: ReplyEvent) =>
      output.delivery(output.format === "ndjson" ? lineOf(reply) : replyText(reply, ui())),
    ({ message }) => ({ kind: "stdout" as const, detail: message }),
  );
  return [...outputs, printed];
}

/** Opens the journal for this process alone: of two that listen neither would deliver every reply. Throws `locked`. */
async function openOwnJournal({ runtime: { system }, closers }: Context, file: string): Promise<Journal> {
  const journal = await openJournal(file, { id: system.uuid(), pid: system.pid });
  closers.push(() => journal.close());
  await journal.locks.take({ work: "listen", branch: "all" });
  return journal;
}

function noticesTo({ runtime, flags, output, secret }: Context): ListenNotices {
  const words = output.texts.listen;
  const from = ({ fields: { phone } }: ReplyEvent): string => (phone === null ? words.nobody : shown(phone));
  return {
    async listening(port, waiting) {
      const { host = defaultHost, publicUrl } = flags;
      const name = host.includes(":") ? `[${host}]` : host;
      const isLocal = isLoopback(host.toLowerCase());
      const how = { isLocal, publicUrl, hasSecret: secret !== undefined };
      await output.notice(words.listening(`http://${name}:${port}/`, port, how));
      if (!isLocal && secret === undefined) await output.warning(words.anybody(`${name}:${port}`));
      for (const { output: to, replies } of waiting)
        await output.notice(words.waiting(count(replies, output.ui), to));
    },
    refused: (status, reason) => output.notice(words.refused(status, reason)),
    notKept: (detail) => output.warning(words.notKept(detail)),
    journalFailed: (detail, againMs) => output.warning(words.journalFailed(detail, age(againMs))),
    async failed({ item, failure, againMs, output: { name }, isFirst }, waiting) {
      if (runtime.flags.verbose !== undefined)
        await output.warning(words.failed(from(item), failure, age(againMs)));
      else if (isFirst) await output.warning(words.down(name, failure, count(waiting, output.ui)));
    },
    works: (name) => output.warning(words.works(name)),
    unfinished: (reply, name) => output.warning(words.unfinished(from(reply), name)),
  };
}

/** Runs `bpos campaign listen` until it is stopped. */
export async function listen(runtime: Runtime, flags: ListenFlags): Promise<void> {
  const { system, signal } = runtime;
  const wanted = wantedMock(runtime);
  const profiles = wanted === undefined || runtime.flags.profile !== undefined;
  const settings = await resolveSettings(system, runtime.flags, { profiles });
  const badge = badgeOf({ isMock: wanted !== undefined, sandbox: settings.sandbox });
  const money = { locale: settings.locale, currency: settings.currency };
  const output = openOutput(runtime, ["table", "ndjson"], { money, badge });
  const { host = defaultHost, port = defaultPort, publicUrl, secretFile } = flags;
  const found = await webhookSecret(system, secretFile);
  if (found?.isOpen === true && secretFile !== undefined)
    await output.warning(output.texts.listen.secretFileOpen(secretFile));
  const secret = found?.key;
  const context: Context = { runtime, flags, output, secret, id: system.uuid(), closers: [] };
  if (publicUrl !== undefined) addressOf("--public-url", publicUrl);
  // What comes through a proxy has the proxy's names, and nobody but this machine reaches what has none.
  const onlyOwnNames =
    isLoopback(host.toLowerCase()) && publicUrl === undefined ? { bound: host } : undefined;
  const masks = [settings.apiKey ?? "", secret ?? ""].map((each) => masker(each));
  try {
    const outputs = await outputsOf(context);
    const isEmbedded = wanted === "embedded";
    const journalFile = isEmbedded
      ? join(dirname(worldFile(system)), "mock-journal.db")
      : settings.journalFile;
    await listenReplies({
      ...{ clock: system.clock, journal: await openOwnJournal(context, journalFile), outputs },
      ...{ host, port, id: context.id, signal, secret, onlyOwnNames },
      tell: noticesTo(context),
      mask: (text) => masks.reduce((rest, hide) => hide(rest), text),
    }).catch((error: unknown) => {
      throw listenFailure(error, host, port);
    });
  } finally {
    // One that cannot be closed must not keep the others open, nor hide what went wrong before.
    for (const close of context.closers.reverse())
      await Promise.resolve()
        .then(close)
        .catch(() => undefined);
  }
  if (signal.aborted) throw new BposError("interrupted", { during: "listen" });
}
