// Measures how long short commands take beside a start of Node that does nothing, in one run. Only the ratios count.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const bin = fileURLToPath(new URL("../bin/bpos.js", import.meta.url));
const { values } = parseArgs({ options: { rounds: { type: "string", default: "21" } } });
const home = mkdtempSync(join(tmpdir(), "bpos-bench-"));
// Nothing else of the environment: NODE_EXTRA_CA_CERTS alone doubles a start of Node and hides everything.
const clean = { PATH: process.env.PATH, BPOS_HOME: home };

function milliseconds(argv, env) {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${argv.join(" ")} ended with ${status}: ${stderr}`);
  return performance.now() - began;
}

const mock = spawn(process.execPath, [bin, "mock", "--port", "0"], {
  env: clean,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const [ready] = await once(createInterface(mock.stdout), "line");
  const { base_url, keys } = JSON.parse(ready);
  const env = { ...clean, BPOS_BASE_URL: base_url, BPOS_API_KEY: keys[0].key };
  const commands = [
    { name: "node -e 0", argv: ["-e", "0"] },
    { name: "bpos --version", argv: [bin, "--version"], target: 1.3 },
    { name: "bpos --help", argv: [bin, "--help"], target: 2 },
    { name: "bpos orders list", argv: [bin, "orders", "list"], target: 3 },
  ];
  const runs = commands.map(() => []);
  // In turn, so that a slow minute of the machine meets them all.
  for (let round = 0; round < Number(values.rounds); round++)
    commands.forEach(({ argv }, n) => void runs[n].push(milliseconds(argv, env)));
  const medians = runs.map((each) => each.toSorted((a, b) => a - b)[Math.floor(each.length / 2)]);
  console.log(`Node ${process.version}, medians of ${values.rounds} interleaved rounds:`);
  commands.forEach(({ name, target }, n) => {
    const ratio = medians[n] / medians[0];
    const verdict =
      target === undefined ? "" : `target ≤ ${target} ×   ${ratio <= target ? "met" : "MISSED"}`;
    console.log(
      `  ${name.padEnd(20)} ${medians[n].toFixed(0).padStart(5)} ms ${ratio.toFixed(2).padStart(7)} ×   ${verdict}`,
    );
  });
} finally {
  mock.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true });
}
