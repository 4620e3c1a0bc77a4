import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { sized } from "../support/soak.ts";

const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
const memoryLimit = 2_000_000 * 1024;

/** Files of a shop, which a command under the limit reads. */
async function shop() {
  const { env, mock } = await service();
  const folder = temporaryFolder();
  const prices = join(folder, "prices.csv");
  writeFileSync(prices, "codigo,nombre,precio\nA,Agua,10\n");
  const recipients = join(folder, "people.csv");
  writeFileSync(recipients, "telefono,nombre,pedido\n+5491155550001,Ana,7\n");
  const run = (argv: string, more: Record<string, string> = {}) =>
    runBinary(argv.replace("PRICES", prices).replace("PEOPLE", recipients).split(" "), {
      env: { ...env, BPOS_HOME: join(folder, "home"), ...more },
      memoryLimit,
    });
  return { mock, run };
}

it.skipIf(process.platform !== "linux")(
  "a process without enough addresses says so with 9, asks nobody to check the network, and leaves nothing open",
  async () => {
    const { mock, run } = await shop();
    const commands = [
      "orders list --json",
      "orders watch --once -o ndjson",
      "catalog push PRICES --json",
      "campaign send PEOPLE --template pedido_listo --ref lunes --yes --json",
      "catalog check PRICES --json --jq .",
    ];
    const working: string[] = [];
    for (const argv of commands.slice(sized(4, 0))) {
      const { code, stderr } = await run(argv);
      // Newer ones ask for fewer addresses: some commands have enough there.
      if (code === 0 && isNewer) {
        working.push(argv);
        continue;
      }
      expect(code, argv + stderr).toBe(9);
      const last = stderr.trim().split("\n").at(-1) ?? "";
      const { error } = JSON.parse(last) as { error: Record<string, unknown> };
      expect(error, argv).toMatchObject({
        ...{ code: "config", reason: "memory_short" },
        detail: expect.stringContaining("ut of memory") as string,
        hint: expect.stringContaining("--disable-wasm-trap-handler") as string,
      });
    }
    const requests = await mock.control.requests(100);
    if (working.length === 0) expect(requests.filter(({ path }) => !path.startsWith("/_mock"))).toEqual([]);
    const remedy = { NODE_OPTIONS: "--disable-wasm-trap-handler" };
    for (const argv of commands.slice(sized(3, 2), 4)) {
      const { code, stderr } = await run(argv, remedy);
      expect(code, argv + stderr).toBe(0);
    }
  },
);
