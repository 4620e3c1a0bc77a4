import { expect, it } from "vitest";
import { errorOf, parse, people, send } from "../../support/campaigns.ts";
import { shell } from "../../support/run.ts";
import { service } from "../../support/service.ts";

it("an id with blanks is that id; a reference in its place is named as one", async () => {
  // Two readings are compared: the campaign must not move on in between.
  const now = Date.now();
  const { env } = await service({ now: () => now });
  const run = shell({ env });
  const sent = parse((await run(send(people(2), "--ref", "grande 1", "--yes", "--json"))).stdout);
  const id = sent.campaigns[0]!.campaign_id!;
  const status = (...ids: string[]) => run(["campaign", "status", ...ids, "--json"]);
  expect((await status(` ${id}\n`)).stdout).toBe((await status(id)).stdout);

  for (const typed of ["grande 1", " grande 1 "]) {
    const { code, stderr } = await status(typed);
    expect([code, errorOf(stderr)["reason"]]).toEqual([2, "usage_flag"]);
    expect(errorOf(stderr)["hint"]).toContain("bpos campaign status --ref 'grande 1'");
  }
  expect(errorOf((await status("cmp_unknown")).stderr)["reason"]).toBe("campaign_not_found");
  expect((await status(" ")).code).toBe(2);
});
