import { constants } from "node:fs";
import { access, mkdtemp, rmdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { neededPrinter } from "../../cli/line/printer-flags.ts";
import type { Check, Finding } from "../../errors/findings.ts";
import { BposError } from "../../errors.ts";
import { installedForm } from "../../own-files.ts";
import { reachPrinter, type Station, toStations } from "../../printing/printing.ts";
import { version } from "../../version.ts";
import type { CheckContext } from "./context.ts";
import { fail, failBy, pass, tryOrFail, warn } from "./row.ts";

type Checked = Pick<CheckContext, "runtime" | "found" | "limitMs">;

/** The same as in package.json: a test compares them. */
const oldestNode = "20.19.0";

export function checkNode(node: string): Check {
  const isGood = node.localeCompare(oldestNode, "en", { numeric: true }) >= 0;
  const form = installedForm();
  const finding: Finding = { kind: "node", version: node, bpos: version, form, oldest: oldestNode };
  return isGood ? pass("node", finding) : fail("node", finding, "config");
}

/** Reaches the printer of the profile, or of a station. No row for a file or a queue of lp: they would keep or print whatever is sent. */
async function checkPrinter(
  { runtime: { system, signal }, found: { settings }, limitMs }: Checked,
  station: Station | undefined,
): Promise<Check[]> {
  if (station === undefined && settings.printer.url === undefined) return [];

  try {
    const { address, language } = neededPrinter({ printer: station?.printer }, settings, system.platform);
    if (address.kind !== "tcp") return [];

    await reachPrinter({ address, system, signal }, { language, limitMs });
    return [pass("printer", { kind: "printer", url: address.url, station: station?.name ?? null })];
  } catch (error) {
    if (!(error instanceof BposError) || error.reason === "interrupted") throw error;
    return [failBy("printer", error)];
  }
}

/** Checks the printer of the profile, then those of its stations, one after the other: two may share a printer. */
export async function* checkPrinters(context: Checked): AsyncGenerator<readonly Check[]> {
  const { stations: kept, profile } = context.found.settings;
  const { value: stations = [], row } = tryOrFail("printer", () => toStations(kept, profile));
  if (row !== undefined) yield [row];
  for (const station of [undefined, ...stations]) yield await checkPrinter(context, station);
}

/** With less free space than this, in bytes, a large push or a busy watch can stop in the middle. */
const littleSpace = 100 * 1024 * 1024;

async function findNearest(folder: string): Promise<string> {
  const above = dirname(folder);
  const found = await stat(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
  return found !== undefined || above === folder ? folder : findNearest(above);
}

export async function checkDisk(folder: string): Promise<Check> {
  try {
    const there = await findNearest(folder);
    const exists = there === folder;
    const { bavail, bsize, blocks } = await statfs(there);
    const free = blocks === 0 ? null : bavail * bsize;
    const finding: Finding = { kind: "disk", folder, free, exists };
    if (free === 0) return fail("disk", finding, "config");

    // If the folder does not exist yet, this checks its parent without writing.
    if (exists) await rmdir(await mkdtemp(join(there, "doctor-")));
    else await access(there, constants.W_OK);

    return free !== null && free < littleSpace ? warn("disk", finding) : pass("disk", finding);
  } catch (error) {
    return fail("disk", { kind: "disk_unwritable", folder, said: (error as Error).message }, "config");
  }
}
