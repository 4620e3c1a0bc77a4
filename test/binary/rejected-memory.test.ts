import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runBinary, temporaryFolder } from "../support/run.ts";

const rows = 200_000;
/** What 200,000 rows may take: they take 100 to 130, and without bounds took 500 and more. */
const maxMegabytes = 200;
/** Of this process alone: the peak that the system accounts to a child begins with its parent's. */
const tellPeak =
  "data:text/javascript,import{readFileSync}from'node:fs';process.on('exit',()=>process.stderr.write('peak '+/VmHWM:[^0-9]*([0-9]+)/.exec(readFileSync('/proc/self/status','utf8'))[1]))";

it.skipIf(process.platform !== "linux").each<[string, string, (n: number) => string]>([
  ["CSV of bad prices", "prices.csv", (n) => `P${n},Product ${n},consultar ${n}`],
  ["CSV of one code", "prices.csv", (n) => `A1,Product ${n},${n}.50`],
  ["CSV of amounts in doubt", "prices.csv", (n) => `P${n},Product ${n},${n === rows - 1 ? "9.90" : "2.007"}`],
  ["NDJSON of numbers as codes", "p.ndjson", (n) => `{"codigo":${n},"nombre":"Product ${n}","precio":1.5}`],
])("a %s is rejected in little memory, every row with its reason", async (_, name, row) => {
  const file = join(temporaryFolder(), name);
  const lines = Array.from({ length: rows }, (_, n) => row(n));
  writeFileSync(file, `${name === "prices.csv" ? "codigo,nombre,precio\n" : ""}${lines.join("\n")}\n`);
  const env = { NODE_OPTIONS: `--import="${tellPeak}"` };
  const { code, stdout, stderr } = await runBinary(["catalog", "check", file, "-o", "ndjson"], { env });
  expect(code).toBe(3);
  const { rejected } = JSON.parse(stdout) as { rejected: { line: number; error: string }[] };
  expect(rejected.length).toBeGreaterThanOrEqual(rows - 1);
  expect(rejected.every(({ error }) => error.length > 0 && error.length < 200)).toBe(true);
  const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
  expect(peak, stderr).toBeLessThan(maxMegabytes);
});
