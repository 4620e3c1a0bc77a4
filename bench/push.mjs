// Measures `bpos catalog push` beside programs that do much less, in one run, against a service that does nothing, in a
// process of its own. Only the ratios count: machines are noisy. `--rows N` takes another number than a million.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values } = parseArgs({
  options: { rows: { type: "string", default: "1000000" }, rounds: { type: "string", default: "3" } },
});
const rows = Number(values.rows);
const fewRows = Math.min(rows, 100_000);
const rounds = Number(values.rounds);
const latencyMs = 20;
const targets = { bare: 1.25, python: 1, inFlight: 0.2, megabytes: 350 };
const folder = mkdtempSync(join(tmpdir(), "bpos-bench-"));
const median = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];

/** A price list as a till exports it, almost 60 bytes a row. */
function priceList(count) {
  const file = join(folder, `prices-${count}.csv`);
  const target = openSync(file, "w");
  writeSync(target, "codigo,nombre,categoria,precio,deshabilitado\n");
  const kinds = ["Almacén", "Bebidas", "Limpieza", "Panadería", "Verdulería"];
  for (let n = 0, text = ""; n < count; n++) {
    const price = (((n * 7919) % 1_000_000) / 100).toFixed(2);
    text += `${String(n).padStart(8, "0")},Producto número ${n},${kinds[n % 5]},${price},${n % 50 === 0}\n`;
    if (n % 10_000 < 9_999 && n + 1 < count) continue;
    writeSync(target, text);
    text = "";
  }
  closeSync(target);
  return file;
}

/** Runs a program to its end; seconds, and the peak of its memory in megabytes where the system tells it. */
async function timed([command, ...argv], env = {}) {
  const began = performance.now();
  const child = spawn(command, argv, {
    // Nothing else of the environment: NODE_EXTRA_CA_CERTS alone would slow each start.
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${argv.join(" ")} ended with ${code}: ${said}`);
  return { seconds: (performance.now() - began) / 1000, said };
}

const sinks = [];
async function startSink(delay, batchSize = 500) {
  const child = spawn(process.execPath, [here("push-sink.mjs"), String(delay), String(batchSize)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  sinks.push(child);
  const [port] = await once(createInterface(child.stdout), "line");
  return `http://127.0.0.1:${port}`;
}

/** Each push has a home of its own: it must not find what an earlier one wrote down. */
function bpos(file, url, flags = [], node = []) {
  const home = mkdtempSync(join(folder, "home-"));
  const env = { BPOS_HOME: home, BPOS_BASE_URL: url, BPOS_API_KEY: "bpk_bench_0123456789" };
  const argv = [here("../bin/bpos.js"), "catalog", "push", file, "-q", ...flags];
  return timed([process.execPath, ...node, ...argv], env);
}
/** The same in a process that says at its end how much memory it took; to load what says it takes some milliseconds. */
const measured = (file, url, flags) => bpos(file, url, flags, ["--import", here("push-peak.mjs")]);

const bare = (file, url) => timed([process.execPath, here("push-bare.mjs"), file, url]);
const python = (file, url) => timed(["python3", here("push-python.py"), file, url]);
const curl = (file, url) => timed(["sh", here("push-curl.sh"), file, url]);
const peakOf = ({ said }) => Number(/peak (\d+)/.exec(said)[1]) / 1024;

/** Runs each program once a round, one after another, so that a slow minute of the machine meets them all. */
async function interleaved(programs, times) {
  const runs = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < times; round++)
    for (const [name, program] of Object.entries(programs)) runs[name].push(await program());
  const seconds = (name) => median(runs[name].map((run) => run.seconds));
  return { runs, seconds };
}

function line(what, figure, limit, unit) {
  const verdict =
    limit === undefined ? "" : `target ≤ ${limit}${unit}   ${figure <= limit ? "met" : "MISSED"}`;
  console.log(`  ${what.padEnd(52)} ${`${figure.toFixed(2)}${unit}`.padStart(12)}   ${verdict}`);
}

const has = (command) => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
/** True when a program is there; otherwise a line says what is left out. */
function there(...commands) {
  const missing = commands.filter((command) => !has(command));
  if (missing.length > 0) console.log(`  left out: there is no ${missing.join(" and no ")} here`);
  return missing.length === 0;
}

async function many(url) {
  const file = priceList(rows);
  const size = (statSync(file).size / 1e6).toFixed(0);
  console.log(`${rows} rows, ${size} MB, loopback, medians of ${rounds} interleaved rounds:`);
  const withPython = there("python3");
  const programs = { bpos: () => measured(file, url), bare: () => bare(file, url) };
  if (withPython) programs.python = () => python(file, url);
  const { runs, seconds } = await interleaved(programs, rounds);
  for (const name of Object.keys(programs)) line(`${name}, seconds`, seconds(name), undefined, "");
  line("bpos, rows a second", rows / seconds("bpos"), undefined, "");
  line("bpos : csv-parse + JSON.stringify + POST", seconds("bpos") / seconds("bare"), targets.bare, " ×");
  if (withPython)
    line("bpos : Python csv + http.client", seconds("bpos") / seconds("python"), targets.python, " ×");
  const peak = median(runs.bpos.map(peakOf));
  line("bpos, peak memory", peak, targets.megabytes, " MB");
  const large = await startSink(0, 5_000);
  const tenth = await interleaved({ small: () => measured(file, large, ["--batch-size", "5000"]) }, 1);
  line("the same with a tenth of the batches", peakOf(tenth.runs.small[0]), undefined, " MB");
}

async function few(url, slowUrl) {
  const file = priceList(fewRows);
  console.log(`${fewRows} rows, loopback:`);
  const programs = { bpos: () => bpos(file, url) };
  if (there("python3")) programs.python = () => python(file, url);
  if (there("jq", "curl")) programs.curl = () => curl(file, url);
  const near = await interleaved(programs, rounds);
  for (const name of Object.keys(programs)) line(`${name}, seconds`, near.seconds(name), undefined, "");
  for (const name of Object.keys(programs).slice(1))
    line(`bpos : ${name}`, near.seconds("bpos") / near.seconds(name), undefined, " ×");
  console.log(`${fewRows} rows, ${latencyMs} ms a call:`);
  if (!there("python3")) return;
  const far = await interleaved(
    {
      "bpos --in-flight 8": () => bpos(file, slowUrl, ["--in-flight", "8"]),
      "bpos, one at a time": () => bpos(file, slowUrl),
      "python, one at a time": () => python(file, slowUrl),
    },
    rounds,
  );
  for (const name of Object.keys(far.runs)) line(`${name}, seconds`, far.seconds(name), undefined, "");
  const ratio = far.seconds("bpos --in-flight 8") / far.seconds("python, one at a time");
  line("bpos --in-flight 8 : Python one at a time", ratio, targets.inFlight, " ×");
}

try {
  console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}`);
  const [near, far] = [await startSink(0), await startSink(latencyMs)];
  await many(near);
  await few(near, far);
} finally {
  for (const sink of sinks) sink.kill();
  rmSync(folder, { recursive: true, force: true });
}
