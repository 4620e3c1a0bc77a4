import { type Asked, askService } from "../../api/ask.ts";
import { type AttemptRecord, type Client, checkKey, createClient } from "../../api/client.ts";
import type { Dispatcher } from "../../api/transport.ts";
import { isPublicHost } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Settings } from "../../settings/settings.ts";
import { oneDecimal } from "../display/format.ts";
import type { Format } from "../display/formats.ts";
import type { Output } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";
import { type AddressName, resolveAccess, warnOfSettings } from "./access.ts";
import { type Branch, openBranches } from "./branches.ts";
import { type Signs, settleIdentity, trackSigns } from "./identity.ts";
import { type LockBranch, lockBranchWith } from "./lock.ts";
import type { Network } from "./network.ts";
import { openShared } from "./shared.ts";
import { describeOutcome, openTracing, type Tracing } from "./trace.ts";

export interface Session {
  client: Client;
  settings: Settings;
  output: Output;
  /** The profile's name; without a profile the host of the address, and in a rehearsal the mock's branch. */
  branchName: string;
  /** True if the service is on this machine or in its network, as a mock is. */
  isLocal: boolean;
  /** The way to any other server than the service. */
  dispatcher: Dispatcher;
  /** The address of the mock that answers; undefined for a real service, and before it was asked. */
  mockOrigin: () => string | undefined;
  /** How far this machine's clock is ahead of the service's, in milliseconds, by the latest response with a time. */
  clockAheadMs: () => number | undefined;
  /** Converts a time of this machine, then `aheadMs` ahead of the service, to the clock of a mock; of a real service it stays. */
  worldTime: (at: number, aheadMs: number | null | undefined) => number;
  /** The time now, as `worldTime` tells it. */
  now: () => number;
  /** Before a POST that no other question precedes, `asks` the service who it is: what goes to a mock must not count for the real one. */
  openJournal: (how?: { asks: boolean }) => Promise<OpenJournal>;
  wouldCall: Tracing["wouldCall"] | undefined;
}

export interface OpenJournal {
  /** For work that needs no lock, mostly reading. */
  journal: Journal;
  /** The identity under which this branch's state is kept. */
  branch: string;
  /** The same by the latest answer: another one once the service turned out to be a mock, or another mock. */
  branchNow: () => string;
  lock: LockBranch;
}

interface SessionNeeds {
  address: AddressName;
  formats: readonly Format[];
  /** Says nothing of attempts that fail: the command shows the state of the service itself. */
  quietRetries?: boolean;
  /** Hears of each attempt, beside what is said of it. */
  onAttempt?: (record: AttemptRecord, branch: string) => void;
  /** Ends soon when stopped, whatever the journal is doing. */
  endsSoon?: boolean;
}

const askTimeoutMs = 10_000;

/** Prints on a terminal why a request is retried, and when. */
function noticeRetries({ system, texts }: Runtime, output: Output) {
  return (record: AttemptRecord): void => {
    const { endpoint, waitMs } = record;
    if (waitMs === undefined || !system.stderr.isTerminal) return;
    const why = describeOutcome(record, texts);
    const { t } = texts;
    const retrying = t("{endpoint}: {outcome}. Retrying in {seconds} s …", {
      endpoint,
      outcome: why,
      seconds: oneDecimal(waitMs / 1000, output.errorUi),
    });
    void output.notice(retrying);
  };
}

/** The client of a branch, what its answers show, and a request made once, whatever its outcome. */
function openClient(
  runtime: Runtime,
  { dispatcher, proxies }: Network,
  {
    branch,
    settings,
    address,
    output,
    needs,
  }: {
    branch: Branch;
    settings: Settings & { apiKey: string };
    address: string;
    output: Output;
    needs: SessionNeeds;
  },
) {
  const { clock, random } = runtime.system;
  const { timeout, retries } = runtime.flags;
  const { apiKey } = settings;
  const signs = trackSigns(branch.world);
  const { clientCert } = settings;
  const { wouldCall, ...tracing } = openTracing(runtime, {
    apiKey,
    address,
    proxies,
    branch: branch.name,
    clientCert,
  });
  const options = {
    // A command calls only the address that it needs; the other may be unknown.
    baseUrl: settings.baseUrl ?? address,
    campaignsBaseUrl: settings.campaignsBaseUrl ?? address,
    apiKey,
    clock,
    random,
    dispatcher,
    onAnswer: signs.hear,
  };
  const tellAttempt = needs.quietRetries === true ? undefined : noticeRetries(runtime, output);
  // With --verbose, all attempts are shown instead.
  const { onAttempt = tellAttempt, ...traced } = tracing;
  const client = createClient({
    ...options,
    ...traced,
    onAttempt(record) {
      needs.onAttempt?.(record, branch.name);
      onAttempt?.(record);
    },
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(retries !== undefined && { retries }),
  });

  const ask = (): Promise<Asked> => {
    const asking = createClient({ ...options, timeoutMs: timeout ?? askTimeoutMs, retries: 0 });
    return askService(asking, needs.address, runtime.signal);
  };
  return { client, signs, ask, wouldCall };
}

async function openSession(
  runtime: Runtime,
  branch: Branch,
  needs: SessionNeeds,
  shared: ReturnType<typeof openShared>,
): Promise<Session> {
  const { address, apiKey, keySource } = await resolveAccess(runtime, branch.settings, needs.address);
  const settings = { ...branch.settings, apiKey };
  const told: { signs?: Signs } = {};
  const worldTime: Session["worldTime"] = (at, aheadMs) =>
    told.signs?.world === undefined ? at : at - (aheadMs ?? 0);
  const now = (): number => worldTime(runtime.system.clock.now(), told.signs?.aheadMs);
  const mockNow = (): number | undefined => (told.signs?.world === undefined ? undefined : now());
  const output = shared.output(branch, needs.formats, mockNow);
  await warnOfSettings(output, settings);
  checkKey(apiKey, keySource);

  const network = await shared.service(branch.isMock ? undefined : settings.clientCert);
  const { dispatcher, proxies, check } = network;
  const { origin, hostname } = new URL(address);
  check(origin);
  // An unusable proxy is reported before anything is read or requested.
  proxies?.of(origin);

  const about = { branch, settings, address, output, needs };
  const { client, signs, ask, wouldCall } = openClient(runtime, network, about);
  told.signs = signs;
  const identified = { signs, address, apiKey, isMock: branch.isMock, dispatcher, ask };

  return {
    client,
    settings,
    output,
    branchName: branch.name,
    dispatcher: (await shared.network()).dispatcher,
    wouldCall,
    isLocal: branch.isMock || !isPublicHost(hostname),
    mockOrigin: () => (signs.world === undefined ? undefined : origin),
    clockAheadMs: () => signs.aheadMs,
    worldTime,
    now,
    async openJournal({ asks } = { asks: false }) {
      const journal = await shared.journal(settings.journal);
      const branchNow = await settleIdentity(runtime, identified, asks);
      const id = branchNow();
      return { journal, branch: id, branchNow, lock: lockBranchWith(runtime, journal, id, output) };
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
        unusable.push({ name: branch.name, error: error });
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
