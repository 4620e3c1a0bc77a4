import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readXml } from "../../src/input/files/workbook.ts";
import { root, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

const read = (path: string, encoding: "utf8" | "utf16le" = "utf8") =>
  readFileSync(join(root, "docs", path), encoding);

/** Runs a watch of the docs once, for a profile of a mock: bpos takes the line, and each order is in its folder. */
async function watchOnce(words: readonly string[]): Promise<void> {
  const { mock, env } = await service();
  const home = temporaryFolder();
  const profile = {
    api_key: env["BPOS_API_KEY"],
    base_url: mock.baseUrl,
    campaigns_base_url: mock.campaignsBaseUrl,
  };
  const profiles = { default: "centro", profiles: { centro: profile } };
  writeFileSync(join(home, "config.json"), JSON.stringify(profiles), { mode: 0o600 });

  const orders = join(home, "orders");
  const line = words.with(words.indexOf("--out-dir") + 1, orders);
  const run = await shell({ env: { BPOS_HOME: home } })([...line, "--once"]);
  expect(run).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(
    readdirSync(orders, { recursive: true }).filter((name) => /\.json$/.test(String(name))),
  ).toHaveLength(4);
}

it.each([
  ["kubernetes.yaml", /^ *args: (\[.*\])$/m, ["/livez", "/healthz"]],
  ["compose.yaml", /^ *command: (\[.*\])$/m, ["/healthz"]],
])(
  "docs/operations/%s runs a command that bpos takes, and asks for its health",
  async (name, form, paths) => {
    const text = read(`operations/${name}`);
    const words = JSON.parse(form.exec(text)?.[1] ?? "[]") as string[];
    const health = words.indexOf("--health");
    const [, port = ""] = /^0\.0\.0\.0:(\d+)$/.exec(words[health + 1] ?? "") ?? [];
    expect(new Set(text.match(/\b9\d{3}\b/g))).toEqual(new Set([port]));
    for (const path of paths) expect(text).toContain(path);

    words.splice(health, 2);
    await watchOnce(words);
  },
);

/** The text of each element of XML, by its name, in their sequence. Throws where it is not well-formed. */
function texts(xml: string): [name: string, text: string][] {
  const open: string[] = [];
  const found: [string, string][] = [];
  readXml(xml, {
    open: (name) => open.push(name),
    text(text) {
      if (text.trim() !== "") found.push([open.at(-1) ?? "", text]);
    },
    close: (name) => expect(name).toBe(open.pop()),
  });
  expect(open).toEqual([]);
  return found;
}

const installation = (comment: string | undefined): string[] => comment?.trim().split("\n") ?? [];

describe("docs/service/bpos-watch.service", () => {
  const unit = read("service/bpos-watch.service");
  const [, line = ""] = /^ExecStart=(bpos orders watch .*)$/m.exec(unit) ?? [];

  it("runs a watch that bpos takes, as a user of its own that keeps its state", async () => {
    expect(installation(unit.split("\n\n")[0])).toHaveLength(3);
    expect(line).toContain("--out-dir %S/bpos/orders -q");
    for (const setting of [
      ...["Wants=network-online.target", "After=network-online.target", "Restart=always", "RestartSec=10"],
      ...["SuccessExitStatus=130", "RestartPreventExitStatus=2 4 11", "User=bpos", "StateDirectory=bpos"],
      ...["StateDirectoryMode=0700", "Environment=BPOS_HOME=%S/bpos", "WantedBy=multi-user.target"],
    ])
      expect(unit).toContain(`\n${setting}\n`);
    await watchOnce(line.split(" ").slice(1));
  });

  const analyze = "/usr/bin/systemd-analyze";
  it.skipIf(!existsSync(analyze))("is verified by systemd without a word, and well confined", async () => {
    const file = join(temporaryFolder(), "bpos-watch.service");
    // The only word that depends on the machine.
    writeFileSync(
      file,
      unit.replace("ExecStart=bpos ", () => `ExecStart=${join(root, "bin/bpos.js")} `),
    );
    const run = promisify(execFile);
    expect(await run(analyze, ["verify", "--man=no", file])).toEqual({ stdout: "", stderr: "" });
    const { stdout } = await run(analyze, ["security", "--offline=true", "--no-pager", file]);
    const [, exposure] = /Overall exposure level for \S+: (\d+\.\d)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(3);
    expect(Number(exposure)).toBeGreaterThan(0);
  });
});

describe("docs/service/bpos-watch.plist", () => {
  const plist = read("service/bpos-watch.plist");
  const found = texts(plist);
  const [sh = "", , line = ""] = found
    .filter(([name]) => name === "string")
    .map(([, text]) => text)
    .slice(1);

  it("starts a watch at each log-in, and again unless it ended well", () => {
    const [, comment = ""] = /<!--(.*?)-->/s.exec(plist) ?? [];
    expect(installation(comment)).toHaveLength(3);
    expect(comment).not.toContain("--");
    expect(found).toContainEqual(["string", "bpos-watch"]);
    expect(plist).toMatch(/<key>RunAtLoad<\/key>\s*<true\/>/);
    expect(plist).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/);
    expect(plist).toMatch(/<key>ThrottleInterval<\/key>\s*<integer>60<\/integer>/);
    // 077: the log is for its user alone.
    expect(plist).toMatch(/<key>Umask<\/key>\s*<integer>63<\/integer>/);
  });

  it("runs a command that bpos takes, in place of the shell, with its log in the Library", async () => {
    const home = join(temporaryFolder(), "mar y sol");
    mkdirSync(join(home, "Library/Logs"), { recursive: true });
    writeFileSync(join(home, "bpos"), '#!/bin/sh\nprintf "%s\\n" "$@"; echo $$ >&2\n');
    chmodSync(join(home, "bpos"), 0o755);
    const env = { HOME: home, PATH: `${home}:/usr/bin:/bin` };
    const { pid, status } = spawnSync(sh, ["-c", line], { env });
    expect(status).toBe(0);
    const log = readFileSync(join(home, "Library/Logs/bpos-watch.log"), "utf8").trimEnd().split("\n");
    expect(log.pop()).toBe(String(pid));
    expect(log).toContain(join(home, "bpos-orders"));
    await watchOnce(log);
  });
});

describe("docs/service/bpos-watch.xml", () => {
  const task = read("service/bpos-watch.xml", "utf16le");
  const found = texts(task);

  it("is written as the Task Scheduler writes its own: UTF-16, with a mark and line ends of Windows", () => {
    expect(task).toMatch(/^\ufeff<\?xml version="1\.0" encoding="UTF-16"\?>\r\n/);
    expect(task.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    const [, comment = ""] = /<!--(.*?)-->/s.exec(task) ?? [];
    expect(installation(comment)).toHaveLength(3);
    expect(comment).not.toContain("--");
  });

  it("starts a watch with the machine, each minute while it does not run, without a limit", () => {
    expect(found).toEqual(
      expect.arrayContaining([
        ["UserId", "MACHINE\\user"],
        ["LogonType", "S4U"],
        ["RunLevel", "LeastPrivilege"],
        ["MultipleInstancesPolicy", "IgnoreNew"],
        ["DisallowStartIfOnBatteries", "false"],
        ["StopIfGoingOnBatteries", "false"],
        ["ExecutionTimeLimit", "PT0S"],
        ["Command", "C:\\bpos\\bpos.exe"],
      ]),
    );
    expect(task).toMatch(/<BootTrigger>\s*<Repetition>\s*<Interval>PT1M</);
  });

  it("runs a command that bpos takes", async () => {
    const [, line = ""] = found.find(([name]) => name === "Arguments") ?? [];
    expect(line).toContain("--out-dir C:\\Pedidos -q");
    await watchOnce(line.split(" "));
  });
});
