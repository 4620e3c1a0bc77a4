import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { freePort } from "../../test/support/listen.ts";
import { temporaryFolder } from "../../test/support/run.ts";
import { listening } from "../../test/support/server.ts";
import { eventsOf } from "../../test/support/watch.ts";
import { database, server } from "../support/postgres.ts";
import { patient, shop } from "../support/shop.ts";

/** A line of --on-failure that notes what it is run for, and what it noted. */
function noting() {
  const file = join(temporaryFolder(), "events");
  const noted = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  return {
    flags: ["--on-failure", `echo "$BPOS_EVENT $BPOS_BRANCH" >> ${file}`, "--outage-after", "1s"],
    noted,
  };
}

it("an outage of the journal is one of each branch: events, --on-failure, --health and --ping tell of it", async () => {
  const pings: (string | undefined)[] = [];
  const target = createServer(({ url }, response) => {
    pings.push(url);
    response.end();
  });
  const own = await server();
  const { watch } = await shop((await own.database()).url);
  const { flags, noted } = noting();
  const [port, ping] = [await freePort(), `http://127.0.0.1:${await listening(target)}/p`];
  const one = watch(...flags, "--health", port, "--ping", ping, "--max-age", "2s");
  const stateNow = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
    const { branches } = (await answer.json()) as { branches: { branch: string; state: string }[] };
    return branches[0]!;
  };
  await vi.waitFor(() => expect(pings).toEqual(["/p"]), patient);
  await own.stop();
  await vi.waitFor(() => expect(pings).toEqual(["/p", "/p/fail"]), patient);
  const { branch, state } = await stateNow();
  expect(state).toBe("outage");
  await own.start();
  await vi.waitFor(() => expect(noted()).toEqual([`outage ${branch}`, `recovered ${branch}`]), patient);
  await vi.waitFor(async () => expect((await stateNow()).state).toBe("ok"), patient);
  expect(await one.stop("SIGTERM")).toBe(130);
  expect(eventsOf({ stdout: one.out() })).toMatchObject([
    { event: "watch.outage", branch, reason: "journal_unreadable" },
    { event: "watch.recovered", branch },
  ]);
  target.close();
});

it("an outage is over for a process whose branch another one takes", async () => {
  const { url, psql } = await database();
  const { mock, watch } = await shop(url);
  const { flags, noted } = noting();
  const one = watch("--standby", ...flags);
  await one.said("watch.active");
  await mock.control.addFault("GET /v1/orders status=503");
  await vi.waitFor(() => expect(noted()).toHaveLength(1), patient);
  await psql(
    "INSERT INTO bpos.holder (id, host, pid, expires_at) VALUES ('other', 'caja-2', 99, now() + interval '1 hour')",
  );
  await psql("UPDATE bpos.claim SET holder = 'other', token = token + 1");
  await one.said("watch.standby");
  await vi.waitFor(
    () => expect(noted().map((line) => line.split(" ")[0])).toEqual(["outage", "recovered"]),
    patient,
  );
  expect(await one.stop("SIGTERM")).toBe(130);
});
