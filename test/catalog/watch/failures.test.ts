import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { freePort } from "../../support/listen.ts";
import { accepted, batches } from "../../support/push.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { reply, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, realService } from "../../support/service.ts";
import { eventsOf } from "../../support/watch.ts";
import { watchLists } from "../../support/watch-lists.ts";

const first = "codigo,nombre,precio\nA,Agua,10\n";
const second = "codigo,nombre,precio\nA,Agua,11\n";
const denied = { code: "ERROR_CODE_ACCESS_DENIED", message: "Invalid API key.", payload: "" };

async function shop() {
  const { mock, env } = await realService({ scenario: "empty" });
  const folder = join(temporaryFolder(), "lists");
  mkdirSync(folder);
  const file = join(folder, "prices.csv");
  writeFileSync(file, first);
  return { mock, env, folder, file, run: shell({ env }) };
}

describe("catalog watch that meets trouble", () => {
  it("says once that the service does not answer, calls --on-failure, and pushes when it does", async () => {
    const { mock, file, folder, run } = await shop();
    const said = join(folder, "..", "said");
    await mock.control.addFault("POST /v1/catalog/items status=503 times=5");
    const { events, stderr } = await watchLists(run, file, {
      looks: 90,
      argv: ["--on-failure", `echo "$BPOS_EVENT" >> '${said}'`, "--outage-after", "10s"],
    });
    expect(events.map(({ event }) => event)).toEqual(["watch.outage", "watch.recovered", "catalog.pushed"]);
    expect(events).toContainEqual(
      expect.objectContaining({ event: "watch.outage", reason: "outcome_unknown" }),
    );
    expect(stderr.match(/No list can be pushed/g)).toHaveLength(1);
    expect(readFileSync(said, "utf8")).toBe("outage\nrecovered\n");
  });

  it("looks for a folder that is gone, as a network drive may be, and goes on when it is back", async () => {
    const { folder, file, run } = await shop();
    const { events, code } = await watchLists(run, folder, {
      looks: 40,
      after(look) {
        if (look === 10) renameSync(folder, `${folder}-away`);
        if (look === 20) {
          renameSync(`${folder}-away`, folder);
          writeFileSync(file, second);
        }
      },
    });
    expect(code).toBe(130);
    expect(events).toMatchObject([
      { event: "catalog.pushed" },
      { event: "watch.outage", reason: "input_unreadable" },
      { event: "watch.recovered", after_s: 5 },
      { event: "catalog.pushed", push: { accepted: 1 } },
    ]);
  });

  it("takes a list that goes away, and one that is yet to come, for no outage", async () => {
    const { file, run } = await shop();
    rmSync(file);
    const { events, stderr } = await watchLists(run, file, {
      looks: 30,
      after(look) {
        if (look === 3 || look === 12) writeFileSync(file, look === 3 ? first : second);
        if (look === 5 || look === 25) rmSync(file);
      },
    });
    expect(stderr).toContain("does not exist yet");
    expect(events).toMatchObject([{ event: "catalog.pushed", push: { accepted: 1 } }]);
  });

  it("answers on --health: well, in an outage, with a list that waits for 10 minutes, well again", async () => {
    const { mock, folder, file, run } = await shop();
    const port = await freePort();
    const clock = fakeClock(Date.now());
    const read = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
      return { status: answer.status, body: (await answer.json()) as object };
    };
    const seen: Awaited<ReturnType<typeof read>>[] = [];
    let metrics = "";
    await watchLists(run, folder, {
      looks: 100,
      clock,
      argv: ["--health", port, "--max-age", "3m"],
      async after(look) {
        if (look === 8) seen.push(await read());
        if (look === 8) await mock.control.addFault("POST /v1/catalog/items status=503 times=5");
        if (look === 8) writeFileSync(file, second);
        if (look === 20) clock.advance(11 * 60_000);
        if (look === 21) seen.push(await read());
        if (look === 99) seen.push(await read());
        if (look === 99) metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      },
    });
    const fares = (status: number, state: string, undelivered: number) => ({
      status,
      body: { branches: [{ state, outputs: [{ output: "catalog", undelivered }] }] },
    });
    expect(seen).toMatchObject([fares(200, "ok", 0), fares(503, "outage", 1), fares(200, "ok", 0)]);
    expect(metrics).toMatch(/bpos_lists_total\{branch=".*",outcome="complete"\} 2/);
    expect(metrics).not.toContain("bpos_orders_found_total");
  });

  it("ends with 4 at a key that is refused", async () => {
    const { file } = await shop();
    const server = await scriptedServer(...batches(reply(denied, 403)));
    const { code, events } = await watchLists(shell({ env: pointedAt(server.url) }), file, { looks: 40 });
    expect(code).toBe(4);
    expect(events).toMatchObject([{ event: "watch.stopped", reason: "access_denied", status: 403 }]);
  });

  it("lets the push that is under way end when it is stopped, and exits with 130", async () => {
    const { file } = await shop();
    writeFileSync(file, `${first}B,Bife,20\nC,Café,30\n`);
    let stop = (): void => undefined;
    const server = await scriptedServer(
      ...batches(
        (...call) => {
          stop();
          reply(accepted(1))(...call);
        },
        reply(accepted(1)),
        reply(accepted(1)),
      ),
    );
    const clock = fakeClock(Date.now());
    const ended = await shell({ env: pointedAt(server.url) })(
      [
        "catalog",
        "watch",
        file,
        "-o",
        "ndjson",
        "--batch-size",
        "1",
        "--exec",
        `echo "$BPOS_OUTCOME" > ${file}.said`,
      ],
      { clock, onStart: (means) => (stop = means) },
    );
    expect(ended.code).toBe(130);
    expect(eventsOf(ended)).toMatchObject([{ event: "catalog.pushed", push: { accepted: 3 } }]);
    expect(readFileSync(`${file}.said`, "utf8")).toBe("complete\n");
    expect(ended.stderr).toContain("Stopping after the push of");
    expect(ended.stderr).toContain("pushes the lists that were saved meanwhile");
  });

  it("goes on where another watch has pushed the same list, and ends where one watches the same place", async () => {
    const { file, folder, run } = await shop();
    const places = [file, folder, file];
    const watches = await Promise.all(places.map((place) => watchLists(run, place, { looks: 12 })));
    expect(watches.flatMap(({ events }) => events)).toMatchObject([{ push: { accepted: 1 } }]);
    expect(watches.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([9, 130, 130]);
  });

  it("runs --exec with the event of each list, and --once ends with 0, or 3 where something was refused", async () => {
    const { folder, file, run } = await shop();
    const got = join(folder, "..", "got");
    writeFileSync(join(folder, "empty.csv"), "");
    const exec = [
      "--once",
      "-o",
      "ndjson",
      "--exec",
      `{ echo "$BPOS_EVENT $BPOS_OUTCOME $BPOS_FILE"; cat; } >> '${got}'`,
    ];
    const once = (...argv: string[]) =>
      run(["catalog", "watch", folder, ...exec, ...argv], { clock: fakeClock(Date.now()) });
    expect(await once()).toMatchObject({ code: 0 });
    writeFileSync(file, first.replace("10", "99"));
    expect(await once("--max-price-change", "50%")).toMatchObject({ code: 3 });
    expect(await once("--max-price-change", "50%")).toMatchObject({ code: 0, stdout: "" });
    const [line, event, ...rest] = readFileSync(got, "utf8").trim().split("\n");
    expect(line).toBe(`catalog.pushed complete ${file}`);
    expect(JSON.parse(event!)).toMatchObject({ event: "catalog.pushed", push: { accepted: 1 } });
    expect(rest[0]).toBe(`catalog.refused price_change_too_large ${file}`);
    writeFileSync(join(folder, "~$prices.csv"), "");
    writeFileSync(file, first);
    expect(await once()).toMatchObject({ code: 3 });
    expect(await run(["catalog", "watch", join(folder, "nope.csv"), "--once"])).toMatchObject({ code: 2 });
  });
});
