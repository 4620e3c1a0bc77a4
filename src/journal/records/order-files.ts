import { Records } from "../engine/engine.ts";

/** A file of `--out-dir` and the order for which it is, under its key in the journal. */
export type OrderFile = Record<"folder" | "name" | "branch" | "orderId", string>;

/** Condition: the process that took a name is writing the file, or was when it crashed. */
const isBegun = `EXISTS (
  SELECT 1 FROM watch_delivery AS d JOIN watch_event AS e ON e.event = d.event JOIN watch AS w ON w.watch_id = e.watch_id
    WHERE d.output = 'out-dir' AND d.state = 'begun' AND w.branch = order_file.branch AND e.order_id = order_file.order_id)`;

/** Whose each file of a folder is: two branches have the same numbers, and may have one folder. */
export class OrderFiles extends Records {
  /** The names that were taken for an order, whether it came to be written or not. */
  of({
    branch,
    orderId,
  }: Pick<OrderFile, "branch" | "orderId">): Promise<Pick<OrderFile, "folder" | "name">[]> {
    return this.sql.all(
      "SELECT folder, name FROM order_file WHERE order_id = ? AND branch = ?",
      ...[orderId, branch],
    );
  }

  /** Takes a name before the file has it; false where it is another order's. @param isFree there is no such file: a name of which nothing is left can be taken again. */
  async take({ folder, name, branch, orderId }: OrderFile, isFree: boolean): Promise<boolean> {
    const taken = await this.sql.run(
      `INSERT INTO order_file (folder, name, branch, order_id) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (folder, name) DO UPDATE SET branch = excluded.branch, order_id = excluded.order_id
           WHERE (order_file.branch = ?3 AND order_file.order_id = ?4) OR (?5 = 1 AND NOT ${isBegun})`,
      ...[folder, name, branch, orderId, isFree ? 1 : 0],
    );
    return taken > 0;
  }
}
