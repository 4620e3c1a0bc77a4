import { describe, expect, it } from "vitest";
import { type ReplyEvent, replyText } from "../../../src/campaigns/listen/view.ts";
import { replyFields } from "../../../src/campaigns/replies.ts";
import { lines, NOW, pipe, terminal } from "../../cli/ui.ts";

const send = { send_id: "s1", ref: "enero", template: "pedido_listo", at: NOW - 300_000 };

function reply(body: unknown, more: { repeated?: boolean; send?: ReplyEvent["send"] } = {}): ReplyEvent {
  const fields = replyFields(body);
  const { campaign_id, external_ref } = fields;
  const at = "2026-01-01T08:12:00.000-03:00";
  const { repeated = false } = more;
  const send_id = more.send?.send_id ?? null;
  const event = {
    event: "reply",
    at,
    campaign_id,
    external_ref,
    send_id,
    name: null,
    repeated,
    body,
  } as const;
  return { event, body: "", fields, send: more.send };
}
const body = { campaign_id: "cmp_1", external_ref: "enero", phone: "+549", text: "sí", at: "x" };

describe("a reply", () => {
  it("is a block on a terminal", () => {
    expect(lines(replyText(reply(body, { send, repeated: true }), terminal(80)))).toEqual([
      "08:12  +549",
      "  sí",
      "  enero · pedido_listo · cmp_1 · sent 5 min ago",
      "  at: x",
      "  REPEATED: possibly delivered before",
      "",
    ]);
  });

  it("is one line in a pipe", () => {
    expect(replyText(reply({ ...body, text: "sí\nno" }, { send }), pipe({ badge: "MOCK" }))).toBe(
      "MOCK  2026-01-01 08:12  +549  sí⏎no  enero · pedido_listo · cmp_1 · sent 5 min ago  at: x\n",
    );
  });

  it("that belongs to no send is shown as such", () => {
    expect(replyText(reply(body), pipe())).toContain("enero · cmp_1 · no send in this journal");
    expect(replyText(reply({ data: [1] }), pipe())).toBe(
      "2026-01-01 08:12  —  —  no campaign given  data: [1]\n",
    );
  });
});
