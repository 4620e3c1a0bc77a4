import { insert, listed, Part, type Value } from "./engine.ts";

/** How long an acknowledgement can be taken back, and until then an order that nothing else keeps stays on the screen. */
export const undoMs = 60_000;
/** How long it is remembered that an order was acknowledged: another watch of the branch may find it later. */
const rememberedMs = 7 * 24 * 60 * 60_000;

/** An order of a screen. Instants are epoch milliseconds. */
export interface ScreenOrder {
  branch: string;
  /** Its number and created_at: consumers may know it under different keys. */
  orderId: string;
  /** What it rings for: another one rings again. */
  mark: string;
  /** As the service said last; empty for one that is listed in pendiente no more. */
  state: string;
  /** The fields that were edited, joined by commas; null for none. */
  edited: string | null;
  rangAt: number;
  acknowledgedAt: number | null;
}

export type RingingOrder = Omit<ScreenOrder, "acknowledgedAt"> & { body: string };
type Name = Pick<ScreenOrder, "branch" | "orderId">;

/** Orders of a branch on its screen that nobody has touched. */
export interface Unacknowledged {
  branch: string;
  orders: number;
  oldestAt: number;
}

/** The states in which somebody has prepared the order: it need not be acknowledged any more. */
const prepared = "('listo', 'asignado', 'en_camino', 'entregado')";
const isShown = `left_at IS NULL AND state NOT IN ${prepared}`;
const columns = `branch, order_id AS "orderId", mark, state, edited, rang_at AS "rangAt", acknowledged_at AS "acknowledgedAt"`;

/** What the screens on the wall show, each order until somebody touched it; all watches of a branch share it. */
export class ScreenOrders extends Part {
  /** Has each ring that is new, or rings for something else than before; one that was acknowledged for the same is left alone. */
  async ring(orders: readonly RingingOrder[]): Promise<void> {
    await this.#insert(
      orders,
      `DO UPDATE SET mark = excluded.mark, state = excluded.state, edited = excluded.edited, rang_at = excluded.rang_at,
         body = excluded.body, acknowledged_at = NULL, left_at = NULL WHERE screen_order.mark <> excluded.mark`,
    );
  }

  /** Has each be there that waits. One that is there keeps what it rings for, and whether somebody touched it. */
  async keep(orders: readonly RingingOrder[]): Promise<void> {
    await this.#insert(
      orders,
      `DO UPDATE SET state = excluded.state, body = excluded.body, left_at = NULL
         WHERE screen_order.left_at IS NOT NULL OR screen_order.state <> excluded.state`,
    );
  }

  /** Has each wait again that is known; adds none. */
  bringBack(orders: readonly RingingOrder[]): Promise<void> {
    return this.sql.many(
      "UPDATE screen_order SET state = ?, body = ?, left_at = NULL WHERE branch = ? AND order_id = ?",
      orders.map(({ state, body, branch, orderId }) => [state, body, branch, orderId]),
    );
  }

  #insert(orders: readonly RingingOrder[], conflict: string): Promise<void> {
    const rows = orders.map(({ orderId: order_id, rangAt, ...order }): Record<string, Value> => {
      return { ...order, order_id, rang_at: Math.round(rangAt) };
    });
    return insert(this.sql, "screen_order", rows, `ON CONFLICT (branch, order_id) ${conflict}`);
  }

  /** Another state, which alone does not ring. */
  async moved({ branch, orderId }: Name, state: string, body: string): Promise<void> {
    const text = `UPDATE screen_order SET state = ?, body = ? WHERE branch = ? AND order_id = ? AND left_at IS NULL`;
    await this.sql.run(text, state, body, branch, orderId);
  }

  /** After a scan of all that waits: what is not among it waits no more. Removes what is over, with the customer's data. */
  async settle(branch: string, waiting: readonly string[], now: number): Promise<void> {
    await this.sql.run(
      `UPDATE screen_order SET state = '' WHERE branch = ? AND state = 'pendiente' AND left_at IS NULL
         AND order_id NOT IN ${listed}`,
      ...[branch, JSON.stringify(waiting)],
    );
    await this.sql.run(
      `UPDATE screen_order SET left_at = ?, body = '' WHERE branch = ? AND left_at IS NULL
         AND (state IN ${prepared} OR (state <> 'pendiente' AND acknowledged_at < ?))`,
      ...[Math.round(now), branch, Math.round(now - undoMs)],
    );
    const text = "DELETE FROM screen_order WHERE branch = ? AND left_at < ?";
    await this.sql.run(text, branch, Math.round(now - rememberedMs));
  }

  /** All that a screen may show, without what was ordered. */
  list(branches: readonly string[]): Promise<ScreenOrder[]> {
    const text = `SELECT ${columns} FROM screen_order WHERE branch IN ${listed} AND ${isShown}`;
    return this.sql.all(text, JSON.stringify(branches));
  }

  async body({ branch, orderId }: Name): Promise<string> {
    const text = "SELECT body FROM screen_order WHERE branch = ? AND order_id = ?";
    return (await this.sql.get<{ body: string }>(text, branch, orderId))?.body ?? "";
  }

  /** False where it has changed meanwhile, or somebody was faster. */
  async acknowledge({ branch, orderId, mark }: Name & { mark: string }, now: number): Promise<boolean> {
    const text = `UPDATE screen_order SET acknowledged_at = ? WHERE branch = ? AND order_id = ? AND mark = ?
      AND acknowledged_at IS NULL AND left_at IS NULL`;
    return (await this.sql.run(text, Math.round(now), branch, orderId, mark)) > 0;
  }

  /** False where that was too long ago. */
  async undo({ branch, orderId }: Name, now: number): Promise<boolean> {
    const text = `UPDATE screen_order SET acknowledged_at = NULL WHERE branch = ? AND order_id = ?
      AND acknowledged_at >= ? AND left_at IS NULL`;
    return (await this.sql.run(text, branch, orderId, Math.round(now - undoMs))) > 0;
  }

  /** Of each branch that is watched with a screen. */
  unacknowledged(): Promise<Unacknowledged[]> {
    return this.sql.all(
      `SELECT branch, count(*) AS orders, min(rang_at) AS "oldestAt" FROM screen_order
         WHERE acknowledged_at IS NULL AND ${isShown} AND branch IN (
           SELECT w.branch FROM watch AS w JOIN watch_output AS o ON o.watch_id = w.watch_id WHERE o.output = 'screen')
         GROUP BY branch ORDER BY branch`,
    );
  }

  /** When each branch was last polled, by whoever watches it. */
  async polls(branches: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.sql.all<{ branch: string; at: number | null }>(
      `SELECT branch, max(polled_at) AS at FROM watch WHERE branch IN ${listed} GROUP BY branch`,
      JSON.stringify(branches),
    );
    return new Map(rows.flatMap(({ branch, at }) => (at === null ? [] : [[branch, at]])));
  }

  /** Random, of this journal alone, and known to whoever can read it. */
  async secret(): Promise<string> {
    return (await this.sql.one<{ id: string }>("SELECT id FROM identity")).id;
  }
}
