import { describe, expect, it } from "vitest";
import { errorOf, parse, recipientsFile, rows, send } from "../../support/campaigns.ts";
import { shell } from "../../support/run.ts";
import { service } from "../../support/service.ts";

/** Phones that the mock fails, lets wait, reaches without being read, and fails late. */
const [failing, waiting, unread, late] = ["0000", "0001", "0002", "0004"].map((end) => `+549115555${end}`);
const some = [failing, waiting, unread, late].map((phone) => `${phone},Ana,1`);

interface OnlyFailed {
  only_failed_of: Record<string, unknown>;
}

async function desk(people: readonly string[] = some) {
  const { mock, env } = await service();
  const run = shell({ env: { ...env, NO_COLOR: "1" } });
  await run(send(recipientsFile(people), "--yes", "--ref", "enero"));
  await mock.control.moveClock({ advance_ms: 3_600_000 });
  const again = (...more: string[]) =>
    run(send(recipientsFile([...people, "+5491155557777,Leo,2"]), "--only-failed-of", "enero", ...more));
  const times = async (phone: string | undefined): Promise<number> =>
    (await mock.control.messages()).filter((message) => message.phone === phone).length;
  return { mock, run, again, times };
}

describe("campaign send --only-failed-of", () => {
  it("messages those whom the service lists as failed, once, and counts why the others are left out", async () => {
    const { again, times } = await desk();
    const preview = await again("--dry-run");
    expect(preview.stdout).toContain(
      "2 recipients that failed under enero; left out: 1 did not fail, 1 without a final status, 1 not in that send",
    );
    const sent = await again("--yes", "--json");
    expect(sent.code).toBe(0);
    const report = parse(sent.stdout);
    expect([report.external_ref, report.recipients["planned"]]).toEqual(["enero-retry", 2]);
    expect((JSON.parse(sent.stdout) as OnlyFailed).only_failed_of).toEqual({
      ...{ ref: "enero", failed: 2, not_failed: 1, not_final: 1, not_listed: 0, not_in_send: 1 },
    });
    expect(await Promise.all([failing, late, waiting, unread, "+5491155557777"].map(times))).toEqual([
      2, 2, 1, 1, 0,
    ]);

    const repeated = parse((await again("--yes", "--json")).stdout);
    expect([repeated.outcome, repeated.recipients["planned"]]).toEqual(["replayed", 0]);
    expect(await Promise.all([failing, late].map(times))).toEqual([2, 2]);
  });

  it("is tried out with what the first of them would get, and counts nobody else", async () => {
    const { again, times } = await desk();
    const tested = await again("--test-to", "+5491155558888", "--yes", "--json");
    expect([tested.code, parse(tested.stdout).recipients["read"]]).toEqual([0, 1]);
    expect(JSON.parse(tested.stdout)).not.toHaveProperty("only_failed_of");
    expect(await Promise.all(["+5491155558888", failing, late].map(times))).toEqual([1, 1, 1]);
  });

  it("leaves out whom the service does not list, and says so", async () => {
    const { again, times } = await desk([...rows(120), `+5491160000000,Ana,1`]);
    const { code, stdout, stderr } = await again("--yes", "--json");
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as OnlyFailed).only_failed_of).toMatchObject({
      not_listed: 21,
      not_in_send: 1,
    });
    expect(stderr).toContain('21 recipients of "enero" are left out');
    expect(await times("+5491160000000")).toBe(1);
  });

  it("refuses a reference that it does not know, its own, and a service that does not tell", async () => {
    const { mock, run, again } = await desk();
    const unknown = await run(send(recipientsFile(some), "--only-failed-of", "enro", "--yes", "--json"));
    expect([unknown.code, errorOf(unknown.stderr)["reason"]]).toEqual([11, "send_not_found"]);
    const same = await again("--ref", "enero", "--yes", "--json");
    expect([same.code, errorOf(same.stderr)["reason"]]).toEqual([10, "ref_taken"]);
    await mock.control.addFault({
      method: "GET",
      path: "/campaigns",
      effect: "status",
      status: 503,
      times: 9,
    });
    expect((await again("--yes", "--retries", "0")).code).toBe(6);
    expect(await mock.control.messages()).toHaveLength(some.length);
  });
});
