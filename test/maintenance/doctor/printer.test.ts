import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diagnosis } from "../../support/doctor.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { virtualPrinter } from "../../support/virtual-printer.ts";

async function examined(printer: string) {
  const { env } = await service();
  const home = temporaryFolder();
  const profiles = { centro: { printer } };
  writeFileSync(join(home, "config.json"), JSON.stringify({ default: "centro", profiles }), { mode: 0o600 });
  const run = shell({ env: { ...env, BPOS_HOME: home } });
  return {
    json: diagnosis(await run(["doctor", "--json"])),
    text: (await run(["doctor", "--lang", "es"])).stdout,
  };
}

it("says whether the profile's printer accepts connections, and prints nothing", async () => {
  const printer = await virtualPrinter();
  const { json } = await examined(printer.url);
  expect(json.row("printer")).toMatchObject({ status: "pass", detail: `${printer.url} accepts connections` });
  expect(printer.receipts).toEqual([]);
});

it("says what to do about one that is off or has a wrong address", async () => {
  const { json, text } = await examined("tcp://127.0.0.1:1");
  expect(json).toMatchObject({ code: 6, failed: ["printer"] });
  expect(json.row("printer").remedy).toContain("Check that the printer is on");
  expect(text).toMatch(/✗ Impresora .*tcp:\/\/127\.0\.0\.1:1/);
  expect((await examined("cocina")).json).toMatchObject({ code: 2, failed: ["printer"] });
});
