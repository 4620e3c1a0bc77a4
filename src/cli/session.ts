import { type AttemptRecord, type Client, checkKey, createClient, type Heard } from "../api/client.ts";
import { proxiedAgent, readProxies } from "../api/proxy.ts";
import { type Dispatcher, ownAgent } from "../api/transport.ts";
import { backoffMs } from "../contract/limits.ts";
import { isLoopback, isPublicHost } from "../contract/public-host.ts";
import { BposError, type ErrorFacts, isReason } from "../errors.ts";
import type { Journal } from "../journal/journal.ts";
import type { Lock } from "../journal/locks.ts";
import type { Settings } from "../settings/settings.ts";
import { type Branch, openBranches, ServiceSigns, settleIdentity } from "./branches.ts";
import type { GlobalFlags } from "./command-line.ts";
import type { Format } from "./flags.ts";
import { badgeOf, type Output, openOutput } from "./output.ts";
import type { Runtime } from "./runtime.ts";
import { openTracing, outcomeOf, type Tracing } from "./trace.ts";

export type Network = Awaited<ReturnType<typeof openNetwork>>;

/** The way out of this machine; whoever opens it destroys the dispatcher, which throws as `check` does. */
export async function openNetwork(
  { system: { env, cwd }, flags }: Runtime,
  { timeout, caFile }: Pick<GlobalFlags, "timeout" | "caFile"> = flags,
) {
  const proxies = readProxies(env);
  const secureContext =
    caFile === undefined
      ? undefined
      : (await import("../settings/ca-file.ts")).trustOf(caFile, env["NODE_EXTRA_CA_CERTS"], cwd);
  const options = { timeoutMs: timeout, secureContext };
  /** Throws `tls_unchecked` where any certificate is accepted and that address is not this machine: the key could be read on the way. */
  const check = (origin: string): void => {
    if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0" && !isLoopback(new URL(origin).hostname))
      throw new BposError("tls_unchecked", { origin });
  };
  const agent = proxies === undefined ? ownAgent(options) : await proxiedAgent(proxies, options);
  const dispatcher: Dispatcher = {
    dispatch(request, handler) {
      check(request.origin);
      return agent.dispatch(request, handler);
    },
    destroy: () => agent.destroy(),
  };
  return { dispatcher, proxies, check };
}

export interface Session {
  client: Client;
  settings: Settings;
  output: Output;
  branchName: string;
  /** Whether the service is on this machine or in its network, as a mock is. */
  isLocal: boolean;
  dispatcher: Dispatcher;
  /** By how much this machine's clock is ahead of the service's, in milliseconds, as its latest answer that told the time says. */
  clockAheadMs: () => number | undefined;
  /** Before a POST that no other question precedes, `asks` the service who it is: what goes to a mock must not count for the real one. */
  openJournal: (how?: { asks: boolean }) => Promise<OpenJournal>;
  wouldCall: Tracing["wouldCall"] | undefined;
}

export interface OpenJournal {
  journal: Journal;
  /** The identity under which this branch's state is kept. */
  branch: string;
  /** The same by the latest answer: another one once the service turned out to be a mock, or another mock. */
  branchNow: () => string;
  /** Holds other processes off this work of the branch until the run ends. Throws `locked`. */
  lock: (work: Lock["work"], how?: { consumer?: string; waitMs?: number }) => Promise<void>;
}

interface SessionNeeds {
  address: "base_url" | "campaigns_base_url";
  formats: readonly Format[];
  /** Says nothing of attempts that fail: the command has its own way to show how the service fares. */
  quietRetries?: boolean;
}

function noticeRetry({ system }: Runtime, output: Output, record: AttemptRecord): void {
  const { endpoint, waitMs } = record;
  if (waitMs === undefined || !system.stderr.isTerminal) return;
  const why = outcomeOf(record, output.texts);
  void output.notice(output.texts.notices.retrying(endpoint, why, (waitMs / 1000).toFixed(1)));
}

async function checked(runtime: Runtime, settings: Settings, needs: SessionNeeds) {
  const address = needs.address === "base_url" ? settings.baseUrl : settings.campaignsBaseUrl;
  const named = settings.profile === undefined ? {} : { profile: settings.profile };
  const { apiKey, keyCommand, keySource } = settings;
  const hasKey = apiKey !== undefined && apiKey !== "";
  if (!hasKey && keyCommand === undefined) throw new BposError("key_missing", named);
  if (address === undefined) throw new BposError("address_missing", { which: needs.address, ...named });
  // A rehearsal has a key of its own, whatever the profile says.
  if (hasKey) return { address, apiKey, keySource };
  const { keyFromCommand } = await import("./profiles.ts");
  const of = { profile: settings.profile ?? "", command: keyCommand ?? "" };
  return { address, apiKey: await keyFromCommand(runtime, of), keySource: "key_command" };
}

const askTimeoutMs = 10_000;
const maxLockPauseMs = 2_000;

/** What the sessions of one run share. */
export function openShared(runtime: Runtime) {
  const { system, signal } = runtime;
  const closers: (() => Promise<void> | void)[] = [];
  const opened: { network?: Promise<Network>; journal?: Promise<Journal> } = {};
  const network = async (): Promise<Network> => {
    const found = await openNetwork(runtime);
    // Not a graceful close: that one would wait for a connection that is still being tried.
    closers.unshift(() => found.dispatcher.destroy());
    return found;
  };
  const journal = async (file: string): Promise<Journal> => {
    const { openJournal } = await import("../journal/journal.ts");
    const found = await openJournal(file, { id: system.uuid(), pid: system.pid });
    closers.unshift(() => found.close());
    return found;
  };
  return {
    network: () => (opened.network ??= network()),
    journal: (file: string) => (opened.journal ??= journal(file)),
    /** Takes a lock until the run ends, waiting for it at most `waitMs`. Throws `locked` and `interrupted`. */
    async lock({ locks }: Journal, lock: Lock, waitMs: number, onWait: (of: ErrorFacts["locked"]) => void) {
      const until = system.clock.now() + waitMs;
      for (let tries = 0; ; tries++) {
        try {
          await locks.take(lock);
          return;
        } catch (error) {
          if (!isReason(error, "locked") || system.clock.now() >= until) throw error;
          if (tries === 0) onWait(error.facts);
        }
        const pauseMs = backoffMs(tries + 1, { firstMs: 250, maxMs: maxLockPauseMs });
        await system.clock.sleep(Math.min(pauseMs, until - system.clock.now()), signal);
        if (signal.aborted) throw new BposError("interrupted", { during: "waiting" });
      }
    },
    async close() {
      // One that cannot be closed must not keep the others open, nor hide what went wrong before.
      for (const close of closers)
        await Promise.resolve()
          .then(close)
          .catch(() => undefined);
    },
  };
}

type Shared = ReturnType<typeof openShared>;

async function warnOfSettings(output: Output, settings: Settings): Promise<void> {
  const { openKeyFile, unknownKeys, profile = "" } = settings;
  const words = output.texts.profile;
  if (openKeyFile !== undefined) await output.warning(words.keyFileOpen(openKeyFile));
  // A slip must not pass unseen: with `sandBox` a campaign is live. Anything else may be of another program.
  for (const { key, similar } of unknownKeys)
    if (similar !== null) await output.warning(words.keyUnread(profile, key, similar));
}

/** A journal as a session uses it. */
function heldJournal(
  { system, texts }: Runtime,
  { shared, journal, output }: { shared: Shared; journal: Journal; output: Output },
  branchNow: () => string,
): OpenJournal {
  const branch = branchNow();
  const lock: OpenJournal["lock"] = (work, { consumer, waitMs = 0 } = {}) =>
    shared.lock(journal, { work, branch, ...(consumer !== undefined && { consumer }) }, waitMs, ({ pid }) => {
      if (!system.stderr.isTerminal) return;
      void output.notice(texts.notices.waitingForLock(pid, work, Math.round(waitMs / 1000)));
    });
  return { journal, branch, branchNow, lock };
}

async function openSession(
  runtime: Runtime,
  { branch, needs, shared }: { branch: Branch; needs: SessionNeeds; shared: Shared },
): Promise<Session> {
  const { system, flags } = runtime;
  const { name: branchName } = branch;
  const { address, apiKey, keySource } = await checked(runtime, branch.settings, needs);
  const settings = { ...branch.settings, apiKey };
  const badge = badgeOf({ isMock: branch.isMock, sandbox: settings.sandbox });
  const look = { money: { locale: settings.locale, currency: settings.currency }, badge };
  const output = openOutput(runtime, needs.formats, look);
  await warnOfSettings(output, settings);
  checkKey(apiKey, keySource);
  const says = (record: AttemptRecord): void => noticeRetry(runtime, output, record);
  const { dispatcher, proxies, check } = await shared.network();
  check(new URL(address).origin);
  const { wouldCall, ...tracing } = openTracing(runtime, { apiKey, address, proxies });
  const onAttempt = tracing.onAttempt ?? (needs.quietRetries === true ? undefined : says);
  const signs = new ServiceSigns(branch.world);
  const options = {
    // A command calls only the address that it needs; the other may be unknown.
    baseUrl: settings.baseUrl ?? address,
    campaignsBaseUrl: settings.campaignsBaseUrl ?? address,
    apiKey,
    clock: system.clock,
    random: system.random,
    dispatcher,
    onAnswer: (heard: Heard) => signs.hear(heard),
  };
  const client = createClient({
    ...options,
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout }),
    ...(flags.retries !== undefined && { retries: flags.retries }),
    ...(onAttempt !== undefined && { onAttempt }),
    ...(tracing.trace !== undefined && { trace: tracing.trace }),
  });
  // A proxy that cannot be used is told before anything is read or asked.
  proxies?.of(new URL(address).origin);
  const isLocal = branch.isMock || !isPublicHost(new URL(address).hostname);
  const identified = {
    ...{ signs, which: needs.address, address, apiKey, isMock: branch.isMock },
    addresses: [settings.baseUrl, settings.campaignsBaseUrl].flatMap((each) => each ?? []),
    client: createClient({ ...options, timeoutMs: flags.timeout ?? askTimeoutMs, retries: 0 }),
    ...{ dispatcher, signal: runtime.signal, clock: system.clock },
  };
  const openJournal: Session["openJournal"] = async ({ asks } = { asks: false }) => {
    const journal = await shared.journal(settings.journalFile);
    const branchNow = await settleIdentity(journal, identified, asks);
    return heldJournal(runtime, { shared, journal, output }, branchNow);
  };
  const clockAheadMs = (): number | undefined => signs.aheadMs;
  return {
    ...{ client, settings, output, branchName, isLocal, dispatcher, openJournal, wouldCall },
    clockAheadMs,
  };
}

/** Runs `work` for the branch that is meant, or with `all` for every profile's, and closes everything after it. */
export async function withSessions(
  runtime: Runtime,
  { all, ...needs }: SessionNeeds & { all: boolean },
  work: (
    sessions: readonly Session[],
    unusable: readonly { name: string; error: BposError }[],
  ) => Promise<void>,
): Promise<void> {
  const { branches, close } = await openBranches(runtime, runtime.flags, { all });
  const shared = openShared(runtime);
  try {
    const sessions: Session[] = [];
    const unusable: { name: string; error: BposError }[] = [];
    for (const branch of branches) {
      try {
        sessions.push(await openSession(runtime, { branch, needs, shared }));
      } catch (error) {
        if (!all || !(error instanceof BposError)) throw error;
        unusable.push({ name: branch.name, error: error as BposError });
      }
    }
    if (sessions.length === 0 && unusable[0]) throw unusable[0].error;
    await work(sessions, unusable);
  } finally {
    await shared.close();
    await close().catch(() => undefined);
  }
}

export async function withSession(
  runtime: Runtime,
  needs: SessionNeeds,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  await withSessions(runtime, { ...needs, all: false }, async ([session]) => {
    if (session !== undefined) await work(session);
  });
}
