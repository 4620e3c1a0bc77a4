import { type Output, openOutput } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Check } from "../../errors/findings.ts";
import { BposError, exitCodes, isReason } from "../../errors.ts";
import { branchId } from "../../journal/records/branches.ts";
import { folders } from "../../settings/folders.ts";
import { type CheckContext, findObstacle, openContext } from "./context.ts";
import { checkJournal } from "./journal.ts";
import { checkDisk, checkNode, checkPrinters } from "./machine.ts";
import { checkClock, unvisited, type Visit, visitService } from "./service.ts";
import { checkKey, findSettings } from "./settings.ts";
import { formatChecks, formatSummary, formatTitle, toCheckJson } from "./view.ts";

export async function doctor(runtime: Runtime): Promise<void> {
  const found = await findSettings(runtime);
  const { locale, currency, sandbox } = found.settings;
  const badge = chooseBadge({ isMock: found.mock !== undefined, sandbox });
  const output = openOutput(runtime, ["table", "json", "ndjson"], { money: { locale, currency }, badge });
  const context = await openContext(runtime, found, runtime.flags.timeout ?? defaultLimitMs);
  try {
    runtime.exitCode = await report(output, context);
  } catch (error) {
    if (!isReason(error, "interrupted")) throw error;
    throw new BposError("interrupted", { during: "look" }, { cause: error });
  } finally {
    await context.network.dispatcher.destroy();
    await found.close().catch(() => undefined);
  }
}

/** A person waits: anything slower than this counts as broken. */
const defaultLimitMs = 5_000;

/** The checks in the sequence of their rows: later ones need the key, and the answers of the service. */
async function* runChecks(context: CheckContext): AsyncGenerator<readonly Check[]> {
  const { runtime, found, caFile, clientCert, certificates, addresses, proxy } = context;
  const { system } = runtime;
  yield [checkNode(system.nodeVersion), found.config, found.profile];

  const { key, row: keyRow } = await checkKey(context);
  yield [keyRow, caFile, clientCert, certificates].filter((row) => row !== undefined);

  const visits: Visit[] = [];
  for (const address of addresses) {
    const visit = await visitAddress(address, context, { visits, key });
    if (visit !== undefined) visits.push(visit);
    yield [address.row, ...(visit?.rows ?? [])];
  }
  yield [proxy, ...visits.map(({ access }) => access), checkClock(visits, system.clock.now())];

  yield* checkPrinters(context);
  yield await checkJournal(context, branchIds(context, { visits, key }));
  yield [await checkDisk(folders(system).state)];
}

/** The visits so far, and the key. */
interface Learned {
  visits: readonly Visit[];
  key: string | undefined;
}

/** Asks an address, unless another row keeps bpos from it; undefined where there is nothing to ask. */
async function visitAddress(
  address: CheckContext["addresses"][number],
  context: CheckContext,
  { visits, key }: Learned,
): Promise<Visit | undefined> {
  const { which, service } = address;
  const obstacle = findObstacle(address, context);
  if (obstacle !== undefined) return unvisited(which, obstacle.name);
  if (service === undefined) return undefined;

  const before = visits.find(({ origin }) => origin === service.address.origin);
  return visitService(service, before, context, key);
}

/** Returns the ids of the branch in the journal, one for each address; none where its key is not known. */
function branchIds({ addresses }: CheckContext, { visits, key: apiKey }: Learned): string[] {
  if (apiKey === undefined) return [];
  const [world] = visits.flatMap(({ heard }) => heard?.world ?? []);
  const services = addresses.flatMap(({ service }) => service ?? []);
  return services.map(({ address: { origin, path } }) => branchId({ address: origin + path, world, apiKey }));
}

/** Shows each row once it is known, and returns the exit code: that of the first check that failed. */
async function report(output: Output, context: CheckContext): Promise<number> {
  const { format, quiet, ui } = output;
  const checks: Check[] = [];
  if (format === "table" && !quiet) await output.data(formatTitle(ui));

  for await (const group of runChecks(context)) {
    checks.push(...group);
    if (format === "ndjson") {
      for (const check of group) await output.document(toCheckJson(check));
    } else if (format === "table") {
      const shown = quiet ? group.filter(({ status }) => status !== "pass") : group;
      await output.data(formatChecks(shown, ui));
    }
  }

  const exit = exitCodes[checks.find((check) => check.status === "fail")?.exit ?? "ok"];
  if (format === "table" && !quiet) await output.data(formatSummary(checks, exit, ui));
  if (format === "json")
    await output.document({ ok: exit === exitCodes.ok, checks: checks.map(toCheckJson) });
  return exit;
}
