import { describe, expect, it } from "vitest";
import type { Journal } from "../../../src/journal/journal.ts";
import type { NewOptOut } from "../../../src/journal/records/opt-outs.ts";

const ana = "+5491150000017";
const eva = "+5491150000027";
const leo = "+5491150000037";
const optOut = (phone: string, at = 1_000, text: string | null = null): NewOptOut => ({
  phone,
  at,
  source: "added",
  text,
});

/** Tests of the list of opt-outs, for any engine. */
export function optOutsContract(open: () => Promise<Journal>): void {
  it("has each person once, with the first words", async () => {
    const { optOuts } = await open();
    expect(await optOuts.add([optOut(ana, 1, "BAJA"), optOut(eva, 2)])).toBe(2);
    expect(await optOuts.add([optOut(ana, 3, "STOP"), optOut(leo, 4)])).toBe(1);
    expect(await optOuts.list()).toEqual([
      { phone: ana, at: 1, source: "added", text: "BAJA" },
      { phone: eva, at: 2, source: "added", text: null },
      { phone: leo, at: 4, source: "added", text: null },
    ]);
    const list = await optOuts.all();
    expect([list.size, list.has(ana), list.has("+5491150000047")]).toEqual([3, true, false]);
  });

  it("has another version after each change, for every process", async () => {
    const { optOuts } = await open();
    const versions = [await optOuts.version()];
    await optOuts.add([optOut(ana)]);
    versions.push(await optOuts.version());
    await optOuts.remove(ana, { at: 2, reason: "asked" });
    versions.push(await optOuts.version());
    await optOuts.doubt({ phone: eva, at: 3, text: "no quiero baja" });
    expect(versions).toEqual([...new Set(versions)]);
    expect(await optOuts.version()).toBe(versions.at(-1));
  });

  it("keeps who was taken off it, with the reason, and takes them back on", async () => {
    const { optOuts } = await open();
    await optOuts.add([optOut(ana, 10)]);
    expect(await optOuts.remove(ana, { at: 20, reason: "asked again" })).toBe(true);
    expect(await optOuts.remove(ana, { at: 30, reason: "twice" })).toBe(false);
    expect((await optOuts.all()).has(ana)).toBe(false);
    await optOuts.add([optOut(ana, 40)]);
    expect(await optOuts.of(ana)).toMatchObject([
      { at: 40, removed_at: null, reason: null },
      { at: 10, removed_at: 20, reason: "asked again" },
    ]);
  });

  it("asks about a doubtful message once, until somebody has decided or the person opts out", async () => {
    const { optOuts } = await open();
    const texts = async () => (await optOuts.doubts()).map(({ text }) => text);
    for (const text of ["baja por favor", "baja por favor", "¿baja?"])
      await optOuts.doubt({ phone: ana, at: 1, text });
    expect(await texts()).toEqual(["baja por favor", "¿baja?"]);
    expect((await optOuts.all()).has(ana)).toBe(false);
    await optOuts.dismiss((await optOuts.doubts())[0]!, 2);
    expect(await texts()).toEqual(["¿baja?"]);
    await optOuts.add([optOut(ana)]);
    await optOuts.doubt({ phone: ana, at: 3, text: "baja!" });
    expect(await texts()).toEqual([]);
  });

  it("knows everybody after a prune, by no phone", async () => {
    const journal = await open();
    const { optOuts } = journal;
    await optOuts.add([optOut(ana, 10, "BAJA"), optOut(eva, 90)]);
    await optOuts.doubt({ phone: leo, at: 10, text: "baja, no sé" });
    const upkeep = await journal.upkeep();
    expect(await upkeep.prunable(50)).toMatchObject({ opt_outs: 1 });
    expect(await upkeep.prune(50, "postgres", () => Promise.resolve())).toMatchObject({ opt_outs: 1 });
    expect(await optOuts.list()).toMatchObject([{ phone: null, text: null }, { phone: eva }]);
    const list = await optOuts.all();
    expect([list.has(ana), list.has(eva), list.has(leo)]).toEqual([true, true, false]);
    expect(await optOuts.add([optOut(ana)])).toBe(0);
    expect(await optOuts.doubts()).toMatchObject([{ phone: leo }]);
    expect(await optOuts.remove(ana, { at: 99, reason: "asked" })).toBe(true);
    expect((await optOuts.all()).has(ana)).toBe(false);
  });

  describe("people taken out of a call", () => {
    const scope = { branch: "b", ref: "r" };
    const template = { name: "t", id: null, language: null };
    const planned = async (...persons: string[]) => {
      const journal = await open();
      const call = {
        idempotency_key: "k",
        body: "{}",
        persons,
        lines: persons.map((_, n) => n + 2),
        isCanary: false,
      };
      const terms = { notAfter: null, schedule: null };
      const send = { ...scope, ...terms, send_id: "s", template, at: 1, isTest: false, paramNames: [] };
      await journal.sends.plan(send, [call]);
      return { sends: journal.sends, call: (await journal.sends.callsUnder(scope))[0]! };
    };
    const rest = { idempotency_key: "k2", body: "[]", lines: "[3]", people: 1 };

    it("are in it no more, and free the rest from their key", async () => {
      const { sends, call } = await planned(ana, eva);
      await sends.shorten(call, [ana], rest);
      expect(await sends.whole(await sends.callsUnder(scope))).toMatchObject([rest]);
      expect(await sends.personsIn(call)).toEqual([eva]);
    });

    it("leave no call behind that holds nobody", async () => {
      const { sends, call } = await planned(ana);
      await sends.shorten(call, [ana], undefined);
      expect(await sends.callsUnder(scope)).toEqual([]);
      expect(await sends.named("b", undefined)).toEqual([]);
    });

    it("stay in one that may have left", async () => {
      const { sends, call } = await planned(ana, eva);
      await sends.attempt(call, { at: 2 });
      await expect(sends.shorten(call, [ana], rest)).rejects.toThrow("may have left");
      expect(await sends.personsIn(call)).toEqual([ana, eva]);
    });

    it("are known with the reason, by person, until they are in a call after all", async () => {
      const { sends, call } = await planned(eva);
      const about = { at: 5, template: "t" };
      await sends.leaveOut(scope, about, [{ person: ana, reason: "excluded" }]);
      await sends.leaveOut(scope, { ...about, at: 6 }, [
        { person: ana, reason: "opted_out" },
        { person: eva, reason: "excluded" },
      ]);
      expect(await sends.leftOutOf("b", ana)).toEqual([
        { at: 6, ref: "r", template: "t", reason: "opted_out" },
      ]);
      expect([await sends.leftOutOf("b2", ana), await sends.leftOutOf("b", eva)]).toEqual([[], []]);
      await sends.shorten(call, [eva], undefined);
      expect(await sends.leftOutOf("b", eva)).toHaveLength(1);
    });
  });
}
