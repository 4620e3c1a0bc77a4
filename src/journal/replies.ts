import { Part, type Sql } from "./engine.ts";

/** Replies that outputs have not got, by the number of their arrival; the smallest came first. */
export class Replies extends Part {
  /** Writes a reply down with the outputs that are to get it: its body once, however often it comes. Its arrival's number. */
  receive({
    hash,
    body,
    at,
    outputs,
  }: {
    hash: string;
    body: string;
    at: number;
    outputs: readonly string[];
  }): Promise<number> {
    return this.sql.transaction(async (sql) => {
      const added = await sql.run(
        "INSERT INTO reply (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
        ...[hash, body],
      );
      const { arrival } = await sql.one<{ arrival: number }>(
        "INSERT INTO reply_arrival (reply, at, again) SELECT reply, ?, ? FROM reply WHERE hash = ? RETURNING arrival",
        ...[at, 1 - added, hash],
      );
      await sql.many(
        "INSERT INTO reply_delivery (output, arrival, state) VALUES (?, ?, 'open')",
        outputs.map((output) => [output, arrival]),
      );
      return arrival;
    });
  }

  async next(output: string, after: number): Promise<number | undefined> {
    const text =
      "SELECT arrival FROM reply_delivery WHERE output = ? AND arrival > ? ORDER BY arrival LIMIT 1";
    return (await this.sql.get<{ arrival: number }>(text, output, after))?.arrival;
  }

  begin(output: string, arrival: number) {
    return this.sql.transaction(async (sql) => {
      const { body, at, again, state } = await sql.one<{
        body: string;
        at: number;
        again: number;
        state: string;
      }>(
        `SELECT body, at, again, state FROM reply_delivery JOIN reply_arrival USING (arrival) JOIN reply USING (reply)
         WHERE output = ? AND arrival = ?`,
        ...[output, arrival],
      );
      await setState(sql, "begun", output, arrival);
      return { body, at, again: again === 1, wasBegun: state === "begun" };
    });
  }

  notDelivered(output: string, arrival: number): Promise<void> {
    return setState(this.sql, "open", output, arrival);
  }

  async delivered(output: string, arrival: number): Promise<void> {
    await this.sql.run("DELETE FROM reply_delivery WHERE output = ? AND arrival = ?", output, arrival);
  }

  async waiting(): Promise<{ output: string; replies: number }[]> {
    return await this.sql.all<{ output: string; replies: number }>(
      "SELECT output, count(*) AS replies FROM reply_delivery GROUP BY output ORDER BY output",
    );
  }
}

async function setState(sql: Sql, state: string, output: string, arrival: number): Promise<void> {
  const text = "UPDATE reply_delivery SET state = ? WHERE output = ? AND arrival = ?";
  await sql.run(text, state, output, arrival);
}
