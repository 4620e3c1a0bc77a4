import { spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { fileOf } from "../support/push.ts";
import { fixture, type Run, root, runBinary, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

it("runs in an environment that holds next to nothing, without HOME or a terminal", async () => {
  const { env, mock } = await service({ scenario: "empty" });
  const file = fileOf("codigo,nombre,precio", "A,Agua,1.50", "B,Bife,2.50");
  const folder = temporaryFolder();
  const bare = { ...env, PATH: "", XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const argv = ["catalog", "push", file, "--changed-only", "-q"];
  for (let n = 0; n < 2; n++)
    expect(await runBinary(argv, { env: bare })).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await mock.control.catalog("demo")).toHaveLength(2);
});

/** A user whom the machine does not know, and who has no home. */
const nobody = { uid: 54_321, gid: 54_321 };

/** Runs the real binary as cron would: nothing on standard input, PATH alone but for what is given. */
function cronRun(
  argv: string[],
  { env = {}, cwd = "/", as = {} }: CronPlace,
): Promise<Run & { signal: string | null }> {
  const child = spawn(process.execPath, [join(root, "bin/bpos.js"), ...argv], {
    ...{ cwd, ...as, env: { PATH: process.env["PATH"], ...env } },
    stdio: ["ignore", "pipe", "pipe"],
    // Whoever waits for an answer would wait for ever.
    timeout: 30_000,
  });
  const written = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (written.stderr += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code: code ?? -1, signal, ...written }));
  });
}

interface CronPlace {
  env?: Record<string, string>;
  cwd?: string;
  as?: object;
}

const mayBecomeNobody =
  process.getuid?.() === 0 && (await cronRun(["--version"], { as: nobody })).code === exitCodes.ok;

/** A working folder that cannot be written, and a user without a home; who may not become one gets a home that cannot be. */
function readOnlyPlace(): CronPlace {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "file"), "");
  chmodSync(cwd, 0o555);
  return mayBecomeNobody ? { cwd, as: nobody } : { cwd, env: { BPOS_HOME: join(cwd, "file", "home") } };
}

const prices = fixture("catalog.csv");
const send = ["campaign", "send", fixture("recipients.csv"), "--template", "pedido_listo"];
const add = [
  "profile",
  "add",
  "a",
  "--base-url",
  "http://127.0.0.1:9",
  "--key-command",
  "echo k",
  "--no-check",
];
type Row = readonly [exit: keyof typeof exitCodes, argv: string[], where?: "nowhere"];

/** Each command once, mostly with a service that answers. */
const rows: readonly Row[] = [
  ["ok", []],
  ["ok", ["orders", "list"]],
  ["ok", ["--mock", "orders", "list"], "nowhere"],
  ["partial", ["catalog", "push", prices, "--dry-run"]],
  ["partial", ["catalog", "check", prices]],
  ["ok", ["profile", "list"]],
  ["ok", ["profile", "show"]],
  ["ok", ["help", "files"]],
  ["ok", ["completion", "bash"]],
  ["ok", ["openapi"]],
];

/** Commands that cannot do their work there. */
const failing: readonly Row[] = [
  ["denied", ["orders", "list"], "nowhere"],
  ["usage", ["orders", "show", "77"]],
  ["config", ["orders", "watch", "--once"]],
  ["usage", ["catalog", "check", prices, "--fixed", "file/fixed.csv"]],
  ["config", ["catalog", "push", prices]],
  ["config", ["catalog", "delete", "A"]],
  ["config", ["catalog", "history"]],
  ["config", [...send, "--yes"]],
  ["refused", ["campaign", "status", "cmp_0"]],
  ["config", ["campaign", "list"]],
  ["config", ["campaign", "resume"]],
  ["config", ["campaign", "listen", "--port", "0"]],
  ["usage", ["init"]],
  ["config", add],
  ["usage", ["profile", "use", "a"]],
  ["usage", ["profile", "rename", "a", "b"]],
  ["usage", ["profile", "remove", "a"]],
  ["config", ["demo"]],
  ["config", ["mock", "--port", "0", "--data", "file/world.db"]],
  ["config", ["mock", "order"], "nowhere"],
];

/** Runs `work` for all of them, three at a time. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all([worker(), worker(), worker()]);
}

describe("where nothing can be written, without a home, a terminal or anything in the environment", () => {
  it("each command that can do its work does it", async () => {
    const { env } = await service();
    const place = readOnlyPlace();
    await each(rows, async ([exit, argv, where]) => {
      const run = await cronRun(argv, { ...place, env: { ...(where ? {} : env), ...place.env } });
      expect([argv, run.code, run.stderr]).toEqual([
        argv,
        exitCodes[exit],
        expect.not.stringMatching(/Error|^ +at /m),
      ]);
    });
  }, 60_000);

  it("each other one says in three lines why not, or in one line of JSON", async () => {
    const { env } = await service();
    const place = readOnlyPlace();
    const both = failing.flatMap((row) => [
      { row, json: false },
      { row, json: true },
    ]);
    await each(both, async ({ row: [exit, argv, where], json }) => {
      const line = json ? [...argv, "-o", /watch|listen/.test(argv.join()) ? "ndjson" : "json"] : argv;
      const { code, signal, stdout, ...rest } = await cronRun(line, {
        ...place,
        env: { ...(where ? {} : env), ...place.env },
      });
      // The status of a campaign does without the journal, and says so before.
      const stderr = rest.stderr.replace(/^Warning: .+\n/, "");
      expect([line, code, signal, stdout]).toEqual([line, exitCodes[exit], null, ""]);
      if (json)
        expect(JSON.parse(stderr)).toMatchObject({
          error: { code: exit, message: expect.any(String) as string },
        });
      else
        expect([line, stderr]).toEqual([
          line,
          expect.stringMatching(/^Error: .+\nWhy: {3}.+\nNext: {2}.+\n$/),
        ]);
      expect(stderr.trimEnd().split("\n")).toHaveLength(json ? 1 : 3);
      if (exit === "config" && !argv.includes("--data")) expect(stderr).toContain("BPOS_HOME");
    });
  }, 60_000);

  it("the check-up tells it in a row of its own", async () => {
    const { env } = await service();
    const place = readOnlyPlace();
    const { code, stdout, stderr } = await cronRun(["doctor", "--json"], {
      ...place,
      env: { ...env, ...place.env },
    });
    const { checks } = JSON.parse(stdout) as {
      checks: { name: string; status: string; remedy: string | null }[];
    };
    const failed = checks.filter(({ status }) => status === "fail");
    expect({ code, stderr }).toEqual({ code: exitCodes.config, stderr: "" });
    expect(failed.map(({ remedy }) => remedy).join()).toContain("BPOS_HOME");
  });
});
