import { describe, expect, it } from "vitest";
import { accepted, batches, priceList } from "../../support/push.ts";
import { type Run, shell } from "../../support/run.ts";
import { type Handler, reply, type ScriptedServer, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";

type Push = (...argv: string[]) => Promise<Run>;

/** Pushes to a service that gives these answers. */
async function stage(...answers: Handler[]): Promise<{ server: ScriptedServer; push: Push }> {
  const server = await scriptedServer(...batches(...answers));
  const run = shell({ env: pointedAt(server.url) });
  return { server, push: (...argv) => run(["catalog", "push", ...argv]) };
}

describe("what the service refused without naming a product", () => {
  it.each([null, "not there"])("by %j is sent again with --changed-only", async (codigo) => {
    const answer = accepted(1, { rejected: [{ codigo, error: "no" }] });
    const { server, push } = await stage(reply(answer), reply(accepted(2)));
    const file = priceList(2);
    expect((await push(file, "--changed-only")).code).toBe(3);
    expect((await push(file, "--changed-only")).code).toBe(0);
    expect(server.requests).toHaveLength(2);
  });
});

describe("sums that do not add up", () => {
  it("end with 3 and are said, with --quiet too", async () => {
    const { push } = await stage(reply(accepted(1)));
    const result = await push(priceList(2), "-q");
    expect(result.code).toBe(3);
    expect(result.stderr).toContain("do not add up");
  });

  it("of an answer that is repeated say nothing", async () => {
    const { push } = await stage(reply(accepted(0, { duplicate: true })));
    expect((await push(priceList(2))).code).toBe(0);
  });
});
