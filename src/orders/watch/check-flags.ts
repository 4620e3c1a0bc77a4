import { exclusive, needsFlag, onlyGiven } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readWantedMock } from "../../cli/session/branches.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import type { WatchFlags } from "./command.ts";

const defaultIntervalMs = 60_000;
const rehearsalIntervalMs = 3_000;
const politeIntervalMs = 10_000;

/** Returns the time between two polls, in milliseconds. Throws `usage_flag` where it is too short for a real service. */
export function readInterval(runtime: Runtime, flags: WatchFlags): number {
  const mock = readWantedMock(runtime);
  const isRehearsal = mock === "embedded" || (mock !== undefined && isLoopback(mock.hostname));
  const intervalMs = flags.interval ?? (isRehearsal ? rehearsalIntervalMs : defaultIntervalMs);
  if (intervalMs < politeIntervalMs && mock === undefined && flags.force !== true && flags.once !== true)
    throw new BposError("usage_flag", { problem: { kind: "interval_impolite" } });
  return intervalMs;
}

/** Throws `usage_flag` for flags that exclude or need others. */
export function checkFlags(runtime: Runtime, flags: WatchFlags): void {
  if (flags.allProfiles === true && runtime.flags.apiKeyFile !== undefined)
    throw exclusive("--all-profiles", "--api-key-file");
  if (flags.standby === true && flags.once === true) throw exclusive("--standby", "--once");
  if (flags.health !== undefined && flags.once === true) throw exclusive("--health", "--once");
  if (flags.maxAge !== undefined && flags.health === undefined && flags.ping === undefined)
    throw needsFlag("--max-age", "--health");
  if (flags.outageAfter !== undefined && flags.onFailure === undefined)
    throw needsFlag("--outage-after", "--on-failure");
  if (flags.exec === undefined && flags.execTimeout !== undefined)
    throw needsFlag("--exec-timeout", "--exec");

  const { paper, printerLanguage, drawer, beep } = flags;
  const ofPrinter = { paper, "printer-language": printerLanguage, drawer, beep };
  const [lost] = Object.keys(onlyGiven(ofPrinter));
  if (flags.printer === undefined && lost !== undefined) throw needsFlag(`--${lost}`, "--printer");
  if (flags.exec === undefined && flags.execChanges === true) throw needsFlag("--exec-changes", "--exec");
}
