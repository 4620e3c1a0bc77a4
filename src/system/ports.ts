import { readdir, readFile, readlink } from "node:fs/promises";

const listening = "0A";

/** The inodes of the sockets that listen on a port of this machine. */
async function socketsOn(port: number): Promise<Set<string>> {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  const tables = await Promise.all(["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8")));
  const rows = tables.flatMap((table) => table.split("\n")).map((line) => line.trim().split(/\s+/));
  const ours = rows.filter(([, local, , state]) => local?.endsWith(`:${wanted}`) && state === listening);
  return new Set(ours.map((row) => `socket:[${row[9]}]`));
}

async function holdsAny(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return links.some((link) => sockets.has(link));
}

/** The process that listens on a port, where Linux tells this user; else undefined. */
export async function findListener(port: number): Promise<number | undefined> {
  try {
    const sockets = await socketsOn(port);
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    for (const pid of pids) if (await holdsAny(pid, sockets)) return Number(pid);
  } catch {
    // There is no /proc.
  }
  return undefined;
}
