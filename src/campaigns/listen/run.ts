import { dirname, join } from "node:path";
import type { Address } from "../../api/address.ts";
import { wantedMock } from "../../cli/branches.ts";
import { badgeOf, type Output, openOutput } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { worldFile } from "../../cli/world-file.ts";
import { isLoopback } from "../../contract/public-host.ts";
import { masker } from "../../errors/mask-key.ts";
import { BposError } from "../../errors.ts";
import type { Claims } from "../../journal/claims.ts";
import type { Journal } from "../../journal/open.ts";
import { webhookSecret } from "../../settings/key-file.ts";
import { resolveSettings } from "../../settings/settings.ts";
import type { ListenFlags } from "./command.ts";
import type { ListenNotice, ReplyEvent, ReplyOutput } from "./reply-events.ts";

const defaultPort = 4020;
const defaultHost = "127.0.0.1";
const execTimeoutMs = 30_000;
const forwardTimeoutMs = 30_000;

type Closer = () => Promise<void> | void;

/** What one run of `campaign listen` works with. */
interface Listening {
  runtime: Runtime;
  flags: ListenFlags;
  output: Output;
  secret: string | undefined;
  /** Marks what this process forwards. */
  id: string;
  /** Done at the end, the last first. */
  closers: Closer[];
}

/** What keeps from listening there: a port that is taken or not for this user, or a host that is not this machine's. */
function listenFailure(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return new BposError("port_busy", { host, port, pid: null });
  if (code === "EACCES" && syscall === "listen") return new BposError("port_denied", { host, port });
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code ?? ""))
    return new BposError("usage_flag", { problem: { kind: "host_unusable", host, detail: message } });
  return error;
}

/** Resolves, with the error that a write would meet, once nobody reads standard output any more. */
function stdoutGone({ output, runtime, closers }: Listening): Promise<Error> {
  return new Promise((resolve) => {
    const unwatch = runtime.system.stdout.watch({
      stalled: () => void output.warning(output.texts.notices.stdoutStalled),
      closed: resolve,
    });
    closers.push(unwatch);
  });
}

/** Throws `usage_flag` for what is no http(s) address, or has credentials. */
async function addressOf(flag: string, url: string): Promise<Address> {
  const { forwardAddress } = await import("../../api/forward.ts");
  const address = forwardAddress(url);
  if (address !== undefined) return address;
  throw new BposError("usage_flag", {
    problem: { kind: "value", flag, problem: { kind: "not_forward_address" } },
  });
}

async function forwarder(listening: Listening, url: string): Promise<ReplyOutput> {
  const { runtime, id, closers } = listening;
  const { forwardJson } = await import("../../api/forward.ts");
  const address = await addressOf("--forward-to", url);
  const { openNetwork } = await import("../../cli/network.ts");
  const { forwardedBy } = await import("./listen.ts");
  const { forwardOutput } = await import("./reply-outputs.ts");
  const timeoutMs = runtime.flags.timeout ?? forwardTimeoutMs;
  const { dispatcher, proxies, check } = await openNetwork(runtime, { ...runtime.flags, timeout: timeoutMs });
  closers.push(() => dispatcher.destroy());
  check(address.origin);
  // A proxy that cannot be used is told before a reply waits for it.
  proxies?.of(address.origin);
  const options = { dispatcher, address, headers: { [forwardedBy]: id }, timeoutMs };
  const { clock } = runtime.system;
  // A query may carry a secret.
  return forwardOutput(
    address.origin,
    (ms, signal) => clock.sleep(ms, signal),
    (body, signal) => forwardJson(options, body, signal),
  );
}

/** Where replies go: standard output is left out with --quiet when they go elsewhere. */
async function outputsOf(listening: Listening): Promise<ReplyOutput[]> {
  const { runtime, flags, output } = listening;
  const { system } = runtime;
  const { toJson } = await import("../../cli/json.ts");
  const lineOf = ({ event }: ReplyEvent): string => `${toJson(event)}\n`;
  const outputs: ReplyOutput[] = [];
  if (flags.exec !== undefined) {
    const { replyExecOutput } = await import("./reply-outputs.ts");
    const exec = { command: flags.exec, timeoutMs: execTimeoutMs, run: system.run };
    outputs.push(replyExecOutput(exec, lineOf));
  }
  if (flags.forwardTo !== undefined) outputs.push(await forwarder(listening, flags.forwardTo));
  if (outputs.length > 0 && output.quiet) return outputs;
  const { replyText } = await import("./view.ts");
  const ui = (): Output["ui"] => ({
    ...output.ui,
    now: system.clock.now(),
    width: output.ui.width === undefined ? undefined : (system.stdout.columns() ?? output.ui.width),
  });
  const text = output.format === "ndjson" ? lineOf : (reply: ReplyEvent) => replyText(reply, ui());
  const { stdoutOutput } = await import("../../delivery/outputs.ts");
  const printed = stdoutOutput(
    stdoutGone(listening),
    (reply: ReplyEvent) => output.delivery(text(reply)),
    ({ message }) => ({ kind: "stdout" as const, detail: message }),
  );
  return [...outputs, printed];
}

/** Opens the journal for this process alone: of two that listen neither would hand on every reply. Throws `locked`. */
async function openOwnJournal({ runtime: { system }, closers }: Listening, file: string): Promise<Journal> {
  const { openJournal } = await import("../../journal/open.ts");
  const { openClaims } = await import("../../journal/claims.ts");
  const journal = openJournal(file);
  closers.push(() => void journal.close());
  const claims: Claims = openClaims(journal, join(dirname(file), "locks"), {
    id: system.uuid(),
    pid: system.pid,
  });
  closers.push(() => claims.close());
  claims.take({ work: "listen", branch: "all" });
  return journal;
}

/** Tells people how the listening fares. */
async function tell({ runtime, flags, output, secret }: Listening, notice: ListenNotice): Promise<void> {
  const { age, count, shown } = await import("../../cli/format.ts");
  const words = output.texts.listen;
  const from = ({ fields }: ReplyEvent): string =>
    fields.phone === null ? words.nobody : shown(fields.phone);
  switch (notice.event) {
    case "listening": {
      const { host = defaultHost, publicUrl } = flags;
      const name = host.includes(":") ? `[${host}]` : host;
      const local = isLoopback(host.toLowerCase());
      const how = { isLocal: local, publicUrl, hasSecret: secret !== undefined };
      await output.notice(words.listening(`http://${name}:${notice.port}/`, notice.port, how));
      if (!local && secret === undefined) await output.warning(words.anybody(`${name}:${notice.port}`));
      for (const { output: to, replies } of notice.waiting)
        await output.notice(words.waiting(count(replies, output.ui), to));
      break;
    }
    case "refused":
      await output.notice(words.refused(notice.status, notice.reason));
      break;
    case "not_kept":
      await output.warning(words.notKept(notice.detail));
      break;
    case "journal_failed":
      await output.warning(words.journalFailed(notice.detail, age(notice.againMs)));
      break;
    case "output_failed":
      if (runtime.flags.verbose !== undefined)
        await output.warning(words.failed(from(notice.reply), notice.failure, age(notice.againMs)));
      else if (notice.first)
        await output.warning(words.down(notice.output, notice.failure, count(notice.waiting, output.ui)));
      break;
    case "output_works":
      await output.warning(words.works(notice.output));
      break;
    case "unfinished":
      await output.warning(words.unfinished(from(notice.reply), notice.output));
      break;
  }
}

/** The look of the output, the journal that knows the sends, and the key that must not be shown. */
async function settled(runtime: Runtime) {
  const { system, flags } = runtime;
  const wanted = wantedMock(runtime);
  const settings = await resolveSettings(system, flags, {
    profiles: wanted === undefined || flags.profile !== undefined,
  });
  const badge = badgeOf({ isMock: wanted !== undefined, sandbox: settings.sandbox });
  const look = { money: { locale: settings.locale, currency: settings.currency }, badge } as const;
  const journalFile =
    wanted === "embedded" ? join(dirname(worldFile(system)), "mock-journal.db") : settings.journalFile;
  return { look, journalFile, apiKey: settings.apiKey ?? "" };
}

/** The secret that the path has to end in, where there is one. Throws `secret_unusable`. */
async function secretOf(
  { system }: Runtime,
  { secretFile }: ListenFlags,
  output: Output,
): Promise<string | undefined> {
  const found = await webhookSecret(system, secretFile);
  if (found?.isOpen === true && secretFile !== undefined)
    await output.warning(output.texts.listen.secretFileOpen(secretFile));
  return found?.key;
}

/** Runs `bpos campaign listen` until it is stopped. */
export async function listen(runtime: Runtime, flags: ListenFlags): Promise<void> {
  const { system, signal } = runtime;
  const { look, journalFile, apiKey } = await settled(runtime);
  const output = openOutput(runtime, ["table", "ndjson"], look);
  const closers: Closer[] = [];
  const secret = await secretOf(runtime, flags, output);
  const listening: Listening = { runtime, flags, output, secret, id: system.uuid(), closers };
  const { host = defaultHost, port = defaultPort, publicUrl } = flags;
  if (publicUrl !== undefined) await addressOf("--public-url", publicUrl);
  // What comes through a proxy has the proxy's names, and nobody but this machine reaches what has none.
  const onlyOwnNames =
    isLoopback(host.toLowerCase()) && publicUrl === undefined ? { bound: host } : undefined;
  const masks = [apiKey, secret ?? ""].map((each) => masker(each));
  const mask = (text: string): string => masks.reduce((rest, hide) => hide(rest), text);
  try {
    const outputs = await outputsOf(listening);
    const journal = await openOwnJournal(listening, journalFile);
    const { listenReplies } = await import("./listen.ts");
    const world = {
      ...{ clock: system.clock, journal, outputs, mask },
      tell: (notice: ListenNotice) => tell(listening, notice),
    };
    const how = { host, port, id: listening.id, signal, secret, onlyOwnNames };
    await listenReplies(world, how).catch((error: unknown) => {
      throw listenFailure(error, { host, port });
    });
  } finally {
    // One that cannot be closed must not keep the others open, nor hide what went wrong before.
    for (const close of closers.reverse())
      await Promise.resolve()
        .then(close)
        .catch(() => undefined);
  }
  if (signal.aborted) throw new BposError("interrupted", { during: "listen" });
}
