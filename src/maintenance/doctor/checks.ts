import { isLoopback } from "../../contract/public-host.ts";
import type { Check, Which } from "../../errors/doctor-check.ts";
import { BposError } from "../../errors.ts";
import { clockRow, diskRow, type JournalPlace, journalRows } from "./machine.ts";
import { unchecked } from "./rows.ts";
import {
  type KeyReading,
  type ServiceAddress,
  type ServiceMeans,
  unvisited,
  type Visit,
  visitService,
} from "./service.ts";

/** An address as the settings have it. */
export interface KnownAddress {
  row: Check;
  /** Undefined where the row says why it cannot be looked at, or that it is not needed. */
  service: ServiceAddress | undefined;
}

/** What is known before anybody is asked. */
export interface Patient {
  /** The rows of this machine and its settings, up to the key. */
  settings: readonly Check[];
  /** The row of `--ca-file`, where one is given; one that fails leaves https unchecked. */
  caFile: Check | undefined;
  /** The row of an environment that switches the check of certificates off; it leaves all but this machine unchecked. */
  certificates: Check | undefined;
  addresses: Readonly<Record<Which, KnownAddress>>;
  proxy: Check;
  stateFolder: string;
  /** `world`: of the mock that answered. */
  journal: (key: string | undefined, world: string | undefined) => JournalPlace;
}

const both = ["base_url", "campaigns_base_url"] as const;

/** The row that keeps an address from being looked at. */
function obstacle(
  { row, service }: KnownAddress,
  { caFile, certificates, proxy }: Patient,
): Check | undefined {
  if (service === undefined) return row;
  if (certificates !== undefined && !isLoopback(new URL(service.address.origin).hostname))
    return certificates;
  if (proxy.status === "fail") return proxy;
  return caFile?.status === "fail" && service.address.origin.startsWith("https:") ? caFile : undefined;
}

type Visits = Record<Which, Promise<Visit> | undefined>;

/** Begins to look at both addresses. One that is merely not set has no visit. */
function visitBoth(patient: Patient, means: ServiceMeans): Visits {
  const visits: Visits = { base_url: undefined, campaigns_base_url: undefined };
  for (const which of both) {
    const known = patient.addresses[which];
    const stop = obstacle(known, patient);
    const { service } = known;
    if (stop !== undefined || service === undefined) {
      if (stop?.status === "fail") visits[which] = Promise.resolve(unvisited(which, stop.name));
      continue;
    }
    const { base_url: other } = patient.addresses;
    const isSame = which !== "base_url" && other.service?.address.origin === service.address.origin;
    visits[which] = visitService(service, means, isSame ? visits.base_url : undefined);
  }
  return visits;
}

function clockOf(visits: readonly (Visit | undefined)[]): Check {
  const aheadMs = visits.flatMap((visit) => visit?.heard?.aheadMs ?? [])[0];
  if (aheadMs !== undefined) return clockRow(aheadMs);
  const known = visits.filter((visit) => visit !== undefined);
  const silent = known.flatMap(({ rows }) => rows.at(-1) ?? []);
  const answered = silent.some(({ finding }) => finding.kind === "http_good");
  const [first] = silent;
  if (answered) return clockRow(undefined);
  return unchecked(
    "clock",
    first?.finding.kind === "unchecked" ? first.finding.because : (first?.name ?? "base_url"),
  );
}

/**
 * Looks at everything that a command needs and yields the rows in their order, a group as soon as it is known; what does not
 * depend on one another is looked at side by side. Throws `interrupted`.
 */
export async function* examine(patient: Patient, means: ServiceMeans): AsyncGenerator<readonly Check[]> {
  const goOn = (): void => {
    if (means.signal.aborted) throw new BposError("interrupted", { during: "look" });
  };
  const disk = diskRow(patient.stateFolder);
  const visits = visitBoth(patient, means);
  // Whoever is not waited for because of Ctrl-C may fail without anybody minding.
  void Promise.allSettled([means.key, ...Object.values(visits)]);
  yield patient.settings;
  const orStopped = (error: unknown): never => {
    goOn();
    throw error;
  };
  const reading: KeyReading = await means.key.catch(orStopped);
  yield [reading.row, patient.caFile, patient.certificates].filter((row) => row !== undefined);
  for (const which of both) {
    const visit = await visits[which]?.catch(orStopped);
    goOn();
    yield [patient.addresses[which].row, ...(visit?.rows ?? [])];
  }
  yield [patient.proxy];
  const done = await Promise.all([visits.base_url, visits.campaigns_base_url]);
  yield done.flatMap((visit) => visit?.access ?? []);
  yield [clockOf(done)];
  yield journalRows(patient.journal(reading.key, done.flatMap((visit) => visit?.heard?.world ?? [])[0]));
  yield [await disk];
}
