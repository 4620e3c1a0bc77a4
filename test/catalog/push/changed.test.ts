import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunningMock } from "../../../src/mock/index.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { accepted, batches, callsOf, event, fileOf, parse } from "../../support/push.ts";
import { type Run, shell, temporaryFolder } from "../../support/run.ts";
import { type Handler, reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, realService, service } from "../../support/service.ts";

const header = "codigo,nombre,precio";
const three = [header, "A,Agua,1.50", "B,Bife,2.50", "C,Café,3.50"];

interface Shop {
  mock: RunningMock;
  home: string;
  push: (lines: readonly string[], ...flags: string[]) => Promise<Run>;
  run: (argv: string[]) => Promise<Run>;
  price: (codigo: string) => Promise<number | undefined>;
}

/** An empty service, and pushes of `--changed-only` to it from one machine. */
async function shop(): Promise<Shop> {
  const { mock, env } = await service({ scenario: "empty" });
  const home = temporaryFolder();
  const run = shell({ env: { ...env, BPOS_HOME: home } });
  return {
    mock,
    home,
    run,
    push: (lines, ...flags) =>
      run(["catalog", "push", fileOf(...lines), "--changed-only", "--json", "-q", ...flags]),
    price: async (codigo) =>
      (await mock.control.catalog("demo")).find((product) => product.codigo === codigo)?.precio,
  };
}

const counts = ({ code, stdout }: Run): object => {
  const { sent, unchanged, outcome } = parse(stdout);
  return { code, sent, unchanged, outcome };
};

describe("catalog push --changed-only", () => {
  it("sends everything at first, then nothing at all, then the rows that differ", async () => {
    const { mock, push, price } = await shop();
    expect(counts(await push(three))).toEqual({ code: 0, sent: 3, unchanged: 0, outcome: "complete" });
    const before = await callsOf(mock);
    expect(counts(await push(three))).toEqual({ code: 0, sent: 0, unchanged: 3, outcome: "nothing" });
    expect(await callsOf(mock)).toEqual(before);
    const dearer = three.with(2, "B,Bife,2.75");
    expect(counts(await push(dearer))).toEqual({ code: 0, sent: 1, unchanged: 2, outcome: "complete" });
    expect(await price("B")).toBe(2.75);
  });

  it("compares the fields that the file has", async () => {
    const { push } = await shop();
    await push(three);
    expect(counts(await push(["codigo,precio", "A,1.50", "B,9"]))).toMatchObject({ sent: 1, unchanged: 1 });
    // A field that was never sent is not known, whatever the others are.
    const wider = ["codigo,nombre,precio,categoria", "A,Agua,1.50,Bebidas", "C,Café,3.50,"];
    expect(counts(await push(wider))).toMatchObject({ sent: 1, unchanged: 1 });
    expect(counts(await push(wider))).toMatchObject({ sent: 0, unchanged: 2 });
  });

  it("sends again what the service rejected", async () => {
    const { push } = await shop();
    const lines = [header, "A,Agua,1.50", "N,,5"];
    const again = { code: 3, sent: 1, unchanged: 1 };
    expect(counts(await push(lines))).toMatchObject({ code: 3, sent: 2, unchanged: 0 });
    expect(counts(await push(lines))).toMatchObject(again);
    expect(counts(await push(lines))).toMatchObject(again);
  });

  it("keeps what it knew of a product whose new price the service rejected", async () => {
    const rejecting = { ...accepted(0), rejected: [{ codigo: "A", error: "too dear" }] };
    const server = await scriptedServer(...batches(reply(accepted(1)), reply(rejecting)));
    const run = shell({ env: pointedAt(server.url) });
    const push = (price: string): Promise<Run> =>
      run(["catalog", "push", fileOf(header, `A,Agua,${price}`), "--changed-only", "--json"]);
    await push("1.50");
    expect((await push("99")).code).toBe(3);
    expect(counts(await push("1.50"))).toMatchObject({ code: 0, unchanged: 1 });
  });

  const uncertain: [string, Handler, number][] = [
    ["stale", reply({ ...accepted(0), skipped_stale: 1 }), 3],
    ["unknown", reset(), 7],
    ["told in sums that do not add up", reply(accepted(5)), 3],
  ];
  it.each(uncertain)("sends again what was %s", async (_, answer, code) => {
    const server = await scriptedServer(...batches(reply(accepted(1)), answer, reply(accepted(1))));
    const run = shell({ env: pointedAt(server.url) });
    const push = (price: string): Promise<Run> => {
      const file = fileOf(header, `A,Agua,${price}`);
      return run(["catalog", "push", file, "--changed-only", "--json", "--retries", "0"]);
    };
    await push("1.50");
    expect((await push("2.50")).code).toBe(code);
    // Neither price is certain now: the old one goes out as well.
    expect(counts(await push("1.50"))).toMatchObject({ code: 0, sent: 1, unchanged: 0 });
    expect(server.requests.map((request) => event(request).items[0]?.precio)).toEqual([1.5, 2.5, 1.5]);
  });

  it("learns from a plain push in between, and from a delete", async () => {
    const { run, push, mock } = await shop();
    await push(three);
    await run(["catalog", "push", fileOf(header, "A,Agua,7")]);
    expect(counts(await push(three.with(1, "A,Agua,7")))).toMatchObject({ sent: 0, unchanged: 3 });
    expect(counts(await push(three))).toMatchObject({ sent: 1, unchanged: 2 });
    expect((await run(["catalog", "delete", "B"])).code).toBe(0);
    expect(counts(await push(three))).toMatchObject({ sent: 1, unchanged: 2 });
    expect((await mock.control.catalog("demo")).every(({ active }) => active)).toBe(true);
  });

  it("knows each branch on its own", async () => {
    const { mock, env } = await service();
    const run = shell({ env });
    const push = (key: string): Promise<Run> =>
      run(["catalog", "push", fileOf(...three), "--changed-only", "--json"], { env: { BPOS_API_KEY: key } });
    const [first, second] = mock.keys.map(({ key }) => key);
    expect(second).toBeDefined();
    await push(first!);
    expect(counts(await push(second!))).toMatchObject({ sent: 3, unchanged: 0 });
    expect(counts(await push(first!))).toMatchObject({ sent: 0, unchanged: 3 });
  });

  it("shows with --dry-run what would be sent, and writes nothing for it", async () => {
    const { home, mock, push, run } = await shop();
    const state = join(home, "state");
    expect(counts(await push(three, "--dry-run"))).toMatchObject({ unchanged: 0 });
    expect(existsSync(state)).toBe(false);
    await push(three);
    const dearer = three.with(2, "B,Bife,2.75");
    const before = await callsOf(mock);
    expect(counts(await push(dearer, "--dry-run"))).toEqual({
      code: 0,
      sent: 0,
      unchanged: 2,
      outcome: "nothing",
    });
    expect(parse((await push(dearer, "--dry-run", "--deactivate-missing")).stdout)).toMatchObject({
      planned: 1,
      planned_batches: 1,
      first: [{ codigo: "B", nombre: "Bife", precio: 2.75 }],
    });
    const { stdout } = await run(["catalog", "push", fileOf(...dearer), "--changed-only", "--dry-run"]);
    expect(stdout).toContain("1 product would be sent in 1 call.");
    expect(await callsOf(mock)).toEqual(before);
    expect(counts(await push(dearer))).toMatchObject({ sent: 1, unchanged: 2 });
  });

  it("says that the service was emptied when that shows, forgets the product, and names the way out", async () => {
    const { mock, env } = await realService({ scenario: "empty" });
    const run = shell({ env });
    const push = (lines: readonly string[], ...flags: string[]) =>
      run(["catalog", "push", fileOf(...lines), "--json", ...flags]);
    await push(three, "--changed-only");
    await mock.control.reset();
    const prices = ["codigo,precio", "A,1.50", "B,9", "C,3.50"];
    const first = await push(prices, "--changed-only");
    expect(counts(first)).toMatchObject({ code: 3, sent: 1, unchanged: 2 });
    expect(first.stderr).toContain("confirmed products are no longer in the service: B. The 2 rows skipped");
    expect(first.stderr).toContain("Push the file once without --changed-only");
    // The price of B is not known any more, though the file has what once was confirmed.
    expect(counts(await push(three, "--changed-only"))).toMatchObject({ code: 0, sent: 1, unchanged: 2 });
    const whole = await push(three);
    expect(counts(whole)).toMatchObject({ code: 0, sent: 3 });
    expect(whole.stderr).toBe("");
    expect(counts(await push(three, "--changed-only"))).toMatchObject({ sent: 0, unchanged: 3 });
    expect(await mock.control.catalog("demo")).toHaveLength(3);
  });

  it("says so when what it took for confirmed turns out to be stale", async () => {
    const stale = reply({ ...accepted(0), skipped_stale: 1 });
    const server = await scriptedServer(...batches(reply(accepted(3)), stale));
    const run = shell({ env: pointedAt(server.url) });
    const push = (lines: readonly string[]) =>
      run(["catalog", "push", fileOf(...lines), "--changed-only", "--json"]);
    await push(three);
    const { code, stderr } = await push(three.with(2, "B,Bife,9"));
    expect(code).toBe(3);
    expect(stderr).toContain("has newer data than this journal");
    expect(stderr).toContain("Push the file once without --changed-only");
  });
});

it.each([
  [
    "en",
    /nothing has changed since .* confirmed it to this journal \(last push: 2026-03-01 12:00\)\..*without --changed-only/,
  ],
  [
    "es",
    /nada cambió desde .* lo confirmó en este registro \(última subida: 01\/03\/2026 12:00\)\..*sin --changed-only/,
  ],
])("claims nothing of a service that was restored meanwhile (%s)", async (lang, said) => {
  const { mock, env } = await realService({ scenario: "empty" });
  const run = shell({
    env: { ...env, BPOS_HOME: temporaryFolder() },
    clock: fakeClock(Date.UTC(2026, 2, 1, 15)),
  });
  const push = (lines: readonly string[], ...flags: string[]): Promise<Run> =>
    run(["catalog", "push", fileOf(...lines), "--lang", lang, ...flags]);
  await push(three);
  await mock.control.reset({ scenario: "empty" });
  const { code, stdout } = await push(three, "--changed-only");
  expect(code).toBe(0);
  expect(stdout.replace(/\s+/g, " ")).toMatch(said);
  expect((await push(three)).code).toBe(0);
  expect(await mock.control.catalog("demo")).toHaveLength(3);
});
