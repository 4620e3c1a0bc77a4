import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zip } from "fflate";
import { create } from "tar";
import { epoch } from "./about.ts";

/** The paths of all files below a folder, in one order everywhere. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();

/** A `.tar.gz` of the folder `name` in `parent`, with nothing of this machine in it: no user, no times but that of the commit. */
export async function writeTar(parent: string, name: string, file: string): Promise<void> {
  const files = filesBelow(join(parent, name)).map((path) => `${name}/${path}`);
  const mtime = new Date(epoch * 1_000);
  await create({ cwd: parent, file, portable: true, mtime, gzip: { level: 9 } }, files);
}

/** The same as a `.zip`. */
export async function writeZip(parent: string, name: string, file: string): Promise<void> {
  // A zip stores local times, so UTC is passed as local time.
  const mtime = new Date(epoch * 1_000);
  mtime.setMinutes(mtime.getMinutes() + mtime.getTimezoneOffset());
  const files = filesBelow(join(parent, name)).map((path) => `${name}/${path}`);
  const entries = files.map((path) => [path, readFileSync(join(parent, path))] as const);
  const bytes = await new Promise<Uint8Array>((resolve, reject) =>
    zip(Object.fromEntries(entries), { level: 9, mtime }, (error, data) =>
      error === null ? resolve(data) : reject(error),
    ),
  );
  writeFileSync(file, bytes);
}
