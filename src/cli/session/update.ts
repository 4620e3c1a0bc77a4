import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import gt from "semver/functions/gt.js";
import valid from "semver/functions/valid.js";
import { folders, type Machine } from "../../settings/folders.ts";
import { isExposed } from "../../settings/rights.ts";
import { version } from "../../version.ts";

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
