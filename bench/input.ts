import { type Bench, customers, path, priceList, type Run, run, sendOf } from "./support.ts";

const node = process.execPath;

const push: Bench = {
  name: "push",
  rows: [
    { name: "bare", operation: "push 1,000,000 rows", against: "csv-parse, stringify, POST", target: 0.6 },
    { name: "python", operation: "push 1,000,000 rows", against: "Python csv + http.client", target: 0.7 },
    { name: "memory", operation: "push 1,000,000 rows, peak memory", unit: "MB", target: 320 },
    { name: "growth", operation: "that memory", against: "a tenth of the batches", target: 1.1 },
  ],
  async *measure(world) {
    const file = priceList(world, world.size(1_000_000));
    const [near, large] = [await world.service(), await world.service({ accepted: 5_000 })];
    const argv = ["catalog", "push", file, "-q"];
    const peak = { peak: true };
    const lacks = { bare: world.lack("peers"), python: world.lack("python3") };
    const runs: Record<string, Run> = world.interleave<string>(world.rounds(3), {
      bpos: () => world.bpos(argv, near.env, peak),
      few: () => world.bpos([...argv, "--batch-size", "5000"], large.env, peak),
      ...(lacks.bare === undefined && {
        bare: () => run({ argv: [node, path("peers/push.mjs"), file, near.url] }),
      }),
      ...(lacks.python === undefined && {
        python: () => run({ argv: ["python3", path("peers/push.py"), file, near.url] }),
      }),
    });
    const seconds = (name: string): number => runs[name]?.seconds ?? Number.NaN;
    const megabytes = (name: string): number => runs[name]?.megabytes ?? Number.NaN;
    yield ["memory", megabytes("bpos")];
    yield ["growth", megabytes("bpos") / megabytes("few")];
    yield ["bare", lacks.bare ?? seconds("bpos") / seconds("bare")];
    yield ["python", lacks.python ?? seconds("bpos") / seconds("python")];
  },
};

const far: Bench = {
  name: "push-far",
  rows: [
    {
      name: "python",
      operation: "push 100,000 rows, 20 ms, --in-flight 8",
      against: "Python, one call at a time",
      target: 0.2,
    },
  ],
  async *measure(world) {
    const file = priceList(world, world.size(100_000));
    const { url, env } = await world.service({ delay: 20 });
    const lack = world.lack("python3");
    if (lack !== undefined) throw new Error(lack);
    const { bpos, peer } = world.interleave(world.rounds(3), {
      bpos: () => world.bpos(["catalog", "push", file, "-q", "--in-flight", "8"], env),
      peer: () => run({ argv: ["python3", path("peers/push.py"), file, url] }),
    });
    yield ["python", bpos.seconds / peer.seconds];
  },
};

const lists: Bench = {
  name: "price-lists",
  rows: [
    { name: "same", operation: "diff of 100,000 rows, all the same", against: "catalog check", target: 1.4 },
    {
      name: "changed",
      operation: "diff of 100,000 rows, 14,000 new prices, --json",
      against: "catalog check",
      target: 1.5,
    },
    { name: "memory", operation: "that diff, peak memory", unit: "MB", target: 250 },
    { name: "undo", operation: "undo of 20,000 products", against: "the push", target: 1.1 },
  ],
  async *measure(world) {
    const { env } = await world.service();
    const push = (file: string): readonly string[] => ["catalog", "push", file, "--changed-only", "-q"];
    const [many, some] = [world.size(100_000), world.size(20_000)];
    const [file, raised] = [priceList(world, many), priceList(world, many, 7)];
    const known = { ...env, BPOS_HOME: world.newFolder() };
    world.bpos(push(file), known);
    const peak = { peak: true };
    const { same, changed, check } = world.interleave(world.rounds(7), {
      same: () => world.bpos(["catalog", "diff", file], known),
      changed: () => world.bpos(["catalog", "diff", raised, "--json"], known, peak),
      check: () => world.bpos(["catalog", "check", file], known),
    });
    yield ["same", same.seconds / check.seconds];
    yield ["changed", changed.seconds / check.seconds];
    yield ["memory", changed.megabytes];

    const undone = { ...env, BPOS_HOME: world.newFolder() };
    world.bpos(push(priceList(world, some)), undone);
    const runs = world.interleave(world.rounds(5), {
      push: () => world.bpos(push(priceList(world, some, 1)), undone),
      undo: () => world.bpos(["catalog", "undo", "--yes", "-q"], undone),
    });
    yield ["undo", runs.undo.seconds / runs.push.seconds];
  },
};

const list: Bench = {
  name: "list-all",
  rows: [
    {
      name: "undici",
      operation: "orders list --all, 5,000 orders, 20 ms",
      against: "bare undici, 8 in flight",
      target: 1.1,
    },
  ],
  async *measure(world) {
    const lack = world.lack("peers");
    if (lack !== undefined) throw new Error(lack);
    const { url, env } = await world.service({ delay: 20, orders: world.size(5_000) });
    const { bpos, undici } = world.interleave(world.rounds(7), {
      bpos: () => world.bpos(["orders", "list", "--all", "--json"], env),
      undici: () => run({ argv: [node, path("peers/list.mjs"), url] }),
    });
    yield ["undici", bpos.seconds / undici.seconds];
  },
};

const plan: Bench = {
  name: "plan",
  rows: [
    {
      name: "phones",
      operation: "plan 100,000 recipients (--dry-run)",
      against: "libphonenumber-js parse",
      target: 1.2,
    },
  ],
  async *measure(world) {
    const lack = world.lack("peers");
    if (lack !== undefined) throw new Error(lack);
    const file = customers(world, world.size(100_000));
    const { env } = await world.service();
    const { bpos, phones } = world.interleave(world.rounds(3), {
      bpos: () => world.bpos(sendOf(file, "--dry-run"), env),
      phones: () => run({ argv: [node, path("peers/phones.mjs"), file] }),
    });
    yield ["phones", bpos.seconds / phones.seconds];
  },
};

export const inputs: readonly Bench[] = [list, push, far, lists, plan];
