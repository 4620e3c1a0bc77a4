import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../support/fake-clock.ts";
import { askJournal } from "../../../support/journal.ts";
import { program } from "../../../support/programs.ts";
import { type Run, shell, temporaryFolder, type World } from "../../../support/run.ts";
import { service } from "../../../support/service.ts";
import { sized } from "../../../support/soak.ts";
import { eventsOf, newIds, watchOnce, watchPolls } from "../../../support/watch.ts";

const frozen = { clock: "2026-01-01T12:00:00-03:00", scenario: "empty" } as const;
/** Polls then lie exactly an interval apart. */
const even = { random: () => 0.5 };

interface Stage {
  run: (argv: string[], world?: World) => Promise<Run>;
  /** Places orders and tells their ids. */
  place: (count?: number) => Promise<number[]>;
  setStatus: (id: number, status: "listo" | "cancelado") => Promise<unknown>;
  folder: string;
}

async function stage(): Promise<Stage> {
  const { mock, env } = await service(frozen);
  return {
    run: shell({ env }),
    place: async (count = 1) => (await mock.control.placeOrders({ count })).map((order) => order.order_id),
    setStatus: (id, status) => mock.control.setOrderStatus(id, status),
    folder: temporaryFolder(),
  };
}

/** Returns what a command kept of each order that it got. */
interface Kept {
  input: Record<string, unknown>;
  env: Record<string, string>;
}

/** A command that keeps what it gets as a line of `file`, and then runs `more`. */
function keeper(file: string, more = ""): string {
  return program(`
    const { appendFileSync, existsSync, readFileSync } = require("node:fs");
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("BPOS_")));
    const input = JSON.parse(readFileSync(0, "utf8"));
    appendFileSync(${JSON.stringify(file)}, JSON.stringify({ input, env }) + "\\n");
    ${more}`);
}
const keptIn = (file: string): Kept[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Kept)
    : [];
const idsIn = (file: string): number[] => keptIn(file).map(({ env }) => Number(env["BPOS_ORDER_ID"]));

describe("--out-dir", () => {
  it("holds each order whole in a file of its own, and nothing else", async () => {
    const { run, place, folder } = await stage();
    const ids = await place(3);
    const orders = join(folder, "deep", "orders");
    const printed = eventsOf(await watchOnce(run, "--out-dir", orders));
    expect(readdirSync(orders).toSorted()).toEqual(ids.map((id) => `${id}.json`).toSorted());
    for (const { order } of printed)
      expect(JSON.parse(readFileSync(join(orders, `${String(order?.["order_id"])}.json`), "utf8"))).toEqual(
        order,
      );
  });

  it("holds the orders of two branches whose numbers and times are equal", async () => {
    const folder = temporaryFolder();
    const branches = await Promise.all([stage(), stage()]);
    const home = { BPOS_HOME: temporaryFolder() };
    for (const { place } of branches) await place(20);
    const printed: unknown[] = [];
    for (let round = 0; round < 2; round++)
      for (const { run } of branches) {
        const result = await watchOnce((argv) => run(argv, { env: home }), "--out-dir", folder);
        printed.push(...eventsOf(result).map(({ order }) => order));
      }
    const files = readdirSync(folder);
    const written = files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as unknown);
    expect(files).toHaveLength(40);
    expect(new Set(files.map((file) => file.replace(/(-2)?\.json$/, ""))).size).toBe(20);
    const sorted = (orders: unknown[]) => orders.map((order) => JSON.stringify(order)).toSorted();
    expect(sorted(written)).toEqual(sorted(printed));
  });

  it("marks a file that was collected before the watch could note it", async () => {
    const { run, place, folder } = await stage();
    const home = temporaryFolder();
    const once = () =>
      watchOnce((argv) => run(argv, { env: { BPOS_HOME: home } }), "--out-dir", folder, "--exec", "exit 1");
    const [id] = await place();
    await once();
    // As a kill right after the file got its name leaves it.
    await askJournal(home, "UPDATE watch_delivery SET state = 'begun' WHERE output = 'out-dir'");
    await once();
    expect(readdirSync(folder)).toEqual([`${id}.json`]);
    await askJournal(home, "UPDATE watch_delivery SET state = 'begun' WHERE output = 'out-dir'");
    const collected = readFileSync(join(folder, `${id}.json`), "utf8");
    rmSync(join(folder, `${id}.json`));
    await once();
    await once();
    expect(readdirSync(folder)).toEqual([`${id}-repeated.json`]);
    expect(readFileSync(join(folder, `${id}-repeated.json`), "utf8")).toBe(collected);
  });

  it("never overwrites, says so, and holds no other order up", async () => {
    const { run, place, folder } = await stage();
    const [first, second] = await place(2);
    const file = join(folder, `${first}.json`);
    writeFileSync(file, "my notes\n");
    const result = await watchOnce(run, "--out-dir", folder);
    expect(result.code).toBe(3);
    expect(readFileSync(file, "utf8")).toBe("my notes\n");
    expect(result.stderr).toContain(file);
    expect(existsSync(join(folder, `${second}.json`))).toBe(true);
    // The screen has it all the same, and does not get it again once the file can be written.
    expect(newIds(result)).toEqual([first, second]);
    renameSync(file, join(folder, "notes.txt"));
    const again = await watchOnce(run, "--out-dir", folder);
    expect(again).toMatchObject({ code: 0, stdout: "" });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ order_id: first });
  });
});

describe("--exec", () => {
  it("gets the order on standard input, and who and what in its environment", async () => {
    const { run, place, folder } = await stage();
    const [id] = await place();
    const file = join(folder, "kept");
    const [event] = eventsOf(await watchOnce(run, "--exec", keeper(file)));
    expect(keptIn(file)).toMatchObject([
      {
        input: event!.order,
        env: {
          BPOS_ORDER_ID: String(id),
          BPOS_EVENT: "order.new",
          BPOS_BRANCH: event!["branch"],
          BPOS_REPEATED: "false",
        },
      },
    ]);
  });

  it("that fails is tried again after growing pauses, while later orders go out", async () => {
    const { run, place, folder } = await stage();
    const [bad] = await place();
    const [file, good] = [join(folder, "kept"), join(folder, "good")];
    const tries: number[] = [];
    const fail = `if (env.BPOS_ORDER_ID === "${bad}" && !existsSync(${JSON.stringify(good)})) process.exit(7);`;
    const later: number[] = [];
    const clock = fakeClock();
    const start = clock.now();
    const result = await watchPolls(run, {
      polls: 17,
      clock,
      argv: ["--exec", keeper(file, fail)],
      world: even,
      after: async (poll) => {
        if (idsIn(file).filter((id) => id === bad).length > tries.length)
          tries.push((clock.now() - start) / 60_000);
        if (poll < sized(2, 5)) later.push(...(await place()));
        if (poll === 12) writeFileSync(good, "");
      },
    });
    // 1, 2, 4 and 8 minutes after the failure before.
    expect(tries).toEqual([0, 1, 3, 7, 15]);
    expect(idsIn(file).filter((id) => id !== bad)).toEqual(later);
    expect(result.stderr.match(new RegExp(`Order ${bad}: `, "g"))).toHaveLength(4);
    for (const { env } of keptIn(file)) expect(env["BPOS_REPEATED"]).toBe("false");
    // Standard output did not wait for it.
    expect(newIds(result)).toEqual([bad, ...later]);
  });

  it("that is ended by its time limit, or by a signal, may have done its work: the next try says repeated", async () => {
    const { run, place, folder } = await stage();
    const [id] = await place();
    const file = join(folder, "kept");
    const hang = keeper(file, "setInterval(() => undefined, 1_000);");
    const slow = ["--exec-timeout", "2s", "--exec", hang];
    expect((await watchOnce(run, ...slow)).code).toBe(3);
    expect(
      (await watchOnce(run, "--exec", `exec ${keeper(file, "process.kill(process.pid, 9);")}`)).code,
    ).toBe(3);
    const [other] = await place();
    expect((await watchOnce(run, "--exec", keeper(file))).code).toBe(0);
    expect(keptIn(file).map(({ env }) => [env["BPOS_ORDER_ID"], env["BPOS_REPEATED"]])).toEqual([
      [String(id), "false"],
      [String(id), "true"],
      [String(id), "true"],
      [String(other), "false"],
    ]);
  });

  it("that fails makes --once end with 3, and the next run tries again", async () => {
    const { run, place, folder } = await stage();
    const [bad, other] = await place(2);
    const file = join(folder, "kept");
    const fail = keeper(file, `if (env.BPOS_ORDER_ID === "${bad}") process.exit(7);`);
    const first = await watchOnce(run, "--exec", fail);
    expect(first.code).toBe(3);
    expect(first.stderr).toContain("7");
    const second = await watchOnce(run, "--exec", keeper(file));
    expect(second).toMatchObject({ code: 0, stdout: "" });
    expect(idsIn(file)).toEqual([bad, other, bad]);
  });

  it("gets changes with --exec-changes, and only then", async () => {
    const { run, place, setStatus, folder } = await stage();
    const [id] = await place();
    const [all, some] = [join(folder, "all"), join(folder, "some")];
    const watch = async (): Promise<void> => {
      await watchOnce(run, "--exec", keeper(all), "--exec-changes");
      await watchOnce(run, "--consumer", "b", "--exec", keeper(some));
    };
    await watch();
    await setStatus(id!, "cancelado");
    await watch();
    expect(keptIn(all)).toMatchObject([
      { env: { BPOS_EVENT: "order.new" }, input: { status: "pendiente" } },
      {
        env: {
          BPOS_EVENT: "order.changed",
          BPOS_FROM: "pendiente",
          BPOS_TO: "cancelado",
          BPOS_ORDER_ID: String(id),
        },
        input: { order_id: id, status: "cancelado" },
      },
    ]);
    expect(keptIn(some)).toHaveLength(1);
  });
});

it("no output waits for another, and each gets the orders in their sequence", async () => {
  const { run, place, folder } = await stage();
  const ids = await place(3);
  const [orders, file, go] = [join(folder, "orders"), join(folder, "kept"), join(folder, "go")];
  const wait = `while (!existsSync(${JSON.stringify(go)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);`;
  let before: { files: number; commands: number } | undefined;
  const result = await run(
    ["orders", "watch", "--once", "-o", "ndjson", "--exec", keeper(file, wait), "--out-dir", orders],
    {
      onOutput: (text) => {
        if (text.split("\n").length <= ids.length) return;
        // All three are printed, and written, while the command of the first one has not ended.
        before ??= { files: readdirSync(orders).length, commands: idsIn(file).length };
        writeFileSync(go, "");
      },
    },
  );
  expect(before?.files).toBeGreaterThan(1);
  expect(before?.commands).toBeLessThan(2);
  expect(result.code).toBe(0);
  expect(newIds(result)).toEqual(ids);
  expect(idsIn(file)).toEqual(ids);
});

describe("standard output", () => {
  it("that fails on the way may have the order: it is repeated, and says so", async () => {
    const { run, place } = await stage();
    const [first, second] = await place(2);
    let written = 0;
    const crash = await run(["orders", "watch", "--once", "-o", "ndjson"], {
      onOutput: () => {
        written += 1;
        if (written === 2) throw new Error("the power failed");
      },
    });
    expect(newIds(crash)).toEqual([first, second]);
    const next = await watchOnce(run);
    expect(eventsOf(next)).toMatchObject([{ repeated: true, order: { order_id: second } }]);
    expect((await watchOnce(run)).stdout).toBe("");
  });

  it("on a full disk ends the watch with 9 once the others have theirs, and gets its orders next time", async () => {
    const { run, place, folder } = await stage();
    const ids = await place(2);
    const file = join(folder, "kept");
    const full = { code: "ENOSPC", syscall: "write" };
    const result = await run(["orders", "watch", "-o", "ndjson", "--exec", keeper(file)], {
      onOutput: () => {
        throw Object.assign(new Error("ENOSPC: no space left on device"), full);
      },
    });
    expect(result.code).toBe(9);
    expect(result.stderr).toContain("no space left");
    expect(idsIn(file)).toEqual(ids);
    const next = await watchOnce(run, "--exec", keeper(file));
    expect(eventsOf(next)).toMatchObject(ids.map((id) => ({ repeated: false, order: { order_id: id } })));
    expect(idsIn(file)).toEqual(ids);
  });
});

describe("the bell", () => {
  it.each([
    [80, [], 1],
    [80, ["--no-bell"], 0],
    [80, ["-q"], 0],
    [undefined, [], 0],
  ])(
    "on a terminal of %s columns with %s rings %i times for two orders at once",
    async (columns, argv, rings) => {
      const { run, place } = await stage();
      await place(2);
      const world = columns === undefined ? {} : { terminal: columns };
      const { stdout, stderr } = await run(["orders", "watch", "--once", ...argv], world);
      expect(stderr.split("\u0007").length - 1).toBe(rings);
      expect(stdout).not.toContain("\u0007");
    },
  );
});

describe("flags", () => {
  const refused: [string[], string][] = [
    [["--exec-timeout", "5s"], "--exec"],
    [["--exec-changes"], "--exec"],
    [["--exec", "true", "--exec-timeout", "0s"], "--exec-timeout"],
    [["--consumer", "a b"], "--consumer"],
    [["--consumer", "../x"], "--consumer"],
    [["--consumer", ""], "--consumer"],
    [["--out-dir", ""], "--out-dir"],
    [["-o", "csv"], "csv"],
    [["-o", "json"], "json"],
    [["--interval", "0s"], "--interval"],
    [["--interval", "soon"], "--interval"],
    [["--interval", "9s"], "--force"],
  ];
  it.each(refused)("%s is refused before anything is read", async (argv, word) => {
    const { mock, env } = await service(frozen);
    const result = await shell({ env })(["orders", "watch", ...argv]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(word);
    expect(await mock.control.requests()).toEqual([]);
  });
});

describe("a second watch", () => {
  it("of the same branch and consumer ends with 9 and names the first one's process", async () => {
    const { run, place } = await stage();
    await place();
    const others: Run[] = [];
    await watchPolls(run, {
      polls: 1,
      after: async () => {
        others.push(await watchOnce(run), await watchOnce(run, "--consumer", "printer"));
      },
    });
    const [same, other] = others;
    expect(same).toMatchObject({ code: 9, stdout: "" });
    expect(same!.stderr).toContain("4711");
    expect(other!.code).toBe(0);
    expect(newIds(other!)).toHaveLength(1);
    expect((await watchOnce(run)).code).toBe(0);
  });
});
