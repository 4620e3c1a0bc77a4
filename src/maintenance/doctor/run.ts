import type { GlobalFlags } from "../../cli/command-line.ts";
import { badgeOf, type Output, openOutput } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Network, openNetwork } from "../../cli/session.ts";
import { openTracing } from "../../cli/trace.ts";
import type { Check } from "../../errors.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { type CheckContext, examine } from "./checks.ts";
import { exitOf, failedBy, passed } from "./rows.ts";
import type { Asking } from "./service.ts";
import { findSettings } from "./settings-check.ts";
import { checkJson, doctorRows, doctorSummary, doctorTitle } from "./view.ts";

/** A person waits; what takes longer than this does not work. */
const defaultLimitMs = 5_000;

async function wayOut(
  runtime: Runtime,
  flags: GlobalFlags & { timeout: number },
): Promise<{ network: Network; caFile: Check | undefined }> {
  const { caFile: file } = flags;
  try {
    const network = await openNetwork(runtime, flags);
    const caFile = file === undefined ? undefined : passed("ca_file", { kind: "ca_file_good", file });
    return { network, caFile };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    const network = await openNetwork(runtime, { ...flags, caFile: undefined });
    return { network, caFile: failedBy("ca_file", error as BposError) };
  }
}

/** Writes the rows as they become known; with --quiet a person reads only what is not well. */
async function report(output: Output, groups: AsyncIterable<readonly Check[]>): Promise<readonly Check[]> {
  const { format, quiet, ui } = output;
  const checks: Check[] = [];
  const isShown = ({ status }: Check): boolean => !quiet || status !== "pass";
  if (format === "table" && !quiet) await output.data(doctorTitle(ui));
  for await (const group of groups) {
    checks.push(...group);
    if (format === "ndjson") for (const check of group) await output.document(checkJson(check));
    else if (format === "table") await output.data(doctorRows(group.filter(isShown), ui));
  }
  const exit = exitOf(checks);
  if (format === "json") await output.document({ ok: exit === "ok", checks: checks.map(checkJson) });
  else if (format === "table" && !quiet) await output.data(doctorSummary(checks, exitCodes[exit], ui));
  return checks;
}

function askingOf({ runtime, found, network, limitMs }: CheckContext): Asking {
  const { system, signal } = runtime;
  const { dispatcher, proxies } = network;
  const { baseUrl, campaignsBaseUrl, profile = null } = found.settings;
  const address = baseUrl ?? campaignsBaseUrl ?? "";
  return {
    signal,
    keyProfile: profile,
    optionsWith(apiKey) {
      // What is written about requests hides the key; without one there is nothing to hide.
      const of = { apiKey: apiKey || "\0", address, proxies };
      const { wouldCall: _, ...tracing } = openTracing(runtime, of);
      const { clock, random } = system;
      return { apiKey, dispatcher, clock, random, timeoutMs: limitMs, retries: 0, ...tracing };
    },
  };
}

export async function doctor(runtime: Runtime): Promise<void> {
  const { flags } = runtime;
  const limitMs = flags.timeout ?? defaultLimitMs;
  const found = await findSettings(runtime);
  const { settings, mock } = found;
  const { locale, currency, sandbox } = settings;
  const badge = badgeOf({ isMock: mock !== undefined, sandbox });
  const look = { money: { locale, currency }, badge } as const;
  const output = openOutput(runtime, ["table", "json", "ndjson"], look);
  const { network, caFile } = await wayOut(runtime, { ...flags, timeout: limitMs });
  try {
    const context = { runtime, found, network, caFile, limitMs };
    const checks = await report(output, examine(context, askingOf(context)));
    runtime.exitCode = exitCodes[exitOf(checks)];
  } finally {
    await network.dispatcher.destroy();
    await found.close().catch(() => undefined);
  }
}
