import { expect, it } from "vitest";
import { PollPlan } from "../../../../src/orders/watch/polling/plan.ts";

const minute = 60_000;

/** Polls at these instants with so many pages in a full sweep; what each one was to read. */
function polls(instants: number[], pages: number): string[] {
  const plan = new PollPlan(minute);
  return instants.map((at) => {
    const poll = plan.next(at);
    plan.done(poll, { at, pages });
    return `${poll.full ? "full" : "recent"}${poll.everyState ? " every" : ""}`;
  });
}
const everyMinute = (count: number): number[] => Array.from({ length: count }, (_, n) => n * minute);

it("reads every state after a gap of more than two intervals, and counts anew from there", () => {
  const plan = polls([0, minute, 3 * minute, 5 * minute + 1, 6 * minute], 1);
  expect(plan).toEqual(["full every", "full", "full", "full every", "full"]);
});

it("reads every state when the clock was set back", () => {
  expect(polls([10 * minute, 0], 1)).toEqual(["full every", "full every"]);
});

it("reads only what is recent of more than ten pages, and all of it within 15 minutes", () => {
  const plan = polls(everyMinute(60), 11);
  const full = plan.flatMap((poll, index) => (poll.startsWith("full") ? [index] : []));
  expect(full).toEqual([0, 14, 28, 42, 56]);
});

it("reads all of a backlog when the clock was set back", () => {
  expect(polls([60 * minute, 61 * minute, 0], 11).map((poll) => poll.split(" ")[0])).toEqual([
    "full",
    "recent",
    "full",
  ]);
});

it("leaves due what a poll that failed was to read", () => {
  const plan = new PollPlan(minute);
  expect(plan.next(0)).toEqual({ full: true, everyState: true });
  expect(plan.next(minute)).toEqual({ full: true, everyState: true });
  plan.done({ full: true, everyState: true }, { at: minute, pages: 11 });
  expect(plan.next(2 * minute)).toEqual({ full: false, everyState: false });
  expect(plan.next(15 * minute)).toEqual({ full: true, everyState: true });
  expect(plan.next(16 * minute)).toEqual({ full: true, everyState: true });
});
