import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";

const memory = "/dev/shm";
const enough = 1024 ** 3;
let folder: string | undefined;

/** Whether there is a file system in memory with room, and programs in it may run, which it forbids in many containers. */
function isFit(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
    const mount = mounts.map((line) => line.split(" ")).findLast(([, place]) => place === memory);
    return bavail * bsize >= enough && mount?.[3]?.split(",").includes("noexec") === false;
  } catch {
    return false;
  }
}

/** Puts the temporary folders of all tests into memory where that can be: on a disk, each step of a journal waits for it. */
export function setup(): void {
  if (process.env["TMPDIR"] !== undefined || !isFit()) return;
  folder = mkdtempSync(`${memory}/bpos-suite-`);
  // Some tests run as a user who owns nothing.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
}

/** Removes what `setup` made. */
export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
