import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import gt from "semver/functions/gt.js";
import valid from "semver/functions/valid.js";
import { folders, type Machine } from "../../settings/folders.ts";
import { isExposed } from "../../settings/rights.ts";
import { version } from "../../version.ts";
import { openNotices } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";

const dayMs = 24 * 60 * 60_000;

/** What is known of newer versions; the times are epoch milliseconds. */
interface Known {
  latest?: string;
  asked_at?: number;
  said_at?: number;
}

export const isNewer = (latest: string): boolean => gt(latest, version);

const fileOf = (machine: Machine): string => join(folders(machine).cache, "update.json");

/** Nothing where the file is missing or cannot be used. */
function readKnown(machine: Machine): Known {
  const file = fileOf(machine);
  try {
    if (isExposed(file, machine)) return {};
    const { latest, ...times } = JSON.parse(readFileSync(file, "utf8")) as Known;
    return typeof latest === "string" && valid(latest) === latest ? { latest, ...times } : times;
  } catch {
    return {};
  }
}

/** Returns whether it could be kept. */
function keep(machine: Machine & { pid: number }, news: Known): boolean {
  const file = fileOf(machine);
  const part = `${file}.${machine.pid}`;
  try {
    if (isExposed(file, machine)) return false;
    for (const folder of [dirname(dirname(file)), dirname(file)])
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    writeFileSync(part, `${JSON.stringify({ ...readKnown(machine), ...news })}\n`, { mode: 0o600 });
    renameSync(part, file);
    return true;
  } catch {
    return false;
  }
}

export const keepLatest = (machine: Machine & { pid: number }, latest: string): boolean =>
  keep(machine, { latest });

/**
 * Asks for the newest version at most once a day, in a process of its own: nothing waits for it, not even for a name that
 * nobody resolves. Returns what says at the end of the command, at most once a day, that a newer one is known. Never throws.
 */
export function offerUpdate({ system, flags, texts }: Runtime): () => Promise<void> {
  const isOld = (at = Number.NEGATIVE_INFINITY): boolean => {
    const ageMs = system.clock.now() - at;
    // A clock that was set back must not silence it.
    return !(Math.abs(ageMs) < dayMs);
  };
  if (isOld(readKnown(system).asked_at) && keep(system, { asked_at: system.clock.now() })) {
    const { caFile } = flags;
    const trust = caFile === undefined ? [] : ["--ca-file", resolve(system.cwd, caFile)];
    system.startAlone(["upgrade", "--check", "--quiet", ...trust]);
  }
  return async () => {
    const { latest, said_at } = readKnown(system);
    if (latest === undefined || !isNewer(latest) || !isOld(said_at)) return;
    if (keep(system, { said_at: system.clock.now() }))
      await openNotices(system, false).notice(texts.upgrade.known(latest, version));
  };
}
