import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { CampaignRequest } from "../../src/contract/campaign.ts";
import type { CatalogEvent } from "../../src/contract/catalog.ts";
import { type Run, root, runBinary, temporaryFolder } from "../support/run.ts";
import { on, reset, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";

/** A service that applies every call, and instead of answering call number `fatal` does what it was aimed at. */
async function deadlyService(
  fatal: number,
): Promise<{ url: string; bodies: string[]; aim: (deed: () => unknown) => void }> {
  const bodies: string[] = [];
  let kill = (): unknown => undefined;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      if (request.method === "GET") {
        const page = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(page));
        return;
      }
      bodies.push(body);
      if (bodies.length === fatal) {
        kill();
        return;
      }
      const parsed = JSON.parse(body) as CampaignRequest | CatalogEvent;
      const answer =
        "items" in parsed
          ? { duplicate: false, accepted: parsed.items.length, skipped_stale: 0, rejected: [] }
          : {
              campaign_id: `c${bodies.length}`,
              status: "sent",
              replayed: false,
              recipients: { added: parsed.recipients.length },
            };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    bodies,
    aim: (deed) => {
      kill = deed;
    },
  };
}

/** Runs the command twice: the first one dies at call 2, the second one finishes. */
async function dieAndRunAgain(argv: string[], fatal: number): Promise<string[]> {
  const { url, bodies, aim } = await deadlyService(fatal);
  const env = { PATH: process.env["PATH"], BPOS_HOME: temporaryFolder(), ...pointedAt(url) };
  const start = (): ChildProcess =>
    spawn(process.execPath, [join(root, "bin/bpos.js"), ...argv], { env, stdio: "ignore" });
  const first = start();
  aim(() => first.kill("SIGKILL"));
  expect(await once(first, "close")).toEqual([null, "SIGKILL"]);
  expect(await once(start(), "close")).toEqual([0, null]);
  return bodies;
}

it("messages nobody twice when the process is killed while a call is out", async () => {
  const file = join(temporaryFolder(), "people.csv");
  const rows = Array.from({ length: 2345 }, (_, n) => `+54911${50_000_000 + n},Ana ${n},${n}`);
  writeFileSync(file, `telefono,nombre,pedido\n${rows.join("\n")}\n`);
  const bodies = await dieAndRunAgain(["campaign", "send", file, "--template", "pedido_listo", "--yes"], 2);
  // Call 2 goes out again with the same bytes and key, which the service applies once; no other call is repeated.
  expect(bodies).toHaveLength(4);
  expect(bodies[2]).toBe(bodies[1]);
  const distinct = [...new Set(bodies)].map((body) => JSON.parse(body) as CampaignRequest);
  expect(new Set(distinct.map((call) => call.idempotency_key)).size).toBe(3);
  const phones = distinct.flatMap((call) => call.recipients.map(({ phone }) => phone));
  expect(phones).toHaveLength(2345);
  expect(new Set(phones).size).toBe(2345);
});

it("sends for a branch from one process at a time, and at once again when that one is killed", async () => {
  const { url, bodies, aim } = await deadlyService(2);
  const env = { PATH: process.env["PATH"] ?? "", BPOS_HOME: temporaryFolder(), ...pointedAt(url) };
  const file = join(temporaryFolder(), "people.csv");
  const rows = Array.from({ length: 1500 }, (_, n) => `+54911${50_000_000 + n},Ana ${n},${n}`);
  writeFileSync(file, `telefono,nombre,pedido\n${rows.join("\n")}\n`);
  const argv = ["campaign", "send", file, "--template", "pedido_listo", "--yes", "--json"];

  const first = spawn(process.execPath, [join(root, "bin/bpos.js"), ...argv], { env, stdio: "ignore" });
  const died = once(first, "close");
  let second: Run | undefined;
  aim(async () => {
    // Call 2 of the first one is out.
    second = await runBinary(argv, { env });
    first.kill("SIGKILL");
  });
  expect(await died).toEqual([null, "SIGKILL"]);
  expect(second).toMatchObject({ code: 9, stdout: "" });
  expect(second?.stderr).toContain(`Process ${first.pid}`);
  expect(bodies).toHaveLength(2);

  const third = await runBinary(argv, { env });
  expect(third.code).toBe(0);
  // Neither the one that was killed nor those that ended leave a lock file behind.
  expect(readdirSync(join(env.BPOS_HOME, "state", "locks"))).toEqual([]);
  expect(bodies).toHaveLength(3);
  expect(bodies[2]).toBe(bodies[1]);
  const phones = [...new Set(bodies)].flatMap((body) =>
    (JSON.parse(body) as CampaignRequest).recipients.map(({ phone }) => phone),
  );
  expect(phones).toHaveLength(1500);
  expect(new Set(phones).size).toBe(1500);
});

it("ends with 7 for an unknown outcome, though nobody reads the report", async () => {
  const server = await scriptedServer(on("POST /campaigns", reset()));
  const file = join(temporaryFolder(), "people.csv");
  writeFileSync(file, "telefono\n+5491150000007\n");
  const env = { PATH: process.env["PATH"], BPOS_HOME: temporaryFolder(), ...pointedAt(server.url) };
  const argv = ["campaign", "send", file, "--template", "t", "--yes", "--retries", "0"];
  const child = spawn(process.execPath, [join(root, "bin/bpos.js"), ...argv], { env });
  child.stdout.destroy();
  expect(await once(child, "close")).toEqual([7, null]);
});

it("takes a push up where the process was killed, with the same event", async () => {
  const file = join(temporaryFolder(), "prices.csv");
  writeFileSync(file, `codigo,precio\n${Array.from({ length: 1500 }, (_, n) => `P${n},${n}`).join("\n")}\n`);
  const bodies = await dieAndRunAgain(["catalog", "push", file], 2);
  expect(bodies).toHaveLength(4);
  expect(bodies[2]).toBe(bodies[1]);
  const events = [...new Set(bodies)].map((body) => JSON.parse(body) as CatalogEvent);
  expect(events.flatMap(({ items }) => items.map(({ codigo }) => codigo))).toEqual(
    Array.from({ length: 1500 }, (_, n) => `P${n}`),
  );
  const stamps = events.map(({ occurred_at }) => Date.parse(occurred_at));
  expect([...stamps].sort((a, b) => a - b)).toEqual(stamps);
});
