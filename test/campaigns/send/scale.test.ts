import { expect, it } from "vitest";
import { parse, phone, recipientsFile, rows, send } from "../../support/campaigns.ts";
import { shell } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { sized } from "../../support/soak.ts";

it("a tenth of a million recipients, in no sequence, get it once, eight calls at a time, and are found in the journal", async () => {
  const count = sized(1_200, 100_000);
  const { mock, env } = await service();
  const run = shell({ env });
  // Each row once: 7,919 is a prime that divides no such count.
  const all = rows(count);
  const mixed = all.map((_, n) => all[(n * 7_919) % count]!);
  const flags = ["--ref", "r", "--track-all", "--in-flight", "8", "--yes", "--json"];
  const { code, stdout } = await run(send(recipientsFile(mixed), ...flags));
  const { recipients, campaigns } = parse(stdout);
  expect([code, recipients["added"], campaigns.length]).toEqual([0, count, count / 100]);
  const messaged = (await mock.control.messages()).map((message) => message.phone);
  expect([messaged.length, new Set(messaged).size]).toEqual([count, count]);

  const found = await run(["campaign", "find", phone(count - 1), "--json"]);
  expect(JSON.parse(found.stdout)).toMatchObject({ sends: [{ external_ref: "r" }] });
}, 120_000);
