import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, statfsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { afterwards } from "./afterwards.ts";

const memory = "/dev/shm";
const enough = 1024 ** 3;
const isSoak = process.env["BPOS_SOAK"] === "1";
const seed = Number(process.env["BPOS_SEED"] ?? (isSoak ? Date.now() % 2 ** 31 : 1));
const outside = { ...process.env };
let remove = (): Promise<void> => Promise.resolve();
let began: number;

declare module "vitest" {
  interface ProvidedContext {
    /** `npm run test:soak`: everything in full. */
    soak: boolean;
    /** The seed of every random test: always the same for `npm test`, another for each soak; set BPOS_SEED to repeat one. */
    seed: number;
  }
}

/** Returns whether there is a file system in memory with room in which programs may run, which many containers forbid. */
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

/** Before all tests: tells them size and seed, and puts temporary folders into memory, since on a disk each step of a journal waits for it. */
export function setup(project: TestProject): void {
  began = performance.now();
  project.provide("soak", isSoak);
  project.provide("seed", seed);
  // The commands that tests start must not see them.
  delete process.env["BPOS_SOAK"];
  delete process.env["BPOS_SEED"];
  // Node reads all of them at each start and for each TLS server; no test is about those of this machine.
  delete process.env["NODE_EXTRA_CA_CERTS"];
  if (process.env["TMPDIR"] !== undefined || !isFit()) return;
  const folder = mkdtempSync(`${memory}/bpos-suite-`);
  // A process that a test started may still write to it.
  remove = afterwards('until rm -rf "$0"; do sleep 0.1; done', folder);
  // Some tests run as a user who owns nothing.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
}

/** The middle one of seven starts of Node.js, in milliseconds: what the time of the suite is to be compared with. */
function startOfNode(): number {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    spawnSync(process.execPath, ["-e", "0"], { env: outside });
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[3]!;
}

/** After all tests: removes what `setup` made, and tells the seed and the time. */
export async function teardown(): Promise<void> {
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  await remove();
  process.stdout.write(
    `${isSoak ? "soak" : "tests"} ${seconds} s, where \`node -e 0\` takes ${startOfNode().toFixed(0)} ms; BPOS_SEED=${seed}\n`,
  );
}
