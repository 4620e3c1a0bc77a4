import { describe, expect, it } from "vitest";
import { isReason } from "../../src/errors.ts";
import { atomically, type Journal, openJournal } from "../../src/journal/open.ts";
import { bodiesOf } from "../../src/journal/send-history.ts";
import {
  callsOf,
  forgetUnsent,
  messagedElsewhere,
  type NewSend,
  peopleOf,
  recordAttempt,
  recordNotSent,
  recordPlan,
  recordResult,
  templatesOf,
} from "../../src/journal/sends.ts";

const template = { name: "pedido_listo", id: null, language: null };
const send: NewSend = {
  send_id: "s1",
  branch: "b",
  ref: "r",
  template,
  at: 1000,
  notAfter: null,
  isTest: false,
};
const call = (...persons: string[]) => ({
  idempotency_key: `key-${persons.join("")}`,
  body: `body of ${persons.join("")}`,
  persons,
  lines: persons.map((_, at) => at + 2),
});
const result = { campaign_id: "c1", answer: '{"campaign_id":"c1"}', at: 3000 };

/** A journal with one plan of three calls. */
function planned(): Journal {
  const journal = openJournal(":memory:");
  recordPlan(journal, send, [call("ana", "eva"), call("leo"), call("zoe")]);
  return journal;
}
const states = (journal: Journal, scope = send): string[] =>
  callsOf(journal, scope).map(({ state }) => state);

describe("a plan of sends", () => {
  it("holds each person once under its branch and reference, whatever the template", () => {
    const journal = planned();
    const other = { ...send, send_id: "s2", template: { ...template, name: "otra" } };
    expect(() => atomically(journal, () => recordPlan(journal, other, [call("ivo"), call("leo")]))).toThrow();
    expect([...peopleOf(journal, send).keys()].sort()).toEqual(["ana", "eva", "leo", "zoe"]);
    expect(callsOf(journal, send)).toHaveLength(3);
    recordPlan(journal, { ...other, ref: "r2" }, [call("leo")]);
    recordPlan(journal, { ...other, send_id: "s3", branch: "b2" }, [call("leo")]);
    expect(callsOf(journal, send)).toHaveLength(3);
  });

  it("comes back in the order in which it was written, though the clock went back", () => {
    const journal = planned();
    recordPlan(journal, { ...send, send_id: "s0", at: 1 }, [call("ivo")]);
    expect(callsOf(journal, send).map(({ send_id: id, n }) => `${id} ${n}`)).toEqual([
      "s1 0",
      "s1 1",
      "s1 2",
      "s0 0",
    ]);
  });
});

describe("an attempt", () => {
  it("tells whether it is the first", () => {
    const journal = planned();
    const [first] = callsOf(journal, send);
    expect(recordAttempt(journal, first!, { at: 2000 })).toBe("planned");
    expect(recordAttempt(journal, first!, { at: 2001 })).toBe("attempted");
    expect(states(journal)).toEqual(["attempted", "planned", "planned"]);
  });

  it.each([
    ["answered", (journal: Journal) => recordResult(journal, { send_id: "s1", n: 0 }, result)],
    ["forgotten", (journal: Journal) => forgetUnsent(journal, send)],
    [
      "forgotten and planned otherwise",
      (journal: Journal) => {
        forgetUnsent(journal, send);
        recordPlan(journal, send, [call("ivo")]);
      },
    ],
  ])("of a call that was %s meanwhile is refused", (_name, meanwhile) => {
    const journal = planned();
    const [first] = callsOf(journal, send);
    meanwhile(journal);
    const after = callsOf(journal, send);
    expect(() => recordAttempt(journal, first!, { at: 2000 })).toThrow(
      expect.toSatisfy((error) => isReason(error, "bug")),
    );
    expect(callsOf(journal, send)).toEqual(after);
  });

  it("that came to nothing is taken back, unless it was answered", () => {
    const journal = planned();
    const [first, second] = callsOf(journal, send);
    recordAttempt(journal, first!, { at: 2000 });
    recordAttempt(journal, second!, { at: 2000 });
    recordResult(journal, first!, result);
    recordNotSent(journal, first!);
    recordNotSent(journal, second!);
    expect(states(journal)).toEqual(["sent", "planned", "planned"]);
    expect(callsOf(journal, send)[0]).toMatchObject({
      campaign_id: "c1",
      answer: result.answer,
      answered_at: 3000,
    });
    expect(
      messagedElsewhere(journal, { branch: "b", ref: "x" }, template, { at: 0 }).map(({ person }) => person),
    ).toEqual(["ana", "eva"]);
  });
});

describe("forgetting what never left", () => {
  it("keeps sent and attempted calls and their people, of this send and every other", () => {
    const journal = planned();
    const [first, second] = callsOf(journal, send);
    recordAttempt(journal, first!, { at: 2000 });
    recordResult(journal, first!, result);
    recordAttempt(journal, second!, { at: 2000 });
    const elsewhere = [
      { ...send, send_id: "s2", ref: "r2" },
      { ...send, send_id: "s3", branch: "b2" },
    ];
    for (const each of elsewhere) recordPlan(journal, each, [call("zoe")]);
    forgetUnsent(journal, send);
    expect(states(journal)).toEqual(["sent", "attempted"]);
    expect(peopleOf(journal, send)).toEqual(
      new Map([
        ["ana", "sent"],
        ["eva", "sent"],
        ["leo", "attempted"],
      ]),
    );
    for (const each of elsewhere) expect(states(journal, each)).toEqual(["planned"]);
    for (const each of elsewhere) expect([...peopleOf(journal, each).keys()]).toEqual(["zoe"]);
  });

  it("leaves nothing of a send of which nothing left", () => {
    const journal = planned();
    forgetUnsent(journal, send);
    for (const table of ["send", "send_call", "send_person"]) {
      expect(journal.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toMatchObject({ n: 0 });
    }
  });
});

describe("what went out", () => {
  it("is kept with the line of each recipient, for the campaigns that are asked for", () => {
    const journal = planned();
    for (const [n, each] of callsOf(journal, send).entries())
      recordResult(journal, each, { ...result, campaign_id: `c${n}` });
    expect(bodiesOf(journal, "b", ["c1", "c0"])).toEqual([
      { campaign_id: "c0", body: "body of anaeva", lines: "[2,3]" },
      { campaign_id: "c1", body: "body of leo", lines: "[2]" },
    ]);
    expect(bodiesOf(journal, "b2", ["c0"])).toEqual([]);
  });

  it("is known by template, under this reference and under the others of the branch, newest first", () => {
    const journal = planned();
    const [first] = callsOf(journal, send);
    expect(templatesOf(journal, send)).toEqual([]);
    recordAttempt(journal, first!, { at: 2000 });
    expect(templatesOf(journal, send)).toEqual([template]);
    const spanish = { ...send, send_id: "s2", ref: "r2", template: { ...template, language: "es_AR" } };
    const byId = { ...send, send_id: "s3", ref: "r3", template: { ...template, name: null, id: "t1" } };
    const abroad = { ...send, send_id: "s4", ref: "r4", branch: "b2" };
    for (const [at, each] of [spanish, byId, abroad].entries()) {
      recordPlan(journal, each, [call("ana")]);
      recordAttempt(journal, callsOf(journal, each)[0]!, { at: 2001 + at });
    }
    const found = (ref: string, since: number) =>
      messagedElsewhere(journal, { branch: "b", ref }, template, { at: since }).map(
        (row) => `${row.ref} ${row.person} ${row.leftAt}`,
      );
    expect(found("new", 0)).toEqual(["r2 ana 2001", "r ana 2000", "r eva 2000"]);
    expect(found("new", 2000)).toEqual(["r2 ana 2001"]);
    expect(found("r2", 0)).toEqual(["r ana 2000", "r eva 2000"]);
  });
});
