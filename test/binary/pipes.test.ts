import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { fixedServer, pagesOf } from "../support/peers.ts";
import { root, runBinary, temporaryFolder } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";

const bin = join(root, "bin/bpos.js");
const environment = (url: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  BPOS_HOME: temporaryFolder(),
  ...pointedAt(url),
});

it("delivers 80,000 lines whole to a reader that is slow", async () => {
  const url = await fixedServer(pagesOf(80_000, 1_000));
  const child = spawn(process.execPath, [bin, "orders", "list", "--all", "-o", "ndjson"], {
    env: environment(url),
  });
  const ended = once(child, "close");
  let rest = "";
  let next = 1;
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    // The reader takes its time: the pipe is full again and again.
    for (let turns = 0; turns < 5; turns++) await turn();
    const lines = (rest + (chunk as string)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) expect((JSON.parse(line) as { order_id: number }).order_id).toBe(next++);
  }
  expect(rest).toBe("");
  expect(next - 1).toBe(80_000);
  expect(await ended).toEqual([0, null]);
});

it("is quiet when `head` has read enough", async () => {
  const url = await fixedServer(pagesOf(80_000, 1_000));
  const script = `"${process.execPath}" "${bin}" orders list --all -o ndjson | head -1; echo "codes: \${PIPESTATUS[*]}" >&2`;
  const child = spawn("bash", ["--norc", "-c", script], { env: environment(url) });
  let out = "";
  let err = "";
  child.stdout.on("data", (text: Buffer) => {
    out += String(text);
  });
  child.stderr.on("data", (text: Buffer) => {
    err += String(text);
  });
  await once(child, "close");
  expect(JSON.parse(out)).toMatchObject({ order_id: 1 });
  expect(err).toBe("codes: 0 0\n");
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

it.skipIf(!hasScript)("takes a terminal without a size for one of 80 columns", () => {
  const command = `"${process.execPath}" "${bin}" orders list --bogus --no-color`;
  const env = { PATH: process.env["PATH"] ?? "", BPOS_HOME: temporaryFolder() };
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });
  expect(stdout.trimEnd().split("\n")).toHaveLength(3);
});

it("writes data to standard output and nothing else, plain in a pipe", async () => {
  const url = await fixedServer(pagesOf(3, 20));
  const run = await runBinary(["orders", "list"], { env: environment(url) });
  expect(run.code).toBe(0);
  expect(run.stderr).toBe("");
  expect(run.stdout).not.toMatch(/\u001b|[─│╭]/);
  const colored = await runBinary(["orders", "list"], { env: { ...environment(url), FORCE_COLOR: "1" } });
  expect(colored.stdout).toContain("\u001b[");
});

it("works as cron runs it: no HOME, no terminal, a home only in BPOS_HOME", async () => {
  const url = await fixedServer(pagesOf(3, 20));
  const child = spawn("env", [
    "-i",
    `BPOS_HOME=${temporaryFolder()}`,
    `BPOS_BASE_URL=${url}`,
    "BPOS_API_KEY=k",
    process.execPath,
    bin,
    "orders",
    "list",
    "--json",
  ]);
  let out = "";
  child.stdout.on("data", (text: Buffer) => {
    out += String(text);
  });
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ total: 3 });
});
