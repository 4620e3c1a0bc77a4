import { atomically, type Journal, prepared } from "./open.ts";

/** A reply as it came in. */
export interface NewReply {
  /** Of the exact bytes of the body: it tells that they came before. */
  hash: string;
  body: string;
  /** Epoch milliseconds. */
  at: number;
  /** Where it is to be handed on to, by name. */
  outputs: readonly string[];
}

/** A reply that an output has not got, by the number of its arrival; the smallest came first. */
export interface OpenReply {
  arrival: number;
  body: string;
  /** When it came, epoch milliseconds. */
  at: number;
  /** 1 when the same bytes had come before. */
  again: 0 | 1;
  /** `begun`: the output was about to get it, and nobody knows whether it did. */
  state: "open" | "begun";
}

/** Writes a reply down with the outputs that are to get it: its body once, however often it comes. Its arrival's number. */
export function recordReply(journal: Journal, { hash, body, at, outputs }: NewReply): number {
  return atomically(journal, () => {
    const { changes } = prepared(
      journal,
      "INSERT INTO reply (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
    ).run(hash, body);
    const { arrival } = prepared(
      journal,
      `INSERT INTO reply_arrival (reply, at, again) SELECT reply, ?, ? FROM reply WHERE hash = ?
         RETURNING arrival`,
    ).get(at, 1 - changes, hash) as { arrival: number };
    const open = prepared(
      journal,
      "INSERT INTO reply_delivery (output, arrival, state) VALUES (?, ?, 'open')",
    );
    for (const output of outputs) open.run(output, arrival);
    return arrival;
  });
}

/** The first arrival behind `after` that an output has not got; undefined when there is none. */
export function nextArrival(journal: Journal, output: string, after: number): number | undefined {
  const row = prepared(
    journal,
    "SELECT arrival FROM reply_delivery WHERE output = ? AND arrival > ? ORDER BY arrival LIMIT 1",
  ).get(output, after) as { arrival: number } | undefined;
  return row?.arrival;
}

/** A reply that an output has not got. */
export function openReply(journal: Journal, output: string, arrival: number): OpenReply {
  return prepared(
    journal,
    `SELECT arrival, body, at, again, state
       FROM reply_delivery JOIN reply_arrival USING (arrival) JOIN reply USING (reply)
       WHERE output = ? AND arrival = ?`,
  ).get(output, arrival) as OpenReply;
}

/** How many replies wait for each output that has not got all of them. */
export function waitingReplies(journal: Journal): { output: string; replies: number }[] {
  return prepared(
    journal,
    "SELECT output, count(*) AS replies FROM reply_delivery GROUP BY output ORDER BY output",
  ).all() as { output: string; replies: number }[];
}

/** Writes down that an output is about to get a reply (`begun`), or is known not to have it (`open`). */
export function recordHanding(
  journal: Journal,
  output: string,
  { arrival, state }: Pick<OpenReply, "arrival" | "state">,
): void {
  prepared(journal, "UPDATE reply_delivery SET state = ? WHERE output = ? AND arrival = ?").run(
    state,
    output,
    arrival,
  );
}

/** Writes down that an output has a reply. */
export function recordHanded(journal: Journal, output: string, arrival: number): void {
  prepared(journal, "DELETE FROM reply_delivery WHERE output = ? AND arrival = ?").run(output, arrival);
}
