import { describe, expect, it } from "vitest";
import { isReason } from "../../../src/errors.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import type { NewSend } from "../../../src/journal/records/sends.ts";

const template = { name: "pedido_listo", id: null, language: null };
const send: NewSend = {
  send_id: "s1",
  branch: "b",
  ref: "r",
  template,
  at: 1000,
  notAfter: null,
  schedule: null,
  isTest: false,
  paramNames: ["nombre"],
};
const call = (...persons: string[]) => ({
  idempotency_key: `key-${persons.join("")}`,
  body: `body of ${persons.join("")}`,
  persons,
  lines: persons.map((_, at) => at + 2),
  isCanary: false,
});
const result = { campaign_id: "c1", answer: '{"campaign_id":"c1"}', at: 3000 };

/** Tests of sends, for any engine. */
export function sendsContract(open: () => Promise<Journal>): void {
  /** A journal with one plan of three calls. */
  async function planned() {
    const { sends } = await open();
    await sends.plan(send, [call("ana", "eva"), call("leo"), call("zoe")]);
    const calls = await sends.callsUnder(send);
    const [first, second] = calls;
    const states = async (scope = send) => (await sends.callsUnder(scope)).map(({ state }) => state);
    const people = async (scope = send) => [...(await sends.people(scope, [])).keys()].sort();
    return { sends, calls, first: first!, second: second!, states, people };
  }

  describe("a plan of sends", () => {
    it("holds each person once under its branch and reference, whatever the template, or is not there at all", async () => {
      const { sends, people } = await planned();
      const other = { ...send, send_id: "s2", template: { ...template, name: "otra" } };
      await expect(sends.plan(other, [call("ivo"), call("leo")])).rejects.toThrow();
      expect(await people()).toEqual(["ana", "eva", "leo", "zoe"]);
      await sends.plan({ ...other, ref: "r2" }, [call("leo")]);
      await sends.plan({ ...other, send_id: "s3", branch: "b2" }, [call("leo")]);
      expect(await sends.callsUnder(send)).toHaveLength(3);
      expect(await sends.named("b", undefined)).toMatchObject([{ send_id: "s1" }, { send_id: "s2" }]);
      expect(await sends.named("b2", "s3")).toMatchObject([
        { ref: "r", isTest: false, template: { name: "otra" } },
      ]);
    });

    it("comes back in the order in which it was written, though the clock went back", async () => {
      const { sends } = await planned();
      await sends.plan({ ...send, send_id: "s0", at: 1 }, [call("ivo")]);
      const calls = await sends.callsUnder(send);
      expect(calls.map(({ send_id: id, n }) => `${id} ${n}`)).toEqual(["s1 0", "s1 1", "s1 2", "s0 0"]);
      expect(await sends.newest("b", 1)).toMatchObject([
        { send_id: "s0", at: 1, report: null, calls: [{ n: 0 }] },
      ]);
      await sends.report("s1", "{}");
      expect((await sends.newest("b", 9)).map(({ report, calls: { length } }) => [report, length])).toEqual([
        [null, 1],
        ["{}", 3],
      ]);
    });
  });

  describe("an attempt", () => {
    it("tells whether it is the first", async () => {
      const { sends, first, states } = await planned();
      expect(await sends.hasLeft("s1")).toBe(false);
      expect(await sends.attempt(first, { at: 2000 })).toBe("planned");
      expect(await sends.attempt(first, { at: 2001 })).toBe("attempted");
      expect(await states()).toEqual(["attempted", "planned", "planned"]);
      expect(await sends.hasLeft("s1")).toBe(true);
    });

    it.each(["answered", "forgotten", "forgotten and planned otherwise"])(
      "of a call that was %s meanwhile is refused",
      async (meanwhile) => {
        const { sends, first } = await planned();
        if (meanwhile === "answered") await sends.answered(first, result);
        else await sends.forgetUnsent(send);
        if (meanwhile.endsWith("otherwise")) await sends.plan(send, [call("ivo")]);
        const after = await sends.callsUnder(send);
        await expect(sends.attempt(first, { at: 2000 })).rejects.toSatisfy((error) => isReason(error, "bug"));
        expect(await sends.callsUnder(send)).toEqual(after);
      },
    );

    it("that came to nothing is taken back, unless it was answered", async () => {
      const { sends, first, second, states } = await planned();
      await sends.attempt(first, { at: 2000 });
      await sends.attempt(second, { at: 2000 });
      await sends.answered(first, result);
      await sends.notSent(first);
      await sends.notSent(second);
      expect(await states()).toEqual(["sent", "planned", "planned"]);
      expect((await sends.callsOf("s1"))[0]).toMatchObject({
        campaign_id: "c1",
        answer: result.answer,
        answered_at: 3000,
      });
      const messaged = await sends.messagedElsewhere({ branch: "b", ref: "x", template }, { at: 0 }, []);
      expect(messaged.map(({ person }) => person)).toEqual(["ana", "eva"]);
      expect(await sends.pendingPeople("s1")).toEqual([
        { person: "leo", send_id: "s1", n: 1, seq: 1 },
        { person: "zoe", send_id: "s1", n: 2, seq: 1 },
      ]);
    });
  });

  describe("forgetting what never left", () => {
    it("keeps sent and attempted calls and their people, of this send and every other", async () => {
      const { sends, first, second, states, people } = await planned();
      await sends.attempt(first, { at: 2000 });
      await sends.answered(first, result);
      await sends.attempt(second, { at: 2000 });
      const elsewhere = [
        { ...send, send_id: "s2", ref: "r2" },
        { ...send, send_id: "s3", branch: "b2" },
      ];
      for (const each of elsewhere) await sends.plan(each, [call("zoe")]);
      await sends.forgetUnsent(send);
      expect(await states()).toEqual(["sent", "attempted"]);
      expect(Object.fromEntries(await sends.people(send, []))).toEqual({
        ana: "sent",
        eva: "sent",
        leo: "attempted",
      });
      for (const each of elsewhere) expect(await states(each)).toEqual(["planned"]);
      for (const each of elsewhere) expect(await people(each)).toEqual(["zoe"]);
    });

    it("leaves nothing of a send of which nothing left", async () => {
      const { sends, people } = await planned();
      await sends.report("s1", "{}");
      await sends.forgetUnsent(send);
      expect([await sends.named("b", "s1"), await sends.callsOf("s1"), await people()]).toEqual([[], [], []]);
      await sends.plan(send, [call("ana")]);
      expect(await sends.newest("b", 1)).toMatchObject([{ report: null }]);
    });
  });

  describe("what went out", () => {
    it("is kept with the line of each recipient, for the campaigns that are asked for, and known to replies", async () => {
      const { sends, calls } = await planned();
      for (const [n, each] of calls.entries())
        await sends.answered(each, { ...result, campaign_id: `c${n}` });
      expect(await sends.bodies("b", ["c1", "c0"])).toEqual([
        { campaign_id: "c0", body: "body of anaeva", lines: "[2,3]" },
        { campaign_id: "c1", body: "body of leo", lines: "[2]" },
      ]);
      expect(await sends.bodies("b2", ["c0"])).toEqual([]);
      const replied = { send_id: "s1", ref: "r", template: "pedido_listo", at: 1000 };
      expect(await sends.ofReply({ campaign_id: "c2", external_ref: "other" })).toEqual(replied);
      expect(await sends.ofReply({ campaign_id: "c9", external_ref: "r" })).toEqual(replied);
      expect(await sends.ofReply({ campaign_id: null, external_ref: null })).toBeUndefined();
    });

    it("says which sends were planned by then, whatever the clocks say, and whatever was forgotten since", async () => {
      const { sends, first } = await planned();
      const plan = async (id: string) => {
        await sends.plan({ ...send, send_id: id, ref: id, at: 0 }, [call("ivo")]);
        return (await sends.named("b", id))[0]!.seq;
      };
      const before = await plan("s2");
      await plan("s3");
      await sends.attempt(first, { at: 2000 });
      await sends.forgetUnsent({ branch: "b", ref: "s3" });
      const after = await plan("s4");
      const [message] = await sends.messagedElsewhere({ branch: "b", ref: "x", template }, { at: 0 }, []);
      expect(message?.afterSeq).toBeGreaterThanOrEqual(before);
      expect(message?.afterSeq).toBeLessThan(after);
    });

    it.each(["c\0", "c \ud83d"])("is found by an id that no database holds as it is, %j", async (id) => {
      const { sends, first } = await planned();
      await sends.answered(first, { ...result, campaign_id: id });
      expect(await sends.bodies("b", ["other", id])).toMatchObject([{ body: "body of anaeva" }]);
    });

    it("is known by template, under this reference and under the others of the branch, newest first", async () => {
      const { sends, first } = await planned();
      expect(await sends.templates(send)).toEqual([]);
      await sends.attempt(first, { at: 2000 });
      expect(await sends.templates(send)).toEqual([template]);
      const spanish = { ...send, send_id: "s2", ref: "r2", template: { ...template, language: "es_AR" } };
      const byId = { ...send, send_id: "s3", ref: "r3", template: { ...template, name: null, id: "t1" } };
      const abroad = { ...send, send_id: "s4", ref: "r4", branch: "b2" };
      for (const [at, each] of [spanish, byId, abroad].entries()) {
        await sends.plan(each, [call("ana")]);
        await sends.attempt((await sends.callsOf(each.send_id))[0]!, { at: 2001 + at });
      }
      const found = async (ref: string, since: number) =>
        (await sends.messagedElsewhere({ branch: "b", ref, template }, { at: since }, [])).map(
          (row) => `${row.ref} ${row.person} ${row.leftAt}`,
        );
      expect(await found("new", 0)).toEqual(["r2 ana 2001", "r ana 2000", "r eva 2000"]);
      expect(await found("new", 2000)).toEqual(["r2 ana 2001"]);
      expect(await found("r2", 0)).toEqual(["r ana 2000", "r eva 2000"]);
      // To another branch, as when an answer names a mock's world.
      await sends.move("s2", "mock");
      expect(await found("new", 0)).toEqual(["r ana 2000", "r eva 2000"]);
    });
  });
}
