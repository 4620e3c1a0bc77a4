import type { AttemptRecord, Client } from "../api/client.ts";
import { resolveSettings, type Settings } from "../config/settings.ts";
import { BposError } from "../errors.ts";
import type { Journal } from "../journal/open.ts";
import { en } from "../text/en.ts";
import { visible } from "../view/format.ts";
import type { Format, GlobalFlags } from "./global-flags.ts";
import { type Output, openOutput } from "./output.ts";
import type { Runtime } from "./runtime.ts";

/** A command at work for one branch: its settings, a client, the journal when asked for, and where to write. */
export interface Session {
  client: Client;
  settings: Settings;
  output: Output;
  /** The branch as people name it. */
  branchName: string;
  /** Opens the journal, once a session; it is closed with the session. */
  openJournal: () => Promise<{ journal: Journal; branch: string }>;
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
  close: () => Promise<void>;
}

/** What of the flags and the environment asks for the mock: `embedded`, the address of a running one, or neither. */
function wantedMock(runtime: Runtime, flags: GlobalFlags): "embedded" | URL | undefined {
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

async function withMock(settings: Settings, wanted: "embedded" | URL): Promise<MockSettings> {
  const { activeKeys } = await import("../mock/scenarios.ts");
  const apiKey = settings.apiKey?.startsWith(mockKeyPrefix) ? settings.apiKey : (activeKeys[0]?.key ?? "");
  const branchName = activeKeys.find(({ key }) => key === apiKey)?.branch ?? "mock";
  if (wanted !== "embedded") {
    const { origin } = wanted;
    return {
      branchName,
      settings: { ...settings, baseUrl: origin, campaignsBaseUrl: `${origin}/messaging`, apiKey },
      close: () => Promise.resolve(),
    };
  }
  const { startMock } = await import("../mock/index.ts");
  const mock = await startMock();
  const { baseUrl, campaignsBaseUrl } = mock;
  // The embedded world ends with this command, and so does what is remembered of it.
  return {
    branchName,
    settings: { ...settings, baseUrl, campaignsBaseUrl, apiKey, journalFile: ":memory:" },
    close: () => mock.close(),
  };
}

function logAttempt(runtime: Runtime): (record: AttemptRecord) => void {
  return ({ endpoint, status, error, ms, attempt, waitMs }) => {
    const outcome = status === undefined ? (error ?? "") : String(status);
    const line = en.notices.request({ endpoint, outcome, ms: Math.round(ms), attempt, waitMs });
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
  const own = await resolveSettings(system, flags);
  const wanted = wantedMock(runtime, flags);
  const mock = wanted === undefined ? undefined : await withMock(own, wanted);
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
      ...(flags.verbose === true && { onAttempt: logAttempt(runtime) }),
    });
    closers.unshift(() => client.close());
    const openJournal: Session["openJournal"] = async () => {
      const { branchId, openJournal: open } = await import("../journal/open.ts");
      const journal = open(settings.journalFile);
      closers.unshift(() => void journal.close());
      return { journal, branch: branchId(address, apiKey) };
    };
    const branchName = mock?.branchName ?? settings.profile ?? new URL(address).host;
    await work({ client, settings, output, branchName, openJournal });
  } finally {
    for (const close of closers) await close();
  }
}
