// `node test/windows/runner.mjs PROGRAM WORD…` on a real Windows: what Wine 8 cannot show. `.github/workflows/windows.yml` runs it, which nobody has run yet.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const [program = "", ...first] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "bpos ñ "));
const env = { ...process.env, BPOS_HOME: join(folder, "home") };

function bpos(argv, codes = [0]) {
  const { status, stdout, stderr } = spawnSync(program, [...first, ...argv], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  assert.ok(codes.includes(status), `${argv.join(" ")}: ${status}\n${stdout}\n${stderr}`);
  return { stdout, stderr };
}

const checks = {
  "runs the tour": () => bpos(["demo", "--yes"]),

  "ends all that --exec started when its time is over": async () => {
    const code = 'setInterval(() => require("node:fs").writeFileSync("alive", String(Date.now())), 20)';
    writeFileSync(join(folder, "wait.cjs"), code);
    const exec = ["--exec", `"${process.execPath}" wait.cjs`, "--exec-timeout", "2s"];
    bpos(["--mock", "orders", "watch", "--once", "-q", ...exec], [0, 3, 6, 9]);
    const last = readFileSync(join(folder, "alive"), "utf8");
    await pause(1_000);
    assert.equal(readFileSync(join(folder, "alive"), "utf8"), last);
  },

  "reads a list from a share": () => {
    copyFileSync(new URL("../../fixtures/catalog.xlsx", import.meta.url), join(folder, "lista ñ.xlsx"));
    const share = join(folder, "lista ñ.xlsx").replace(/^([A-Z]):/i, String.raw`\\localhost\$1$$`);
    bpos(["catalog", "check", share, "--json"], [0, 3]);
  },

  "has a task that the scheduler takes": () => {
    const task = new URL("../../docs/service/bpos-watch.xml", import.meta.url);
    const user = execFileSync("whoami", { encoding: "utf8" }).trim();
    const text = readFileSync(task, "utf16le").replace("MACHINE\\user", () => user);
    assert.ok(text.includes(user));
    writeFileSync(join(folder, "bpos.xml"), text, "utf16le");
    execFileSync("schtasks", ["/Create", "/TN", "bpos-try", "/XML", join(folder, "bpos.xml")]);
    execFileSync("schtasks", ["/Delete", "/TN", "bpos-try", "/F"]);
  },

  "completes in PowerShell": () => {
    const script = bpos(["completion", "powershell"]).stdout;
    writeFileSync(join(folder, "bpos.ps1"), `\ufeff${script}`);
    const line = ". .\\bpos.ps1; 'loaded'";
    const said = execFileSync(
      "powershell.exe",
      ["-NoProfile", "-ExecutionPolicy", "Bypass", "-Command", line],
      { cwd: folder },
    );
    assert.match(said.toString(), /loaded/);
  },
};

for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`ok      ${name}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED  ${name}: ${error.message}`);
  }
}
