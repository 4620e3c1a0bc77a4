import { dirname, join } from "node:path";
import type { AttemptRecord, Client } from "../api/client.ts";
import { resolveSettings, type Settings } from "../config/settings.ts";
import { BposError } from "../errors.ts";
import type { Journal } from "../journal/open.ts";
import type { RunningMock } from "../mock/index.ts";
import { en } from "../text/en.ts";
import { visible } from "../view/format.ts";
import type { Format, GlobalFlags } from "./global-flags.ts";
import { type Output, openOutput } from "./output.ts";
import type { Runtime } from "./runtime.ts";
import { isUnwritable, worldFailure, worldFile } from "./world-file.ts";

/** A command at work for one branch: its settings, a client, the journal when asked for, and where to write. */
export interface Session {
  client: Client;
  settings: Settings;
  output: Output;
  /** The branch as people name it. */
  branchName: string;
  /** Opens the journal, once a session; it is closed with the session. */
  openJournal: () => Promise<OpenJournal>;
}

/** The journal of a session. */
interface OpenJournal {
  journal: Journal;
  /** The identity under which this branch's state is kept. */
  branch: string;
  /** Holds other processes off this branch's pushes or sends until the session ends. Throws `locked`. */
  lock: (kind: "push" | "send") => Promise<void>;
}

/** What a command needs of the settings. */
export interface SessionNeeds {
  address: "base_url" | "campaigns_base_url";
  formats: readonly Format[];
}

/** Every key of the mock begins like this; a real key must not reach it. */
const mockKeyPrefix = "bpk_demo_";

interface MockSettings {
  branchName: string;
  settings: Settings;
  /** Stands for the address in the journal: the port of an embedded mock is another one each time. */
  identity: string | undefined;
  close: () => Promise<void>;
}

/** What of the flags and the environment asks for the mock: `embedded`, the address of a running one, or neither. */
export function wantedMock(runtime: Runtime, flags: GlobalFlags): "embedded" | URL | undefined {
  const variable = runtime.system.env["BPOS_MOCK"] ?? "";
  const ownAddress = flags.baseUrl !== undefined || flags.campaignsUrl !== undefined;
  if (flags.mock === true && ownAddress) {
    throw new BposError("usage_flag", {
      detail: "--mock brings its own address: leave out --base-url and --campaigns-url",
    });
  }
  if (ownAddress || (flags.mock !== true && ["", "0"].includes(variable))) return undefined;
  if (!/^https?:/.test(variable)) return "embedded";
  if (!URL.canParse(variable))
    throw new BposError("usage_flag", { detail: `BPOS_MOCK: "${variable}" is not an address` });
  return new URL(variable);
}

/** The embedded mock. Its world is in the state folder; where that cannot be written, it ends with the command. */
async function startEmbedded(runtime: Runtime, flags: GlobalFlags): Promise<RunningMock> {
  const { system } = runtime;
  const { startMock } = await import("../mock/index.ts");
  const now = (): number => system.clock.now();
  const data = worldFile(system);
  try {
    return await startMock({ data, now });
  } catch (error) {
    if (!isUnwritable(error)) throw worldFailure(error);
    if (flags.quiet !== true) await system.stderr.write(`${visible(en.notices.worldNotKept(data))}\n`);
    return startMock({ now });
  }
}

async function embedded(runtime: Runtime, flags: GlobalFlags, settings: Settings): Promise<MockSettings> {
  const mock = await startEmbedded(runtime, flags);
  const { baseUrl, campaignsBaseUrl, keys, worldId } = mock;
  const known = keys.find(({ key }) => key === settings.apiKey);
  const wrong = settings.apiKey?.startsWith(mockKeyPrefix) ? settings.apiKey : undefined;
  const apiKey = known?.key ?? wrong ?? keys[0]?.key ?? "";
  // A world that ends with this command takes along what is remembered of it.
  const journalFile =
    worldId === null ? ":memory:" : join(dirname(worldFile(runtime.system)), "mock-journal.db");
  return {
    branchName: keys.find(({ key }) => key === apiKey)?.branch ?? "mock",
    settings: { ...settings, baseUrl, campaignsBaseUrl, apiKey, journalFile },
    identity: worldId === null ? undefined : `mock:${worldId}`,
    close: () => mock.close(),
  };
}

async function running(settings: Settings, { origin }: URL): Promise<MockSettings> {
  const { activeKeys } = await import("../mock/scenarios.ts");
  const apiKey = settings.apiKey?.startsWith(mockKeyPrefix) ? settings.apiKey : (activeKeys[0]?.key ?? "");
  return {
    branchName: activeKeys.find(({ key }) => key === apiKey)?.branch ?? "mock",
    settings: { ...settings, baseUrl: origin, campaignsBaseUrl: `${origin}/messaging`, apiKey },
    identity: undefined,
    close: () => Promise.resolve(),
  };
}

async function mockFor(
  runtime: Runtime,
  flags: GlobalFlags,
  settings: Settings,
): Promise<MockSettings | undefined> {
  const wanted = wantedMock(runtime, flags);
  if (wanted === undefined) return undefined;
  return wanted === "embedded" ? embedded(runtime, flags, settings) : running(settings, wanted);
}

/** On a terminal, says that the waiting has a reason; a script reads the outcome. */
function noticeRetries({ system }: Runtime, output: Output): (record: AttemptRecord) => void {
  return ({ endpoint, status, error, waitMs }) => {
    if (waitMs === undefined || !system.stderr.isTerminal) return;
    const why = [status, error].filter((part) => part !== undefined).join(" ");
    void output.notice(en.notices.retrying(endpoint, why, (waitMs / 1000).toFixed(1)));
  };
}

function logAttempt(runtime: Runtime): (record: AttemptRecord) => void {
  return ({ endpoint, url, status, error, ms, attempt, waitMs }) => {
    const outcome = status === undefined ? (error ?? "") : String(status);
    const { pathname, search } = new URL(url);
    const request = `${endpoint.split(" ", 1).join("")} ${pathname}${search}`;
    const line = en.notices.request({ endpoint: request, outcome, ms: Math.round(ms), attempt, waitMs });
    // A log line that nobody reads must not stop the work.
    runtime.system.stderr.write(`${visible(line)}\n`).catch(() => undefined);
  };
}

function checked(settings: Settings, needs: SessionNeeds): { address: string; apiKey: string } {
  const address = needs.address === "base_url" ? settings.baseUrl : settings.campaignsBaseUrl;
  if (address === undefined) throw new BposError("address_missing", { which: needs.address });
  if (settings.apiKey === undefined || settings.apiKey === "") throw new BposError("key_missing", {});
  return { address, apiKey: settings.apiKey };
}

/**
 * Runs `work` for the branch that flags, environment and profile name, and closes everything after it.
 * Throws `address_missing`, `key_missing` and what resolving the settings throws.
 *
 * @example
 * await withSession(runtime, flags, { address: "base_url", formats: ["table"] }, async ({ client }) => …);
 */
export async function withSession(
  runtime: Runtime,
  flags: GlobalFlags,
  needs: SessionNeeds,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { system } = runtime;
  // A rehearsal works whatever the profile file looks like, unless a profile is named for it.
  const profiles = wantedMock(runtime, flags) === undefined || flags.profile !== undefined;
  const own = await resolveSettings(system, flags, { profiles });
  const mock = await mockFor(runtime, flags, own);
  const settings = mock?.settings ?? own;
  const closers: (() => Promise<void> | void)[] = [];
  if (mock) closers.push(mock.close);
  try {
    const { address, apiKey } = checked(settings, needs);
    const badge = mock ? "MOCK" : settings.sandbox ? "SANDBOX" : null;
    const look = { money: { locale: settings.locale, currency: settings.currency }, badge } as const;
    const output = openOutput(system, flags, needs.formats, look);
    const { createClient } = await import("../api/client.ts");
    const client = createClient({
      // A command calls only the address that it needs; the other may be unknown.
      baseUrl: settings.baseUrl ?? address,
      campaignsBaseUrl: settings.campaignsBaseUrl ?? address,
      apiKey,
      clock: system.clock,
      random: system.random,
      ...(flags.timeout !== undefined && { timeoutMs: flags.timeout }),
      ...(flags.retries !== undefined && { retries: flags.retries }),
      onAttempt: flags.verbose === true ? logAttempt(runtime) : noticeRetries(runtime, output),
    });
    closers.unshift(() => client.close());
    const openJournal: Session["openJournal"] = async () => {
      const { branchId, openJournal: open } = await import("../journal/open.ts");
      const journal = open(settings.journalFile);
      closers.unshift(() => void journal.close());
      const branch = branchId(mock?.identity ?? address, apiKey);
      const lock = async (kind: "push" | "send"): Promise<void> => {
        // A journal in memory is this process's own: there is nobody to hold apart.
        if (settings.journalFile === ":memory:") return;
        const { takeLock } = await import("../journal/lock.ts");
        const taken = takeLock(join(dirname(settings.journalFile), "locks"), `${kind}-${branch}`, system.pid);
        closers.unshift(() => taken.release());
      };
      return { journal, branch, lock };
    };
    const branchName = mock?.branchName ?? settings.profile ?? new URL(address).host;
    await work({ client, settings, output, branchName, openJournal });
  } finally {
    // One that cannot be closed must not keep the others open, nor hide what went wrong before.
    for (const close of closers)
      await Promise.resolve()
        .then(close)
        .catch(() => undefined);
  }
}
