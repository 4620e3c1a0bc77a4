import fc from "fast-check";
import type { Schedule, ShareOrCount } from "../../src/campaigns/sending/schedule.ts";

const minute = 60_000;
const hour = 60 * minute;
/** When every plot begins: two days before a change of the clock in Spain. */
export const start = Date.UTC(2026, 2, 27, 12);

type Fault = "drop" | "commit-drop" | "502" | "commit-502";

/** One send, and what befalls it. */
export interface SendPlot {
  people: { phone: string; fails: boolean }[];
  schedule: Schedule;
  canary: ShareOrCount | undefined;
  /** When it is too late to send what has not left, epoch milliseconds. */
  notAfter: number | null;
  /** Effects after which the process is killed, or stopped by Ctrl-C, each counted from the start before it. */
  kills: { after: number; downMs: number; isStop: boolean; again: "resume" | "send" }[];
  /** POSTs that go wrong, by number. */
  faults: Map<number, Fault>;
  latency: number;
  /** Who opts out, by number, before which transaction of a process. */
  optOuts: { who: number; before: number }[];
  /** True where the rest is sent after a trial that failed. */
  ignoresCanary: boolean;
  /** How many calls may be under way at once. */
  inFlight: number;
}

const numbers: Readonly<Record<string, (n: number) => string>> = {
  AR: (n) => `+54911${50_000_005 + n * 10}`,
  BR: (n) => `+55119${80_000_005 + n * 10}`,
  MX: (n) => `+5255${12_000_005 + n * 10}`,
  CL: (n) => `+569${50_000_005 + n * 10}`,
  ES: (n) => `+346${10_000_005 + n * 10}`,
  US: (n) => `+1212${5_550_005 + n * 10}`,
};

const clockTime = fc.integer({ min: 0, max: 47 }).map((half) => half * 30);
const between = fc
  .tuple(clockTime, clockTime)
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({ text: `${from}-${to}`, from, to }));
const days = fc
  .uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 2, maxLength: 7 })
  .map((days) => ({ text: days.join(), days }));
const hours = fc.record({
  between,
  days,
  timeZones: fc.constantFrom<string[]>([], ["America/Sao_Paulo", "America/New_York"]),
});
const pace = fc.constantFrom(
  { text: "30/h", people: 30, perMs: hour },
  { text: "5/min", people: 5, perMs: minute },
  { text: "2/s", people: 2, perMs: 1_000 },
);
const trial = fc.record({
  waitMs: fc.constantFrom(minute, 10 * minute),
  maxFailed: fc.constantFrom<ShareOrCount>({ share: 0.1 }, { count: 0 }),
});

export const sendPlots: fc.Arbitrary<SendPlot> = fc
  .record({
    people: fc.array(
      fc.record({ country: fc.constantFrom(...Object.keys(numbers)), fails: fc.integer({ min: 0, max: 9 }) }),
      { minLength: 1, maxLength: 40 },
    ),
    hours: fc.option(hours, { nil: undefined }),
    pace: fc.option(pace, { nil: undefined }),
    trial: fc.option(trial, { nil: undefined }),
    startAt: fc.option(
      fc.integer({ min: 1, max: 40 * 60 }).map((minutes) => start + minutes * minute),
      { nil: undefined },
    ),
    size: fc.constantFrom<ShareOrCount>({ share: 0.2 }, { share: 0.5 }, { count: 1 }, { count: 3 }),
    kills: fc.array(
      fc.record({
        after: fc.integer({ min: 1, max: 60 }),
        downMs: fc.constantFrom(0, 30_000, 10 * minute, 9 * hour),
        isStop: fc.boolean(),
        again: fc.constantFrom("resume" as const, "send" as const),
      }),
      { maxLength: 4 },
    ),
    faults: fc
      .array(
        fc.tuple(fc.nat({ max: 20 }), fc.constantFrom<Fault>("drop", "commit-drop", "502", "commit-502")),
        { maxLength: 3 },
      )
      .map((pairs) => new Map(pairs)),
    latency: fc.constantFrom(5, 400, 5_000),
    optOuts: fc.array(fc.record({ who: fc.nat({ max: 39 }), before: fc.nat({ max: 40 }) }), { maxLength: 4 }),
    ignoresCanary: fc.boolean(),
    inFlight: fc.integer({ min: 1, max: 8 }),
    notAfter: fc.oneof(
      { weight: 5, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.integer({ min: 1, max: 40 * 60 }).map((minutes) => start + minutes * minute),
      },
    ),
  })
  .map(({ people, hours, pace, trial: terms, startAt, size, ...plot }) => ({
    ...plot,
    people: people.map(({ country, fails }, n) => ({ phone: numbers[country]!(n), fails: fails === 0 })),
    canary: terms && size,
    schedule: {
      ...(hours && { hours }),
      ...(pace && { pace }),
      ...(startAt !== undefined && { startAt }),
      ...(terms && { canary: terms }),
    },
  }));

/** A send to one person in Argentina, at once. */
const onePerson: SendPlot = {
  people: [{ phone: "+5491150000005", fails: false }],
  schedule: {},
  canary: undefined,
  notAfter: null,
  kills: [],
  faults: new Map(),
  latency: 5_000,
  optOuts: [],
  ignoresCanary: false,
  inFlight: 1,
};

/** The hours end between an attempt without an answer and the next. */
export const closingPlot: SendPlot = {
  ...onePerson,
  faults: new Map([[1, "drop"]]),
  schedule: {
    startAt: Date.UTC(2026, 2, 27, 12, 29, 56),
    hours: {
      between: { text: "08:30-09:30", from: 510, to: 570 },
      days: { text: "all", days: [0, 1, 2, 3, 4, 5, 6] },
      timeZones: [],
    },
  },
};

/** Somebody opts out while the outcome of the call is unknown, or before that. */
export const optingOutPlots: readonly SendPlot[] = Array.from({ length: 10 }, (_, before) => ({
  ...onePerson,
  faults: new Map([
    [1, "commit-drop"],
    [2, "commit-drop"],
  ]),
  optOuts: [{ who: 0, before }],
}));

/** The process is killed around its call, and starts again when it is too late to send. */
export const latePlots: readonly SendPlot[] = Array.from({ length: 10 }, (_, n) => ({
  ...onePerson,
  notAfter: start + hour,
  kills: [{ after: 16 + n, downMs: 9 * hour, isStop: false, again: "resume" }],
}));

/** Two sends wait for their hours under a resume, which is stopped when the first of them goes on. */
export const twoWaitingPlot: SendPlot = {
  ...onePerson,
  people: [
    { phone: "+5491150000005", fails: true },
    { phone: "+525512000015", fails: true },
  ],
  latency: 5,
  schedule: {
    hours: {
      between: { text: "0-150", from: 0, to: 150 },
      days: { text: "0,1", days: [0, 1] },
      timeZones: [],
    },
  },
  kills: [
    { after: 24, downMs: 0, isStop: false, again: "send" },
    { after: 1, downMs: 9 * hour, isStop: true, again: "resume" },
    { after: 3, downMs: 0, isStop: true, again: "resume" },
  ],
};
