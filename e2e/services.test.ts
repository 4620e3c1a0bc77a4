import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taskArgv } from "../test/maintenance/service/readers.ts";
import { root, temporaryFolder } from "../test/support/run.ts";
import { seed, sized } from "../test/support/soak.ts";
import { ordinaryUser } from "./support/postgres-server.ts";

const run = promisify(execFile);
const analyze = "/usr/bin/systemd-analyze";
const isInstalled = existsSync(analyze);

async function print(kind: string, words: readonly string[]): Promise<string> {
  const argv = [join(root, "bin/bpos.js"), "service", "print", kind, "--", ...words];
  return (await run(process.execPath, argv)).stdout;
}

/** The command lines of units as systemd has read them, by their descriptions, before it replaces `$$`. */
function readDump(dump: string): string[][] {
  return dump
    .split("Command Line: ")
    .slice(1)
    .map((text) => {
      const words: string[] = [];
      // A word that has anything special in it is quoted, as for a shell but for line breaks and tabs.
      const word = /(?:"((?:\\.|[^"\\])*)"|([^\s"]+))( |\n)/gy;
      const signs: Record<string, string> = { n: "\n", t: "\t" };
      for (let found = word.exec(text); found !== null; found = word.exec(text)) {
        words.push(found[2] ?? (found[1] ?? "").replace(/\\(.)/g, (_, sign: string) => signs[sign] ?? sign));
        if (found[3] === "\n") break;
      }
      return words;
    });
}

const part = fc.constantFrom(
  ...[
    "%h",
    "%%",
    "$HOME",
    "$",
    "{x}",
    ";",
    "\\",
    '"',
    "'",
    " ",
    "\n",
    "\t",
    "&",
    "<",
    "é",
    "😀",
    "#",
    "=",
    "a",
  ],
);
const word = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
const program = [process.execPath, join(root, "bin/bpos.js")];

function trySystemd(): void {
  it.each([
    ["orders watch --all-profiles --out-dir /srv/orders -q"],
    ["orders watch -q --printer"],
    ["orders watch -q --printer file:/dev/usb/lp0 --out-dir /tmp/orders"],
    ["orders watch --once --out-dir /home/ana/orders"],
    ["catalog push /srv/prices.csv --rejected /srv/rejected.csv --max-price-change 50%"],
    ["campaign listen --exec /usr/local/bin/reply"],
  ])("has nothing to say of a unit for `%s`, and finds it well confined", async (line) => {
    const file = join(temporaryFolder(), "bpos-test.service");
    await writeFile(file, await print("systemd", line.split(" ")));
    expect(await run(analyze, ["verify", "--man=no", file])).toEqual({ stdout: "", stderr: "" });
    const { stdout } = await run(analyze, ["security", "--offline=true", "--no-pager", file]);
    const [, exposure] = /Overall exposure level for \S+: (\d+\.\d)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(3);
    expect(Number(exposure)).toBeGreaterThan(0);
  });

  it("reads the words of the command as they were given", async () => {
    const lines = fc
      .sample(word, { seed, numRuns: sized(20, 300) })
      .map((exec) => ["orders", "watch", "--exec", exec]);

    const folder = temporaryFolder();
    const runtime = join(folder, "run");
    await mkdir(runtime);
    await chmod(folder, 0o755);
    const user = ordinaryUser();
    if (user.uid !== undefined) await chown(runtime, user.uid, user.gid ?? user.uid);
    const names = lines.map((_, n) => `bpos-${n}.service`);
    for (const [n, line] of lines.entries())
      await writeFile(join(folder, names[n]!), await print("systemd", line));
    await writeFile(
      join(folder, "bpos.target"),
      `[Unit]\nDefaultDependencies=no\nWants=${names.join(" ")}\n`,
    );

    // It only tells what it would do, as a user who may do nothing.
    const env = { XDG_RUNTIME_DIR: runtime, HOME: runtime, SYSTEMD_UNIT_PATH: `${folder}:` };
    const argv = ["--test", "--user", "--unit=bpos.target"];
    const { stdout } = await run("/lib/systemd/systemd", argv, {
      ...user,
      env,
      cwd: "/",
      maxBuffer: 2 ** 26,
    });
    const started = readDump(stdout)
      .filter((words) => words.includes("--exec"))
      .map(([program, ...rest]) => [program, ...rest.map((word) => word.replaceAll("$$", "$"))]);
    const expected = lines.map((line) => [...program, ...line]);
    expect(started.map((words) => JSON.stringify(words)).sort()).toEqual(
      expected.map((words) => JSON.stringify(words)).sort(),
    );
  });
}

if (isInstalled) describe("systemd", trySystemd);
else it("NOT TRIED with systemd, which is not installed (Debian: apt install systemd)", () => undefined);

/** Reads both with the parsers of Python. */
const python = `
import plistlib, sys, json, xml.etree.ElementTree as tree
plist = plistlib.load(open(sys.argv[1], "rb"))
task = tree.parse(sys.argv[2]).getroot()
ns = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
print(json.dumps([plist, [each.text for each in task.find("t:Actions/t:Exec", ns)]]))`;

const hasPython = await run("python3", ["-c", ""]).then(
  () => true,
  () => false,
);
if (hasPython)
  it("Python reads the property list and the task", async () => {
    for (const exec of fc.sample(word, { seed, numRuns: sized(5, 50) })) {
      const line = ["orders", "watch", "--exec", exec];
      const [plist, task] = ["a.plist", "a.xml"].map((name) => join(temporaryFolder(), name)) as [
        string,
        string,
      ];
      await writeFile(plist, await print("launchd", line));
      const xml = await print("task", line);
      await writeFile(task, xml);
      const { stdout } = await run("python3", ["-c", python, plist, task]);
      const [agent, action] = JSON.parse(stdout) as [Record<string, unknown>, string[]];
      expect(agent).toMatchObject({ RunAtLoad: true, KeepAlive: { SuccessfulExit: false } });
      expect(agent["ProgramArguments"]).toEqual([...program, ...line]);
      expect(action).toEqual([process.execPath, taskArgv(xml).line]);
    }
  });
else it("NOT TRIED with Python, which is not installed", () => undefined);
