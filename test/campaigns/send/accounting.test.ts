import { describe, expect, it } from "vitest";
import { created, parse, people, type Report, send } from "../../support/campaigns.ts";
import { shell } from "../../support/run.ts";
import { on, reply, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";

const post = (answer: object) => on("POST /campaigns", reply({ ...created, ...answer }));
const counts = (added: unknown, duplicates: unknown = 0, errors: unknown = []) => ({
  recipients: { added, duplicates, errors },
});

/** A shell whose campaigns are answered like this, and what it knows of its sends. */
async function shop(...answers: object[]) {
  const server = await scriptedServer(...answers.map(post));
  const run = shell({ env: { ...pointedAt(server.url), NO_COLOR: "1" } });
  const listed = async () =>
    (JSON.parse((await run(["campaign", "list", "--json"])).stdout) as { sends: Report[] }).sends;
  return { run, listed };
}

describe("a campaign whose answer does not account for everybody", () => {
  it.each<[string, object, number]>([
    ["too few added", counts(1), 9],
    ["one left over", counts(5, 3, ["+549 is blocked"]), 1],
    ["no recipients", { recipients: null }, 10],
    ["no counts", { recipients: {} }, 10],
    ["counts that are no numbers", counts({ a: 1 }, ["x"], null), 10],
    ["counts below nought", counts(-4, -6), 10],
  ])("is partial, ends with 3 and says of how many nothing is known: %s", async (_name, answer, lost) => {
    const { run, listed } = await shop(answer);
    const argv = send(people(10), "--ref", "enero", "--yes");
    const sent = await run([...argv, "--json"]);
    expect(sent.code).toBe(3);
    expect(parse(sent.stdout)).toMatchObject({ outcome: "partial", recipients: { planned: 10 } });
    expect(sent.stderr).toContain(`Warning: the service does not account for ${lost} of 10 recipients`);
    expect(sent.stderr).toContain("bpos campaign status c1");
    expect(await listed()).toMatchObject([{ outcome: "partial", campaigns: [{ campaign_id: "c1" }] }]);
    const { stdout } = await run(["campaign", "list"], { terminal: 200 });
    expect(stdout).toContain("partly sent");
    expect(stdout).toContain("bpos campaign status --ref enero");
    // The answer from the journal leaves the same people open.
    const again = await run(argv);
    expect(again.code).toBe(3);
    expect(again.stdout).toContain("Partly sent");
    expect(again.stderr).toContain(`does not account for ${lost} of 10 recipients`);
    expect(again.stdout).toContain("REPLAYED");
  });
});

describe("a campaign whose status is not sent", () => {
  it.each([
    ["queued", 'campaign c1 has the status "queued", not "sent"'],
    [null, "the response for campaign c1 has no status"],
  ])("is partial, ends with 3, and its status is said: %s", async (status, warning) => {
    const { run, listed } = await shop({ status, ...counts(10) });
    const { code, stdout, stderr } = await run(send(people(10), "--yes"));
    expect(code).toBe(3);
    expect(stdout).toContain("Partly sent");
    expect(stderr).toContain(warning);
    expect(stderr).toContain("bpos campaign status c1");
    expect(await listed()).toMatchObject([{ outcome: "partial", campaigns: [{ status }] }]);
    const inSpanish = await run(send(people(10), "--yes", "--lang", "es"));
    expect(inSpanish.stderr).not.toContain('"sent"');
  });
});
