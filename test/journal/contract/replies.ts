import { expect, it } from "vitest";
import type { Journal } from "../../../src/journal/journal.ts";

/** Tests of replies, for any engine. */
export function repliesContract(open: () => Promise<Journal>): void {
  it("are each output's until it has them, the oldest first; the same bytes are kept once", async () => {
    const { replies } = await open();
    const reply = { hash: "h", body: "{}", outputs: ["exec", "stdout"] };
    const [one, two] = [
      await replies.receive({ ...reply, at: 1 }),
      await replies.receive({ ...reply, at: 2 }),
    ];
    expect([await replies.next("exec", 0), await replies.next("exec", one)]).toEqual([one, two]);
    expect(await replies.begin("exec", one)).toEqual({ body: "{}", at: 1, again: false, wasBegun: false });
    expect(await replies.begin("exec", two)).toEqual({ body: "{}", at: 2, again: true, wasBegun: false });
    // A delivery that was begun and has no outcome may have arrived.
    expect(await replies.begin("exec", two)).toMatchObject({ wasBegun: true });
    await replies.delivered("exec", one);
    await replies.notDelivered("exec", two);
    expect(await replies.begin("exec", two)).toMatchObject({ wasBegun: false });
    expect([await replies.next("exec", 0), await replies.next("stdout", 0)]).toEqual([two, one]);
    expect(await replies.waiting()).toEqual([
      { output: "exec", replies: 1 },
      { output: "stdout", replies: 2 },
    ]);
  });
}
