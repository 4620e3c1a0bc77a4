import * as z from "zod";
import type { orderOutputs } from "../../cli/line/flags.ts";
import { orderSchema, wireInteger } from "../../contract/order.ts";
import type { BposError } from "../../errors.ts";
import type { PrinterFailure } from "../../printing/printing.ts";

// The events of a watch, in one table: what each carries, and who is told of it. Notices and logs, lines of `-o ndjson` and their schema,
// health and metrics read it; so does the test of the logs, which compares it with docs/reference/output.md.

/** The flag of an output, under which the journal keeps its pending orders, or the printer of a station. */
export type OutputName = (typeof orderOutputs)[number] | `printer:${string}`;

/** Epoch milliseconds; ISO 8601 in a log. */
export const instant = z.number();
/** A created_at as the journal has it; ISO 8601 in a log. */
export const creation = z.string();

const output = z.custom<OutputName>();
const error = z.custom<BposError>();
const orderId = z.string();

/** The keys of every line of `-o ndjson` about a branch, and of one about a failure. */
const about = { at: z.string(), branch: z.string() };
const failure = { reason: z.string(), status: z.int().optional() };
const holder = z.string().optional().describe("host:pid");

/** Why the interval cannot be kept: `needed` polls at once are more than `in_flight`, or the service takes only `per_second` requests. */
const behind = {
  branches: z.int(),
  interval_s: z.int(),
  every_s: z.int().describe("About how often each branch is polled."),
  needed: z.int().optional().describe("Concurrent polls that would keep the interval."),
  in_flight: z.int().optional().describe("Concurrent polls in use."),
  per_second: z.int().optional().describe("Requests a second that the service accepts from this process."),
};

/** The counters that events increase: by 1, or by the field that is named. */
export type Counts = Partial<
  Record<
    | "bpos_journal_errors_total"
    | "bpos_orders_found_total"
    | "bpos_orders_delivered_total"
    | "bpos_order_delivery_seconds",
    1 | "orders" | "afterMs"
  >
>;

export interface EventRow {
  /** The facts that the event carries; a log has the same in snake_case, with `reason` and `status` for `error`. */
  fields?: z.ZodRawShape;
  /** How people are told, on standard error: with --quiet a `notice` is left out, a `warning` is not. */
  level?: "notice" | "warning";
  /** The keys of its line of `-o ndjson`, beside `event`. */
  ndjson?: z.ZodRawShape;
  /** For `/healthz`, `bpos status` and `bpos_branch_state`: the state of the branch from then on. */
  state?: "ok" | "outage";
  /** The same for the output that the event names. */
  output?: "failing" | "works" | "delivered";
  /** For `bpos_polls_total`: how the poll ended. */
  poll?: "complete" | "failed";
  /** For `/metrics`. */
  counts?: Counts;
  /** Makes `--ping` check whether all is well. */
  pings?: true;
  /** Makes the exit code of `--once` 3: some orders were not delivered. */
  isPartial?: true;
}

/** Orders, on standard output. */
const orderEvents = {
  "order.new": {
    ndjson: {
      ...about,
      order: orderSchema,
      repeated: z.boolean().describe("Whether this output may have received the order before a crash."),
    },
  },
  "order.changed": {
    ndjson: {
      ...about,
      order_id: wireInteger,
      from: z.string(),
      to: z.string(),
      changes: z.array(z.string()).optional().describe("The fields that were edited."),
      order: orderSchema.optional().describe("Only with changes."),
    },
  },
} as const satisfies Record<string, EventRow>;

/** Told by the polls of a branch and the deliveries of its orders. */
const branchEvents = {
  /** The row of the journal is known, and the deliveries begin anew. */
  opened: { fields: { watchId: z.int() } },
  polled: {
    fields: {
      /** How many orders are pendiente. */
      waiting: z.int(),
      found: z.int(),
      changed: z.int(),
      /** The keys of all orders in pendiente; undefined where the poll read only the recent ones. */
      pending: z.custom<ReadonlySet<string> | undefined>(),
      mismatches: z.array(z.string()).readonly(),
      nextPollAt: instant,
    },
    level: "notice",
    state: "ok",
    poll: "complete",
    pings: true,
  },
  /** A poll failed. People and programs are told of the first one in a row. */
  "watch.outage": {
    fields: {
      /** When the poll began that failed. */
      since: instant,
      nextPollAt: instant,
      /** How long a refusal is retried; with the first of them. */
      stopsAfterMs: z.int().optional(),
      error,
    },
    level: "warning",
    ndjson: { ...about, since: z.string().describe("When the failed poll began."), ...failure },
    state: "outage",
    poll: "failed",
  },
  /** The service counts more orders than its pages contain. */
  "orders.unread": { fields: { state: z.string(), read: z.int(), total: z.int() }, level: "warning" },
  "state.refused": { fields: { state: z.string(), error }, level: "warning" },
  /** Orders created since then that left pendiente before the first run had read all of it may be missing. */
  "first_run.incomplete": { fields: { since: instant }, level: "warning" },
  /** A new order has the number of a known one that was created at another time. */
  "number.reused": { fields: { orderId, createdAt: creation, before: creation }, level: "warning" },
  /** New orders are in the journal. */
  "orders.found": { fields: { orders: z.int() }, counts: { bpos_orders_found_total: "orders" } },
  "order.delivered": {
    fields: {
      output,
      /** Since the order was created; undefined where it does not say when. */
      afterMs: z.number().optional(),
    },
    output: "delivered",
    counts: { bpos_orders_delivered_total: 1, bpos_order_delivery_seconds: "afterMs" },
    pings: true,
  },
  "change.delivered": { fields: { output }, output: "delivered", pings: true },
  "output.failed": {
    fields: { output, orderId, againMs: z.number(), error },
    level: "warning",
    output: "failing",
    isPartial: true,
  },
  /** Nothing that had failed is left. */
  "output.works": { fields: { output }, output: "works" },
  /** An output that this run leaves out has pending orders. */
  "output.owed": { fields: { output: z.string(), orders: z.int(), changes: z.int() }, level: "warning" },
  /** The printer does not print at the moment; the orders wait for it. */
  "printer.failed": {
    fields: { output, error: z.custom<PrinterFailure>(), againMs: z.number(), maxPauseMs: z.int() },
    level: "warning",
    output: "failing",
    isPartial: true,
  },
  /** The stations print the orders that were pending for a removed printer. */
  "stations.adopted": { fields: { output: z.string(), deliveries: z.int() }, level: "warning" },
  /** bpos was stopped during a delivery: the output may have the order, and gets it again, marked as repeated. */
  "order.unfinished": { fields: { output, orderId }, level: "notice" },
  /** The order cannot be delivered: it is nested too deep, or has no usable order_id. */
  "order.quarantined": { fields: { file: z.string(), orderId: orderId.optional() }, level: "warning" },
  "quarantine.full": { level: "warning", isPartial: true },
  "quarantine.failed": { fields: { error }, level: "warning", isPartial: true },
  "journal.busy": {
    fields: { nextPollAt: instant },
    level: "notice",
    poll: "failed",
    counts: { bpos_journal_errors_total: 1 },
  },
  /** People are told once for all branches. */
  "journal.down": {
    level: "warning",
    poll: "failed",
    counts: { bpos_journal_errors_total: 1 },
  },
  /** The journal knows less than this machine: it was restored, or its server failed over. */
  "journal.older": { level: "warning" },
} as const satisfies Record<string, EventRow>;

/** Told because of those events, or by the watch as a whole. */
const otherEvents = {
  "answer.mismatch": { level: "notice" },
  "watch.recovered": {
    fields: { after_s: z.int() },
    level: "warning",
    ndjson: { ...about, after_s: z.int().describe("How long the outage took, in seconds.") },
  },
  "watch.stopped": {
    fields: { error },
    level: "warning",
    ndjson: { ...about, since: z.string().optional().describe("When its outage began."), ...failure },
  },
  "printer.works": { fields: { output: z.string() }, level: "warning" },
  "order.late": {
    fields: { order_id: z.string(), since: z.string(), orders: z.int().optional() },
    level: "warning",
  },
  "journal.recovered": { fields: { after_s: z.int() }, level: "warning" },
  "watch.began": {
    fields: { interval_ms: z.int(), consumer: z.string(), branches: z.int().optional() },
    level: "notice",
  },
  "watch.printing": { fields: { printers: z.array(z.string()) }, level: "notice" },
  "watch.shares": {
    fields: { here: z.int(), there: z.array(z.object({ holder: z.string(), branches: z.int() })) },
    level: "notice",
  },
  "watch.standby": {
    fields: { holder: z.string(), consumer: z.string() },
    level: "notice",
    ndjson: { ...about, holder },
  },
  "watch.active": { ndjson: { ...about, holder } },
  "branch.watched_already": { fields: { other: z.string() }, level: "notice" },
  /** The branches of a service cannot all be polled once an interval. */
  "watch.behind": { fields: behind, level: "warning", ndjson: { at: z.string(), ...behind } },
  "watch.on_time": { level: "warning", ndjson: { at: z.string() } },
  "stdout.stalled": { level: "warning" },
  "notify.failed": { fields: { program: z.string() }, level: "warning" },
} as const satisfies Record<string, EventRow>;

export const watchEvents = { ...orderEvents, ...branchEvents, ...otherEvents };

type Rows = typeof watchEvents;
type Having<Column extends keyof EventRow> = {
  [Name in keyof Rows]: Rows[Name] extends Record<Column, unknown> ? Name : never;
}[keyof Rows];

type Fields<Row> = Row extends { fields: infer Shape extends z.ZodRawShape }
  ? z.infer<z.ZodObject<Shape>>
  : unknown;

/** An event of a branch, with what it carries. */
export type WatchNotice = {
  [Name in keyof typeof branchEvents]: { event: Name } & Fields<(typeof branchEvents)[Name]>;
}[keyof typeof branchEvents];

/** An event of which people are told. */
type ToldEvent = Having<"level">;

type Line<Name extends Having<"ndjson">> = z.infer<z.ZodObject<Rows[Name]["ndjson"]>>;

/** A new order as it is delivered; a line of `orders watch -o ndjson`. */
export type OrderNew = { event: "order.new" } & Line<"order.new">;
/** A change of an order; with `changes` and `order` where it was edited while it was pendiente. */
export type OrderChanged = { event: "order.changed" } & Line<"order.changed">;

/** Reports an event to people, in a sentence and, for a log, with facts. Never rejects. */
export type Report = (
  event: ToldEvent,
  text: string,
  facts?: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** Writes a line of `-o ndjson` beside those of the orders, with the time; nothing where that is not what the run prints. */
export type Emit = <Name extends Having<"ndjson">>(event: Name, facts: Omit<Line<Name>, "at">) => void;

const toSchema = (event: string, shape: z.ZodRawShape) => z.object({ event: z.literal(event), ...shape });

const others = Object.entries<EventRow>(watchEvents).flatMap(([event, { ndjson }]) =>
  ndjson === undefined || event === "order.new" ? [] : toSchema(event, ndjson),
);

/** For `bpos schema`: a line of `orders watch -o ndjson`. */
export const forms = {
  line: z.discriminatedUnion("event", [toSchema("order.new", watchEvents["order.new"].ndjson), ...others]),
};
