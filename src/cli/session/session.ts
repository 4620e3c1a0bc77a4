import { join } from "node:path";
import { askService, askWorld } from "../../api/ask.ts";
import { type AttemptRecord, type Client, checkKey, createClient, type Heard } from "../../api/client.ts";
import { openProxiedAgent, readProxies } from "../../api/proxy.ts";
import { type Dispatcher, ownAgent } from "../../api/transport.ts";
import { isLoopback, isPublicHost } from "../../contract/addresses.ts";
import { backoffMs } from "../../contract/limits.ts";
import { BposError, isReason } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { folders } from "../../settings/folders.ts";
import type { Settings } from "../../settings/settings.ts";
import { type Output, openOutput } from "../display/output.ts";
import { chooseBadge } from "../display/ui.ts";
import type { Format } from "../line/flags.ts";
import type { GlobalFlags } from "../line/global-flags.ts";
import type { Runtime } from "../runtime.ts";
import { type Branch, openBranches } from "./branches.ts";
import { describeOutcome, openTracing, type Tracing } from "./trace.ts";

export type Network = Awaited<ReturnType<typeof openNetwork>>;

/** The certificates of `--ca-file`; undefined for the machine's own. */
export async function readTrust({ system: { env, cwd } }: Runtime, caFile: string | undefined) {
  if (caFile === undefined) return undefined;
  const { readTrust: trustOf } = await import("../../settings/ca-file.ts");
  return trustOf(caFile, env["NODE_EXTRA_CA_CERTS"], cwd);
}

/** The way out of this machine; whoever opens it destroys the dispatcher, which throws as `check` does. */
export async function openNetwork(
  runtime: Runtime,
  { timeout, caFile }: Pick<GlobalFlags, "timeout" | "caFile"> = runtime.flags,
) {
  const { env } = runtime.system;
  const proxies = readProxies(env);
  const secureContext = await readTrust(runtime, caFile);
  const options = { timeoutMs: timeout, secureContext };
  /** Throws `tls_unchecked` where any certificate is accepted and that address is not this machine: the key could be read on the way. */
  const check = (origin: string): void => {
    if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0" && !isLoopback(new URL(origin).hostname))
      throw new BposError("tls_unchecked", { origin });
  };
  const agent = proxies === undefined ? ownAgent(options) : await openProxiedAgent(proxies, options);
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
  /** Where the mock that answers is talked to; undefined of a real service, and before it was asked. */
  mockOrigin: () => string | undefined;
  /** By how much this machine's clock is ahead of the service's, in milliseconds, as its latest answer that told the time says. */
  clockAheadMs: () => number | undefined;
  /** Before a POST that no other question precedes, `asks` the service who it is: what goes to a mock must not count for the real one. */
  openJournal: (how?: { asks: boolean }) => Promise<OpenJournal>;
  wouldCall: Tracing["wouldCall"] | undefined;
}

export interface OpenJournal {
  /** For what needs no lock: reading mostly. */
  journal: Journal;
  /** The identity under which this branch's state is kept. */
  branch: string;
  /** The same by the latest answer: another one once the service turned out to be a mock, or another mock. */
  branchNow: () => string;
  /**
   * Holds other processes off this work of the branch until the run ends; the journal for that work. Waits for a push or a send of another process, and says so,
   * for `waitMs` (60 s); never for a watch, which has no end. Throws `locked` and `interrupted`.
   */
  lock: (
    work: "push" | "send" | "watch",
    how?: { consumer?: string; waitMs?: number | undefined },
  ) => Promise<Journal>;
}

interface SessionNeeds {
  address: "base_url" | "campaigns_base_url";
  formats: readonly Format[];
  /** Says nothing of attempts that fail: the command has its own way to show how the service fares. */
  quietRetries?: boolean;
  /** Ends soon when it is to stop, whatever is under way in the journal. */
  endsSoon?: boolean;
}

async function resolveAccess(runtime: Runtime, settings: Settings, needs: SessionNeeds) {
  const address = needs.address === "base_url" ? settings.baseUrl : settings.campaignsBaseUrl;
  const { apiKey, keyCommand, keySource, profile } = settings;
  const named = profile === undefined ? {} : { profile };
  if (!apiKey && keyCommand === undefined) throw new BposError("key_missing", named);
  if (address === undefined) throw new BposError("address_missing", { which: needs.address, ...named });
  // A rehearsal has a key of its own, whatever the profile says.
  if (apiKey) return { address, apiKey, keySource };
  const { keyFromCommand } = await import("./profiles.ts");
  const of = { profile: profile ?? "", command: keyCommand ?? "" };
  return { address, apiKey: await keyFromCommand(runtime, of), keySource: "key_command" };
}

async function warnOfSettings(output: Output, settings: Settings): Promise<void> {
  const { openKeyFile, unknownKeys, profile = "" } = settings;
  const { texts } = output;
  if (openKeyFile !== undefined) await output.warning(texts.profile.keyFileOpen(openKeyFile));
  // A slip must not pass unseen: with `sandBox` a campaign is live. Anything else may be of another program.
  for (const { key, similar } of unknownKeys)
    if (similar !== null) await output.warning(texts.profile.keyUnread(profile, key, similar));
}

const askTimeoutMs = 10_000;
const lockWaitMs = 60_000;
const maxLockPauseMs = 2_000;

/** @param stop once it aborts, no database is waited for that gives no answer. */
export function openShared(runtime: Runtime, stop?: AbortSignal) {
  const { system } = runtime;
  let network: Promise<Network> | undefined;
  let journal: Promise<Journal> | undefined;
  const { env, pid, host } = system;
  const reaching = async () => ({ env, secureContext: await readTrust(runtime, runtime.flags.caFile) });
  const open = async (place: string): Promise<Journal> => {
    const { openJournal } = await import("../../journal/journal.ts");
    const holder = { id: system.uuid(), pid, host };
    const seenFile = join(folders(system).state, "seen.db");
    return openJournal(place, { holder, ...(await reaching()), stop, seenFile });
  };
  return {
    network: () => (network ??= openNetwork(runtime)),
    /** What a journal in a database is reached with. */
    reaching,
    journal: (place: string) => (journal ??= open(place)),
    async close() {
      // One that fails must not keep the other open. No request outlives the locks; a graceful close would wait for a connection being tried.
      await network?.then(({ dispatcher }) => dispatcher.destroy()).catch(() => undefined);
      await journal?.then((opened) => opened.close()).catch(() => undefined);
    },
  };
}

function trackSigns(world: string | undefined) {
  const signs = {
    world,
    aheadMs: undefined as number | undefined,
    hasHeard: world !== undefined,
    hear: (heard: Heard): void => {
      signs.hasHeard = true;
      signs.aheadMs = heard.aheadMs ?? signs.aheadMs;
      // Of a refusal without a name a proxy may be the author.
      if (heard.world !== undefined || heard.status < 300) signs.world = heard.world;
    },
  };
  return signs;
}

interface Identified {
  signs: ReturnType<typeof trackSigns>;
  which: SessionNeeds["address"];
  address: string;
  apiKey: string;
  branch: Branch;
  /** It tries once, and its answers are heard by `signs`. */
  asking: Client;
  dispatcher: Dispatcher;
}

/** The identity of a branch by the latest answer. What may be a mock is asked for its world first, and a real service only with `asks`. */
async function settleIdentity(
  { system: { clock }, signal }: Runtime,
  { signs, which, address, apiKey, branch, asking, dispatcher }: Identified,
  asks: boolean,
): Promise<() => string> {
  const { branchId } = await import("../../journal/branches.ts");
  const { origin, hostname } = new URL(address);
  if (!signs.hasHeard) {
    if (branch.isMock || isLoopback(hostname)) {
      const heard = await askWorld(origin, dispatcher, { signal, clock });
      if (heard !== undefined) signs.hear(heard);
    } else if (asks) {
      // Whatever it answers is heard.
      await askService(asking, which, signal);
    }
  }
  return () => branchId({ address, world: signs.world, apiKey });
}

function lockWith(
  { system, signal, texts }: Runtime,
  journal: Journal,
  branch: string,
  output: Output,
): OpenJournal["lock"] {
  return async (work, { consumer, waitMs = lockWaitMs } = {}) => {
    const until = system.clock.now() + (work === "watch" ? 0 : waitMs);
    for (let tries = 0; ; tries++) {
      try {
        return await journal.under({ work, branch, ...(consumer !== undefined && { consumer }) });
      } catch (error) {
        if (!isReason(error, "locked") || system.clock.now() >= until) throw error;
        if (tries === 0)
          await output.notice(texts.notices.waitingForLock(error.facts, Math.round(waitMs / 1000)));
      }
      const pauseMs = backoffMs(tries + 1, { firstMs: 250, maxMs: maxLockPauseMs });
      await system.clock.sleep(Math.min(pauseMs, until - system.clock.now()), signal);
      if (signal.aborted) throw new BposError("interrupted", { during: "waiting" });
    }
  };
}

async function openSession(
  runtime: Runtime,
  branch: Branch,
  needs: SessionNeeds,
  shared: ReturnType<typeof openShared>,
): Promise<Session> {
  const { system, flags, texts } = runtime;
  const { address, apiKey, keySource } = await resolveAccess(runtime, branch.settings, needs);
  const settings = { ...branch.settings, apiKey };
  const { locale, currency, sandbox } = settings;
  const badge = chooseBadge({ isMock: branch.isMock, sandbox });
  const output = openOutput(runtime, needs.formats, { money: { locale, currency }, badge });
  await warnOfSettings(output, settings);
  checkKey(apiKey, keySource);
  const { dispatcher, proxies, check } = await shared.network();
  const { origin, hostname } = new URL(address);
  check(origin);
  // A proxy that cannot be used is told before anything is read or asked.
  proxies?.of(origin);
  const noticeRetry = (record: AttemptRecord): void => {
    const { endpoint, waitMs } = record;
    if (needs.quietRetries === true || waitMs === undefined || !system.stderr.isTerminal) return;
    const why = describeOutcome(record, texts);
    void output.notice(texts.notices.retrying(endpoint, why, (waitMs / 1000).toFixed(1)));
  };
  const { wouldCall, ...tracing } = openTracing(runtime, { apiKey, address, proxies });
  const signs = trackSigns(branch.world);
  const options = {
    // A command calls only the address that it needs; the other may be unknown.
    ...{ baseUrl: settings.baseUrl ?? address, campaignsBaseUrl: settings.campaignsBaseUrl ?? address },
    ...{ apiKey, clock: system.clock, random: system.random, dispatcher, onAnswer: signs.hear },
  };
  const client = createClient({
    ...{ ...options, onAttempt: noticeRetry, ...tracing },
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout }),
    ...(flags.retries !== undefined && { retries: flags.retries }),
  });
  const asking = createClient({ ...options, timeoutMs: flags.timeout ?? askTimeoutMs, retries: 0 });
  const identified = { signs, which: needs.address, address, apiKey, branch, asking, dispatcher };
  return {
    ...{ client, settings, output, branchName: branch.name, dispatcher, wouldCall },
    isLocal: branch.isMock || !isPublicHost(hostname),
    mockOrigin: () => (signs.world === undefined ? undefined : origin),
    clockAheadMs: () => signs.aheadMs,
    async openJournal({ asks } = { asks: false }) {
      const journal = await shared.journal(settings.journal);
      const branchNow = await settleIdentity(runtime, identified, asks);
      const id = branchNow();
      return { journal, branch: id, branchNow, lock: lockWith(runtime, journal, id, output) };
    },
  };
}

export async function withSessions(
  runtime: Runtime,
  { all, ...needs }: SessionNeeds & { all: boolean },
  work: (
    sessions: readonly Session[],
    unusable: readonly { name: string; error: BposError }[],
  ) => Promise<void>,
): Promise<void> {
  const { branches, close } = await openBranches(runtime, runtime.flags, { all });
  const shared = openShared(runtime, needs.endsSoon === true ? runtime.signal : undefined);
  try {
    const sessions: Session[] = [];
    const unusable: { name: string; error: BposError }[] = [];
    for (const branch of branches) {
      try {
        sessions.push(await openSession(runtime, branch, needs, shared));
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
