import { dirname, join } from "node:path";
import { age, count, wholeSeconds } from "../../cli/display/format.ts";
import { toJson } from "../../cli/display/json.ts";
import { type Output, openOutput, stalledText } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readWantedMock } from "../../cli/session/branches.ts";
import { worldFile } from "../../cli/session/mocks.ts";
import { openShared } from "../../cli/session/shared.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { JournalOutage } from "../../delivery/outage.ts";
import { masker } from "../../errors/mask-key.ts";
import { detailWords } from "../../errors/words/details.ts";
import { BposError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { readSecret } from "../../settings/key-file.ts";
import { readProfiles } from "../../settings/profile-file.ts";
import { traceSettings } from "../../settings/settings.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { ListenFlags } from "./command.ts";
import { journalPauseMs, showPhone, startDeliveries } from "./deliver.ts";
import { keepReplies } from "./keep.ts";
import { openOutputs, outputWord, type ReplyOutput, readAddress } from "./outputs.ts";
import { readRefusalWords, refusalReader } from "./refusals.ts";
import { openReceiver, type ReceiverOptions } from "./server.ts";

const defaultHost = "127.0.0.1";
const defaultPort = 4020;
const optOutsMs = 5_000;
/** Replies come for every branch. */
const everyBranch = "all";

interface Context {
  runtime: Runtime;
  flags: ListenFlags;
  output: Output;
  secret: string | undefined;
  /** This process, in what it forwards. */
  id: string;
}

export async function listen(runtime: Runtime, flags: ListenFlags): Promise<void> {
  const { system, signal } = runtime;
  const { publicUrl, secretFile } = flags;
  const wanted = readWantedMock(runtime);
  const profiles = wanted === undefined || runtime.flags.profile !== undefined;
  const isEmbedded = wanted === "embedded";
  const { settings } = await traceSettings(system, runtime.flags, { profiles, journal: !isEmbedded });
  const badge = chooseBadge({ isMock: wanted !== undefined, sandbox: settings.sandbox });
  const money = { locale: settings.locale, currency: settings.currency };
  const output = openOutput(runtime, ["table", "ndjson"], { money, badge });

  const found = await readSecret(system, secretFile);
  if (found?.isOpen === true && secretFile !== undefined)
    await output.warning(
      output.texts.t(
        "Warning: other users of this machine can read the secret in {file}. Run: chmod 600 {path}",
        { file: secretFile, path: shellWord(secretFile) },
      ),
    );
  if (publicUrl !== undefined) readAddress("--public-url", publicUrl);

  const { optOutWords } = flags;
  const ownWords = optOutWords === undefined ? [] : await readRefusalWords(runtime, output, optOutWords);
  const others = profiles ? Object.values(readProfiles(system).profiles) : [];
  const countries = new Set([settings, ...others].map(({ country }) => country));
  const readRefusals = refusalReader(ownWords, countries);
  const maskKey = masker(settings.apiKey ?? "");
  const maskSecret = masker(found?.key ?? "");
  const journalFile = isEmbedded ? join(dirname(worldFile(system)), "mock-journal.db") : settings.journal;
  const shared = openShared(runtime, signal);
  let unwatch = (): void => undefined;
  const gone = new Promise<Error>((closed) => {
    const stalled = (): void => void output.warning(stalledText(output.texts.t), { event: "stdout.stalled" });
    unwatch = system.stdout.watch({ stalled, closed });
  });
  try {
    const id = system.uuid();
    const outputs = await openOutputs(runtime, flags, output, { shared, id, gone });
    const opened = await shared.journal(journalFile);
    // Two listeners on one journal would share the replies: neither would deliver all of them.
    const journal = await opened.under({ work: "listen", branch: "all" });
    const context = { runtime, flags, output, secret: found?.key, id };
    const mask = (text: string): string => maskSecret(maskKey(text));
    await receiveReplies(context, journal, { outputs, mask, readRefusals });
  } finally {
    unwatch();
    await shared.close();
  }
  if (signal.aborted) throw new BposError("interrupted", { during: "listen" });
}

/** Says why a request was refused, by its status. */
const refusalWords = (t: T): Readonly<Record<number, string>> => ({
  400: t("the body is not UTF-8 JSON, or --forward-to points back to this listener"),
  403: t("it comes from a web page on another origin"),
  404: t("its path does not end in the secret"),
  413: t("the body is too large"),
  415: t("Content-Type must be application/json, without compression"),
  421: t(
    "its Host is neither this machine nor the host of --public-url. Behind a tunnel or reverse proxy, pass --public-url URL or --trust-any-host",
  ),
  503: t("too many requests at the same time"),
});

const refusedText = (status: number, t: T): string =>
  t("Refused a POST with {status}: {why}. bpos reports this at most once a minute.", {
    status,
    why: refusalWords(t)[status] ?? "",
  });

/** Reports refused requests: each status once a minute, or a stranger could fill the screen. */
function tellRefusals({ runtime: { system }, output }: Context): ReceiverOptions["onRefusal"] {
  const told = new Map<number, number>();
  return ({ status, cause }) => {
    const now = system.clock.now();
    const lastAt = told.get(status) ?? Number.NEGATIVE_INFINITY;
    if (cause !== undefined || now - lastAt < 60_000) return;
    told.set(status, now);
    void output.notice(refusedText(status, output.texts.t), { event: "reply.refused", status });
  };
}

interface ListeningHow {
  isLocal: boolean;
  publicUrl: string | undefined;
  hasSecret: boolean;
}

/** Says where replies are received, and which address to give the service. */
function listeningText(
  url: string,
  port: number,
  { isLocal, publicUrl, hasSecret }: ListeningHow,
  t: T,
): string {
  const secret = hasSecret ? t("SECRET") : "";
  const facts = { url, mock: `http://127.0.0.1:${port}/${secret}` };
  const address = `${publicUrl?.replace(/\/*$/, "/")}${secret}`;
  const elsewhere = t(
    isLocal
      ? "Listening for replies on {url}. Only this machine can reach it: give the service the https URL of a tunnel or reverse proxy, and pass the same URL with --public-url. To rehearse, run bpos mock --webhook-url {mock}."
      : "Listening for replies on {url}. Give the service a URL that reaches this address. To rehearse, run bpos mock --webhook-url {mock}.",
    facts,
  );
  const listening =
    publicUrl === undefined
      ? elsewhere
      : t(
          "Listening for replies on {url}. Give the service {address}. To rehearse, run bpos mock --webhook-url {mock}.",
          { ...facts, address },
        );
  const replace = hasSecret ? [t("Replace {secret} with your secret.", { secret })] : [];
  return [listening, ...replace, t("Press Ctrl-C to stop.")].join(" ");
}

async function tellListening({ flags, output, secret }: Context, port: number): Promise<void> {
  const { host = defaultHost, publicUrl } = flags;
  const { t } = output.texts;
  const name = host.includes(":") ? `[${host}]` : host;
  const isLocal = isLoopback(host.toLowerCase());
  const how = { isLocal, publicUrl, hasSecret: secret !== undefined };
  const url = `http://${name}:${port}/`;
  await output.notice(listeningText(url, port, how, t), { event: "listen.began", url });
  if (isLocal || secret !== undefined) return;

  const anybody = t(
    "Anyone who can reach {host} can post replies, because the service does not sign them. Set a secret with --secret-file FILE, or allow only the service.",
    { host: `${name}:${port}` },
  );
  await output.warning(anybody, { event: "listen.unprotected" });
}

/** Reports replies that are pending for an output that this run does not have. */
async function tellWaiting(output: Output, { replies }: Journal, names: readonly string[]): Promise<void> {
  for (const waiting of await replies.waiting()) {
    if (names.includes(waiting.output)) continue;
    const { t } = output.texts;
    const owed = t(
      "{count, plural, one {# reply from an earlier run is pending for {output}. A run with that output delivers it.} other {# replies from an earlier run are pending for {output}. A run with that output delivers them.}}",
      { count: count(waiting.replies, output.ui), output: outputWord(waiting.output, t) },
    );
    const facts = { event: "output.owed", output: waiting.output, replies: waiting.replies };
    await output.notice(owed, facts);
  }
}

/** Returns the host names under which the listener is reached; on an address that other machines reach, without --public-url, any name. */
function listHostNames({
  host = defaultHost,
  publicUrl,
  trustAnyHost = false,
}: ListenFlags): ReceiverOptions["names"] {
  if (publicUrl !== undefined) return { own: [new URL(publicUrl).hostname], trustAnyHost };
  return isLoopback(host.toLowerCase()) ? { own: [], trustAnyHost } : undefined;
}

/** Starts to listen; what it returns is closed once `signal` aborts. */
async function startReceiving(
  context: Context,
  signal: AbortSignal,
  taking: Pick<ReceiverOptions, "take" | "onDefect">,
): Promise<{ port: number; closed: Promise<void> }> {
  const {
    runtime: { system },
    flags,
    secret,
  } = context;
  const { host = defaultHost, port = defaultPort } = flags;
  const names = listHostNames(flags);
  const onRefusal = tellRefusals(context);
  const receiver = await openReceiver({ host, port, system, secret, names, onRefusal, ...taking });
  const closed = new Promise<void>((resolve) => {
    const close = (): void => void receiver.close(300).then(resolve);
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
  });
  return { port: receiver.port, closed };
}

/** Lines of `-o ndjson` besides the replies, if standard output gets those. Nothing waits for their reader. */
function openEmitter(output: Output, outputs: readonly string[], now: () => number) {
  const writes = output.format === "ndjson" && outputs.includes("stdout");
  return ({ event, ...facts }: Readonly<Record<string, unknown>>): void => {
    const line = { event, at: isoWithOffset(now()), branch: everyBranch, ...facts };
    if (writes) void output.delivery(`${toJson(line)}\n`).catch(() => undefined);
  };
}

function openOutage(
  { runtime: { system }, output }: Context,
  { names, signal }: { names: readonly string[]; signal: AbortSignal },
): JournalOutage {
  const { clock } = system;
  const { texts } = output;
  const emit = openEmitter(output, names, () => clock.now());
  return new JournalOutage({
    clock,
    maxMs: journalPauseMs,
    signal,
    began({ detail }) {
      const since = isoWithOffset(clock.now());
      emit({ event: "watch.outage", since, reason: "journal_unreadable" });
      const down = texts.t(
        "Cannot reach the journal ({detail}). bpos keeps trying. Meanwhile it answers replies with 503, so the service retries them, and delivers nothing.",
        { detail: detailWords(detail, texts.t) },
      );
      return output.warning(down, { event: "journal.down" });
    },
    ended(afterMs) {
      const after_s = wholeSeconds(afterMs);
      emit({ event: "watch.recovered", after_s });
      return output.warning(texts.t("The journal is available again after {time}.", { time: age(afterMs) }), {
        event: "journal.recovered",
        after_s,
      });
    },
  });
}

/** Restores opt-outs that a journal lost in a restore or failover while this listens, and learns opt-outs from elsewhere. */
function watchOptOuts({ clock }: Runtime["system"], journal: Journal, signal: AbortSignal): void {
  let known: number | undefined;
  const look = async (): Promise<void> => {
    if (signal.aborted) return;
    const version = await journal.optOuts.version();
    if (version !== known) await journal.keepOptOuts();
    known = version;
  };
  const again = (): void => {
    if (!signal.aborted) clock.later(optOutsMs, () => void look().then(again, again));
  };
  again();
}

interface Receiving {
  outputs: readonly ReplyOutput[];
  mask: (text: string) => string;
  readRefusals: ReturnType<typeof refusalReader>;
}

async function receiveReplies(
  context: Context,
  journal: Journal,
  { outputs, mask, readRefusals }: Receiving,
): Promise<void> {
  const { runtime, output, id } = context;
  const { clock } = runtime.system;
  const names = outputs.map(({ name }) => name);
  const stop = new AbortController();
  const signal = AbortSignal.any([runtime.signal, stop.signal]);
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    stop.abort();
  };

  const outage = openOutage(context, { names, signal });
  const now = (): number => clock.now();
  const describe = (phone: string): string => showPhone(phone, runtime);
  const how = { output, id, outputs: names, now, mask, readRefusals, describe, outage, fail };
  const keep = keepReplies(journal, how);
  let wake = (): void => undefined;
  const take: ReceiverOptions["take"] = async (...reply) => {
    await keep(...reply);
    wake();
  };
  const { port, closed } = await startReceiving(context, signal, { take, onDefect: fail });
  await tellListening(context, port);
  await tellWaiting(output, journal, names);

  watchOptOuts(runtime.system, journal, signal);
  const deliveries = startDeliveries(runtime, output, journal, { outputs, outage });
  wake = () => deliveries.wake();
  deliveries.ended.addEventListener("abort", () => stop.abort());
  await deliveries.done().catch(fail);
  await closed;
  if (failures.length > 0) throw failures[0];
}
