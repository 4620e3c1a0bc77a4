import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { AttemptRecord } from "../../../api/client.ts";
import { version } from "../../../version.ts";
import { type Counts, type EventRow, type WatchNotice, watchEvents } from "../events.ts";
import type { BranchState, HealthFacts } from "./report.ts";

const states: readonly BranchState[] = ["ok", "outage", "stopped", "standby"];
const pollOutcomes = ["complete", "failed"] as const;

/** The metrics of a watch, for Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #all: ReturnType<typeof openMetrics>;

  constructor() {
    this.#all = openMetrics(this.#registry);
    this.#all.build.set({ version }, 1);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /**
   * Sets all counters of a branch to 0: a rate needs the value that it began with, and a first reading of hundreds of branches has no
   * time for that.
   */
  opened(branch: string, outputs: readonly string[]): void {
    const { polls, found, delivered } = this.#all;
    for (const outcome of pollOutcomes) polls.inc({ branch, outcome }, 0);
    found.inc({ branch }, 0);
    for (const output of outputs) delivered.inc({ branch, output }, 0);
  }

  /** Counts an event of a branch as the table of events says. */
  count(branch: string, notice: WatchNotice): void {
    const { polls, found, delivered, delivery } = this.#all;
    const { poll, counts = {} }: EventRow = watchEvents[notice.event];
    if (poll !== undefined) polls.inc({ branch, outcome: poll });

    const carried: { event: string; output?: string; orders?: number; afterMs?: number | undefined } = notice;
    const { output = "" } = carried;
    const counters: [keyof Counts, (amount: number) => void][] = [
      ["bpos_journal_errors_total", () => this.journalFailed()],
      ["bpos_orders_found_total", (orders) => found.inc({ branch }, orders)],
      ["bpos_orders_delivered_total", (orders) => delivered.inc({ branch, output }, orders)],
      ["bpos_order_delivery_seconds", (ms) => delivery.observe(Math.max(0, ms) / 1000)],
    ];
    for (const [name, add] of counters) {
      const by = counts[name];
      const amount = typeof by === "string" ? carried[by] : by;
      if (amount !== undefined) add(amount);
    }
  }

  requested({ endpoint, status, failure, ms }: AttemptRecord): void {
    this.#all.requests.inc({ endpoint, status: String(status ?? failure) });
    this.#all.request.observe(ms / 1000);
  }

  /** Notes how late a poll began, in milliseconds. */
  lagged(ms: number): void {
    this.#all.lag.observe(ms / 1000);
  }

  journalFailed(): void {
    this.#all.journalErrors.inc();
  }

  /** Returns all metrics as text, with the state of each branch at this moment. */
  async text({ branches, owed }: Pick<HealthFacts, "branches" | "owed">): Promise<string> {
    const { state, lastPoll, undelivered, behind } = this.#all;
    const due = new Map(owed?.map((each) => [`${each.watchId} ${each.output}`, each.undelivered]));
    behind.set([...branches.values()].filter((each) => each.slowed && each.state !== "standby").length);

    const values = new Map<object, string[]>([state, lastPoll, undelivered].map((gauge) => [gauge, []]));
    const add = (gauge: object, text: string): void => void values.get(gauge)?.push(text);
    for (const [name, health] of branches) {
      const branch = `branch="${escapeLabel(name)}"`;
      for (const each of states) add(state, `{${branch},state="${each}"} ${Number(each === health.state)}`);
      if (health.polledAt !== null) add(lastPoll, `{${branch}} ${health.polledAt / 1000}`);
      if (health.state === "standby" || owed === undefined) continue;
      for (const output of health.outputs.keys()) {
        const amount = due.get(`${health.watchId} ${output}`) ?? 0;
        add(undelivered, `{${branch},output="${escapeLabel(output)}"} ${amount}`);
      }
    }

    const texts = this.#registry.getMetricsAsArray().map(async (metric) => {
      const { name } = metric;
      const own = values.get(metric)?.map((value) => `\n${name}${value}`) ?? [];
      return (await this.#registry.getSingleMetricAsString(name)) + own.join("");
    });
    return `${(await Promise.all(texts)).join("\n\n")}\n`;
  }
}

/** Escapes a label as the text format asks. */
const escapeLabel = (text: string): string =>
  text.replace(/[\\\n"]/g, (each) => (each === "\n" ? "\\n" : `\\${each}`));

function openMetrics(registry: Registry) {
  const registers = [registry];
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[]) =>
    new Counter<T>({ name, help, labelNames, registers });
  const gauge = <T extends string>(name: string, help: string, labelNames: readonly T[]) =>
    new Gauge<T>({ name, help, labelNames, registers });
  const seconds = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });
  return {
    build: gauge("bpos_build_info", "bpos version, as a label.", ["version"]),
    state: gauge("bpos_branch_state", "1 for the current state of the branch, 0 for the others.", [
      "branch",
      "state",
    ]),
    polls: counter("bpos_polls_total", "Polls of the service, by outcome.", ["branch", "outcome"]),
    lastPoll: gauge(
      "bpos_last_complete_poll_timestamp_seconds",
      "Time of the last complete poll of the branch, by this machine's clock.",
      ["branch"],
    ),
    found: counter("bpos_orders_found_total", "New orders found.", ["branch"]),
    delivered: counter("bpos_orders_delivered_total", "New orders delivered to the output.", [
      "branch",
      "output",
    ]),
    undelivered: gauge("bpos_orders_undelivered", "Orders and changes not yet delivered to the output.", [
      "branch",
      "output",
    ]),
    delivery: seconds(
      "bpos_order_delivery_seconds",
      "Time from the creation of an order, by the service's clock, to its delivery to an output.",
      [1, 5, 10, 20, 30, 60, 90, 120, 300, 600, 1800, 3600],
    ),
    requests: counter("bpos_requests_total", "Requests to the service, by response status or failure.", [
      "endpoint",
      "status",
    ]),
    request: seconds(
      "bpos_request_seconds",
      "Duration of requests to the service.",
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    ),
    lag: seconds(
      "bpos_poll_lag_seconds",
      "Delay of polls behind their interval.",
      [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600],
    ),
    behind: gauge("bpos_branches_behind", "Branches polled less often than the interval.", []),
    journalErrors: counter("bpos_journal_errors_total", "Journal failures.", []),
  };
}
