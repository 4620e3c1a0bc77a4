// `npm run test:e2e`: the page in a browser, the journal on PostgreSQL, and the commands on it; `-- --soak` runs all of it at full size.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const argv = process.argv.slice(2);
const files = argv.filter((each) => each !== "--soak");
const env = { ...process.env, ...(argv.includes("--soak") && { BPOS_SOAK: "1" }) };
const vitest = join(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
let stopped = false;
// They get it as well, and have something to end.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (stopped = true));

for (const name of ["vitest", "postgres", "flows"]) {
  const config = join(import.meta.dirname, `${name}.config.ts`);
  const flags = ["run", "--config", config, ...files, ...(files.length > 0 ? ["--passWithNoTests"] : [])];
  const child = spawn(process.execPath, [vitest, ...flags], { env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = code ?? 1;
  if (stopped) break;
}
