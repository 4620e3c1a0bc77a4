import { parseBase } from "../../api/client.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Network, openNetwork } from "../../cli/session/network.ts";
import { isLoopback } from "../../contract/addresses.ts";
import type { Check, Finding, Which } from "../../errors/findings.ts";
import { BposError } from "../../errors.ts";
import { type ClientCert, readClientCert } from "../../settings/client-pem.ts";
import { failBy, pass, tryOrFail, unchecked, warn } from "./row.ts";
import { judgeEnd, type ServiceAddress } from "./service.ts";
import type { FoundSettings } from "./settings.ts";

interface Opened {
  found: FoundSettings;
  network: Network;
}

interface CheckedAddress {
  which: Which;
  row: Check;
  service?: ServiceAddress;
}

/** The settings, the network and the addresses, with the rows that opening them gave; the checks ask through it. */
export interface CheckContext extends Opened {
  runtime: Runtime;
  limitMs: number;
  addresses: readonly CheckedAddress[];
  proxy: Check;
  /** The first of these three that fails leaves https unchecked; undefined where there is nothing to check. */
  certificates: Check | undefined;
  caFile: Check | undefined;
  clientCert: Check | undefined;
}

/** An address with its row; without a service where nobody can ask it, or nobody needs it. */
function readAddress(which: Which, { found, network }: Opened): CheckedAddress {
  const { settings, traced, lost, mock, mockError } = found;
  if (mockError !== undefined)
    return { which, row: which === "base_url" ? failBy(which, mockError) : unchecked(which, "base_url") };
  const { baseUrl, campaignsBaseUrl, profile } = settings;
  const [url, other] = which === "base_url" ? [baseUrl, campaignsBaseUrl] : [campaignsBaseUrl, baseUrl];

  if (url === undefined) {
    if (lost !== undefined) return { which, row: unchecked(which, lost) };

    const facts = { which, ...(profile !== undefined && { profile }) };
    const missing = failBy(which, new BposError("address_missing", facts));
    // A branch that only takes orders needs no campaigns.
    const isNeeded = which === "base_url" && other === undefined;
    return { which, row: isNeeded ? missing : warn(which, missing.finding) };
  }

  const { value: address, row } = tryOrFail(which, () => parseBase(which, url));
  if (address === undefined) return { which, row: row ?? unchecked(which, "config") };
  const source = (mock === undefined && traced[which]?.source) || null;
  // An unusable proxy has its own row.
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

function checkClientCert(
  { system }: Runtime,
  { settings, mock }: FoundSettings,
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
  found: FoundSettings,
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

/** Opens all that the checks need; what cannot be used becomes a row. `network` must be closed. */
export async function openContext(
  runtime: Runtime,
  found: FoundSettings,
  limitMs: number,
): Promise<CheckContext> {
  const way = await openCheckedNetwork(runtime, found, limitMs);
  const { network } = way;
  const addresses = (["base_url", "campaigns_base_url"] as const).map((which) =>
    readAddress(which, { found, network }),
  );
  const services = addresses.flatMap(({ service }) => service ?? []);
  // An environment that accepts any certificate matters only for other machines.
  const [certificates] = services.flatMap(
    ({ address }) => tryOrFail("certificates", () => network.check(address.origin)).row ?? [],
  );
  const proxy = checkProxy(services, network);
  return { runtime, limitMs, found, addresses, proxy, certificates, ...way };
}

/** The first row that keeps bpos from asking the address; undefined when nothing does. */
export function findObstacle(
  { row, service }: CheckedAddress,
  { proxy, certificates, caFile, clientCert }: CheckContext,
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
