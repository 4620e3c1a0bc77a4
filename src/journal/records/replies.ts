import { finds, insert, Records } from "../engine/engine.ts";

type Reply = Record<"hash" | "body", string> & { at: number; outputs: readonly string[] };

export class Replies extends Records {
  /** Writes a reply down with the outputs that are to get it: its body once, however often it comes. Its arrival's number. */
  receive({ hash, body, at, outputs }: Reply): Promise<number> {
    return this.sql.transaction(async (sql) => {
      const again = Number(await finds(sql, "SELECT 1 FROM reply WHERE hash = ?", hash));
      // One that was pruned is whole again, and one that is here is not pruned meanwhile.
      await sql.run(
        `INSERT INTO reply (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE
           SET body = excluded.body, person = CASE WHEN reply.body = '' THEN NULL ELSE reply.person END`,
        ...[hash, body],
      );
      const { arrival } = await sql.one<{ arrival: number }>(
        "INSERT INTO reply_arrival (reply, at, again) SELECT reply, ?, ? FROM reply WHERE hash = ? RETURNING arrival",
        ...[at, again, hash],
      );
      const deliveries = outputs.map((output) => ({ output, arrival, state: "open" }));
      await insert(sql, "reply_delivery", deliveries);
      return arrival;
    });
  }

  /** Gives each reply that has none yet the person it is of, by its body, where that is known. */
  identify(readPerson: (body: string) => string | undefined): Promise<void> {
    return this.sql.transaction(async (sql) => {
      const rows = await sql.all<{ reply: number; body: string }>(
        "SELECT reply, body FROM reply WHERE person IS NULL",
      );
      const found = rows.flatMap(({ reply, body }) => {
        const person = readPerson(body);
        return person === undefined ? [] : [[person, reply]];
      });
      await sql.many("UPDATE reply SET person = ? WHERE reply = ?", found);
    });
  }

  /** The replies of a person, each once, by when it first came. */
  ofPerson(person: string): Promise<{ body: string; at: number }[]> {
    return this.sql.all(
      `SELECT body, min(at) AS at FROM reply JOIN reply_arrival USING (reply) WHERE person = ?
       GROUP BY reply ORDER BY 2, reply`,
      person,
    );
  }

  /** The replies that `identify` knew no person of, each once. */
  unidentified(): Promise<{ body: string; at: number }[]> {
    return this.sql.all(
      `SELECT body, min(at) AS at FROM reply JOIN reply_arrival USING (reply) WHERE person IS NULL
       GROUP BY reply ORDER BY 2, reply`,
    );
  }

  async next(output: string, after: number): Promise<number | undefined> {
    const text =
      "SELECT arrival FROM reply_delivery WHERE output = ? AND arrival > ? ORDER BY arrival LIMIT 1";
    return (await this.sql.get<{ arrival: number }>(text, output, after))?.arrival;
  }

  begin(output: string, arrival: number) {
    return this.sql.transaction(async (sql) => {
      const row = await sql.one<{ body: string; at: number; again: number; state: string }>(
        `SELECT body, at, again, state FROM reply_delivery JOIN reply_arrival USING (arrival) JOIN reply USING (reply)
         WHERE output = ? AND arrival = ?`,
        ...[output, arrival],
      );
      const text = "UPDATE reply_delivery SET state = 'begun' WHERE output = ? AND arrival = ?";
      await sql.run(text, output, arrival);
      return { body: row.body, at: row.at, again: row.again === 1, wasBegun: row.state === "begun" };
    });
  }

  async notDelivered(output: string, arrival: number): Promise<void> {
    const text = "UPDATE reply_delivery SET state = 'open' WHERE output = ? AND arrival = ?";
    await this.sql.run(text, output, arrival);
  }

  async delivered(output: string, arrival: number): Promise<void> {
    await this.sql.run("DELETE FROM reply_delivery WHERE output = ? AND arrival = ?", output, arrival);
  }

  /** Number and total size of the replies that are pending for these outputs. */
  pending(outputs: readonly string[]): Promise<{ replies: number; bytes: number }> {
    const arrivals = `SELECT DISTINCT arrival FROM reply_delivery WHERE output IN (${outputs.map(() => "?").join(", ")})`;
    return this.sql.one(
      `SELECT (SELECT count(*) FROM (${arrivals}) AS owed) AS replies,
         (SELECT coalesce(sum(length(body)), 0) FROM reply WHERE reply IN
           (SELECT reply FROM reply_arrival WHERE arrival IN (${arrivals}))) AS bytes`,
      ...[...outputs, ...outputs],
    );
  }

  waiting(): Promise<{ output: string; replies: number }[]> {
    return this.sql.all("SELECT output, count(*) AS replies FROM reply_delivery GROUP BY 1 ORDER BY 1");
  }
}
