import { count, money, shown } from "../../../cli/display/format.ts";
import { customerName, orderName } from "../../../cli/display/order-facts.ts";
import type { Output } from "../../../cli/display/output.ts";
import { truncate } from "../../../cli/display/text.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import { type Fields, fields } from "../../../cli/display/values.ts";
import type { Note, System } from "../../../system.ts";
import type { T } from "../../../texts/texts.ts";
import type { Report } from "../events.ts";

/** Orders that come within this time of one another ring once. */
const oneRingMs = 500;
/** Orders are collected for so long; more of them than this are one notification. */
const collectMs = 1_000;
const maxNotes = 3;
const maxName = 80;

type NewOrder = { order: Fields; branch: string; ui: Ui };

/** The language and the report for a notification that fails. */
type Said = Pick<Output, "texts"> & { report: Report };

/** Rings the terminal's bell: standard output may be a file or another program's. */
export function openBell({ stderr, clock }: Pick<System, "stderr" | "clock">, isOn: boolean) {
  let rungAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<void> => {
    const sinceMs = clock.now() - rungAt;
    rungAt = clock.now();
    // Hundreds of orders that wait at the start are one ring.
    const isSame = sinceMs >= 0 && sinceMs < oneRingMs;
    if (isOn && stderr.isTerminal && !isSame) await stderr.write("\u0007").catch(() => undefined);
  };
}

function toNotes(orders: readonly NewOrder[]): Note[] {
  const [first] = orders;
  if (first === undefined) return [];
  if (orders.length <= maxNotes)
    return orders.map(({ order, branch, ui }) => ({
      title: `${orderName(order["order_id"], ui.texts.t)} · ${shown(branch)}`,
      body: `${truncate(customerName(order, ui.texts), maxName)} · ${money(order["total"], ui)}`,
    }));

  const title = first.ui.texts.t("{count, plural, one {# new order} other {# new orders}}", {
    count: count(orders.length, first.ui),
  });
  const branches = new Set(orders.map(({ branch }) => shown(branch)));
  return [{ title, body: [...branches].join(", ") }];
}

const absentText = (program: string, t: T): string =>
  program === "notify-send"
    ? t(
        "No desktop notifications: {program} was not found. Install it (Debian, Ubuntu: sudo apt install libnotify-bin; Fedora: sudo dnf install libnotify), or omit --notify. The watch continues.",
        { program },
      )
    : t(
        "No desktop notifications: {program} was not found. It comes with the system: check PATH, or omit --notify. The watch continues.",
        { program },
      );

const failedText = (program: string, why: string, t: T): string =>
  why === ""
    ? t(
        "No desktop notification: {program} failed. It needs a logged-in desktop session; the watch continues without it.",
        { program },
      )
    : t(
        "No desktop notification: {program} failed ({why}). It needs a logged-in desktop session; the watch continues without it.",
        { program, why },
      );

/** Desktop notifications of new orders, a burst as one. Reports once if no program can show them. */
export class Notifications {
  readonly #system: Pick<System, "notify" | "clock" | "platform">;
  readonly #signal: AbortSignal;
  readonly #said: Said;
  #collected: NewOrder[] = [];
  #showing: Promise<void> | undefined;
  #closed = new AbortController();
  #isSaid = false;

  constructor(system: Pick<System, "notify" | "clock" | "platform">, signal: AbortSignal, said: Said) {
    this.#system = system;
    this.#signal = signal;
    this.#said = said;
  }

  add(order: object, branch: string, ui: Ui): void {
    this.#collected.push({ order: fields(order), branch, ui });
    this.#showing ??= this.#show().finally(() => (this.#showing = undefined));
  }

  /** Shows at once what was collected. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#showing;
  }

  async #show(): Promise<void> {
    while (this.#collected.length > 0 && !this.#signal.aborted) {
      const either = AbortSignal.any([this.#signal, this.#closed.signal]);
      await this.#system.clock.sleep(collectMs, either);
      const orders = this.#collected.splice(0);
      for (const note of toNotes(orders)) await this.#notify(note);
    }
  }

  async #notify(note: Note): Promise<void> {
    const { state, program, detail } = await this.#system.notify(note, this.#signal);
    if (state === "shown") {
      this.#isSaid = false;
      return;
    }
    if (this.#isSaid || this.#signal.aborted) return;

    this.#isSaid = true;
    const { texts, report } = this.#said;
    const text = state === "absent" ? absentText(program, texts.t) : failedText(program, detail, texts.t);
    await report("notify.failed", text, { program });
  }
}
