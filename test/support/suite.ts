import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { isSoak } from "./soak.ts";

const memory = "/dev/shm";
const enough = 1024 ** 3;
let folder: string | undefined;
let began: number;

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

/** Before all tests: chooses the seed, and puts temporary folders into memory, since on a disk each step of a journal waits for it. */
export function setup(): void {
  began = performance.now();
  process.env["BPOS_SEED"] ??= String(isSoak ? Date.now() % 2 ** 31 : 1);
  if (process.env["TMPDIR"] !== undefined || !isFit()) return;
  folder = mkdtempSync(`${memory}/bpos-suite-`);
  // Some tests run as a user who owns nothing.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
}

/** The middle one of seven starts of Node.js, in milliseconds: what the time of the suite is to be compared with. */
function startOfNode(): number {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[3]!;
}

/** After all tests: removes what `setup` made, and tells the seed and the time. */
export function teardown(): void {
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  process.stdout.write(
    `${isSoak ? "soak" : "tests"} ${seconds} s, where \`node -e 0\` takes ${startOfNode().toFixed(0)} ms; BPOS_SEED=${process.env["BPOS_SEED"]}\n`,
  );
}
