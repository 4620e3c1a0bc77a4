import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { freePort } from "../../support/listen.ts";
import { type Run, shell, temporaryFolder, type World } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import type { BranchRow } from "../../support/status.ts";
import { watchOnce } from "../../support/watch.ts";

const minute = 60_000;

async function shop() {
  const { mock, env } = await service({ scenario: "empty" });
  const clock = fakeClock();
  return { mock, clock, run: shell({ env: { ...env, NO_COLOR: "1" }, clock }) };
}

/** Watches the status on a clock that moves by its pauses; `after` is called in the nth pause, the last stops it. */
async function follow(
  run: (argv: string[], world?: World) => Promise<Run>,
  clock: ReturnType<typeof fakeClock>,
  { argv = [], after, ...world }: World & { argv?: string[]; after: (() => unknown)[] },
): Promise<Run> {
  let stop = (): void => undefined;
  const steps = [...after];
  return run(["status", "--watch", ...argv], {
    ...world,
    clock: {
      now: () => clock.now(),
      async sleep(ms, signal) {
        await steps.shift()?.();
        if (steps.length === 0) stop();
        await clock.sleep(ms, signal);
      },
    },
    onStart: (means) => {
      stop = means;
    },
  });
}

describe("status --watch", () => {
  it("prints a line of each branch that changes, and nothing while only time passes", async () => {
    const { clock, run } = await shop();
    const { code, stdout } = await follow(run, clock, {
      after: [
        () => undefined,
        () => watchOnce(run),
        () => undefined,
        () => clock.advance(4 * minute),
        () => undefined,
      ],
    });
    expect(code).toBe(130);
    const lines = stdout.split("\n").slice(0, -1);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^2026-01-01 \d\d:\d\d:\d\d {2}127\.0\.0\.1:\d+: nobody · well$/);
    expect(lines[1]).toMatch(
      /nobody · Nobody watches it\. .* 4 min ago\. Start its watch again as it was: bpos orders watch$/,
    );
  });

  it("shows a profile that comes, and goes on while the file of profiles cannot be read", async () => {
    const home = temporaryFolder();
    const file = join(home, "config.json");
    const write = (text: string): void => writeFileSync(file, text, { mode: 0o600 });
    const profiles = (...names: string[]): string => {
      const entries = names.map((name) => [
        name,
        { base_url: "https://api.example", api_key: `key-${name}` },
      ]);
      return JSON.stringify({ profiles: Object.fromEntries(entries) as object });
    };
    const clock = fakeClock();
    const run = shell({ env: { BPOS_HOME: home, NO_COLOR: "1" }, clock });
    write(profiles("centro"));
    const { env } = await service({ scenario: "empty" });
    await run(["orders", "watch", "--once", "-q"], { env });
    const { code, stdout } = await follow(run, clock, {
      after: [() => write("{"), () => write(profiles("centro", "norte")), () => undefined],
    });
    expect(code).toBe(130);
    const named = stdout.split("\n").map((line) => line.split(" ")[3]);
    expect(named.filter((name) => /^(centro|norte):/.test(name ?? ""))).toEqual(["centro:", "norte:"]);
  });

  it("prints the branch as NDJSON with -o ndjson", async () => {
    const { clock, run } = await shop();
    await watchOnce(run);
    const { stdout } = await follow(run, clock, {
      argv: ["-o", "ndjson"],
      after: [() => undefined, () => watchOnce(run)],
    });
    const rows = stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as BranchRow);
    expect(rows).toMatchObject([{ watch: { state: "none" }, outputs: [{ output: "stdout" }] }]);
  });

  it("draws one picture again and again on a terminal, never higher than it is", async () => {
    const { clock, run } = await shop();
    await watchOnce(run);
    const { stdout } = await follow(run, clock, {
      after: [() => undefined, () => clock.advance(4 * minute), () => undefined],
      terminal: 80,
      rows: 12,
    });
    const frames = stdout.split("\u001b[J");
    expect(frames[0]).toContain("All is well: 1 branch.");
    expect(frames[0]).toContain("As of 2026-01-01");
    expect(frames.at(-2)).toContain("Nobody watches it");
    for (const frame of frames) expect(frame.split("\n").length).toBeLessThanOrEqual(12);
  });

  it("on a small screen keeps what is not well with its commands, and counts what it leaves out", async () => {
    const { mock, clock, run } = await shop();
    await watchOnce(run);
    await watchOnce(run, "-q", "--consumer", "kitchen");
    await mock.control.placeOrders({ count: 2 });
    await watchOnce(run, "-q", "--exec", "exit 1");
    clock.advance(20 * minute);
    const draw = async (rows: number) => {
      const after = [() => undefined, () => undefined];
      const { stdout } = await follow(run, clock, { after, terminal: 100, rows });
      return (stdout.split("\u001b[J").at(-2) ?? "")
        .replaceAll("\u001b[2K", "")
        .replace(/^.*\u001b\[\d+A/s, "");
    };
    expect(await draw(40)).toContain("Last poll");
    const frame = await draw(9);
    expect(frame.trimEnd().split("\n").length).toBeLessThan(9);
    expect(frame).toMatch(/Nobody watches it\..*\n.*\n? {2}bpos orders watch\b/);
    expect(frame).not.toContain("Last poll ");
    expect(frame).toMatch(/\d more problems?: `bpos status -p <profile>`/);
    expect(await draw(2)).toMatch(/3 more problems|As of/);
  });
});

/** The page, under way: its address, once it is served. */
async function serve(
  run: (argv: string[], world?: World) => Promise<Run>,
  address: string,
  more: string[] = [],
) {
  let out = "";
  let stop = (): void => undefined;
  const ended = run(["status", "--serve", address, ...more], {
    onStart: (means) => {
      stop = means;
    },
    onOutput: (text) => {
      out = text;
    },
  });
  onTestFinished(async () => {
    stop();
    await ended;
  });
  await vi.waitFor(() => expect(out).toContain("http://"), { timeout: 10_000, interval: 10 });
  const url = /http:\S+/.exec(out)?.[0] ?? "";
  return { url, ended, stop: () => stop() };
}

/** What a server answers to a request of these lines. */
const raw = (port: number, ...lines: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(`${lines.join("\r\n")}\r\n\r\n`));
    socket
      .setEncoding("utf8")
      .on("data", (part) => {
        text += String(part);
      })
      .on("end", () => resolve(text))
      .on("error", reject);
  });

describe("status --serve", () => {
  it("serves the status as a page, in the language of the browser or the address, and what changes of it", async () => {
    const { mock, run, clock } = await shop();
    const orders = await mock.control.placeOrders({ count: 5 });
    await watchOnce(run, "-q", "--exec", "exit 1");
    const { url, ended, stop } = await serve(run, "0");
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);

    const page = await fetch(url);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const text = await page.text();
    expect(text).toContain('<html lang="en">');
    expect(text).toContain("5 orders wait for exec");
    for (const { order_id, cliente } of orders)
      for (const personal of [order_id, cliente.telefono, cliente.nombre].flatMap((each) => each ?? []))
        expect(text).not.toContain(String(personal));
    for (const [, name = ""] of text.matchAll(/(?:href|src)="(static\/[^"]+)"/g))
      expect((await fetch(new URL(name, url))).status, name).toBe(200);

    const es = await (await fetch(url, { headers: { "accept-language": "es-AR,es;q=0.9" } })).text();
    expect(es).toContain("5 pedidos esperan a exec");
    expect(await (await fetch(`${url}?lang=en`, { headers: { "accept-language": "es" } })).text()).toContain(
      "Not well",
    );

    clock.advance(5 * minute);
    const [, again = ""] = /hx-get="([^"]*)"/.exec(es) ?? [];
    const later = await (await fetch(new URL(again, url))).text();
    expect(later).toContain("Nadie la vigila. La última consulta completa fue hace 5 min.");
    expect(later).toContain("<code>bpos orders watch --exec &lt;command&gt;</code>");
    stop();
    expect((await ended).code).toBe(130);
  });

  it("answers GET alone, and no other host on this machine", async () => {
    const { run } = await shop();
    const { url } = await serve(run, "localhost:0");
    const port = Number(new URL(url).port);
    expect(await raw(port, "GET / HTTP/1.1", "Host: evil.example", "Connection: close")).toMatch(
      /^HTTP\/1\.1 421 /,
    );
    expect(await raw(port, "GET / HTTP/1.1", `Host: 127.0.0.1:${port}`, "Connection: close")).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    for (const path of ["x", "static/", "static/none.js", "static/..%2f..%2fpackage.json", "static/x/y"])
      expect((await fetch(url + path)).status, path).toBe(404);
    expect((await fetch(url)).status).toBe(200);
    expect(await (await fetch(url)).text()).toContain("There is no journal yet");
  });

  it("for other machines has a token in its address, without which it shows nothing", async () => {
    const { run } = await shop();
    await watchOnce(run);
    const { url, ended, stop } = await serve(run, "0.0.0.0:0", ["-q"]);
    expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/[0-9a-f]{32}\/$/);
    const { port, pathname } = new URL(url);
    const here = `http://127.0.0.1:${port}`;
    expect((await fetch(here + pathname)).status).toBe(200);
    expect((await fetch(here + pathname.slice(0, -1))).url).toBe(here + pathname);
    for (const path of ["/", "/?lang=en", "/static/console.css", "/0123456789abcdef0123456789abcdef/"]) {
      const refused = await fetch(here + path);
      expect([refused.status, await refused.text()], path).toEqual([
        403,
        expect.stringContaining("holds a token") as string,
      ]);
    }
    stop();
    expect((await ended).stderr).toContain("Whoever can reach 0.0.0.0:");
  });

  it("ends with 9 where another program has the port", async () => {
    const { run } = await shop();
    const port = await freePort();
    await serve(run, port);
    const { code, stdout, stderr } = await run(["status", "--serve", port]);
    expect([code, stdout]).toEqual([9, ""]);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
  });
});
