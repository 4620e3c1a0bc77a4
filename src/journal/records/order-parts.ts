import { Records } from "../engine/engine.ts";
import { dropDelivered } from "./orders.ts";

/** A delivery that is pending for an output that is not of this run. */
export interface Stray {
  event: number;
  output: string;
  state: "open" | "begun";
  body: string;
  isNew: boolean;
  /** The recorded JSON; null before any station began. */
  parts: string | null;
}

/** Which part of an order each station prints: recorded with the intent of the first one, so that no later change of a category loses a line. */
export class OrderParts extends Records {
  /** The parts of an event, and the lines that its order's stations know. Null where nothing is recorded. */
  of(event: number): Promise<Record<"parts" | "lines", string | null>> {
    return this.sql.one(
      `SELECT e.parts, o.lines FROM watch_event AS e
         LEFT JOIN watch_order AS o ON o.watch_id = e.watch_id AND o.order_id = e.order_id WHERE e.event = ?`,
      event,
    );
  }

  /** Records the parts of an event, once: stations that have none do not wait for it. Returns what counts. */
  async record(
    event: number,
    {
      parts,
      lines,
      idle,
      output,
    }: Record<"parts" | "lines" | "output", string> & { idle: readonly string[] },
  ): Promise<string> {
    const text = "UPDATE watch_event SET parts = ? WHERE event = ? AND parts IS NULL";
    // Another station may have done so meanwhile.
    if ((await this.sql.run(text, parts, event)) === 0) return (await this.of(event)).parts ?? parts;
    await this.setLines(event, lines);
    // Not as delivered: a printer that is added later would count the order as printed.
    await this.sql.many(
      "DELETE FROM watch_delivery WHERE event = ? AND output = ? AND state = 'open'",
      idle.filter((each) => each !== output).map((each) => [event, each]),
    );
    return parts;
  }

  /** An output turns out to have no part of an event that it has begun. */
  async leave(event: number, output: string): Promise<void> {
    await this.sql.run("DELETE FROM watch_delivery WHERE event = ? AND output = ?", event, output);
    await dropDelivered(this.sql, "event", event);
  }

  /** Records what the stations know of an event's order. */
  async setLines(event: number, lines: string): Promise<void> {
    await this.sql.run(
      `UPDATE watch_order SET lines = ?1 WHERE (watch_id, order_id) =
         (SELECT watch_id, order_id FROM watch_event WHERE event = ?2)`,
      ...[lines, event],
    );
  }

  /** Returns what is pending for printers that are not of this run, in the sequence in which it was found; within an event, what may be on paper comes first. */
  async strays(watchId: number, outputs: readonly string[]): Promise<Stray[]> {
    const rows = await this.sql.all<Omit<Stray, "isNew"> & { from: string | null }>(
      `SELECT d.event, d.output, d.state, e.body, e.from_status AS "from", e.parts
         FROM watch_delivery AS d JOIN watch_event AS e ON e.event = d.event
         WHERE d.watch_id = ? AND d.state <> 'done' AND (d.output = 'printer' OR d.output LIKE 'printer:%')
         ORDER BY d.event, d.state, d.output`,
      watchId,
    );
    const strays = rows.filter(({ output }) => !outputs.includes(output));
    return strays.map(({ from, ...stray }) => ({ ...stray, isNew: from === null }));
  }

  /** Gives the stray's part to these outputs, with the parts of the event as they are now; what they have already they get again, if `parts` says so. */
  async move(
    watchId: number,
    { event, output, parts }: Stray,
    to: readonly Pick<Stray, "output" | "state">[],
  ): Promise<void> {
    await this.sql.run("UPDATE watch_event SET parts = ? WHERE event = ?", parts, event);
    await this.sql.many(
      `INSERT INTO watch_delivery (watch_id, event, output, state) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (event, output) DO UPDATE SET state =
           CASE WHEN watch_delivery.state = 'begun' THEN 'begun' ELSE excluded.state END`,
      to.map((each) => [watchId, event, each.output, each.state]),
    );
    await this.leave(event, output);
  }

  /** Gives an event that waits for stations to a single printer, which prints it as a whole: as a reprint where a part is, or may be, on paper. */
  async gather(event: number): Promise<void> {
    await this.sql.run(
      `INSERT INTO watch_delivery (watch_id, event, output, state)
         SELECT watch_id, event, 'printer',
                CASE WHEN count(CASE WHEN state <> 'open' THEN 1 END) > 0 THEN 'begun' ELSE 'open' END
           FROM watch_delivery WHERE event = ? AND output LIKE 'printer:%' GROUP BY watch_id, event
         ON CONFLICT (event, output) DO UPDATE SET state =
           CASE WHEN watch_delivery.state = 'open' THEN excluded.state ELSE watch_delivery.state END`,
      event,
    );
    // Stations that come back do not know what is on paper by then: they print the next change as a whole.
    await this.sql.run(
      `UPDATE watch_order SET lines = NULL WHERE (watch_id, order_id) =
         (SELECT watch_id, order_id FROM watch_event WHERE event = ? AND parts IS NOT NULL)`,
      event,
    );
    await this.sql.run("UPDATE watch_event SET parts = NULL WHERE event = ?", event);
  }

  /** The outputs for which an event is pending. */
  async pending(event: number): Promise<string[]> {
    const text = "SELECT output FROM watch_delivery WHERE event = ? AND state <> 'done'";
    return (await this.sql.all<{ output: string }>(text, event)).map(({ output }) => output);
  }

  /** An event that no station has begun waits for each of these: any may turn out to have a part of it. */
  complete(watchId: number, outputs: readonly string[]): Promise<void> {
    return this.sql.many(
      `INSERT INTO watch_delivery (watch_id, event, output, state)
         SELECT e.watch_id, e.event, ?1, 'open' FROM watch_event AS e WHERE e.watch_id = ?2 AND e.parts IS NULL
           AND EXISTS (SELECT 1 FROM watch_delivery AS d
             WHERE d.event = e.event AND d.output LIKE 'printer:%' AND d.state <> 'done')
         ON CONFLICT (event, output) DO NOTHING`,
      outputs.map((output) => [output, watchId]),
    );
  }

  /** Printers outside this run get no further orders. */
  async retire(watchId: number, outputs: readonly string[]): Promise<void> {
    const text = "SELECT output FROM watch_output WHERE watch_id = ?";
    const known = await this.sql.all<{ output: string }>(text, watchId);
    const gone = known.filter(({ output }) => /^printer(:|$)/.test(output) && !outputs.includes(output));
    await this.sql.many(
      "DELETE FROM watch_output WHERE watch_id = ? AND output = ?",
      gone.map(({ output }) => [watchId, output]),
    );
  }
}
