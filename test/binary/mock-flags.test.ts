import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fixture, root, runBinary, temporaryFolder } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";

interface Line {
  base_url: string;
  campaigns_base_url: string;
  keys: { branch: string; store_id: string; key: string }[];
}

/** Starts the real `bpos mock` on a free port; it ends with the test. */
async function startBinary(home: string, ...flags: string[]): Promise<Line> {
  const child = spawn(process.execPath, [join(root, "bin/bpos.js"), "mock", "--port", "0", ...flags], {
    env: { PATH: process.env["PATH"], BPOS_HOME: home },
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await once(child, "close");
  });
  const [text] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return JSON.parse(text) as Line;
}

it("serves a scenario file with its own keys, fails as --fault says, and is found by the state folder", async () => {
  const home = temporaryFolder();
  const line = await startBinary(
    home,
    "--scenario",
    fixture("scenario.json"),
    "--fault",
    "GET /v1/orders status=503 times=1",
  );
  expect(line.keys.map(({ branch }) => branch)).not.toContain("demo");
  const env = { BPOS_HOME: home, ...pointedAt(line.base_url, line.campaigns_base_url, line.keys[0]!.key) };
  expect((await runBinary(["orders", "list", "--retries", "0"], { env })).code).toBe(6);
  expect((await runBinary(["orders", "list", "--retries", "0"], { env })).code).toBe(0);
  const placed = await runBinary(["mock", "order", "--branch", line.keys[0]!.branch, "--json"], {
    env: { BPOS_HOME: home },
  });
  const [order] = (JSON.parse(placed.stdout) as { orders: { order_id: number }[] }).orders;
  expect((await runBinary(["orders", "show", String(order!.order_id)], { env })).code).toBe(0);
});

it("posts replies to --webhook-url", async () => {
  const posted: unknown[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += String(part);
    });
    request.on("end", () => {
      posted.push(JSON.parse(body));
      response.end();
      receiver.emit("posted");
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const { port } = receiver.address() as AddressInfo;
  const home = temporaryFolder();
  const line = await startBinary(
    home,
    "--webhook-url",
    `http://127.0.0.1:${port}/replies`,
    "--clock",
    "2026-01-01T12:00:00-03:00",
  );
  const env = { BPOS_HOME: home, ...pointedAt(line.base_url, line.campaigns_base_url, line.keys[0]!.key) };
  const file = join(home, "ana.csv");
  writeFileSync(file, "telefono\n+5491155501234\n");
  await runBinary(["campaign", "send", file, "--template", "aviso_simple", "--ref", "r", "--yes"], { env });
  const arrived = once(receiver, "posted");
  expect(
    (await runBinary(["mock", "reply", "+5491155501234", "sí, gracias"], { env: { BPOS_HOME: home } })).code,
  ).toBe(0);
  await arrived;
  expect(posted).toMatchObject([
    { event: "reply", external_ref: "r", phone: "+5491155501234", text: "sí, gracias" },
  ]);
});

it.each([
  [["--scenario", "nope"], /nope.*demo, empty, rush, busy/s],
  [["--scenario", "./package.json"], /package\.json/],
  [["--fault", "GET /v1/orders explode"], /commit-drop/],
  [["--clock", "noon"], /--clock/],
  [["--webhook-url", "ftp://x"], /http/],
])("refuses %j with 2 and says what is expected", async (flags, words) => {
  const run = await runBinary(["mock", "--port", "0", ...flags], { env: { BPOS_HOME: temporaryFolder() } });
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(words);
});
