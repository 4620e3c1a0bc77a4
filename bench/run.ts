// Measures the operations with a performance promise, each beside its peer in the same run: npm run bench [-- --help]
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { growths } from "./growth.ts";
import { inputs } from "./input.ts";
import { mock } from "./mock.ts";
import { project } from "./project.ts";
import { comparison, type Report, type Result, reportText } from "./report.ts";
import { scale } from "./scale.ts";
import { starts } from "./start.ts";
import { type Bench, median, npm, path, World } from "./support.ts";
import { tables } from "./table.ts";
import { watch } from "./watch.ts";

const benches: readonly Bench[] = [...starts, ...project, ...inputs, tables, mock, watch, ...growths, scale];
const usage = `npm run bench -- [flags]
  --only NAME      only this group, or only the group of this row; may be repeated
  --quick          smaller inputs and fewer rounds: tries everything, the figures are rough
  --json FILE      also write the results to this file
  --compare A B    what changed between two such files, what became worse first
  --list           the names
`;
const write = (text: string): void => void process.stdout.write(text);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Measures a group and returns its rows; a failure says why in each row that has no figure yet. */
async function resultsOf(bench: Bench, world: World, only: readonly string[]): Promise<Result[]> {
  const figures = new Map<string, number | string>();
  if (new Set(bench.rows.map(({ name }) => name)).size < bench.rows.length)
    throw new Error(`Two rows of ${bench.name} have one name.`);
  let reason = bench.isAsked === true ? `only with --only ${bench.name}` : "";
  if (bench.isAsked !== true || only.length > 0) {
    const began = performance.now();
    try {
      for await (const [name, figure] of bench.measure(world)) figures.set(name, figure);
    } catch (error) {
      reason = (error as Error).message;
    }
    await world.stopAll();
    say(`${bench.name}: ${((performance.now() - began) / 1000).toFixed(1)} s ${reason}`.trimEnd());
  }
  return bench.rows.map((row) => {
    const figure = figures.get(row.name) ?? reason;
    const isMeasured = typeof figure === "number" && Number.isFinite(figure);
    const result = { ...row, name: `${bench.name}.${row.name}` };
    return isMeasured ? { ...result, figure } : { ...result, reason: String(figure).split("\n")[0] ?? "" };
  });
}

async function measure(chosen: readonly Bench[], flags: { only: readonly string[]; isQuick: boolean }) {
  const unbuilt = npm(["run", "build"], path(".."));
  if (unbuilt !== undefined) throw new Error(unbuilt);
  const world = new World(flags.isQuick);
  process.once("SIGINT", () => {
    void world.end().then(() => process.kill(process.pid, "SIGINT"));
  });
  const rows: Result[] = [];
  try {
    world.idles();
    for (const bench of chosen) rows.push(...(await resultsOf(bench, world, flags.only)));
    world.idles();
  } finally {
    await world.end();
  }
  const ms = world.idle.map((seconds) => seconds * 1000);
  const idleMs = { min: Math.min(...ms), median: median(ms), max: Math.max(...ms) };
  const machine = `${process.platform}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`;
  const about = { at: new Date().toISOString(), node: `Node ${process.version}`, machine };
  return { ...about, isQuick: flags.isQuick, idleMs, rows } satisfies Report;
}

function chosenBy(only: readonly string[]): readonly Bench[] {
  if (only.length === 0) return benches;
  const groups = only.map((name) => name.split(".")[0]);
  const unknown = only.find((_, n) => !benches.some(({ name }) => name === groups[n]));
  if (unknown !== undefined)
    throw new Error(`There is no ${unknown}. npm run bench -- --list shows the names.`);
  return benches.filter(({ name }) => groups.includes(name));
}

const options = {
  only: { type: "string", multiple: true, default: [] as string[] },
  quick: { type: "boolean", default: false },
  json: { type: "string" },
  compare: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) write(usage);
  else if (values.list)
    for (const { name, rows } of benches) write(`${name}: ${rows.map((row) => row.name).join(", ")}\n`);
  else if (values.compare) {
    if (positionals.length !== 2) throw new Error("--compare takes two files that --json wrote.");
    write(comparison(positionals));
  } else {
    if (positionals.length > 0) throw new Error(`${positionals[0]} is no flag.\n${usage}`);
    const { only, quick: isQuick, json } = values;
    const report = await measure(chosenBy(only), { only, isQuick });
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
    write(reportText(report));
  }
}

// Node reads this file at each start, which would slow down everything that is measured.
delete process.env["NODE_EXTRA_CA_CERTS"];
try {
  await main();
} catch (error) {
  say((error as Error).message);
  process.exitCode = 2;
}
