// `npm run test:release`: makes a release on trial and tests it; `-- --made` tests what is there already.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const flags = process.argv.slice(2);
const parts = [];

/** Runs a part and notes its time; the next ones run all the same, unless they need it. */
function run(name, command, line, env = {}) {
  const start = performance.now();
  const { status } = spawnSync(command, line, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  parts.push(`${name} ${((performance.now() - start) / 1_000).toFixed(0)} s${status === 0 ? "" : " FAILED"}`);
  if (status !== 0) process.exitCode = 1;
  return status === 0;
}

/** Packages of Debian that the tests need, by a file of each. */
const needed = {
  debootstrap: "/usr/sbin/debootstrap",
  "qemu-user-static": "/usr/bin/qemu-aarch64-static",
  "libstdc++6-arm64-cross": "/usr/aarch64-linux-gnu/lib/libstdc++.so.6",
  lintian: "/usr/bin/lintian",
  "man-db": "/usr/bin/man",
};

function install() {
  const missing = Object.keys(needed).filter((name) => !existsSync(needed[name]));
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const line = ["install", "--yes", "--no-install-recommends", ...missing];
  run("apt-get update", "apt-get", ["update", "-qq"], env);
  // A package that cannot be installed is a test that says so.
  if (!run("apt-get install", "apt-get", line, env)) process.exitCode = 0;
}

const vitest = (name, config, more, env) =>
  run(name, process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--config", config, ...more], env);

function test() {
  const config = "test/release/vitest.config.ts";
  vitest("speed", config, ["speed"]);
  vitest("files, npm, deb, arm64", config, ["--exclude", "**/speed.test.ts"]);

  const folder = mkdtempSync(join(tmpdir(), "bpos-executable-"));
  // Some tests run as a user who owns nothing.
  chmodSync(folder, 0o755);
  try {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const base = `bpos-${version}-linux-x64`;
    run("unpack", "tar", ["-xzf", `release/${base}.tar.gz`, "-C", folder]);
    const env = { BPOS_TEST_EXECUTABLE: join(folder, base, "bpos") };
    vitest("executable", "test/release/executable.config.ts", [], env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

install();
const isMade =
  flags.includes("--made") || run("release", "npm", ["run", "--silent", "release", "--", "--trial"]);
if (isMade) test();
process.stdout.write(`test:release: ${parts.join(", ")}\n`);
