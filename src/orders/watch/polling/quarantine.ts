import { answerText } from "../../../api/json.ts";
import { lastingIdentity, usableOrderId } from "../../../api/pages.ts";
import type { Order } from "../../../contract/order.ts";
import { BposError } from "../../../errors.ts";
import type { WatchContext } from "./context.ts";

/** Saves undeliverable orders unchanged, and reports each once. */
export class Quarantine {
  readonly #context: Pick<WatchContext, "quarantine" | "tell">;
  readonly #kept = new Set<string>();
  #isFull = false;

  constructor(context: Pick<WatchContext, "quarantine" | "tell">) {
    this.#context = context;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** The orders of one page. */
  async keep(orders: readonly Order[]): Promise<void> {
    const { quarantine, tell } = this.#context;
    const alike = new Map<string, number>();
    for (const order of orders) {
      const lasting = lastingIdentity(order);
      const nth = (alike.get(lasting) ?? 0) + 1;
      alike.set(lasting, nth);
      // Two equal ones on one page are two orders.
      const identity = nth === 1 ? lasting : `${lasting} ${nth}`;

      try {
        const file = quarantine(identity, answerText(order));
        if (file === undefined) {
          if (!this.#isFull) await tell({ event: "quarantine.full" });
          this.#isFull = true;
        } else if (!this.#kept.has(identity)) {
          this.#kept.add(identity);
          await tell({ event: "order.quarantined", file, orderId: usableOrderId(order) });
        }
      } catch (error) {
        if (!(error instanceof BposError)) throw error;
        await tell({ event: "quarantine.failed", error: error });
      }
    }
  }
}
