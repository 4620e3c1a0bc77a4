import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readable } from "../../../support/printed.ts";
import { program } from "../../../support/programs.ts";
import { type Run, shell, temporaryFolder, type World } from "../../../support/run.ts";
import { service } from "../../../support/service.ts";
import { virtualPrinter } from "../../../support/virtual-printer.ts";
import { newIds, watchOnce, watchPolls } from "../../../support/watch.ts";

const isWindows = process.platform === "win32";
const frozen = { clock: "2026-01-01T12:00:00-03:00", scenario: "empty" } as const;

async function stage() {
  const { mock, env } = await service(frozen);
  const folder = temporaryFolder();
  const file = join(folder, "kept");
  const run = shell({ env });
  return {
    ...{ run, folder },
    place: async (count: number) => (await mock.control.placeOrders({ count })).map(({ order_id: id }) => id),
    setStatus: (id: number, status: "listo" | "cancelado") => mock.control.setOrderStatus(id, status),
    watch: (...argv: string[]): Promise<Run> => watchOnce(run, ...argv),
    forget: (output: string, world: World = {}, ...argv: string[]) =>
      run(["orders", "forget", "--output", output, ...argv], world),
    /** A command that keeps the number of each order and whether it came before. */
    keep: isWindows
      ? program(
          `require("node:fs").appendFileSync(${JSON.stringify(file)}, process.env.BPOS_ORDER_ID + "\\n")`,
        )
      : `echo "$BPOS_ORDER_ID" >> '${file}'`,
    kept: (): number[] =>
      existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").map(Number) : [],
  };
}

// A shell's own commands cost no process of Node's.
const fails = "exit 1";
const pendingOrders = async (run: (argv: string[]) => Promise<Run>): Promise<unknown> => {
  const { stdout } = await run(["journal", "status", "--json"]);
  const { subjects } = JSON.parse(stdout) as { subjects: { subject: string; pending: number }[] };
  return subjects.find(({ subject }) => subject === "orders")?.pending;
};

describe("a run without an output", () => {
  it("keeps what a command has failed to take, and says so with the count and what to type", async () => {
    const { run, watch, place, keep, kept } = await stage();
    const ids = await place(5);
    expect((await watch("--exec", fails)).code).toBe(3);
    const look = await watch();
    expect(look).toMatchObject({ code: 0, stdout: "" });
    expect(look.stderr.match(/5 orders/g)).toHaveLength(1);
    expect(look.stderr).toContain("bpos orders forget --output exec");
    expect(await pendingOrders(run)).toBe(5);
    expect(await watch("--exec", keep)).toMatchObject({ code: 0, stderr: "" });
    expect(kept()).toEqual(ids);
    expect(await pendingOrders(run)).toBe(0);
  });

  it("keeps for a printer that is off what came before, and what comes meanwhile", async () => {
    const { watch, place } = await stage();
    const printer = await virtualPrinter({ state: "paper_out" });
    const ids = await place(2);
    expect((await watch("--printer", printer.url)).code).toBe(3);
    const meanwhile = await place(2);
    const look = await watch("-q");
    expect(newIds(look)).toEqual(meanwhile);
    expect(look.stderr).toContain("4 orders");
    expect(look.stderr).toContain("bpos orders forget --output printer");
    printer.repair();
    expect(await watch("--printer", printer.url)).toMatchObject({ code: 0, stdout: "" });
    expect(printer.receipts.map((receipt) => /ORDER\s+(\d+)/.exec(readable(receipt))?.[1])).toEqual(
      [...ids, ...meanwhile].map(String),
    );
  });

  it("keeps what comes meanwhile for an output that had everything, and says so once it owes something", async () => {
    const { watch, place, folder } = await stage();
    const [first] = await place(1);
    await watch("--out-dir", folder);
    expect((await watch()).stderr).toBe("");
    const [second] = await place(1);
    expect((await watch()).stderr).toContain("bpos orders forget --output out-dir");
    expect(readdirSync(folder)).toEqual([`${first}.json`]);
    await watch("--out-dir", folder);
    expect(readdirSync(folder)).toEqual([`${first}.json`, `${second}.json`]);
  });

  it("owes a command the changes that it takes, and a folder none", async () => {
    const { watch, place, setStatus, folder, keep, kept } = await stage();
    const [id] = await place(1);
    await watch("--exec", keep, "--exec-changes", "--out-dir", folder);
    await setStatus(id!, "cancelado");
    const look = await watch();
    expect(look.stderr).toContain("--output exec");
    expect(look.stderr).not.toContain("out-dir");
    await watch("--exec", keep, "--exec-changes");
    expect(kept()).toEqual([id, id]);
  });

  it("owes nothing to a screen that was only looked at", async () => {
    const { run, watch, place, keep, kept } = await stage();
    await place(1);
    await watch();
    const ids = await place(3);
    expect(await watch("-q", "--exec", keep)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(await pendingOrders(run)).toBe(0);
    // It had its chance to see the first one, and what a command has got since is no news.
    expect(await watch("--exec", keep)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(kept()).toEqual(ids);
  });

  it("keeps what a full disk kept from standard output", async () => {
    const { run, watch, place, keep } = await stage();
    const ids = await place(2);
    const full = { code: "ENOSPC", syscall: "write" };
    await run(["orders", "watch", "--once", "-o", "ndjson"], {
      onOutput: () => {
        throw Object.assign(new Error("ENOSPC"), full);
      },
    });
    const quiet = await watch("-q", "--exec", keep);
    expect(quiet.stderr).toContain("bpos orders forget --output stdout");
    expect(newIds(await watch("--exec", keep))).toEqual(ids);
  });
});

describe("an output that is new", () => {
  it("gets none of what others have got", async () => {
    const { watch, place, folder, keep, kept } = await stage();
    await place(2);
    await watch("--exec", keep);
    const [third] = await place(1);
    await watch("--exec", keep, "--out-dir", folder);
    expect(readdirSync(folder).filter((name) => name.endsWith(".json"))).toEqual([`${third}.json`]);
    expect(kept()).toHaveLength(3);
  });

  it("gets what nobody but a screen has got: the first one never worked", async () => {
    const { watch, place } = await stage();
    const folder = temporaryFolder();
    const ids = await place(2);
    await watch("--exec", fails);
    await watch("--out-dir", folder);
    expect(readdirSync(folder)).toEqual(ids.map((id) => `${id}.json`));
  });
});

describe("orders forget", () => {
  async function owing() {
    const means = await stage();
    await means.place(5);
    await means.watch("--exec", fails);
    return means;
  }

  it("asks, and gives up what that output is owed, now and later", async () => {
    const { run, watch, forget, place, kept, keep } = await owing();
    const given = await forget("exec", { terminal: 80, answers: [true] });
    expect(given).toMatchObject({ code: 0 });
    expect(given.stdout).toContain("5 orders");
    expect(await pendingOrders(run)).toBe(0);
    await place(1);
    expect((await watch()).stderr).toBe("");
    await watch("--exec", keep);
    expect(kept()).toEqual([]);
    const [next] = await place(1);
    await watch("--exec", keep);
    expect(kept()).toEqual([next]);
  });

  it("changes nothing without a yes, and off a terminal names the flag that says it", async () => {
    const { run, forget } = await owing();
    expect((await forget("exec", { terminal: 80, answers: [false] })).code).toBe(2);
    const piped = await forget("exec");
    expect(piped).toMatchObject({ code: 2, stdout: "" });
    expect(piped.stderr).toContain("--yes");
    expect(await pendingOrders(run)).toBe(5);
    const done = await forget("exec", {}, "--yes", "--json");
    expect(JSON.parse(done.stdout)).toMatchObject({
      ...{ consumer: "default", output: "exec", orders: 5, changes: 0 },
    });
    expect(await pendingOrders(run)).toBe(0);
  });

  it("leaves other outputs, consumers and branches alone, and says where there is nothing to forget", async () => {
    const { run, watch, forget } = await owing();
    await watch("--consumer", "b", "--exec", fails);
    expect(await pendingOrders(run)).toBe(10);
    const none = await forget("out-dir", {}, "--yes");
    expect(none).toMatchObject({ code: 0 });
    expect(none.stdout).toContain("out-dir");
    await forget("exec", {}, "--yes", "--consumer", "b");
    expect(await pendingOrders(run)).toBe(5);
    expect((await watch()).stderr).toContain("5 orders");
    expect((await watch("--consumer", "b")).stderr).toBe("");
  });

  it("ends with 9 while the branch is watched, and with 2 for what is no output", async () => {
    const { run, forget } = await stage();
    let during: Run | undefined;
    await watchPolls(run, {
      polls: 1,
      after: async () => {
        during = await forget("exec", {}, "--yes");
      },
    });
    expect(during?.code).toBe(9);
    expect(during?.stderr).toMatch(
      /Process 4711 is still running[\s\S]*Stop it, run this command, then start it again/,
    );
    expect(during?.stderr).not.toContain("Waiting");
    const none = await forget("exce", {}, "--yes");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("out-dir, exec, printer");
    expect((await run(["orders", "list", "-o", "exce"])).stderr).toContain("table, json");
  });
});
