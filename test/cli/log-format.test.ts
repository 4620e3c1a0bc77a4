import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { person, statusOf } from "../support/campaign-server.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { foreignWords } from "../support/foreign-words.ts";
import { cases } from "../support/language-cases.ts";
import { listenIn, postReply } from "../support/listen.ts";
import { factsOf, type LogLine, linesOf, logLine } from "../support/log-lines.ts";
import { type Answer, fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { addUnchecked, home, secretKey } from "../support/profiles.ts";
import { quickClock } from "../support/quick-clock.ts";
import { fixture, type Run, root, shell, temporaryFolder, type World } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt, service } from "../support/service.ts";
import { sized } from "../support/soak.ts";
import { play } from "../support/two-languages.ts";
import { virtualPrinter } from "../support/virtual-printer.ts";
import { newIds, watchPolls } from "../support/watch.ts";

const eventsIn = (run: Run): string[] => linesOf(run).map(({ event }) => event);
const find = (lines: readonly LogLine[], event: string): LogLine[] =>
  lines.filter((line) => line.event === event);

const json = ["--log-format", "json"];
const spanish = { BPOS_LANG: "es" };
const denied = { code: "ERROR_CODE_ACCESS_DENIED", message: "Invalid API key.", payload: "" };
const calm = { random: () => 0.5 };

/** Answers with two orders, and between two instants with a status. */
function unsteady(clock: { now: () => number }, status: number, forMs: number): Promise<string> {
  const from = clock.now() + 120_000;
  const orders: Answer = () => ({ body: pageOf([orderOf(1), orderOf(2)]) });
  return fixedServer((url) => {
    const isDown = clock.now() >= from && clock.now() < from + forMs;
    return isDown ? { status, body: denied } : orders(url);
  });
}

describe("a watch with --log-format json", () => {
  const places: [string, { terminal?: number }][] = [
    ["a terminal", { terminal: 80 }],
    ["a pipe", {}],
  ];
  it.each(places.slice(0, sized(1, 2)))(
    "to %s: outages and outputs that fail are objects in English, with -q too",
    async (_name, place: World) => {
      const clock = fakeClock();
      const url = await unsteady(clock, 503, 300_000);
      const env = { ...pointedAt(url), ...spanish };
      const fails = 'test "$BPOS_ORDER_ID" = 1 || { printf "sin\\npapel \\033[31m\\342\\200\\256"; exit 7; }';
      const argv = [...json, "--exec", fails];
      const run = await watchPolls(shell({ env }), { polls: 20, clock, world: { ...calm, ...place }, argv });
      const lines = linesOf(run);
      const branch = new URL(url).host;
      expect(lines[0]).toMatchObject({ event: "watch.began", level: "info", branch, interval_ms: 60_000 });
      const [failed] = find(lines, "output.failed");
      expect(failed).toMatchObject({
        level: "warn",
        branch,
        output: "exec",
        order_id: "2",
        reason: "exec_failed",
      });
      expect(failed!.message).toContain("sin\npapel \u001b[31m\u202e");
      const [began, ...more] = find(lines, "watch.outage");
      expect([began, more]).toMatchObject([
        { level: "warn", branch, reason: "unavailable", status: 503 },
        [],
      ]);
      const [over] = find(lines, "watch.recovered");
      expect(over!["after_s"]).toBeGreaterThanOrEqual(240);
      expect(Date.parse(over!.at) - Date.parse(began!.at)).toBe(Number(over!["after_s"]) * 1000);
      expect(lines.at(-1)).toMatchObject({ event: "error", code: "interrupted", during: "watch" });
      for (const { message } of lines) expect(foreignWords(message, "en", [/sin\npapel/])).toEqual([]);

      const again = fakeClock();
      const quiet = { ...pointedAt(await unsteady(again, 503, 300_000)), ...spanish };
      const silent = await watchPolls(shell({ env: quiet }), {
        polls: 20,
        clock: again,
        world: calm,
        argv: [...json, "-q", "--exec", "true"],
      });
      expect(eventsIn(silent)).toEqual(["watch.outage", "watch.recovered", "error"]);
    },
  );

  it("names each of many branches in a key, and not in the message", async () => {
    const clock = fakeClock();
    const run = shell({ env: spanish });
    const add = (name: string, url: string) =>
      run(addUnchecked(name, "--base-url", url), { stdin: `bpk_test_secret_000000${name}` });
    const good = await fixedServer(() => ({ body: pageOf([orderOf(1)]) }));
    await add("centro", good);
    await run(addUnchecked("twin", "--base-url", good), { stdin: "bpk_test_secret_000000centro" });
    await add("norte", await unsteady(clock, 403, Number.POSITIVE_INFINITY));
    const argv = [...json, "--all-profiles"];
    const lines = linesOf(await watchPolls(run, { polls: 40, clock, world: calm, argv }));
    expect(find(lines, "watch.began")).toMatchObject([{ branches: 2 }]);
    expect(find(lines, "branch.watched_already")).toMatchObject([{ branch: "twin", other: "centro" }]);
    expect(find(lines, "watch.outage")).toMatchObject([{ branch: "norte", reason: "access_denied" }]);
    expect(find(lines, "watch.stopped")).toMatchObject([{ branch: "norte", status: 403, level: "warn" }]);
    for (const { message } of lines) expect(message).not.toMatch(/^(?:norte|twin): /);
  });

  it("tells of a printer without paper, and that it prints again", async () => {
    const { mock, env } = await service({ clock: "2026-01-01T12:00:00-03:00", scenario: "empty" });
    await mock.control.placeOrders({ count: 2 });
    const printer = await virtualPrinter({ state: "paper_out" });
    const clock = fakeClock();
    let stop = (): void => undefined;
    let pauses = 0;
    const argv = ["orders", "watch", ...json, "--printer", printer.url, "--interval", "1h", "-o", "ndjson"];
    const watching = shell({ env: { ...env, ...spanish } })(argv, {
      onStart: (means) => (stop = means),
      onError: (text) => text.includes('"printer.works"') && stop(),
      clock: {
        now: () => clock.now(),
        sleep: async (ms, signal) => {
          const isRetry = ms <= 60_000 && signal?.aborted === false;
          if (isRetry) pauses += 1;
          if (pauses === 3) printer.repair();
          if (isRetry) await clock.sleep(ms, signal);
          else await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
          await turn();
        },
      },
    });
    const lines = linesOf(await watching);
    expect(find(lines, "watch.printing")).toMatchObject([{ printers: [printer.url] }]);
    expect(find(lines, "printer.failed")).toMatchObject([
      { level: "warn", reason: "printer_failed", problem: "paper_out", printer: printer.url },
    ]);
    expect(find(lines, "printer.works")).toHaveLength(1);
  });

  it("tells of orders in quarantine, of late ones, and of what an output is owed", async () => {
    const odd = { ...orderOf(1), order_id: null };
    const old = orderOf(2, { created_at: Date.UTC(2026, 0, 1, 9) });
    const run = shell({
      env: { ...pointedAt(await fixedServer(() => ({ body: pageOf([odd, old]) }))), ...spanish },
    });
    await watchPolls(run, { polls: 2, argv: ["--exec", "false"], world: calm });
    const late = linesOf(await watchPolls(run, { polls: 4, argv: [...json, "--late", "10m"], world: calm }));
    expect(find(late, "output.owed")).toMatchObject([{ output: "exec", orders: 1, changes: 0 }]);
    expect(find(late, "order.late")).toMatchObject([{ order_id: "2" }]);
    const fresh = shell({
      env: { ...pointedAt(await fixedServer(() => ({ body: pageOf([odd]) }))), ...spanish },
    });
    const [kept] = find(linesOf(await watchPolls(fresh, { polls: 2, argv: json })), "order.quarantined");
    expect(kept!["file"]).toContain("quarantine");
  });

  it("goes on where nobody reads standard error", async () => {
    const env = pointedAt(await fixedServer(() => ({ body: pageOf([orderOf(1)]) })));
    const run = await watchPolls(shell({ env }), { polls: 3, argv: json, world: { stderrClosed: true } });
    expect([newIds(run), run.stderr]).toEqual([[1], ""]);
  });
});

describe("other long commands with --log-format json", () => {
  it("campaign listen: a reply's phone is masked", async () => {
    let said = "";
    const argv = [...json, "-v", "-o", "ndjson", "--exec", "exit 7"];
    const listener = await listenIn(shell({ env: spanish }), argv, { onError: (text) => (said = text) });
    await postReply(listener.url, { phone: "+5491155550017", text: "Hola" });
    await vi.waitFor(() => expect(said).toContain("output.failed"), { timeout: 10_000, interval: 10 });
    const run = await listener.stop();
    const lines = linesOf(run);
    expect(find(lines, "listen.began")).toMatchObject([{ url: listener.url }]);
    expect(find(lines, "output.failed")[0]).toMatchObject({ output: "exec", again_ms: 1_000, level: "warn" });
    expect(run.stderr).toContain("+54…0017");
    expect(run.stderr).not.toContain("5550017");
  });

  it("campaign status --watch: a poll that fails", async () => {
    const done = statusOf("c1", [person(1, "read")], { pending: 0, read: 1 });
    const server = await scriptedServer(
      on("GET /campaigns/c1", reply("", 503)),
      on("GET /campaigns/c1", reply(done)),
    );
    const run = shell({ env: { ...pointedAt(server.url), ...spanish }, clock: fakeClock(), terminal: 80 });
    const ended = await run(["campaign", "status", "c1", "--watch", "--retries", "0", ...json]);
    expect(ended.code).toBe(0);
    expect(linesOf(ended)).toMatchObject([
      { event: "poll.failed", reason: "unavailable" },
      { event: "notice", message: "Every status is final." },
    ]);
    // No picture that is drawn again and again.
    expect(ended.stdout).not.toContain("\u001b[2K");
  });

  it("demo: the commands that it runs log as it does", async () => {
    const run = await shell({ env: spanish })(["demo", "--yes", ...json], { clock: quickClock() });
    expect(run.code).toBe(0);
    expect(eventsIn(run)).toContain("watch.outage");
    expect(run.stdout).toContain("Pedido");
  });

  it("mock: nothing beside its line on standard output", async () => {
    const onOutput: World["onOutput"] = (_text, stop) => stop();
    const run = await shell()(["mock", "--port", "0", ...json], { onOutput });
    expect([run.code, linesOf(run), run.stdout.split("\n").length]).toEqual([0, [], 2]);
  });
});

describe("--log-format json", () => {
  it.each([
    [["orders", "list", "--bogus", ...json], "flag_unknown"],
    [[...json, "catalogue"], "command_unknown"],
    [["orders", ...json], "subcommand_missing"],
    [["orders", "list", "--page", "x", ...json], "value"],
    [["orders", "list", "--lang", "fr", ...json], "value"],
    [["catalog", "push", ...json], "argument_missing"],
    [["orders", "list", ...json, "--page"], "value_missing"],
    [["orders", "list", ...json, "-o", "xml"], "value"],
  ])("a wrong line is an object too: %j", async (argv, kind) => {
    for (const place of [{}, { terminal: 80 }]) {
      const run = await shell({ env: spanish })(argv, place);
      expect([run.code, run.stdout]).toEqual([2, ""]);
      expect(linesOf(run)).toMatchObject([{ code: "usage", reason: "usage_flag", problem: { kind } }]);
    }
  });

  it("has a variable, which a flag overrides, and whose wrong value is named", async () => {
    const env = { BPOS_LOG_FORMAT: "json" };
    const asked = await shell({ env })(["orders", "list"]);
    expect(linesOf(asked)).toMatchObject([{ code: "denied", reason: "key_missing" }]);
    const text = await shell({ env })(["orders", "list", "--log-format", "text"]);
    expect(text.stderr).toMatch(/^Error: No API key/);
    for (const [where, run] of [
      ["BPOS_LOG_FORMAT", await shell({ env: { BPOS_LOG_FORMAT: "JSON" } })(["orders", "list"])],
      ["--log-format", await shell()(["orders", "list", "--log-format", "xml"])],
    ] as const) {
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(where);
      expect(run.stderr).toContain("text, json");
    }
    expect((await shell({ env: { BPOS_LOG_FORMAT: "" } })(["orders", "list"])).stderr).toMatch(/^Error: /);
  });

  it("asks nothing and draws nothing on a terminal", async () => {
    const { env } = await service();
    const run = shell({ env: { ...env, ...spanish }, terminal: 80 });
    const send = ["campaign", "send", fixture("recipients.csv"), "--template", "pedido_listo"];
    const unasked = await run([...send, ...json]);
    expect(unasked.code).toBe(2);
    expect(linesOf(unasked).at(-1)).toMatchObject({ reason: "not_a_terminal", flag: "--yes" });
    linesOf(await run([...send, ...json, "--yes"]));
    linesOf(await run(["orders", "watch", "--once", "--compact", ...json]));
    expect(linesOf(await run(["orders", "show", ...json])).at(-1)).toMatchObject({
      problem: { kind: "argument_missing" },
    });
  });

  it("traces requests as objects, without key and phones", async () => {
    const key = "bpk_live_S3cretPart0123456789";
    const page = { ...pageOf([]), note: "llamar al +5491155550017", key };
    const server = await scriptedServer(on("GET /v1/orders", reply(page)));
    const run = shell({ env: { ...pointedAt(server.url, undefined, key), ...spanish } });
    const traced = await run(["orders", "list", "-vv", ...json]);
    expect(traced.stderr).not.toMatch(/S3cretPart|5550017/);
    const [request, answer, whole, ...more] = linesOf(traced);
    const url = `${server.url}/v1/orders?status=pendiente&page=1`;
    expect(request).toMatchObject({ event: "request", method: "GET", url, attempt: 1 });
    expect(request!.message).toContain("\n> X-API-Key: bpk_…6789");
    expect(answer).toMatchObject({ event: "response", method: "GET", url, status: 200 });
    expect(answer!.message).toContain('"note":"…(24)"');
    expect(whole).toMatchObject({ event: "response", method: "GET", url, status: 200, attempt: 1 });
    expect(more).toEqual([]);
    const dead = shell({ env: pointedAt("http://127.0.0.1:9") });
    const [refused] = linesOf(await dead(["orders", "list", "-v", "--retries", "0", ...json]));
    expect(refused).toMatchObject({ event: "response", failure: "refused" });
  });

  it("holds for what a command of the person's own says, and for --on-failure", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "prices.csv"), "codigo,nombre,precio\nA,Agua,abc\n");
    const { env } = await service();
    const run = shell({ env: { ...env, ...spanish }, cwd: folder });
    const failed = await run(["catalog", "push", "prices.csv", ...json, "--on-failure", "echo no; exit 3"]);
    expect(find(linesOf(failed), "on_failure.failed")).toMatchObject([{ level: "warn", exit_code: 3 }]);

    const { run: atHome, write } = home({ env: spanish });
    const key_command = `echo "abrí ${secretKey}" >&2; echo ${secretKey}`;
    write({ profiles: { centro: { base_url: env["BPOS_BASE_URL"], key_command } }, default: "centro" });
    const refused = await atHome(["orders", "list", ...json]);
    expect(linesOf(refused)).toMatchObject([
      { event: "key_command.output", message: "abrí bpk_…6789", profile: "centro" },
      { code: "denied" },
    ]);
  });

  // Standard output is in the language of the person all the same.
  it.each(
    Object.entries(cases).flatMap(([path, all], n) =>
      all
        .slice(0, sized(1, 99))
        .filter(({ answers }) => answers === undefined && path !== "demo" && n % sized(5, 1) === 0)
        .map((one) => [one.argv.join(" "), one] as const),
    ),
  )("changes standard error alone, and that to English: %s", async (_name, given) => {
    const { answers: _none, ...one } = given;
    const text = await play(one, { language: "es" });
    const logged = await play({ ...one, env: { ...one.env, BPOS_LOG_FORMAT: "json" } }, { language: "es" });
    expect(logged.code, logged.stderr).toBe(text.code);
    expect(logged.stdout).toBe(text.stdout);
    const lines = logged.stderr.split("\n").slice(0, -1);
    const messages = lines.map((line) => logLine.parse(JSON.parse(line)).message);
    expect(messages.length === 0).toBe(text.stderr === "");
    for (const message of messages) expect(foreignWords(message, "en", one.data)).toEqual([]);
  });
});

it("docs/reference/output.md has every event and every fact", () => {
  const page = readFileSync(join(root, "docs/reference/output.md"), "utf8");
  const section = page.slice(page.indexOf("## Events"), page.indexOf("## Terminals"));
  const named = Object.entries(factsOf).flatMap(([event, facts]) => [event, ...Object.keys(facts)]);
  expect(named.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
