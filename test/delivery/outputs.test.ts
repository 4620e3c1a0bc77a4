import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/api/json.ts";
import { usableOrderId } from "../../src/api/pages.ts";
import type { Order } from "../../src/contract/order.ts";
import { isReason } from "../../src/errors.ts";
import { openMemoryJournal } from "../../src/journal/journal.ts";
import type { OrderChanged, OrderNew } from "../../src/orders/watch/events.ts";
import type { OrderOutput } from "../../src/orders/watch/outputs/order-output.ts";
import { orderExecOutput, outDirOutput } from "../../src/orders/watch/outputs/outputs.ts";
import { runCommand } from "../../src/system.ts";
import { answerOf, meetingPoint, program } from "../support/programs.ts";
import { temporaryFolder } from "../support/run.ts";
import { sized } from "../support/soak.ts";

const never = new AbortController().signal;
const order = (more: Record<string, unknown> = {}): Order =>
  ({ order_id: 17, created_at: 1_767_265_200_000, status: "pendiente", ...more }) as unknown as Order;
const eventOf = (given: Order, more: Partial<OrderNew> = {}): OrderNew => ({
  event: "order.new",
  at: "2026-01-01T08:00:00-03:00",
  branch: "centro",
  order: given,
  repeated: false,
  ...more,
});
const change = (more: Partial<OrderChanged> = {}): OrderChanged => ({
  event: "order.changed",
  at: "2026-01-01T08:00:00-03:00",
  branch: "centro",
  order_id: 17,
  from: "pendiente",
  to: "listo",
  ...more,
});

const exec = (command: string, { timeoutMs = 15_000, changes = false } = {}): OrderOutput =>
  orderExecOutput({ command, outputNumber: 1, timeoutMs, run: runCommand }, changes);
/** Returns an order as the journal names it. */
const kept = ({ order_id }: Order) => ({ orderKey: String(order_id), branchId: "branch" });
/** Why an output did not take an order; undefined when it did. */
const give = (output: OrderOutput, given = order(), signal = never): Promise<unknown> =>
  output.deliver({ event: eventOf(given), order: given, ...kept(given) }, signal);
const giveEvent = (output: OrderOutput, event: OrderNew): Promise<unknown> =>
  output.deliver({ event, order: event.order, ...kept(event.order) }, never);
const giveChange = (output: OrderOutput, event: OrderChanged, given = order()): Promise<unknown> =>
  output.deliver({ event, order: given, ...kept(given) }, never);

/** An output whose command keeps what it is given, and what it kept. */
function keeper(options: { changes?: boolean } = {}): {
  output: OrderOutput;
  kept: () => { text: string; env: Record<string, string> };
} {
  const file = join(temporaryFolder(), "kept.json");
  const keep = program(`
    const { readFileSync, writeFileSync } = require("node:fs");
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("BPOS_")));
    writeFileSync(${JSON.stringify(file)}, JSON.stringify({ text: readFileSync(0, "utf8"), env }));`);
  return {
    output: exec(keep, options),
    kept: () => JSON.parse(readFileSync(file, "utf8")) as { text: string; env: Record<string, string> },
  };
}

describe("usableOrderId", () => {
  it.each([
    [17, "17"],
    [-3, "-3"],
    [0, "0"],
    [9007199254740993n, "9007199254740993"],
    ["A-17_b", "A-17_b"],
    ["x".repeat(64), "x".repeat(64)],
  ])("of %s is %s", (id, text) => expect(usableOrderId(order({ order_id: id }))).toBe(text));

  it.each([
    [undefined],
    [null],
    [true],
    [1.5],
    [2 ** 53],
    [Number.NaN],
    [""],
    ["x".repeat(65)],
    ["../17"],
    ["a b"],
    ["17\n"],
    ["ñ"],
    [[17]],
    [{ id: 17 }],
    [10n ** 70n],
  ])("of %s is none", (id) => expect(usableOrderId(order({ order_id: id }))).toBeUndefined());
});

describe("--out-dir", () => {
  const anyOrder = fc
    .tuple(
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 }),
      fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 10n ** 60n })),
    )
    .map(([rest, id]) => order({ ...(parseJson(JSON.stringify(rest)) as object), order_id: id }));

  it("keeps every order as it came, in one line of its file", async () => {
    const { orderFiles } = openMemoryJournal();
    const home = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(anyOrder, async (given) => {
        const folder = mkdtempSync(join(home, "orders-"));
        expect(await give(outDirOutput(folder, orderFiles), given)).toBeUndefined();
        const [name, ...more] = readdirSync(folder);
        expect([name, more]).toEqual([`${String(given.order_id)}.json`, []]);
        const text = readFileSync(join(folder, name!), "utf8");
        expect(text.indexOf("\n")).toBe(text.length - 1);
        expect(parseJson(text)).toEqual(given);
      }),
    );
  });
});

describe("--exec", () => {
  it("gets names that no environment can hold, or that Windows would read as commands, made harmless", async () => {
    const { output, kept } = keeper({ changes: true });
    const strange = change({
      branch: "a\0b",
      from: "x\" & calc | %PATH%\n;$(a)`b`*\\'<!>",
      to: "ñ".repeat(500_000),
    });
    await giveChange(output, strange);
    expect(kept().env).toMatchObject({
      BPOS_BRANCH: "a_b",
      BPOS_FROM: "x_ _ calc _ _PATH_____a__b_______",
      BPOS_TO: "ñ".repeat(1000),
    });
  });

  it("never runs what an order says", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "touched");
    const hostile = [`$(touch ${file})`, `\`touch ${file}\``, `'; touch ${file}; '`, `"\n touch ${file} \n"`];
    const { output, kept } = keeper({ changes: true });
    for (const text of sized([hostile.join(" ")], hostile)) {
      const given = order({ status: text, [text]: text, cliente: { nombre: text } });
      await giveEvent(output, eventOf(given, { branch: text }));
      expect(parseJson(kept().text)).toEqual(given);
      expect(kept().env["BPOS_BRANCH"]).not.toMatch(/["'`$;()\n]/);
      await giveChange(output, change({ from: text, to: text }), given);
    }
    // The same in a line that mentions every variable, as its author would.
    const naming = exec('echo "$BPOS_BRANCH $BPOS_FROM" $BPOS_TO $BPOS_BRANCH > /dev/null', {
      changes: true,
    });
    for (const text of hostile) {
      await giveChange(naming, change({ branch: text, from: text, to: text }));
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["reads nothing", "exit 0"],
    ["closes its input", "exec 0<&-; exit 0"],
    ["reads a little", "head -c 10 > /dev/null"],
  ])("has a large order also when it %s", async (_name, command) => {
    expect(await give(exec(command), order({ nota: "x".repeat(1_000_000) }))).toBeUndefined();
  });

  it.each([
    ["ends with 3", "echo out of paper >&2; exit 3", { exitCode: 3, detail: "out of paper" }],
    ["is killed", "kill -KILL $$", { exitCode: null, killedBy: "SIGKILL", detail: "" }],
    ["cannot be started", `: ${"x".repeat(300_000)}`, { exitCode: null, killedBy: null, detail: /E2BIG/ }],
    [
      "talks long",
      'i=0; while [ $i -lt 999 ]; do i=$((i+1)); echo "line $i"; done; exit 1',
      { detail: /^….{195,}\S$/s },
    ],
  ])("has not taken the order when it %s", async (_name, command, facts) => {
    const error = await give(exec(command));
    const { detail, ...ends } = facts;
    expect(isReason(error, "exec_failed") && error.facts).toMatchObject({
      outputNumber: 1,
      orderId: "17",
      timedOutMs: null,
      ...ends,
    });
    if (!isReason(error, "exec_failed")) return;
    if (typeof detail === "string") expect(error.facts.detail).toBe(detail);
    else expect(error.facts.detail).toMatch(detail);
    expect(error.facts.detail.length).toBeLessThanOrEqual(200);
  });

  it("that takes too long is ended with all of its processes, however stubborn", async () => {
    const { comer, come } = await meetingPoint();
    const quiet = `${comer({ stubborn: true })} > /dev/null 2>&1 < /dev/null`;
    const given = give(exec(`${quiet} & ${comer()}`, { timeoutMs: 2_500 }));
    const ends = (await come(2)).map(answerOf);
    const error = await given;
    expect(isReason(error, "exec_failed") && error.facts).toMatchObject({ timedOutMs: 2_500 });
    expect(await Promise.all(ends)).toEqual(["", ""]);
  });

  it("is not held up by what it leaves running, which goes on and may write", async () => {
    const { comer, come } = await meetingPoint();
    const output = exec(`${comer()} & exit 0`, { timeoutMs: 15_000 });
    const began = performance.now();
    expect(await give(output)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(10_000);
    const [left] = await come(1);
    const said = answerOf(left!);
    left!.write("speak");
    expect(await said).toBe("said");
  });
});

describe("--exec, when the watch is stopped", () => {
  /** Gives an order to a command that is at work, aborts, and tells the command something. */
  async function stopped(line: (comer: string) => string, word?: string) {
    const { comer, come } = await meetingPoint();
    const controller = new AbortController();
    const given = give(exec(line(comer({ stubborn: true }))), order(), controller.signal);
    const [socket] = await come(1);
    const end = answerOf(socket!);
    controller.abort();
    if (word !== undefined) socket!.write(word);
    return { error: await given, end: await end };
  }

  it.each([
    ["has the order if it ends with 0 at once", "exit 0", undefined],
    ["gives it back if it ends otherwise", "exit 1", "stopped"],
  ])("%s", async (_, word, error) => expect((await stopped((comer) => comer, word)).error).toBe(error));

  it("is killed with what it started", async () => {
    expect(await stopped((comer) => `${comer} & wait`)).toEqual({ error: "stopped", end: "" });
  });

  it("is not started any more", async () => {
    const { output, kept } = keeper();
    expect(await give(output, order(), AbortSignal.abort())).toBe("stopped");
    expect(kept).toThrow("ENOENT");
  });
});
