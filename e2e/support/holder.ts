// A process that holds a lock of a journal in PostgreSQL, which a test stops, continues and tells what to do, line by line.
import { createInterface } from "node:readline";
import { JournalError } from "../../src/journal/engine/engine.ts";
import { openJournal } from "../../src/journal/journal.ts";

const [, , url = "", id = ""] = process.argv;
const journal = await openJournal(url, { holder: { id, pid: process.pid, host: "caja-1" }, env: {} });
const own = await journal.under({ work: "push", branch: "b1" });
const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
const say = (text: string) => process.stdout.write(`${text}\n`);

const works: Record<string, (what: string) => Promise<unknown>> = {
  write: (what) => own.reports.add(what, ""),
  check: () => own.check(),
  /** Ends its transaction with the next line. */
  begin: (what) =>
    own.transaction(async (tx) => {
      await tx.reports.add(what, "");
      say("begun");
      await lines.next();
    }),
};

say("held");
for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  const [work = "", what = ""] = line.value.split(" ");
  const ended = await works[work]?.(what).then(
    () => "done",
    (error: unknown) => (error instanceof JournalError ? error.trouble : String(error)),
  );
  say(ended ?? "?");
}
await journal.close();
