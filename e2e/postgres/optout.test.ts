import { expect, it } from "vitest";
import type { CampaignRequest } from "../../src/contract/campaign.ts";
import { parse, people, phone, poster, send, took } from "../../test/support/campaigns.ts";
import { listenIn, postReply } from "../../test/support/listen.ts";
import { shell, temporaryFolder } from "../../test/support/run.ts";
import { database } from "../support/postgres.ts";

it("who opts out on one machine is in no call that another machine has under way, nor in its next send", async () => {
  const { url } = await database();
  const env = { BPOS_JOURNAL: url };
  const other = shell({ env: { ...env, BPOS_HOME: temporaryFolder() } });
  const listener = await listenIn(other);
  const answer = async (n: number): Promise<void> => {
    await postReply(listener.url, { campaign_id: "c1", phone: phone(n), text: "BAJA" });
  };
  const { server, run } = await poster(
    [(response, request) => void answer(150).then(() => took(response, request)), took, took],
    { env },
  );
  const flags = ["--track-all", "--yes", "--json"];
  const first = await run(send(people(200), "--ref", "r", ...flags));
  expect(parse(first.stdout)).toMatchObject({ recipients: { added: 199, opted_out: 1 }, outcome: "sent" });
  const second = await run(send(people(2), "--ref", "s", "--allow-repeat", ...flags));
  expect(parse(second.stdout)).toMatchObject({ recipients: { added: 2, opted_out: 0 } });
  const sent = server.requests.map(({ body }) => JSON.parse(body.toString()) as CampaignRequest);
  expect(sent.map(({ recipients }) => recipients.length)).toEqual([100, 99, 2]);
  expect(sent.flatMap(({ recipients }) => recipients.map((each) => each.phone))).not.toContain(phone(150));
});
