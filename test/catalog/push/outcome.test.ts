import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { accepted, batches, fileOf, parse } from "../../support/push.ts";
import { type Run, shell } from "../../support/run.ts";
import { type Handler, reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";

const good = ["A,Agua,1", "B,Pan,2", "C,Sal,3"];
const header = "codigo,nombre,precio";
const bad = "D,Mal,consultar";
const refused = (codigo: string, error = "precio: must be positive") => ({ codigo, error });
const answer = (more: object, n = 0) => reply(accepted(n, more));
const all = { rejected: ["A", "B", "C"].map((code) => refused(code)) };
const status = (code: number): Handler => reply({ code: "X", message: "no" }, code);

/** Pushes these rows in one batch each, or in batches of one product, to a service that answers so. */
async function pusher(rows: readonly string[], answers: readonly Handler[], more: readonly string[] = []) {
  const server = await scriptedServer(...batches(...answers));
  const run = shell({ env: { ...pointedAt(server.url), NO_COLOR: "1" }, clock: fakeClock() });
  const file = fileOf(header, ...rows);
  return (...flags: string[]): Promise<Run> => run(["catalog", "push", file, ...more, ...flags]);
}

interface Case {
  rows?: readonly string[];
  flags?: readonly string[];
  answers: Handler[];
  code: number;
  outcome: string;
  headline: string;
}
const single = ["--batch-size", "1", "--retries", "0"];
const cases: Record<string, Case> = {
  "a batch without a clear answer, whatever else": {
    rows: [...good, bad],
    flags: single,
    answers: [answer({}, 1), reset()],
    code: 7,
    outcome: "unknown",
    headline: "The outcome of a request is unknown",
  },
  "a whole call refused": {
    answers: [status(400)],
    code: 5,
    outcome: "refused",
    headline: "Refused: the service accepted nothing.",
  },
  "a whole call denied": { answers: [status(403)], code: 4, outcome: "refused", headline: "Refused:" },
  "a call refused after one of which nothing was taken": {
    flags: single,
    answers: [answer({ rejected: [refused("A")] }), status(400)],
    code: 5,
    outcome: "refused",
    headline: "Refused: the service accepted nothing.",
  },
  "everything rejected by the service": {
    answers: [answer(all)],
    code: 3,
    outcome: "nothing",
    headline: "Failed. 3 rows: 3 rejected by the service.",
  },
  "nothing accepted, and no reason given": {
    answers: [answer({})],
    code: 3,
    outcome: "nothing",
    headline: "Failed. 3 rows: 3 missing from the service's answer.",
  },
  "stale, and a row of the file rejected": {
    rows: [...good, bad],
    answers: [answer({ skipped_stale: 3 })],
    code: 3,
    outcome: "nothing",
    headline: "Failed. 4 rows: 3 stale, 1 rejected by bpos.",
  },
  "every row of the file rejected": {
    rows: [bad],
    answers: [],
    code: 3,
    outcome: "nothing",
    headline: "Nothing to send: the only row was rejected.",
  },
  "all of it stale": {
    answers: [answer({ skipped_stale: 3 })],
    code: 3,
    outcome: "stale",
    headline: "Stale:",
  },
  "some stale": {
    answers: [answer({ skipped_stale: 1 }, 2)],
    code: 3,
    outcome: "partial",
    headline: "Partly done. 3 rows: 2 accepted, 1 stale.",
  },
  "a row of the file rejected": {
    rows: [...good, bad],
    answers: [answer({}, 3)],
    code: 3,
    outcome: "partial",
    headline: "Partly done. 4 rows: 3 accepted, 1 rejected by bpos.",
  },
  "stopped midway": {
    flags: single,
    answers: [answer({}, 1), status(400)],
    code: 5,
    outcome: "partial",
    headline: "Stopped before the end:",
  },
  "counts that do not add up": {
    answers: [answer({}, 2)],
    code: 3,
    outcome: "partial",
    headline: "Partly done. 3 rows: 2 accepted, 1 missing from the service's answer.",
  },
  "all of it accepted": {
    answers: [answer({}, 3)],
    code: 0,
    outcome: "complete",
    headline: "Done: the service accepted 3 products.",
  },
  "duplicates alone": {
    answers: [answer({ duplicate: true })],
    code: 0,
    outcome: "complete",
    headline: "Nothing new: the service already had 3 products.",
  },
};

describe("the outcome of a push, its exit code and its headline", () => {
  it.each(Object.entries(cases))(
    "%s",
    async (_, { rows = good, flags, answers, code, outcome, headline }) => {
      const push = await pusher(rows, answers, flags);
      const table = await push();
      expect(table.code).toBe(code);
      expect(table.stdout.split("\n")[1]).toContain(headline);
      expect(/\bDone\b/.test(table.stdout)).toBe(headline.startsWith("Done"));
      const again = await (await pusher(rows, answers, flags))("--json");
      expect(again.code).toBe(code);
      expect(parse(again.stdout).outcome).toBe(outcome);
    },
  );
});

describe("a batch that the service calls a duplicate", () => {
  const duplicate = answer({ duplicate: true });
  const earlier = "already applied by an earlier attempt";
  const unknown = "this journal has no earlier attempt";

  it("names no earlier try where there was none", async () => {
    const { code, stdout } = await (await pusher(good, [duplicate]))();
    expect(code).toBe(0);
    expect(stdout).toContain(unknown);
    expect(stdout).not.toContain(earlier);
  });

  it.each([
    ["in the same run", [reset(), duplicate], [], 1],
    ["in the run before", [reset(), duplicate], ["--retries", "0"], 2],
  ])("names the earlier try %s", async (_, answers, flags, runs) => {
    const push = await pusher(good, answers, flags);
    if (runs > 1) expect((await push()).code).toBe(7);
    const { code, stdout } = await push();
    expect(code).toBe(0);
    expect(stdout).toContain(earlier);
    expect(stdout).not.toContain(unknown);
  });
});

it("does not tell anybody to push a file again whose push came to its end", async () => {
  const server = await scriptedServer(...batches(answer({}, 3)));
  const run = shell({ env: pointedAt(server.url) });
  await run(["catalog", "push", fileOf(header, ...good, bad)]);
  const { stdout } = await run(["catalog", "history"]);
  expect(stdout).toContain("partial");
  expect(stdout).not.toContain("again");
});
