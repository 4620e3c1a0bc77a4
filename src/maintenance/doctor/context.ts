import { parseBase } from "../../api/address.ts";
import { userAgent } from "../../api/call.ts";
import type { Proxies } from "../../api/proxy.ts";
import type { GlobalFlags } from "../../cli/command-line.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Network } from "../../cli/session.ts";
import type { Check, CheckName, Finding, Which } from "../../errors/doctor-check.ts";
import { BposError } from "../../errors.ts";
import { branchId, earlierBranchIds } from "../../journal/branch-id.ts";
import { folders } from "../../settings/folders.ts";
import type { System } from "../../system.ts";
import type { KnownAddress, Patient } from "./checks.ts";
import { failed, failedBy, passed, unchecked, warned } from "./rows.ts";
import type { DoctorSettings } from "./settings-check.ts";

/** As in package.json, which a test compares. */
const oldestNode = "20.19.0";

const both = ["base_url", "campaigns_base_url"] as const;

function nodeRow({ nodeVersion: version }: System): Check {
  const isGood = version.localeCompare(oldestNode, "en", { numeric: true }) >= 0;
  const bpos = userAgent.replace("bpos/", "");
  const finding: Finding = { kind: "node", version, bpos, oldest: oldestNode, isGood };
  return isGood ? passed("node", finding) : failed("node", finding, "config");
}

/** An error of bpos as a row, or the value. */
function orRow<T>(
  name: CheckName,
  get: () => T,
): { value: T; row: undefined } | { value: undefined; row: Check } {
  try {
    return { value: get(), row: undefined };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return { value: undefined, row: failedBy(name, error as BposError) };
  }
}

function knownAddress(which: Which, found: DoctorSettings, proxies: Proxies | undefined): KnownAddress {
  const { settings, sources, lost, mockError } = found;
  const rowAlone = (row: Check): KnownAddress => ({ row, service: undefined });
  if (mockError !== undefined)
    return rowAlone(which === "base_url" ? failedBy(which, mockError) : unchecked(which, "base_url"));
  const [url, other] =
    which === "base_url"
      ? [settings.baseUrl, settings.campaignsBaseUrl]
      : [settings.campaignsBaseUrl, settings.baseUrl];
  if (url === undefined) {
    if (lost !== undefined) return rowAlone(unchecked(which, lost));
    const { profile } = settings;
    const absent = warned(which, { kind: "address_absent", which, profile: profile ?? null });
    const missing = new BposError("address_missing", { which, ...(profile !== undefined && { profile }) });
    // Whoever takes orders only needs no campaigns.
    return rowAlone(other === undefined && which === "base_url" ? failedBy(which, missing) : absent);
  }
  const { value: address, row } = orRow(which, () => parseBase(which, url));
  if (address === undefined) return rowAlone(row ?? unchecked(which, "config"));
  // A proxy that cannot be used is the proxy's row.
  const { value: proxy } = orRow("proxy", () => proxies?.of(address.origin));
  const source = found.mock === undefined ? (sources[which] ?? null) : null;
  return { row: passed(which, { kind: "address_good", url, source }), service: { which, address, proxy } };
}

function proxyRow(addresses: readonly KnownAddress[], proxies: Proxies | undefined): Check {
  if (proxies === undefined) return passed("proxy", { kind: "proxy_none" });
  const services = addresses.flatMap(({ service }) => service ?? []);
  for (const { address } of services) {
    const { row } = orRow("proxy", () => proxies.of(address.origin));
    if (row !== undefined) return row;
  }
  const used = services.flatMap(({ which, proxy }) =>
    proxy === undefined ? [] : [{ which, shown: proxy.shown, variable: proxy.variable }],
  );
  const direct = services.filter(({ proxy }) => proxy === undefined).map(({ which }) => which);
  return passed(
    "proxy",
    used.length === 0 ? { kind: "proxy_unneeded" } : { kind: "proxy_used", used, direct },
  );
}

/** The row of an environment in which any certificate is accepted; none where that concerns nobody but this machine. */
function certificatesRow(addresses: readonly KnownAddress[], { check }: Network): Check | undefined {
  return addresses
    .flatMap(({ service }) => service ?? [])
    .map(({ address }) => orRow("certificates", () => check(address.origin)).row)
    .find((row) => row !== undefined);
}

/** What is known before anybody is asked. */
export function patientOf(
  { system }: Runtime,
  flags: GlobalFlags,
  { found, network, caFile }: { found: DoctorSettings; network: Network; caFile: Check | undefined },
): Patient {
  const { proxies } = network;
  const { settings, config, profile, mock } = found;
  const [base, campaigns] = both.map((which) => knownAddress(which, found, proxies)) as [
    KnownAddress,
    KnownAddress,
  ];
  const known = [base, campaigns].flatMap(({ service }) => service ?? []);
  const urls = known.map(({ address }) => address.origin + address.path);
  const idsOf = (apiKey: string, world: string | undefined): string[] => [
    ...urls.map((address) => branchId({ address, world, apiKey })),
    ...earlierBranchIds(urls, apiKey),
  ];
  return {
    settings: [nodeRow(system), config, profile],
    caFile,
    certificates: certificatesRow([base, campaigns], network),
    addresses: { base_url: base, campaigns_base_url: campaigns },
    proxy: proxyRow([base, campaigns], proxies),
    stateFolder: folders(system).state,
    journal: (key, world) => ({
      file: settings.journalFile,
      branches: key === undefined ? [] : idsOf(key, world),
      profile: flags.profile ?? null,
      isMock: mock !== undefined,
    }),
  };
}
