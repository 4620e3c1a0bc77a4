import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { deadAddress } from "../../support/peers.ts";
import { fixture, type Run, shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

const noon = "2026-01-01T12:00:00-03:00";

describe("bpos mock order, reply, advance, fault, reset, log", () => {
  it("place orders, in a branch and a state", async () => {
    const { mock, env } = await service({ scenario: "empty", clock: noon });
    const run = shell({ env });
    const placed = await run(["mock", "order", "--count", "3", "--url", mock.baseUrl]);
    expect(placed).toMatchObject({ code: 0, stderr: "" });
    expect(placed.stdout).toMatch(/3 orders: \d+, \d+, \d+/);
    await run(["mock", "order", "--branch", "norte", "--status", "listo", "--url", mock.baseUrl]);
    const count = async (env: Record<string, string>, status: string): Promise<number> =>
      (
        JSON.parse((await run(["orders", "list", "--status", status, "--json"], { env })).stdout) as {
          total: number;
        }
      ).total;
    expect(await count(env, "pendiente")).toBe(3);
    expect(await count({ ...env, BPOS_API_KEY: "bpk_demo_norte" }, "listo")).toBe(1);
  });

  it("move the clock, so that messages are delivered, and reply to them", async () => {
    const { mock, env } = await service({ scenario: "empty", clock: noon });
    const run = shell({ env });
    const url = ["--url", mock.baseUrl];
    await run([
      "campaign",
      "send",
      fixture("recipients.csv"),
      "--template",
      "pedido_listo",
      "--yes",
      "--ref",
      "r",
    ]);
    const moved = await run(["mock", "advance", "1h30m", ...url]);
    expect(moved.stdout).toContain("2026-01-01 13:30:00");
    const [message] = await mock.control.messages();
    const replied = await run(["mock", "reply", message!.phone, "sí,", "gracias", ...url, "--json"]);
    expect(replied.code).toBe(0);
    // On standard error, beside the JSON: this mock has no webhook.
    expect(replied.stderr).toMatch(/^Nobody received the reply: .*bpos mock webhook URL/);
    const webhook = ["mock", "webhook", "http://127.0.0.1:1/"];
    await run([...webhook, ...url]);
    const heard = await run(["mock", "reply", message!.phone, "sí", ...url]);
    expect(heard).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining('"sí"') as string });
    await run(["mock", "webhook", "--off", ...url]);
    expect(JSON.parse(replied.stdout)).toMatchObject({
      phone: message!.phone,
      text: "sí, gracias",
      external_ref: "r",
    });
  });

  it("name the phones that can reply where nobody sent this one a message", async () => {
    const { env } = await service({ scenario: "empty", clock: noon });
    const run = shell({ env: { ...env, BPOS_MOCK: env["BPOS_BASE_URL"] ?? "" } });
    const reply = (phone: string, ...more: string[]) => run(["mock", "reply", phone, "hola", ...more]);
    const early = await reply("+5491100000000");
    expect(early.stderr).toMatch(
      /^Error: No message was sent to \+5491100000000\.\n.*\n.* Send a campaign first/,
    );
    const send = ["--template", "pedido_listo", "--yes"];
    await run(["campaign", "send", fixture("demo/customers.csv"), ...send]);
    await run(["mock", "advance", "1h"]);
    const nobody = await reply("+5491100000000");
    expect([early.code, nobody.code]).toEqual([11, 11]);
    expect(nobody.stderr).toMatch(/No message was sent to \+5491100000000\.\n.*\n.*\+5491155550003, /);
    expect(nobody.stderr).not.toContain("+5492215550000");
    const failed = await reply("+5492215550000", "--lang", "es");
    expect(failed.stderr).toMatch(/El mensaje a \+5492215550000 falló\.\n.*\n.*\+5491155550003/);
  });

  it("arm faults, list them with how often they fired, and clear them", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const run = shell({ env, clock: fakeClock() });
    const url = ["--url", mock.baseUrl];
    const armed = await run(["mock", "fault", "GET /v1/orders status=503 times=1", ...url]);
    expect(armed).toMatchObject({ code: 0, stderr: "" });
    expect((await run(["orders", "list", "--retries", "0"])).code).toBe(6);
    expect((await run(["orders", "list", "--retries", "0"])).code).toBe(0);
    const listed = await run(["mock", "fault", "--list", ...url]);
    expect(listed.stdout).toMatch(/GET \/v1\/orders status=503 +1 .*1\n/);
    expect((await run(["mock", "fault", "--clear", ...url])).code).toBe(0);
    expect(JSON.parse((await run(["mock", "fault", "--list", "--json", ...url])).stdout)).toEqual({
      faults: [],
    });
    const wrong = await run(["mock", "fault", "GET /v1/orders explode", ...url]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("commit-drop");
    expect((await run(["mock", "fault", ...url])).code).toBe(2);
  });

  it("reset the world, and show the requests, new ones as they come", async () => {
    const { mock, env } = await service({ clock: noon });
    const run = shell({ env });
    const url = ["--url", mock.baseUrl];
    await run(["orders", "list"]);
    expect((await run(["mock", "log", ...url])).stdout).toMatch(
      /GET {3}200 +\d+ ms {2}demo {3}\/v1\/orders\?status=pendiente&page=1\n/,
    );
    const clock = fakeClock();
    const followed = await run(["mock", "log", "--follow", "-o", "ndjson", ...url], {
      clock: {
        now: () => clock.now(),
        sleep: async (ms, signal) => {
          await clock.sleep(ms, signal);
          if (clock.slept.length === 2) await run(["orders", "list", "--status", "listo"]);
        },
      },
      onOutput: (text, stop) => {
        if (text.includes("status=listo")) stop();
      },
    });
    expect(followed.code).toBe(130);
    expect(followed.stdout.trimEnd().split("\n")).toHaveLength(2);
    const reset = await run(["mock", "reset", "--scenario", "empty", "--json", ...url]);
    expect(JSON.parse(reset.stdout)).toMatchObject({ scenario: "empty" });
    expect((await run(["mock", "log", ...url])).stdout).toBe("");
  });

  it("end with 6 when nobody answers at --url, and with 2 for what is no address", async () => {
    const run = shell();
    expect((await run(["mock", "order", "--url", await deadAddress()])).code).toBe(6);
    expect((await run(["mock", "order", "--url", "nowhere"])).code).toBe(2);
  });

  it("talk to the world that --mock keeps when no mock runs", async () => {
    const run = shell();
    const before = JSON.parse((await run(["--mock", "orders", "list", "--json"])).stdout) as {
      total: number;
    };
    await run(["mock", "order", "--count", "2"]);
    const after = JSON.parse((await run(["--mock", "orders", "list", "--json"])).stdout) as { total: number };
    expect(after.total).toBe(before.total + 2);
    await run(["mock", "reset", "--scenario", "empty"]);
    expect(JSON.parse((await run(["--mock", "orders", "list", "--json"])).stdout)).toMatchObject({
      total: 0,
    });
  });
});

it("takes a rule or an empty reply that the mock declines for a mistake of the command line, with the mock's reason", async () => {
  const { mock, env } = await service({ scenario: "empty", clock: noon });
  const run = shell({ env });
  for (const [argv, reason] of [
    [["fault", "GET /v1 wobble"], "wobble"],
    [["reply", "1", ""], "text"],
  ] as const) {
    const { code, stderr } = await run(["mock", ...argv, "--url", mock.baseUrl]);
    expect(code).toBe(2);
    expect(stderr).toContain("The mock refused:");
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain("the service");
  }
});

describe("several mocks of one state folder", () => {
  /** Runs `bpos mock` on an empty world, until it is stopped. */
  async function started(run: ReturnType<typeof shell>): Promise<{ url: string; stop: () => Promise<Run> }> {
    return new Promise((resolve) => {
      const ended = run(["mock", "--port", "0", "--scenario", "empty"], {
        onOutput(text, stop) {
          const { base_url: url } = JSON.parse(text) as { base_url: string };
          resolve({
            url,
            stop() {
              stop();
              return ended;
            },
          });
        },
      });
    });
  }
  const total = async (run: ReturnType<typeof shell>, ...flags: string[]): Promise<number> =>
    (JSON.parse((await run([...flags, "orders", "list", "--json"])).stdout) as { total: number }).total;
  const at = (url: string): string[] => ["--base-url", url];
  const env = { BPOS_API_KEY: "bpk_demo_norte" };
  const notes = (home: string): string[] => readdirSync(join(home, "state", "mocks"));

  it("are found as long as they run, the newest first, and leave nothing behind", async () => {
    const home = temporaryFolder();
    const run = shell({ env: { ...env, BPOS_HOME: home } });
    const first = await started(run);
    const second = await started(run);
    await run(["mock", "order", "--branch", "norte"]);
    expect([await total(run, ...at(first.url)), await total(run, ...at(second.url))]).toEqual([0, 1]);
    expect(await second.stop()).toMatchObject({ code: 0, stderr: "" });
    await run(["mock", "order", "--branch", "norte", "--count", "2"]);
    expect(await total(run, ...at(first.url))).toBe(2);
    expect((await run(["mock", "log"])).stdout).toContain("/v1/orders?");
    await first.stop();
    expect(notes(home)).toEqual([]);
  });

  it("are not found by the note of a process that died, and the note is cleared away", async () => {
    const home = temporaryFolder();
    const run = shell({ env: { ...env, BPOS_HOME: home } });
    const { mock } = await service({ scenario: "empty" });
    const { url, stop } = await started(run);
    const name = notes(home).find((each) => each.endsWith(".json"));
    const note = readFileSync(join(home, "state", "mocks", name!), "utf8");
    await stop();
    // Another program has its port by now.
    writeFileSync(join(home, "state", "mocks", "dead.json"), note.replace(url, mock.baseUrl));
    writeFileSync(join(home, "state", "mocks", "dead.lock"), "");
    await run(["mock", "order", "--branch", "norte"]);
    expect(await total(run, ...at(mock.baseUrl))).toBe(0);
    expect(notes(home)).toEqual([]);
  });

  it.each([
    ["--mock", ["--mock"], {}],
    ["BPOS_MOCK=1", [], { BPOS_MOCK: "1" }],
  ])("are left alone by %s, which means the world of the state folder", async (_name, flags, more) => {
    const run = shell({ env });
    const { url, stop } = await started(run);
    await run(["mock", "order", "--branch", "norte"]);
    expect(await total(run, "--mock")).toBeGreaterThan(0);
    const reset = (...argv: string[]): Promise<Run> =>
      run([...argv, "mock", "reset", "--scenario", "empty"], { env: more });
    expect((await reset(...flags)).code).toBe(0);
    expect([await total(run, "--mock"), await total(run, ...at(url))]).toEqual([0, 1]);
    await run(["mock", "reset", "--scenario", "empty"]);
    expect(await total(run, ...at(url))).toBe(0);
    await stop();
  });
});
