import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { raw } from "../../../mock/raw.ts";
import { type FakeClock, fakeClock } from "../../../support/fake-clock.ts";
import { freePort } from "../../../support/listen.ts";
import { type Answer, fixedServer, orderOf, pageOf } from "../../../support/peers.ts";
import { addUnchecked } from "../../../support/profiles.ts";
import { shell, temporaryFolder } from "../../../support/run.ts";
import { listening } from "../../../support/server.ts";
import { pointedAt, service } from "../../../support/service.ts";
import { watchPolls } from "../../../support/watch.ts";

const minute = 60_000;
const world = { random: () => 0.5 };

interface Report {
  status: string;
  version: string;
  branches: {
    branch: string;
    state: string;
    last_poll_at: string | null;
    age_s: number | null;
    outputs: { output: string; undelivered: number; oldest_s: number | null; failing_since: string | null }[];
  }[];
}

async function ask(port: string): Promise<{ code: number; report: Report }> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
  return { code: answer.status, report: (await answer.json()) as Report };
}

/** The values of the metrics, by name and labels as they are written. */
async function scrape(port: string): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const rows = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(rows.map((row) => [row.replace(/ \S+$/, ""), Number(row.split(" ").at(-1))]));
}

/** A service that is down for a while from an instant on. */
const failing = (clock: FakeClock, fromMs: number, forMs: number): Promise<string> => {
  const start = clock.now();
  const answer: Answer = () => {
    const after = clock.now() - start;
    return after >= fromMs && after < fromMs + forMs
      ? { status: 503, body: {} }
      : { body: pageOf([orderOf(1, { created_at: start - 5_000 })]) };
  };
  return fixedServer(answer);
};

describe("orders watch --health", () => {
  it("is 503 once no poll was complete for three intervals, and 200 when the service is back", async () => {
    const clock = fakeClock();
    const start = clock.now();
    const url = await failing(clock, 2 * minute, 10 * minute);
    const port = await freePort();
    const codes: [minutes: number, code: number, state: string][] = [];
    const run = shell({ env: pointedAt(url) });
    await watchPolls(run, {
      ...{ polls: 30, clock, world, argv: ["--health", port] },
      after: async () => {
        const { code, report } = await ask(port);
        codes.push([(clock.now() - start) / minute, code, report.branches[0]!.state]);
      },
    });
    const failed = codes.filter(([, code]) => code === 503).map(([at]) => at);
    expect(Math.min(...failed)).toBeGreaterThan(4);
    expect(Math.max(...failed)).toBeLessThan(12.5);
    expect(codes.filter(([at]) => at > 4 && at < 12).every(([, code]) => code === 503)).toBe(true);
    expect(codes.filter(([at]) => at > 2 && at < 3.9).map(([, code, state]) => `${code} ${state}`)).toContain(
      "200 outage",
    );
    expect(codes.at(-1)!.slice(1)).toEqual([200, "ok"]);
  });

  it("is 503 ten minutes after a printer was unplugged, and says since when", async () => {
    const { mock, env } = await service({ clock: "2026-01-01T12:00:00-03:00", scenario: "empty" });
    const unplugged = `tcp://127.0.0.1:${await freePort()}`;
    const port = await freePort();
    const clock = fakeClock();
    // The clock may move while the answer is made.
    const seen: { asked: number; answered: number; code: number; report: Report }[] = [];
    await mock.control.placeOrders();
    const found = clock.now();
    const look = async (): Promise<void> => {
      const asked = clock.now() - found;
      const said = await ask(port);
      seen.push({ asked, answered: clock.now() - found, ...said });
    };
    await watchPolls(shell({ env: { ...env, BPOS_HOME: temporaryFolder() } }), {
      ...{ polls: 60, clock, world, argv: ["--health", port, "--printer", unplugged] },
      after: look,
    });
    const first = seen.find(({ code }) => code === 503)!;
    expect(first.answered).toBeGreaterThanOrEqual(10 * minute);
    expect(seen.filter(({ asked }) => asked >= 10 * minute + 1_000).every(({ code }) => code === 503)).toBe(
      true,
    );
    const outputs = first.report.branches[0]!.outputs;
    expect(outputs.map(({ output, undelivered }) => [output, undelivered])).toEqual([
      ["printer", 1],
      ["stdout", 0],
    ]);
    expect(outputs[0]!.oldest_s).toBeGreaterThanOrEqual(600);
    expect(Date.parse(outputs[0]!.failing_since!) - found).toBeLessThan(minute);
  });

  it("counts what is polled, found, delivered and asked for", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const port = await freePort();
    const seen: Record<string, number>[] = [];
    await watchPolls(shell({ env: { ...env, BPOS_HOME: temporaryFolder() } }), {
      ...{ polls: 3, world, argv: ["--health", port, "--out-dir", "orders"] },
      after: async (poll) => {
        seen.push(await scrape(port));
        if (poll === 1) await mock.control.placeOrders({ count: 2 });
      },
    });
    const branch = new URL(env["BPOS_BASE_URL"]!).host;
    const changes = (name: string) => seen.map((each) => each[name]);
    const of = (labels = "") => `{branch="${branch}"${labels}}`;
    expect(changes(`bpos_polls_total${of(',outcome="complete"')}`)).toEqual([1, 2, 3]);
    expect(changes(`bpos_polls_total${of(',outcome="failed"')}`)).toEqual([0, 0, 0]);
    expect(changes(`bpos_orders_found_total${of()}`)).toEqual([0, 2, 2]);
    expect(changes(`bpos_orders_delivered_total${of(',output="out-dir"')}`)).toEqual([0, 2, 2]);
    expect(changes(`bpos_orders_delivered_total${of(',output="stdout"')}`)).toEqual([0, 2, 2]);
    expect(changes(`bpos_orders_undelivered${of(',output="out-dir"')}`)).toEqual([0, 0, 0]);
    expect(changes("bpos_order_delivery_seconds_count")).toEqual([0, 4, 4]);
    expect(changes(`bpos_branch_state${of(',state="ok"')}`)).toEqual([1, 1, 1]);
    expect(changes(`bpos_branch_state${of(',state="outage"')}`)).toEqual([0, 0, 0]);
    expect(changes("bpos_journal_errors_total")).toEqual([0, 0, 0]);
    const requests = changes('bpos_requests_total{endpoint="GET /v1/orders",status="200"}');
    expect(requests[0]).toBeGreaterThan(0);
    expect(requests[2]).toBeGreaterThan(requests[1]!);
    expect(changes("bpos_request_seconds_count")).toEqual(requests);
    const polledAt = changes(`bpos_last_complete_poll_timestamp_seconds${of()}`);
    expect(polledAt[1]! - polledAt[0]!).toBe(60);
    const build = Object.keys(seen[0]!).find((name) => name.startsWith("bpos_build_info"));
    expect(build).toMatch(/^bpos_build_info\{version="\d+\.\d+\.\d+[^"]*"\}$/);
  });

  it("answers reads alone, under this machine's names, and without anybody's data", async () => {
    const { mock, env } = await service({ scenario: "busy" });
    const port = await freePort();
    const texts: string[] = [];
    const codes: Record<string, number> = {};
    const clock = fakeClock();
    await mock.control.placeOrders({ count: 3 });
    const loud = await watchPolls(shell({ env }), {
      ...{ polls: 2, clock, argv: ["--health", port] },
      after: async () => {
        const at = `http://127.0.0.1:${port}`;
        const read = async (name: string, path: string, how: RequestInit = {}) => {
          const answer = await fetch(at + path, how);
          codes[name] = answer.status;
          texts.push(await answer.text());
          return answer;
        };
        await read("livez", "/livez");
        await read("query", "/healthz?verbose");
        await read("none", "/orders");
        codes["elsewhere"] = (await raw(`${at}/metrics`, { headers: { host: "evil.example" } })).status;
        expect((await read("post", "/healthz", { method: "POST" })).headers.get("allow")).toBe("GET, HEAD");
        await read("metrics", "/metrics");
        await read("head", "/metrics", { method: "HEAD" });
        expect(texts.at(-1)).toBe("");
      },
    });
    expect(codes).toEqual({
      livez: 200,
      query: 200,
      none: 404,
      elsewhere: 421,
      post: 405,
      metrics: 200,
      head: 200,
    });
    expect(loud.stderr).toContain(`http://127.0.0.1:${port}/healthz`);
    const all = texts.join("");
    expect(all).not.toContain(env["BPOS_API_KEY"]);
    expect(all).not.toMatch(/\+\d{10}|cliente|telefono/);
  });

  it("names whoever has the port, and refuses what cannot be", async () => {
    const { env } = await service({ scenario: "empty" });
    const other = createServer();
    const port = await listening(other);
    onTestFinished(() => void other.close());
    const run = shell({ env });
    const busy = await run(["orders", "watch", "--health", String(port)], { listeners: { [port]: 812 } });
    expect(busy).toMatchObject({ code: 9, stdout: "" });
    expect(busy.stderr).toContain(`Port ${port} on 127.0.0.1 is in use by process 812.`);
    expect(busy.stderr).not.toContain("lsof");
    const unknown = await run(["orders", "watch", "--health", String(port)]);
    expect(unknown.stderr).toContain(`\`lsof -i :${port}\``);
    for (const argv of [
      ["--health", "http"],
      ["--health", "70000"],
      ["--health", "1", "--once"],
      ["--max-age", "5m"],
      ["--outage-after", "5m"],
      ["--ping", "ftp://example.com"],
      ["--ping", "https://me:secret@example.com/x"],
      ["--health", "no-such-host.invalid:0"],
    ])
      expect((await run(["orders", "watch", ...argv])).code, argv.join(" ")).toBe(2);
  });

  it("warns beyond this machine", async () => {
    const { env } = await service({ scenario: "empty" });
    const quiet = await watchPolls(shell({ env }), {
      ...{ polls: 1, argv: ["-q", "--exec", "true", "--health", "0.0.0.0:0"] },
    });
    expect(quiet.stderr).toMatch(/Anyone who can reach 0\.0\.0\.0:\d+ can read/);
  });

  it("of many branches tells which one was stopped", async () => {
    const clock = fakeClock();
    const port = await freePort();
    const run = shell();
    const add = (name: string, url: string) =>
      run(addUnchecked(name, "--base-url", url), { stdin: `bpk_test_secret_000000${name}` });
    await add("centro", await fixedServer(() => ({ body: pageOf([]) })));
    await add("norte", await fixedServer(() => ({ status: 403, body: {} })));
    let last: Awaited<ReturnType<typeof ask>> | undefined;
    await watchPolls(run, {
      ...{ polls: 8, clock, world, argv: ["--all-profiles", "--health", port] },
      after: async () => {
        last = await ask(port);
      },
    });
    expect(last!.code).toBe(503);
    expect(last!.report.branches.map(({ branch, state }) => [branch, state])).toEqual([
      ["centro", "ok"],
      ["norte", "stopped"],
    ]);
  });
});
