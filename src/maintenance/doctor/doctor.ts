import { parseBase } from "../../api/client.ts";
import { type Output, openOutput } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Network, openNetwork, readTrust } from "../../cli/session/network.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { Check, CheckName, Finding, Which } from "../../errors/findings.ts";
import { BposError, exitCodes, isReason } from "../../errors.ts";
import { branchId } from "../../journal/records/branches.ts";
import { toStations } from "../../printing/printing.ts";
import { type ClientCert, readClientCert } from "../../settings/client-pem.ts";
import { folders } from "../../settings/folders.ts";
import { ownJournal } from "../../settings/journal-place.ts";
import { readJournalChecks } from "./journal.ts";
import {
  checkDisk,
  checkNode,
  checkPrinter,
  type DoctorSettings,
  failBy,
  findKey,
  findSettings,
  judgeClock,
  pass,
  unchecked,
  warn,
} from "./machine.ts";
import { judgeEnd, type ServiceAddress, unvisited, type Visit, visitService } from "./service.ts";
import { formatChecks, formatSummary, formatTitle, toCheckJson } from "./view.ts";

/** A person waits; what takes longer than this does not work. */
const defaultLimitMs = 5_000;

interface CheckContext {
  runtime: Runtime;
  found: DoctorSettings;
  network: Network;
  /** The first of the two that fails leaves https unchecked. */
  caFile: Check | undefined;
  clientCert: Check | undefined;
  limitMs: number;
}

function tryOrFail<T>(name: CheckName, get: () => T): { value?: T; row?: Check } {
  try {
    return { value: get() };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return { row: failBy(name, error) };
  }
}

/** Without a service where the row says why nobody can ask it, or that nobody needs it. */
function readAddress(
  which: Which,
  { found, network }: CheckContext,
): { which: Which; row: Check; service?: ServiceAddress } {
  const { settings, traced, lost, mock, mockError } = found;
  if (mockError !== undefined)
    return { which, row: which === "base_url" ? failBy(which, mockError) : unchecked(which, "base_url") };
  const { baseUrl, campaignsBaseUrl, profile } = settings;
  const [url, other] = which === "base_url" ? [baseUrl, campaignsBaseUrl] : [campaignsBaseUrl, baseUrl];

  if (url === undefined) {
    if (lost !== undefined) return { which, row: unchecked(which, lost) };

    const facts = { which, ...(profile !== undefined && { profile }) };
    const missing = failBy(which, new BposError("address_missing", facts));
    // Whoever takes orders only needs no campaigns.
    const isNeeded = which === "base_url" && other === undefined;
    return { which, row: isNeeded ? missing : warn(which, missing.finding) };
  }

  const { value: address, row } = tryOrFail(which, () => parseBase(which, url));
  if (address === undefined) return { which, row: row ?? unchecked(which, "config") };
  const source = (mock === undefined && traced[which]?.source) || null;
  // A proxy that cannot be used is the proxy's row.
  const { value: proxy } = tryOrFail("proxy", () => network.proxies?.of(address.origin));
  return { which, row: pass(which, { kind: "address", url, source }), service: { which, address, proxy } };
}

function checkProxy(services: readonly ServiceAddress[], { proxies }: Network): Check {
  const [unusable] = services.flatMap(
    ({ address }) => tryOrFail("proxy", () => proxies?.of(address.origin)).row ?? [],
  );
  const used = services.flatMap(({ which, proxy }) =>
    proxy === undefined ? [] : [{ which, shown: proxy.shown, variable: proxy.variable }],
  );
  return unusable ?? pass("proxy", { kind: "proxy", used });
}

function checkClock(visits: readonly Visit[], now: number): Check {
  const heard = visits.flatMap((visit) => visit.heard ?? []);
  const isMock = heard.some(({ world }) => world !== undefined);
  const aheadMs = heard.find((each) => each.aheadMs !== undefined)?.aheadMs;
  if (heard.length > 0) return judgeClock(aheadMs, isMock ? isoWithOffset(now - (aheadMs ?? 0)) : null);
  const [first] = visits;
  return unchecked("clock", first?.broken ?? first?.rows.at(-1)?.name ?? "base_url");
}

async function checkJournal(
  { runtime, found, caFile, limitMs }: CheckContext,
  branches: readonly string[],
): Promise<Check[]> {
  const { system, flags } = runtime;
  const { journalError, settings, mock } = found;
  if (journalError !== undefined)
    return [failBy("journal", journalError), unchecked("unfinished", "journal")];

  const { env, host, clock } = system;
  const secureContext = caFile?.status === "fail" ? undefined : await readTrust(runtime, flags.caFile);
  return readJournalChecks({
    place: settings.journal,
    ownFile: ownJournal(system).place,
    branches,
    command: { profile: flags.profile ?? null, isMock: mock !== undefined },
    how: { env, host, limitMs, secureContext, now: () => clock.now() },
  });
}

/** The first row that keeps bpos from asking the address; undefined when nothing does. */
function findObstacle(
  row: Check,
  service: ServiceAddress | undefined,
  {
    proxy,
    certificates,
    caFile,
    clientCert,
  }: Record<"proxy", Check> & Partial<Record<"certificates" | "caFile" | "clientCert", Check | undefined>>,
): Check | undefined {
  const { hostname, protocol } = new URL(service?.address.origin ?? "http://localhost");
  const rows = [
    row,
    isLoopback(hostname) ? undefined : certificates,
    proxy,
    ...(protocol === "https:" ? [caFile, clientCert] : []),
  ];
  return rows.find((check) => check?.status === "fail");
}

async function* examine(context: CheckContext): AsyncGenerator<readonly Check[]> {
  const { runtime, found, network, caFile, clientCert, limitMs } = context;
  yield [checkNode(runtime.system.nodeVersion), found.config, found.profile];

  const { key, row: keyRow } = await findKey(runtime, found, limitMs);
  const known = (["base_url", "campaigns_base_url"] as const).map((which) => readAddress(which, context));
  const services = known.flatMap(({ service }) => service ?? []);
  const proxy = checkProxy(services, network);
  // An environment that accepts any certificate matters only for other machines.
  const [certificates] = services.flatMap(
    ({ address }) => tryOrFail("certificates", () => network.check(address.origin)).row ?? [],
  );
  yield [keyRow, caFile, clientCert, certificates].filter((row) => row !== undefined);

  const visits: Visit[] = [];
  for (const { which, row, service } of known) {
    const obstacle = findObstacle(row, service, { proxy, certificates, caFile, clientCert });
    const before = visits.find(({ origin }) => service !== undefined && origin === service.address.origin);
    const visit =
      obstacle === undefined
        ? service && (await visitService(service, before, context, key))
        : unvisited(which, obstacle.name);
    if (visit !== undefined) visits.push(visit);
    yield [row, ...(visit?.rows ?? [])];
  }
  yield [proxy, ...visits.map(({ access }) => access), checkClock(visits, runtime.system.clock.now())];
  const stations = tryOrFail("printer", () => toStations(found.settings.stations, found.settings.profile));
  if (stations.row !== undefined) yield [stations.row];
  // One after the other: two may share a printer.
  for (const station of [undefined, ...(stations.value ?? [])])
    yield await checkPrinter(runtime, found.settings, { station, limitMs });

  const [world] = visits.flatMap(({ heard }) => heard?.world ?? []);
  const urls = services.map(({ address }) => address.origin + address.path);
  const branches = key === undefined ? [] : urls.map((address) => branchId({ address, world, apiKey: key }));
  yield await checkJournal(context, branches);
  yield [await checkDisk(folders(runtime.system).state)];
}

async function report(output: Output, context: CheckContext): Promise<number> {
  const { format, quiet, ui } = output;
  const checks: Check[] = [];
  if (format === "table" && !quiet) await output.data(formatTitle(ui));

  for await (const group of examine(context)) {
    checks.push(...group);
    if (format === "ndjson") {
      for (const check of group) await output.document(toCheckJson(check));
    } else if (format === "table") {
      const shown = quiet ? group.filter(({ status }) => status !== "pass") : group;
      await output.data(formatChecks(shown, ui));
    }
  }

  // A run ends as the first check that fails says.
  const exit = exitCodes[checks.find((check) => check.status === "fail")?.exit ?? "ok"];
  if (format === "table" && !quiet) await output.data(formatSummary(checks, exit, ui));
  if (format === "json")
    await output.document({ ok: exit === exitCodes.ok, checks: checks.map(toCheckJson) });
  return exit;
}

function checkClientCert(
  { system }: Runtime,
  { settings, mock }: DoctorSettings,
): { clientCert?: ClientCert; row?: Check } {
  const { clientCert: files, openClientKey: open } = settings;
  if (files === undefined || mock !== undefined) return {};

  const { value, row } = tryOrFail("client_cert", () => readClientCert(files));
  if (value === undefined) return { row: row ?? unchecked("client_cert", "config") };
  const { days, until, isSoon } = judgeEnd(value.until, system.clock.now());
  const finding: Finding = { kind: "client_cert", file: files.cert ?? "", days, until, open };
  return {
    clientCert: value,
    row: (isSoon || open !== undefined ? warn : pass)("client_cert", finding),
  };
}

async function openCheckedNetwork(
  runtime: Runtime,
  found: DoctorSettings,
  timeout: number,
): Promise<Pick<CheckContext, "network" | "caFile" | "clientCert">> {
  const { caFile: file } = runtime.flags;
  const { clientCert, row } = checkClientCert(runtime, found);
  try {
    const network = await openNetwork(runtime, { timeout, caFile: file, clientCert });
    const caFile = file === undefined ? undefined : pass("ca_file", { kind: "ca_file", file });
    return { network, caFile, clientCert: row };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    const network = await openNetwork(runtime, { timeout, caFile: undefined, clientCert });
    return { network, caFile: failBy("ca_file", error), clientCert: row };
  }
}

export async function doctor(runtime: Runtime): Promise<void> {
  const limitMs = runtime.flags.timeout ?? defaultLimitMs;
  const found = await findSettings(runtime);
  const { locale, currency, sandbox } = found.settings;
  const badge = chooseBadge({ isMock: found.mock !== undefined, sandbox });
  const output = openOutput(runtime, ["table", "json", "ndjson"], { money: { locale, currency }, badge });
  const way = await openCheckedNetwork(runtime, found, limitMs);
  try {
    runtime.exitCode = await report(output, { runtime, found, limitMs, ...way });
  } catch (error) {
    if (!isReason(error, "interrupted")) throw error;
    throw new BposError("interrupted", { during: "look" }, { cause: error });
  } finally {
    await way.network.dispatcher.destroy();
    await found.close().catch(() => undefined);
  }
}
