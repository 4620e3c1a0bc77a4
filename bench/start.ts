import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Bench, bin, key, npm, path, type Row, type Run, run, type World } from "./support.ts";

const node = "node -e 0";
const rowsOf = (on: string): Row[] => [
  { name: "version", operation: `bpos --version${on}`, against: node, target: 1.2 },
  { name: "help", operation: `bpos --help${on}`, against: node, target: 1.8 },
  {
    name: "list",
    operation: `orders list --json${on}`,
    against: node,
    target: 2.8,
  },
  {
    name: "list-mock",
    operation: `orders list --json, BPOS_MOCK${on}`,
    against: "without it",
    target: 1.05,
  },
];

/** The npm package `node` of a version in the folder of this run, unless the environment names a binary. */
function binaryOf(world: World, version: number): { binary?: string; lack?: string } {
  const named = process.env[`BPOS_NODE${version}`];
  if (named !== undefined) return existsSync(named) ? { binary: named } : { lack: `there is no ${named}` };
  const folder = world.newFolder();
  const lack = npm(
    ["i", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, `node@${version}`],
    folder,
  );
  return lack === undefined ? { binary: join(folder, "node_modules", "node", "bin", "node") } : { lack };
}

/** The starts of the command on a Node, and of resend-cli on the one that runs this. */
async function runsOf(world: World, binary: string, resend: boolean): Promise<Record<string, Run>> {
  const mock = await world.mock();
  const { url } = await world.service();
  const home = { BPOS_HOME: world.newFolder() };
  const real = { ...home, BPOS_BASE_URL: mock, BPOS_API_KEY: "bpk_demo_centro" };
  const bpos = (argv: readonly string[], env: Record<string, string>) => () =>
    run({ argv: [binary, bin, ...argv], env });
  const list = ["orders", "list", "--json"];
  const emails = [
    "node_modules/resend-cli/dist/cli.cjs",
    "emails",
    "list",
    "--limit",
    "20",
    "--json",
  ] as const;
  const resendEnv = {
    HOME: world.newFolder(),
    RESEND_BASE_URL: url,
    RESEND_API_KEY: key,
    RESEND_TELEMETRY_DISABLED: "1",
    RESEND_NO_UPDATE_NOTIFIER: "1",
  };
  const programs: Record<string, () => Run> = {
    node: () => run({ argv: [binary, "-e", "0"] }),
    version: bpos(["--version"], home),
    help: bpos(["--help"], home),
    list: bpos(list, real),
    "list-mock": bpos(list, { ...home, BPOS_MOCK: mock }),
    ...(resend && {
      resend: () => run({ argv: [binary, path(emails[0]), ...emails.slice(1)], env: resendEnv }),
    }),
  };
  // The first runs make folders and fill the caches of Node and of the system.
  for (const program of Object.values(programs)) program();
  return world.interleave(world.rounds(25), programs);
}

const ratio = (runs: Record<string, Run>, of: string, to: string): number =>
  (runs[of]?.seconds ?? Number.NaN) / (runs[to]?.seconds ?? Number.NaN);

function* figuresOf(runs: Record<string, Run>) {
  for (const name of ["version", "help", "list"]) yield [name, ratio(runs, name, "node")] as const;
  yield ["list-mock", ratio(runs, "list-mock", "list")] as const;
}

function onAnother(version: number): Bench {
  return {
    name: `start-${version}`,
    rows: rowsOf(`, Node ${version}`),
    async *measure(world) {
      const { binary, lack } = binaryOf(world, version);
      if (binary === undefined) throw new Error(lack);
      yield* figuresOf(await runsOf(world, binary, false));
    },
  };
}

const start: Bench = {
  name: "start",
  rows: [
    {
      name: "resend",
      operation: "orders list --json, loopback",
      against: "resend-cli emails list",
      target: 0.45,
    },
    ...rowsOf(""),
  ],
  async *measure(world) {
    const lack = world.lack("peers");
    const runs = await runsOf(world, process.execPath, lack === undefined);
    yield ["resend", lack ?? ratio(runs, "list", "resend")];
    yield* figuresOf(runs);
  },
};

export const starts: readonly Bench[] = [start, onAnother(22), onAnother(24)];
