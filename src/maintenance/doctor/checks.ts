import { parseBase } from "../../api/client.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Network } from "../../cli/session.ts";
import { isLoopback } from "../../contract/public-host.ts";
import type { Check, CheckName, Which } from "../../errors.ts";
import { BposError, isReason } from "../../errors.ts";
import { branchId, earlierBranchIds } from "../../journal/branches.ts";
import { folders } from "../../settings/folders.ts";
import { clockRow, diskRow, failedBy, journalRows, nodeRow, passed, unchecked, warned } from "./rows.ts";
import { type Asking, type ServiceAddress, unvisited, type Visit, visitService } from "./service.ts";
import { type DoctorSettings, findKey } from "./settings-check.ts";

const both = ["base_url", "campaigns_base_url"] as const;

export interface CheckContext {
  runtime: Runtime;
  found: DoctorSettings;
  network: Network;
  /** The row of `--ca-file`, where one is given; one that fails leaves https unchecked. */
  caFile: Check | undefined;
  /** How long the key's command and each request may take. */
  limitMs: number;
}

/** An address as the settings have it; `service` is undefined where the row says why it cannot be asked, or that it is not needed. */
interface KnownAddress {
  row: Check;
  service?: ServiceAddress;
}

function orRow<T>(name: CheckName, get: () => T): { value?: T; row?: Check } {
  try {
    return { value: get() };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return { row: failedBy(name, error as BposError) };
  }
}

function knownAddress(which: Which, { found, network }: CheckContext): KnownAddress {
  const { settings, sources, lost, mockError } = found;
  if (mockError !== undefined)
    return { row: which === "base_url" ? failedBy(which, mockError) : unchecked(which, "base_url") };
  const { baseUrl, campaignsBaseUrl, profile = null } = settings;
  const [url, other] = which === "base_url" ? [baseUrl, campaignsBaseUrl] : [campaignsBaseUrl, baseUrl];
  if (url === undefined) {
    if (lost !== undefined) return { row: unchecked(which, lost) };
    // Whoever takes orders only needs no campaigns.
    if (which !== "base_url" || other !== undefined)
      return { row: warned(which, { kind: "address_absent", which, profile }) };
    const missing = new BposError("address_missing", { which, ...(profile !== null && { profile }) });
    return { row: failedBy(which, missing) };
  }
  const { value: address, row } = orRow(which, () => parseBase(which, url));
  if (address === undefined) return { row: row ?? unchecked(which, "config") };
  const source = found.mock === undefined ? (sources[which] ?? null) : null;
  return {
    row: passed(which, { kind: "address_good", url, source }),
    // A proxy that cannot be used is the proxy's row.
    service: { which, address, proxy: orRow("proxy", () => network.proxies?.of(address.origin)).value },
  };
}

function proxyRow(services: readonly ServiceAddress[], { proxies }: Network): Check {
  if (proxies === undefined) return passed("proxy", { kind: "proxy_none" });
  for (const { address } of services) {
    const { row } = orRow("proxy", () => proxies.of(address.origin));
    if (row !== undefined) return row;
  }
  const used = services.flatMap(({ which, proxy }) =>
    proxy === undefined ? [] : [{ which, shown: proxy.shown, variable: proxy.variable }],
  );
  const direct = services.filter(({ proxy }) => proxy === undefined).map(({ which }) => which);
  const isUsed = used.length > 0;
  return passed("proxy", isUsed ? { kind: "proxy_used", used, direct } : { kind: "proxy_unneeded" });
}

function clockOf(visits: readonly Visit[]): Check {
  const [aheadMs] = visits.flatMap(({ heard }) => heard?.aheadMs ?? []);
  const [silent] = visits.flatMap(({ rows }) => rows.at(-1) ?? []);
  if (aheadMs !== undefined || visits.some(({ heard }) => heard !== undefined)) return clockRow(aheadMs);
  const because = silent?.finding.kind === "unchecked" ? silent.finding.because : silent?.name;
  return unchecked("clock", because ?? "base_url");
}

function journalOf(
  { found, runtime }: CheckContext,
  services: readonly ServiceAddress[],
  apiKey: string | undefined,
  world: string | undefined,
): Check[] {
  const urls = services.map(({ address }) => address.origin + address.path);
  const idsOf = (key: string): string[] => [
    ...urls.map((address) => branchId({ address, world, apiKey: key })),
    ...earlierBranchIds(urls, key),
  ];
  return journalRows({
    file: found.settings.journalFile,
    branches: apiKey === undefined ? [] : idsOf(apiKey),
    profile: runtime.flags.profile ?? null,
    isMock: found.mock !== undefined,
  });
}

/** The rows in their order, a group as soon as it is known. */
async function* checkAll(context: CheckContext, ask: Asking): AsyncGenerator<readonly Check[]> {
  const { runtime, found, network, caFile, limitMs } = context;
  yield [nodeRow(runtime.system.nodeVersion), found.config, found.profile];
  const reading = await findKey(runtime, found, limitMs);
  const known = both.map((which) => knownAddress(which, context));
  const services = known.flatMap(({ service }) => service ?? []);
  const proxy = proxyRow(services, network);
  // An environment in which any certificate is accepted matters to nobody but other machines.
  const [certificates] = services.flatMap(
    ({ address }) => orRow("certificates", () => network.check(address.origin)).row ?? [],
  );
  yield [reading.row, caFile, certificates].filter((row) => row !== undefined);
  const visits: Visit[] = [];
  for (const { row, service } of known) {
    const which = row.name as Which;
    const { origin, hostname, protocol } = new URL(service?.address.origin ?? "http://localhost");
    const obstacle = [
      row,
      ...(isLoopback(hostname) ? [] : [certificates]),
      proxy,
      ...(protocol === "https:" ? [caFile] : []),
    ].find((check) => check?.status === "fail");
    const before = visits.find((visit) => visit.origin === origin);
    if (obstacle !== undefined) visits.push(unvisited(which, obstacle.name));
    else if (service !== undefined) visits.push(await visitService(service, { ...ask, reading, before }));
    const visit = visits.find((each) => each.which === which);
    yield [row, ...(visit?.rows ?? [])];
  }
  yield [proxy];
  yield visits.map(({ access }) => access);
  yield [clockOf(visits)];
  const [world] = visits.flatMap(({ heard }) => heard?.world ?? []);
  yield journalOf(context, services, reading.key, world);
  yield [await diskRow(folders(runtime.system).state)];
}

export async function* examine(context: CheckContext, ask: Asking): AsyncGenerator<readonly Check[]> {
  try {
    yield* checkAll(context, ask);
  } catch (error) {
    if (!isReason(error, "interrupted")) throw error;
    throw new BposError("interrupted", { during: "look" }, { cause: error });
  }
}
