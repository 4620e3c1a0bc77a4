import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { fakeClock } from "../support/fake-clock.ts";
import { freePort, listenIn, postReply } from "../support/listen.ts";
import { deadAddress, fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";
import { sized } from "../support/soak.ts";
import { newIds, watchOnce, watchPolls } from "../support/watch.ts";

const secret = "tok3n-of-the-shop";
const fails = `TOKEN=${secret}; set -x; test "$TOKEN" = no; echo "no paper" >&2; exit 7`;

const filesBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");

const orders = (count: number): Promise<string> => {
  const all = Array.from({ length: count }, (_, n) => orderOf(n + 1));
  return fixedServer(() => ({ body: pageOf(all) }));
};

describe("the command of --exec", () => {
  const formats = [["--log-format", "json"], ["-vv"], ["--lang", "es", "-v"]];
  it.each(formats.slice(0, sized(2, 3)))(
    "is its program and its number, and its line is nowhere: %s %s",
    async (...more) => {
      const env = { ...pointedAt(await orders(2)), BPOS_HOME: temporaryFolder() };
      const run = shell({ env });
      const port = await freePort();
      let asked = "";
      const out = join(temporaryFolder(), "out");
      const watched = await watchPolls(run, {
        ...{ polls: 4, clock: fakeClock(), world: { random: () => 0.5 } },
        argv: ["--health", port, "--out-dir", out, "--exec", fails, "--on-failure", fails, ...more],
        after: async () => {
          for (const path of ["healthz", "metrics"])
            asked += await (await fetch(`http://127.0.0.1:${port}/${path}`)).text();
        },
      });
      expect(watched.stderr).toMatch(
        /`set` \((?:output|salida) 2\) (?:ended with exit code|terminó con).* 7: .*no paper/s,
      );
      expect(asked).toContain('"output":"exec","undelivered":2');
      expect(asked).toContain('bpos_orders_undelivered{branch="');

      let seen = watched.stdout + watched.stderr + asked;
      for (const command of [["status"], ["status", "--json"], ["doctor", "--json"], ["journal", "status"]]) {
        const { stdout, stderr } = await run(command);
        seen += stdout + stderr;
      }
      seen += filesBelow(env.BPOS_HOME);
      expect(seen).not.toContain(secret);
    },
  );

  it("may be another one: what the output owes goes to it, once", async () => {
    const run = shell({ env: pointedAt(await orders(2)) });
    const kept = join(temporaryFolder(), "kept");
    const keep = `TOKEN=${secret}; cat > /dev/null; echo "$BPOS_ORDER_ID $BPOS_REPEATED" >> '${kept}'`;
    expect(newIds(await watchOnce(run, "--exec", fails))).toEqual([1, 2]);
    expect(existsSync(kept)).toBe(false);
    expect(newIds(await watchOnce(run, "--exec", keep))).toEqual([]);
    expect(newIds(await watchOnce(run, "--exec", `sh -c '' && ${keep}`))).toEqual([]);
    expect(readFileSync(kept, "utf8").trimEnd().split("\n").sort()).toEqual(["1 false", "2 false"]);
  });
});

it("--on-failure says the name of its program, and repeats no word of its line", async () => {
  const run = shell();
  const failed = ["catalog", "push", "nowhere.csv", "-q", "--on-failure"];
  expect((await run([...failed, fails])).stderr).toContain(
    "Warning: the --on-failure command `set` ended with exit code 7: ",
  );
  const broken = await run([...failed, `TOKEN=${secret} notify.sh "$(echo`]);
  expect(broken.stderr).toContain("the --on-failure command `notify.sh` ended with exit code 2");
  expect(broken.stderr).not.toContain(secret);
});

it("a key_command that the shell repeats is not shown", async () => {
  const home = temporaryFolder();
  const config = {
    profiles: { a: { base_url: "http://127.0.0.1:9", key_command: `set -x; : ${secret}; exit 1` } },
    default: "a",
  };
  writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const run = shell({ env: { BPOS_HOME: home } });
  let seen = "";
  for (const command of [
    ["orders", "list", "-vv"],
    ["doctor"],
    ["profile", "show", "a"],
    ["profile", "list"],
  ]) {
    const { stdout, stderr } = await run(command);
    seen += stdout + stderr;
  }
  expect(seen).toContain("key_command");
  expect(seen).not.toContain(secret);
});

describe("an address with a secret path", () => {
  it.each(["hooks.example", "ftp://hooks.example", "https://shop:word@hooks.example"])(
    "is not repeated where it is no address: %s",
    async (start) => {
      const run = shell({ env: pointedAt("http://127.0.0.1:9") });
      for (const argv of [
        ["orders", "watch", "--ping", `${start}/${secret}`],
        ["campaign", "listen", "--forward-to", `${start}/${secret}`],
      ])
        for (const more of [[], ["-o", "ndjson", "--log-format", "json"]]) {
          const { code, stdout, stderr } = await run([...argv, ...more]);
          expect(code).toBe(2);
          expect(stderr).toContain(argv[2]);
          expect(stdout + stderr).not.toContain(secret);
        }
    },
  );

  it("is its origin where nobody answers", async () => {
    const dead = await deadAddress();
    const run = shell({ env: pointedAt(await orders(1)) });
    const argv = ["--ping", `${dead}/${secret}`, "-vv"];
    const watched = await watchPolls(run, { polls: 3, argv, clock: fakeClock() });
    expect(watched.stderr).toContain(new URL(dead).host);
    expect(watched.stderr).not.toContain(secret);
  });

  it("of a reply is, as its command is its program", async () => {
    const dead = await deadAddress();
    const outputs = ["--forward-to", `${dead}/${secret}`, "--exec", fails];
    const argv = ["-o", "ndjson", "--log-format", "json", "-vv", ...outputs];
    const home = temporaryFolder();
    let retries = 0;
    const listener = await listenIn(shell({ env: { BPOS_HOME: home } }), argv, {
      clock: {
        now: () => Date.UTC(2026, 0, 1),
        sleep: (_ms, signal) => {
          retries += 1;
          return new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
        },
      },
    });
    await postReply(listener.url, { phone: "+5491155550001" });
    await vi.waitFor(() => expect(retries).toBe(2), { timeout: 10_000, interval: 10 });
    const { stdout, stderr } = await listener.stop();
    expect(stderr).toContain("`set` (output 1)");
    expect(stderr).toContain(`${dead} did not answer`);
    expect(stdout + stderr + filesBelow(home)).not.toContain(secret);
  });
});
