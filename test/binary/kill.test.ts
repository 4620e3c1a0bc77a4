import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { CampaignRequest } from "../../src/contract/campaign.ts";
import type { CatalogEvent } from "../../src/contract/catalog.ts";
import { root, temporaryFolder } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";

/** A service that applies every call, and kills its client before it answers call number `fatal`. */
async function deadlyService(
  fatal: number,
): Promise<{ url: string; bodies: string[]; aim: (child: ChildProcess) => void }> {
  const bodies: string[] = [];
  let target: ChildProcess | undefined;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      bodies.push(body);
      if (bodies.length === fatal) {
        target?.kill("SIGKILL");
        return;
      }
      const parsed = JSON.parse(body) as CampaignRequest | CatalogEvent;
      const answer =
        "items" in parsed
          ? { duplicate: false, accepted: parsed.items.length, skipped_stale: 0, rejected: [] }
          : {
              campaign_id: `c${bodies.length}`,
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
    aim: (child) => {
      target = child;
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
  aim(first);
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
