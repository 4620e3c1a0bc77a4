import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { errorOf } from "../support/campaigns.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

it("has a number for each name, which scripts know", () => {
  expect(exitCodes).toEqual({
    ok: 0,
    bug: 1,
    usage: 2,
    partial: 3,
    denied: 4,
    refused: 5,
    unavailable: 6,
    unknown: 7,
    pending: 8,
    config: 9,
    held: 10,
    not_found: 11,
    interrupted: 130,
  });
});

it.each([
  ["orders list", "address_missing"],
  ["catalog push prices.csv", "address_missing"],
  ["campaign status cmp_1", "address_missing"],
  ["orders watch --once --all-profiles", "profiles_none"],
])("ends with 9 where the machine has no address of the service: %s", async (line, reason) => {
  const home = temporaryFolder();
  writeFileSync(join(home, "prices.csv"), "codigo,precio\nA1,100\n");
  const { code, stderr } = await shell({ env: { BPOS_API_KEY: "k", BPOS_HOME: home }, cwd: home })([
    ...line.split(" "),
    "--json",
  ]);
  expect([code, errorOf(stderr)["code"], errorOf(stderr)["reason"]]).toEqual([9, "config", reason]);
});

it.each([
  ["orders show 999999", "order_not_found"],
  ["printer preview 999999", "order_not_found"],
  ["orders list -p nope", "profile_missing"],
  ["profile use nope", "profile_missing"],
  ["campaign status cmp_nope", "campaign_not_found"],
  ["campaign status cmp_nope --watch", "campaign_not_found"],
  ["campaign status --ref nope", "send_not_found"],
  ["campaign resume nope", "send_not_found"],
  ["campaign send people.csv --template pedido_listo --yes --only-failed-of nope", "send_not_found"],
  ["campaign find +5491155550101", "person_not_found"],
  ["campaign status +5491155550101", "person_not_found"],
  ["campaign optout remove +5491155550101 --reason x", "opt_out_not_found"],
  ["catalog undo nope --yes", "push_not_found"],
  ["catalog undo --yes", "push_not_found"],
  ["mock reply +5491100000000 hola", "message_not_found"],
  ["mock orders set 999999 listo", "order_not_found"],
  ["mock fault --remove 7", "mock_not_found"],
])("ends with 11 for what does not exist: %s", async (line, reason) => {
  const { env } = await service();
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "people.csv"), "telefono,nombre,pedido\n+5491155550101,Ana,1\n");
  const run = shell({ env: { ...env, BPOS_MOCK: env["BPOS_BASE_URL"] ?? "" }, cwd });
  const { code, stderr } = await run([...line.split(" "), "--json"]);
  expect([code, errorOf(stderr)["code"], errorOf(stderr)["reason"]]).toEqual([11, "not_found", reason]);
});
