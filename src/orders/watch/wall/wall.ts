import { answerText, parseJson } from "../../../api/json.ts";
import { usableOrderId } from "../../../api/pages.ts";
import { type Fields, fields } from "../../../cli/display/fields.ts";
import { createdAt } from "../../../cli/display/format.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import { OutageAlarm } from "../../../cli/health/outage-alarm.ts";
import { isOffState } from "../../../contract/limits.ts";
import type { Order } from "../../../contract/order.ts";
import type { Journal } from "../../../journal/journal.ts";
import { createdAtText } from "../../../journal/orders.ts";
import { type RingingOrder, type ScreenOrder, undoMs } from "../../../journal/screen-orders.ts";
import type { Clock } from "../../../system.ts";
import type { Board } from "../board.ts";
import { toContent } from "../content.ts";
import type { OrderOutput } from "../context.ts";

/** With a browser that listens, touches of other machines are there within this time; without one only --unseen asks. */
const everyMs = { heard: 500, alone: 5_000 };
const steadyMs = 10_000;

/** A branch of the screen. */
interface WallBranch {
  name: string;
  ui: Ui;
  journal: Journal;
  /** Its identity, by the latest answer of the service. */
  branchId: () => string;
  /** By how much this machine's clock is ahead of the service's. */
  aheadMs: () => number;
  /** When this process polled it; null where another one does. */
  polledAt: () => number | null;
}

/** An order as the screen shows it. */
export interface WallOrder extends ScreenOrder {
  name: string;
  ui: Ui;
  order: Fields;
  /** When it was created, by this machine's clock. */
  since: number;
  /** The same by the service's clock, by which they are sorted: what is known of the difference of the clocks changes. */
  created: number;
}

interface WallOptions {
  clock: Pick<Clock, "now" | "later">;
  /** An order of the branch has not been touched for `unseenMs`. */
  unseenMs: number | undefined;
  unseen: (branch: string) => void;
}

function toRinging(branch: string, order: Order, rangAt: number, edited: string | null = null): RingingOrder {
  return {
    branch,
    orderId: `${usableOrderId(order) ?? ""} ${createdAtText(order) ?? ""}`,
    mark: isOffState(order.status) ? "off" : toContent(order),
    state: typeof order.status === "string" ? order.status : "",
    edited,
    rangAt,
    body: answerText(order),
  };
}

/** What waits, and what nobody has touched yet, as the journal has it for every screen of every machine. */
export class Wall {
  readonly #options: WallOptions;
  readonly #branches = new Map<string, WallBranch>();
  readonly #listeners = new Set<() => void>();
  readonly #alarm: OutageAlarm;
  readonly #oldest = new Map<string, number>();
  /** By branch, what the scan before found edited without a delivery to the screen. */
  readonly #edits = new Map<string, ReadonlyMap<string, string>>();
  #known = new Map<string, WallOrder>();
  #orders: WallOrder[] = [];
  #polls = new Map<string, number>();
  #reading: Promise<void> | undefined;
  #isStale = false;
  #noLater: (() => void) | undefined;
  #isClosed = false;

  constructor(options: WallOptions) {
    this.#options = options;
    const { clock, unseenMs: afterMs = Number.POSITIVE_INFINITY, unseen: due } = options;
    this.#alarm = new OutageAlarm({ afterMs, clock, due });
  }

  get branches(): readonly string[] {
    return [...this.#branches.keys()];
  }

  /** The orders to be shown, the oldest first. */
  get orders(): readonly WallOrder[] {
    const now = this.#options.clock.now();
    return this.#orders.filter(
      ({ state, acknowledgedAt: at }) => at === null || state === "pendiente" || now - at < undoMs,
    );
  }

  /** When a branch was last polled, by whoever watches it. */
  polledAt(name: string): number | undefined {
    return this.#branches.get(name)?.polledAt() ?? this.#polls.get(name);
  }

  open(branch: WallBranch): void {
    this.#branches.set(branch.name, branch);
    this.#soon();
  }

  /** The output of a branch: it rings for what is new, what was edited, and what was called off or is wanted again. */
  output(name: string): OrderOutput {
    return {
      name: "screen",
      changes: "all",
      deliver: async ({ event, order }) => {
        const { journal, branchId } = this.#find(name);
        const isNew = event.event === "order.new";
        const isOff = isOffState(order.status);
        const edited = isNew ? undefined : event.changes?.join(",");
        const ringing = toRinging(branchId(), order, this.#options.clock.now(), edited ?? null);
        // Nobody has begun with what was called off before it was found.
        const rings = isNew ? !isOff : edited !== undefined || isOff || isOffState(event.from);
        await journal.transaction(async ({ screen }) => {
          if (rings) await screen.ring([ringing]);
          await screen.moved(ringing, ringing.state, ringing.body);
        });
        void this.refresh();
        return undefined;
      },
    };
  }

  /** After a poll; without `adds`, what waited before the first run stays off the screen. */
  async polled(name: string, board: Board, adds: boolean): Promise<void> {
    const { journal, branchId } = this.#find(name);
    const id = branchId();
    const now = this.#options.clock.now();
    const waiting = board.waiting().map(({ order }) => toRinging(id, order as unknown as Order, now));
    let edited: RingingOrder[] = [];
    await journal.transaction(async ({ screen }) => {
      const there = new Map((await screen.list([id])).map((each) => [each.orderId, each]));
      const missing = waiting.filter(({ orderId, state }) => there.get(orderId)?.state !== state);
      await (adds ? screen.keep(missing) : screen.bringBack(missing));
      edited = waiting.filter(({ orderId, mark }) => (there.get(orderId)?.mark ?? mark) !== mark);
      // Of a watch without a screen. At first a delivery may be on its way, which names what was edited.
      const before = this.#edits.get(name);
      if (board.isWhole) await screen.ring(edited.filter((each) => before?.get(each.orderId) === each.mark));
      await screen.settle(
        id,
        waiting.map(({ orderId }) => orderId),
        now,
      );
    });
    if (board.isWhole) this.#edits.set(name, new Map(edited.map(({ orderId, mark }) => [orderId, mark])));
    void this.refresh();
  }

  /** False where the order has changed meanwhile, or was touched before. Throws JournalError. */
  async touch(name: string, order: Pick<ScreenOrder, "orderId" | "mark">, isUndo: boolean): Promise<boolean> {
    const { journal, branchId } = this.#find(name);
    const now = this.#options.clock.now();
    const named = { ...order, branch: branchId() };
    const done = await (isUndo ? journal.screen.undo(named, now) : journal.screen.acknowledge(named, now));
    await this.refresh();
    return done;
  }

  /** Has `listener` called whenever something may have changed. Returns what ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#soon(0);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads the journal anew. Resolves once what was there at the call is shown; never rejects. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  close(): void {
    this.#isClosed = true;
    this.#noLater?.();
    this.#alarm.close();
  }

  #find(name: string): WallBranch {
    const found = this.#branches.get(name);
    if (found === undefined) throw new Error(`no branch ${name}`);
    return found;
  }

  async #readAll(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      try {
        await this.#read();
      } catch {
        // A journal that is away gets its screens to say how old all is.
      }
    }
    for (const listener of this.#listeners)
      try {
        listener();
      } catch {
        // The other screens, and the next look at the journal, do not depend on one that fails.
      }
    this.#soon();
  }

  async #read(): Promise<void> {
    const read: WallOrder[] = [];
    const branches = [...this.#branches.values()];
    for (const journal of new Set(branches.map((branch) => branch.journal))) {
      const { screen } = journal;
      const here = branches.filter((branch) => branch.journal === journal);
      const byId = new Map(here.map((branch) => [branch.branchId(), branch]));
      for (const row of await screen.list([...byId.keys()])) {
        const branch = byId.get(row.branch);
        if (branch !== undefined) read.push(await this.#toOrder(row, branch));
      }
      const elsewhere = [...byId].filter(([, { polledAt }]) => polledAt() === null).map(([id]) => id);
      if (elsewhere.length > 0)
        for (const [id, at] of await screen.polls(elsewhere)) this.#polls.set(byId.get(id)?.name ?? "", at);
    }
    const byNumber = new Intl.Collator("en", { numeric: true });
    this.#orders = read.sort((a, b) => a.created - b.created || byNumber.compare(a.orderId, b.orderId));
    this.#known = new Map(read.map((order) => [`${order.branch} ${order.orderId}`, order]));
    this.#warn();
  }

  /** The very same object while nothing of it has changed: no card is made anew for it. */
  async #toOrder(row: ScreenOrder, { name, ui, journal, aheadMs }: WallBranch): Promise<WallOrder> {
    const known = this.#known.get(`${row.branch} ${row.orderId}`);
    const isRead = known?.mark === row.mark && known.state === row.state;
    const order = isRead ? known.order : fields(parseJson((await journal.screen.body(row)) || "{}"));
    const made = createdAt(order);
    const due = Number.isNaN(made) ? row.rangAt : made + aheadMs();
    // The service tells its time in whole seconds.
    const isSteady = known !== undefined && Math.abs(known.since - due) < steadyMs;
    if (isRead && isSteady && known.acknowledgedAt === row.acknowledgedAt && known.rangAt === row.rangAt)
      return known;
    return { ...row, name, ui, order, since: due, created: made || row.rangAt };
  }

  /** Of a branch whose oldest was touched, the next one is the one that waits. */
  #warn(): void {
    if (this.#options.unseenMs === undefined) return;
    for (const [name, { polledAt }] of this.#branches) {
      // Who polls it tells.
      if (polledAt() === null) {
        this.#alarm.drop(name);
        this.#oldest.delete(name);
        continue;
      }
      const rang = this.#orders.flatMap((each) =>
        each.name === name && each.acknowledgedAt === null ? [each.rangAt] : [],
      );
      const oldest = Math.min(...rang);
      if (oldest !== this.#oldest.get(name)) this.#alarm.drop(name);
      this.#oldest.set(name, oldest);
      if (rang.length > 0) this.#alarm.lasts(name, oldest);
    }
  }

  #soon(inMs = this.#listeners.size > 0 ? everyMs.heard : everyMs.alone): void {
    this.#noLater?.();
    if (!this.#isClosed) this.#noLater = this.#options.clock.later(inMs, () => void this.refresh());
  }
}
