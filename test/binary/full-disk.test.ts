import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import * as campaigns from "../support/campaigns.ts";
import * as pushes from "../support/push.ts";
import { type Run, shell, temporaryFolder } from "../support/run.ts";
import { clockQuestion, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";
import { soakIt } from "../support/soak.ts";

interface Body {
  event_id?: string;
  idempotency_key?: string;
  items?: object[];
  recipients?: object[];
}
const idOf = ({ event_id, idempotency_key }: Body): string => event_id ?? idempotency_key ?? "";

/** A service that remembers ids, a home, and the size of the journal at each call. */
async function desk() {
  const home = temporaryFolder();
  const calls: Body[] = [];
  const sizes: number[] = [];
  const answer = (body: Body): object => {
    const isKnown = calls.some((call) => idOf(call) === idOf(body));
    if (body.items) return pushes.accepted(body.items.length, { duplicate: isKnown });
    const recipients = { added: body.recipients?.length, duplicates: 0, errors: [] };
    return { campaign_id: idOf(body).slice(0, 8), status: "sent", replayed: isKnown, recipients };
  };
  const aside = ["POST /v1/catalog/items", "POST /campaigns"].map((on) => ({
    on,
    aside: true as const,
    handler(...[response, request]: Parameters<ReturnType<typeof reply>>) {
      const body = JSON.parse(request.body.toString()) as Body;
      sizes.push(statSync(join(home, "state", "journal.db-wal")).size);
      reply(answer(body))(response, request);
      calls.push(body);
    },
  }));
  const server = await scriptedServer(clockQuestion, ...aside);
  const env = { BPOS_HOME: home, ...pointedAt(server.url) };
  const run = (argv: string[], fileLimit?: number): Promise<Run> =>
    runBinary([...argv, "--json"], { env, ...(fileLimit !== undefined && { fileLimit }) });
  const inShell = shell({ env });
  return { calls, sizes, run, later: (argv: string[]): Promise<Run> => inShell([...argv, "--json"]) };
}

/** The command on a disk that is full from its call number `n` on; a run before, in another home, says how much fits until then. */
async function fullAt(n: number, argv: string[], code = 0) {
  const measured = await desk();
  expect((await measured.run(argv)).code).toBe(code);
  const full = await desk();
  const first = await full.run(argv, measured.sizes[n - 1]);
  return { ...full, first };
}

const errorOf = ({ stderr }: Run) => campaigns.errorOf(stderr);

describe("a disk that is full", () => {
  it("in the middle of a push: ends with 7, reports what was applied, and the same file goes on", async () => {
    const argv = ["catalog", "push", pushes.priceList(60), "--batch-size", "5"];
    const { first, calls, later } = await fullAt(4, argv);
    expect(first.code).toBe(7);
    const applied = calls.length * 5;
    expect(applied).toBeGreaterThanOrEqual(20);
    expect(applied).toBeLessThan(60);
    expect(pushes.parse(first.stdout)).toMatchObject({
      outcome: "unknown",
      sent: applied,
      accepted: applied,
      read: 60,
    });
    expect(errorOf(first)).toMatchObject({ code: "unknown", reason: "journal_write_failed" });
    expect(first.stderr).not.toMatch(/nothing (was|is) sent|sends nothing/i);
    expect(errorOf(first)["hint"]).toMatch(/disk space/i);

    const second = await later(argv);
    expect(second.code).toBe(0);
    expect(pushes.parse(second.stdout)).toMatchObject({ outcome: "complete", accepted: 60 });
    const ids = new Map(calls.map((call) => [idOf(call), JSON.stringify(call)]));
    expect(ids.size).toBe(12);
    for (const call of calls) expect(JSON.stringify(call)).toBe(ids.get(idOf(call)));
  });

  soakIt("is said too where the rejected rows cannot be written either", async () => {
    const file = pushes.fileOf(
      "codigo,nombre,precio",
      ...Array.from({ length: 60 }, (_, n) => `C${n},Product ${n},${n}.50`),
      ...Array.from({ length: 9_000 }, (_, n) => `D${n},Product ${n},consultar ${n}`),
    );
    const rejected = join(temporaryFolder(), "rejected.csv");
    const argv = ["catalog", "push", file, "--batch-size", "5", "--rejected", rejected];
    const { first } = await fullAt(4, argv, 3);
    expect(first.code).toBe(7);
    const { outcome, accepted, rejected_file } = pushes.parse(first.stdout);
    expect({ outcome, rejected_file }).toEqual({ outcome: "unknown", rejected_file: null });
    expect(accepted).toBeGreaterThanOrEqual(20);
    expect(first.stderr).toContain(rejected);
    expect(errorOf(first)).toMatchObject({ reason: "journal_write_failed" });
  });

  it("before a push has sent anything: ends with 9, and nothing leaves", async () => {
    const { run, calls } = await desk();
    const result = await run(["catalog", "push", pushes.priceList(5)], 150_000);
    expect(result).toMatchObject({ code: 9, stdout: "" });
    expect(errorOf(result)).toMatchObject({ code: "config", reason: "journal_unreadable" });
    expect(calls).toEqual([]);
  });

  soakIt(
    "in the middle of a send: ends with 7, names the campaigns, and resume messages nobody twice",
    async () => {
      const argv = campaigns.send(campaigns.people(350), "--track-all", "--yes");
      const { first, calls, later } = await fullAt(2, argv);
      expect(first.code).toBe(7);
      expect(calls).toHaveLength(2);
      const report = campaigns.parse(first.stdout);
      expect(report).toMatchObject({ outcome: "unknown", recipients: { planned: 350, added: 200 } });
      expect(report.campaigns.map(({ campaign_id: id }) => id)).toEqual(
        calls.map((call) => idOf(call).slice(0, 8)),
      );
      expect(errorOf(first)).toMatchObject({ code: "unknown", reason: "journal_write_failed" });
      expect(errorOf(first)["hint"]).toMatch(/bpos campaign resume people-/);

      const resumed = await later(["campaign", "resume"]);
      expect(resumed.code).toBe(0);
      expect(calls.map(idOf)[2]).toBe(calls.map(idOf)[1]);
      expect(new Set(calls.map(idOf)).size).toBe(4);
      expect(calls).toHaveLength(5);
    },
  );
});
