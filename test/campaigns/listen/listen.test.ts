import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startMock } from "../../../src/mock/index.ts";
import { errorOf, people, phone, send } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { askJournal, databaseIn } from "../../support/journal.ts";
import { freePort, listenIn, postReply } from "../../support/listen.ts";
import { program } from "../../support/programs.ts";
import { type Run, shell, temporaryFolder, type World } from "../../support/run.ts";
import { on, reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";

type Shell = (argv: string[], world?: World) => Promise<Run>;
/** A shell with a home that the test can look into. */
function homed(): { home: string; run: Shell } {
  const home = temporaryFolder();
  return { home, run: shell({ env: { BPOS_HOME: home } }) };
}
const seen = (look: () => unknown[], count: number): Promise<void> =>
  vi.waitFor(() => expect(look()).toHaveLength(count), { timeout: 10_000, interval: 10 });

describe("campaign listen, beside the mock", () => {
  it("shows each reply with the send that it belongs to, and ends with 130", async () => {
    const port = await freePort();
    const mock = await startMock({
      clock: "2026-01-01T12:00:00-03:00",
      webhookUrl: `http://127.0.0.1:${port}/`,
    });
    onTestFinished(() => mock.close());
    const env = pointedAt(mock.baseUrl, mock.campaignsBaseUrl, mock.keys[0]!.key);
    const run = shell({ env });
    const sent = JSON.parse((await run(send(people(2), "--ref", "enero", "--yes", "--json"))).stdout) as {
      send_id: string;
      campaigns: { campaign_id: string }[];
    };
    const { campaign_id } = sent.campaigns[0]!;
    // The webhook's receiver is on a port of its own, so that the send needs no listener.
    const listener = await listenIn(run, ["-o", "ndjson"], { port });
    await mock.control.reply({ phone: phone(0), text: "sí, gracias" });
    await seen(listener.events, 1);
    expect(listener.events()[0]).toMatchObject({
      event: "reply",
      campaign_id,
      external_ref: "enero",
      send_id: sent.send_id,
      repeated: false,
      body: { phone: phone(0), text: "sí, gracias", campaign_id },
    });
    const { code, stderr } = await listener.stop();
    expect(code).toBe(130);
    expect(stderr).toContain(`Listening for replies on ${listener.url}.`);
    expect(stderr).toContain(`bpos mock --webhook-url ${listener.url}`);

    // By its reference alone, as when the answer that named the campaign was lost.
    const second = await listenIn(run, [], { port, terminal: 80, env: { NO_COLOR: "1" } });
    await postReply(second.url, { nested: [{ external_ref: "enero" }], texto: "hola\nchau" });
    await seen(second.lines, 6);
    expect(second.lines().map((line) => line.trim())).toEqual([
      expect.stringMatching(/^\d\d:\d\d {2}—$/),
      "hola",
      "chau",
      expect.stringMatching(/^enero · pedido_listo · sent .* ago$/),
      `nested: [{"external_ref":"enero"}]`,
      "",
    ]);
  });
});

describe("campaign listen", () => {
  it("passes any JSON on as it came, every digit of it", async () => {
    const listener = await listenIn(shell());
    const bodies = [
      '{"campaign_id":90071992547409931234,"external_ref":7,"a":[null,{"b":"\\u001b[2J"}]}',
      '{"a":{"b":{"external_ref":"deep"}},"campaign_id":""}',
      '"just a text"',
      "null",
      "[1,[2]]",
    ];
    for (const body of bodies)
      expect((await postReply(`${listener.url}any/path?x=1`, body)).status).toBe(200);
    await seen(listener.lines, bodies.length);
    expect(listener.lines().map((line) => /"body":(.*)\}$/.exec(line)?.[1])).toEqual(bodies);
    expect(
      listener.events().map(({ campaign_id, external_ref, send_id }) => [campaign_id, external_ref, send_id]),
    ).toEqual([
      ["90071992547409931234", "7", null],
      [null, "deep", null],
      [null, null, null],
      [null, null, null],
      [null, null, null],
    ]);
  });

  it("keeps the same bytes once, and hands them on each time, marked", async () => {
    const { home, run } = homed();
    const listener = await listenIn(run);
    for (const text of ["sí", "sí", "no"]) await postReply(listener.url, { text });
    await seen(listener.events, 3);
    expect(listener.events().map(({ repeated }) => repeated)).toEqual([false, true, false]);
    await listener.stop();
    expect(await askJournal(home, "SELECT body FROM reply")).toHaveLength(2);
  });

  it.each([
    [415, "text", { "content-type": "text/plain" }, '{"a":1}'],
    [415, "compressed bytes", { "content-encoding": "gzip" }, '{"a":1}'],
    [400, "broken JSON", {}, '{"a":'],
    [400, "nothing", {}, ""],
    [400, "what is nested without end", {}, `${"[".repeat(5_000)}${"]".repeat(5_000)}`],
    [413, "more than 1 MiB", {}, `"${"x".repeat(1024 * 1024)}"`],
  ])("answers %i to %s, and keeps nothing of it", async (status, _what, headers, body) => {
    const listener = await listenIn(shell());
    const answer = await postReply(listener.url, body, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({
      code: "ERROR_CODE_INPUT_ERROR",
      message: expect.any(String) as string,
      payload: { campaign_id: null, external_ref: null },
    });
    await postReply(listener.url, '"the next one"');
    await seen(listener.events, 1);
    expect(listener.events()[0]!.body).toBe("the next one");
    expect((await listener.stop()).stderr).toContain(`Refused a POST with ${status}`);
  });

  it("refuses a long body whose length was not told, without reading it to its end", async () => {
    const listener = await listenIn(shell());
    const socket = connect(Number(new URL(listener.url).port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    socket.write(`${(2 ** 21).toString(16)}\r\n${"1".repeat(2 ** 20 + 1)}`);
    const [head] = await new Promise<[string]>((resolve) =>
      socket.once("data", (text) => resolve([String(text)])),
    );
    expect(head).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("answers 503 while the journal cannot be written, and takes the reply when it is sent again", async () => {
    const { home, run } = homed();
    const listener = await listenIn(run, ["-o", "ndjson"], { clock: fakeClock() });
    await askJournal(home, "ALTER TABLE reply_arrival RENAME TO elsewhere");
    const refused = await postReply(listener.url, { text: "sí" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    await askJournal(home, "ALTER TABLE elsewhere RENAME TO reply_arrival");
    expect((await postReply(listener.url, { text: "sí" })).status).toBe(200);
    await seen(listener.events, 1);
    // The first try left nothing behind: the second is no repeat.
    expect(listener.events()[0]).toMatchObject({ repeated: false });
    expect((await listener.stop()).stderr).toContain("bpos answered 503");
  });

  it("goes on handing on when the journal can be written again, and says what may be there twice", async () => {
    const { home, run } = homed();
    const file = join(home, "state", "journal.db");
    const other = databaseIn(file);
    other.exec(
      "CREATE TRIGGER full BEFORE DELETE ON reply_delivery BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    const clock = fakeClock();
    const listener = await listenIn(run, ["-o", "ndjson"], {
      clock: {
        now: () => clock.now(),
        sleep: (ms, signal) => {
          other.exec("DROP TRIGGER IF EXISTS full");
          return clock.sleep(ms, signal);
        },
      },
    });
    expect((await postReply(listener.url, { text: "sí" })).status).toBe(200);
    await seen(listener.events, 2);
    expect(listener.events().map(({ repeated }) => repeated)).toEqual([false, true]);
    expect(clock.slept).toEqual([5_000]);
    expect((await listener.stop()).stderr).toContain("Cannot write to the journal (no room).");
  });

  it("ends though a sender is in the middle of a body, and hands on what it had answered", async () => {
    const listener = await listenIn(shell());
    const socket: Socket = connect(Number(new URL(listener.url).port), "127.0.0.1");
    const gone = new Promise((resolve) => socket.on("error", () => undefined).once("close", resolve));
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":',
    );
    await postReply(listener.url, { text: "sí" });
    await seen(listener.events, 1);
    expect((await listener.stop()).code).toBe(130);
    await gone;
  });

  it("of a port that is taken, or a second one beside it, is refused with 9", async () => {
    const { run } = homed();
    const listener = await listenIn(run);
    const { port } = new URL(listener.url);
    const elsewhere = await shell()(["campaign", "listen", "--port", port, "-o", "ndjson"]);
    expect([elsewhere.code, errorOf(elsewhere.stderr)["reason"]]).toEqual([9, "port_busy"]);
    expect(elsewhere.stderr).toContain(`Port ${port}`);
    const beside = await run(["campaign", "listen", "--port", "0", "-o", "ndjson"]);
    expect([beside.code, errorOf(beside.stderr)["reason"]]).toEqual([9, "locked"]);
    expect(beside.stderr).toContain("Another bpos listens for replies.");
  });
});

describe("--exec", () => {
  it("gets the event on standard input and in its environment, where nothing of it can act", async () => {
    const kept = join(temporaryFolder(), "kept");
    const command = program(`
      const { readFileSync, writeFileSync } = require("node:fs");
      const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("BPOS_")));
      writeFileSync(${JSON.stringify(kept)}, JSON.stringify({ env, input: readFileSync(0, "utf8") }));`);
    const listener = await listenIn(shell(), ["--exec", command, "-q"]);
    const body = {
      campaign_id: "c1;$(id)`id`'*\\",
      external_ref: 'enero/7 a.b_c-d:e "b&c%PATH%\u0007',
      phone: "+54 9 11<>|!",
      text: "$(reboot)",
    };
    await postReply(listener.url, body);
    await vi.waitFor(() => expect(existsSync(kept)).toBe(true), { timeout: 10_000 });
    const { stdout } = await listener.stop();
    expect(stdout).toBe("");
    const { env, input } = JSON.parse(readFileSync(kept, "utf8")) as {
      env: Record<string, string>;
      input: string;
    };
    expect(JSON.parse(input)).toMatchObject({ event: "reply", campaign_id: body.campaign_id, body });
    expect(env).toMatchObject({
      BPOS_EVENT: "reply",
      BPOS_CAMPAIGN_ID: "c1___id__id____",
      BPOS_EXTERNAL_REF: "enero/7 a.b_c-d:e _b_c_PATH__",
      BPOS_PHONE: "+54 9 11____",
      BPOS_SEND_ID: "",
      BPOS_REPEATED: "false",
    });
  });

  it("that fails gets the reply again after growing pauses, and holds no screen up", async () => {
    const folder = temporaryFolder();
    const [tries, good] = [join(folder, "tries"), join(folder, "good")];
    const clock = fakeClock();
    const pauses: number[] = [];
    const listener = await listenIn(
      shell(),
      [
        "-o",
        "ndjson",
        "--verbose",
        "--exec",
        `echo "$BPOS_PHONE $BPOS_REPEATED" >> "${tries}"; test -e "${good}" || { echo no paper; exit 7; }`,
      ],
      {
        clock: {
          now: () => clock.now(),
          sleep: async (ms, signal) => {
            pauses.push(ms);
            if (pauses.length === 3) writeFileSync(good, "");
            await clock.sleep(ms, signal);
          },
        },
      },
    );
    await postReply(listener.url, { phone: "+1" });
    const said = (): string[] => (existsSync(tries) ? readFileSync(tries, "utf8").trimEnd().split("\n") : []);
    await seen(said, 4);
    expect(said()).toEqual(Array(4).fill("+1 false"));
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
    await postReply(listener.url, { phone: "+2" });
    await seen(said, 5);
    await seen(listener.events, 2);
    const { stderr } = await listener.stop();
    expect(
      stderr.match(/The reply from … was saved but not delivered: .* ended with exit code 7: no paper/g),
    ).toHaveLength(3);
  });

  it("that was not through at the end gets it in the next run, and a run without it keeps it", async () => {
    const { run } = homed();
    const said = join(temporaryFolder(), "said");
    let paused = (): void => undefined;
    const pausing = new Promise<void>((resolve) => {
      paused = resolve;
    });
    const never: World["clock"] = {
      now: () => Date.UTC(2026, 0, 1),
      sleep: (_ms, signal) => {
        paused();
        return new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
      },
    };
    const first = await listenIn(run, ["-o", "ndjson", "-v", "--exec", "exit 1"], { clock: never });
    await postReply(first.url, { phone: "+1" });
    await seen(first.events, 1);
    await pausing;
    expect((await first.stop()).stderr).toContain("Next attempt in 1 s.");
    const without = await listenIn(run);
    expect((await without.stop()).stderr).toContain("1 reply from an earlier run is pending for --exec");
    const last = await listenIn(run, [
      "-o",
      "ndjson",
      "--exec",
      `echo "$BPOS_PHONE $BPOS_REPEATED" >> "${said}"`,
    ]);
    await vi.waitFor(() => expect(existsSync(said)).toBe(true), { timeout: 10_000 });
    const { stdout } = await last.stop();
    // It was known to have failed, and the screen had it already.
    expect(readFileSync(said, "utf8")).toBe("+1 false\n");
    expect(stdout).toBe("");
  });
});

describe("--forward-to", () => {
  it("posts the bytes as they came until they are taken, and follows no redirect", async () => {
    const server = await scriptedServer(
      on("POST /hook", reply({}, 500)),
      on("POST /hook", reset()),
      on("POST /hook", reply({}, 307, { location: "/elsewhere" })),
      on("POST /hook", reply({})),
    );
    const listener = await listenIn(
      shell(),
      ["-o", "ndjson", "-v", "--forward-to", `${server.url}/hook?key=s3cret`],
      {
        clock: fakeClock(),
      },
    );
    const body = '\ufeff{ "id" : 90071992547409931234,\n"text":"sí" }';
    await postReply(listener.url, body);
    await seen(() => server.requests, 4);
    for (const request of server.requests) {
      expect(request.url).toBe("/hook?key=s3cret");
      expect(request.headers["content-type"]).toBe("application/json");
      expect(request.body.toString("utf8")).toBe(body);
    }
    const { stderr } = await listener.stop();
    expect(stderr).toContain(`${server.url} answered 500`);
    expect(stderr).toContain(`${server.url} answered 307`);
    expect(stderr).not.toContain("s3cret");
  });
});

it("takes nothing but POST, and not what it forwarded itself", async () => {
  const port = await freePort();
  const forward = ["--forward-to", `http://127.0.0.1:${port}/`];
  let said = "";
  const onError = (text: string): void => {
    said = text;
  };
  const listener = await listenIn(shell(), ["-o", "ndjson", ...forward], { port, onError });
  const put = await fetch(listener.url, { method: "PUT" });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "POST"]);
  await postReply(listener.url, { text: "sí" });
  await seen(listener.events, 1);
  await vi.waitFor(() => expect(said).toContain("--forward-to points back to this listener"), {
    timeout: 10_000,
  });
});

it("says MOCK on each reply of a rehearsal", async () => {
  const { mock } = await service({ scenario: "empty" });
  const run = shell({ env: { BPOS_MOCK: mock.baseUrl, NO_COLOR: "1" } });
  const listener = await listenIn(run, [], { terminal: 80 });
  await postReply(listener.url, { phone: "+1", text: "a" });
  await seen(listener.lines, 4);
  expect(listener.lines()[0]).toMatch(/^MOCK {2}\d\d:\d\d {2}\+1$/);
});
