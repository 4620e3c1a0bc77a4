import { type Bench, median, npm, path, run } from "./support.ts";

/** Milliseconds of `node -e 0` on the machine for which the tests' bound was set. */
const referenceMs = 36;
const npmHome = { HOME: process.env["HOME"] ?? "" };

const install: Bench = {
  name: "install",
  rows: [{ name: "ci", operation: "npm ci, fresh clone of HEAD, warm cache", unit: "s", target: 15 }],
  *measure(world) {
    const clone = (): string => {
      const folder = world.newFolder();
      run({ argv: ["git", "clone", "-q", path(".."), folder], env: npmHome });
      return folder;
    };
    // The first one warms the cache, with the settings that the registry needs.
    const lack = npm(["ci", "--no-audit", "--no-fund"], clone());
    if (lack !== undefined) throw new Error(lack);
    const { ci } = world.interleave(world.rounds(3), {
      ci: () => run({ argv: ["npm", "ci", "--no-audit", "--no-fund"], env: npmHome, cwd: clone() }),
    });
    yield ["ci", ci.seconds];
  },
};

const test: Bench = {
  name: "test",
  isAsked: true,
  rows: [{ name: "scaled", operation: `npm test, were node -e 0 ${referenceMs} ms`, unit: "s", target: 60 }],
  *measure(world) {
    const before = world.idle.length;
    for (let n = 0; n < 5; n += 1) world.idles();
    const { seconds } = run({ argv: ["npm", "test"], env: npmHome, cwd: path("..") });
    for (let n = 0; n < 5; n += 1) world.idles();
    yield ["scaled", (seconds * referenceMs) / (median(world.idle.slice(before)) * 1000)];
  },
};

export const project: readonly Bench[] = [install, test];
