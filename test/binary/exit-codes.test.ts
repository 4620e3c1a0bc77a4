import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { deadAddress, fixedServer } from "../support/peers.ts";
import { fixture, root, runBinary, temporaryFolder } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";

const home = (): Record<string, string> => ({ BPOS_HOME: temporaryFolder() });
const code = async (argv: string[], env: Record<string, string> = {}): Promise<number> =>
  (await runBinary(argv, { env: { ...home(), ...env } })).code;

it("ends with 0 when it worked, an empty list too", async () => {
  expect(await code(["--mock", "orders", "list", "--status", "rechazado"])).toBe(exitCodes.ok);
});

it("ends with 2 for a wrong flag, a missing address, a missing file", async () => {
  expect(await code(["orders", "list", "--nope"])).toBe(exitCodes.usage);
  expect(await code(["orders", "list"], { BPOS_API_KEY: "k" })).toBe(exitCodes.usage);
  expect(await code(["--mock", "catalog", "push", "nowhere.csv"])).toBe(exitCodes.usage);
});

it("ends with 3 when rows were rejected, and the report parses", async () => {
  const run = await runBinary(["--mock", "catalog", "push", fixture("catalog.csv"), "--json"], {
    env: home(),
  });
  expect(run.code).toBe(exitCodes.partial);
  expect((JSON.parse(run.stdout) as { rejected: unknown[] }).rejected).toHaveLength(9);
});

it("ends with 4 without a key and with an inactive one", async () => {
  expect(await code(["orders", "list"], { BPOS_BASE_URL: "http://127.0.0.1:9" })).toBe(exitCodes.denied);
  expect(await code(["--mock", "orders", "list"], { BPOS_API_KEY: "bpk_demo_inactive" })).toBe(
    exitCodes.denied,
  );
});

it("ends with 5 when the service refuses", async () => {
  const argv = ["--mock", "campaign", "send", fixture("recipients.csv"), "--template", "no_existe", "--yes"];
  expect(await code(argv)).toBe(exitCodes.refused);
});

it("ends with 6 when nobody answers, for a read and for a push that never left", async () => {
  const env = pointedAt(await deadAddress());
  expect(await code(["orders", "list", "--retries", "1"], env)).toBe(exitCodes.unavailable);
  const push = ["catalog", "push", fixture("catalog.csv"), "--retries", "0"];
  expect(await code(push, env)).toBe(exitCodes.unavailable);
});

it("ends with 7 when a push may have landed", async () => {
  const env = pointedAt(await fixedServer(() => ({ status: 502, body: "" })));
  expect(await code(["catalog", "push", fixture("catalog.csv"), "--retries", "0"], env)).toBe(
    exitCodes.unknown,
  );
});

it("ends with 9 when standard output cannot be written, and says so", async () => {
  const script = `"${process.execPath}" bin/bpos.js --mock orders list --json > /dev/full; echo "code $?"`;
  const child = spawn("bash", ["--norc", "-c", script], {
    cwd: root,
    env: { PATH: process.env["PATH"], ...home() },
  });
  const text = { out: "", err: "" };
  child.stdout.on("data", (part: Buffer) => {
    text.out += String(part);
  });
  child.stderr.on("data", (part: Buffer) => {
    text.err += String(part);
  });
  await once(child, "close");
  expect(text.out).toBe(`code ${exitCodes.config}\n`);
  expect(text.err).toContain("standard output could not be written");
});

it("ends with 9 when the profile file cannot be read", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "config.json"), '{"profiles": {"a": {"api_key": "bpk_secret_1234"', {
    mode: 0o600,
  });
  const run = await runBinary(["orders", "list"], { env: { BPOS_HOME: folder } });
  expect(run.code).toBe(exitCodes.config);
  expect(run.stderr).toContain("config.json");
  expect(run.stderr).not.toContain("bpk_secret_1234");
});

it.each(["SIGINT", "SIGTERM"] as const)("ends with 130 on %s, after a clean stop", async (signal) => {
  const child = spawn(
    process.execPath,
    [join(root, "bin/bpos.js"), "--mock", "orders", "watch", "-o", "ndjson"],
    {
      env: { PATH: process.env["PATH"], BPOS_HOME: temporaryFolder() },
    },
  );
  await once(child.stdout, "data");
  child.kill(signal);
  expect(await once(child, "close")).toEqual([exitCodes.interrupted, null]);
});

it("prints one line for the mock, serves, and stops with 0", async () => {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [join(root, "bin/bpos.js"), "mock", "--port", "0"], {
    env: { PATH: process.env["PATH"], BPOS_HOME: folder },
  });
  const [text] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const line = JSON.parse(text) as {
    base_url: string;
    campaigns_base_url: string;
    keys: { key: string }[];
    pid: number;
  };
  expect(line.pid).toBe(child.pid);
  const env = pointedAt(line.base_url, line.campaigns_base_url, line.keys[0]!.key);
  expect(await code(["orders", "list"], env)).toBe(exitCodes.ok);
  const port = new URL(line.base_url).port;
  const second = await runBinary(["mock", "--port", port], { env: { BPOS_HOME: folder } });
  expect(second.code).toBe(exitCodes.config);
  expect(second.stderr).toContain(`Port ${port}`);
  expect(second.stderr).toContain(`process ${child.pid}`);
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([exitCodes.ok, null]);
});
