import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { machineWith, type Restorable, restoredContract } from "../../test/journal/contract/restored.ts";
import { parse, people, phone, send } from "../../test/support/campaigns.ts";
import { listenIn, postReply } from "../../test/support/listen.ts";
import { shell, temporaryFolder } from "../../test/support/run.ts";
import { eventsOf } from "../../test/support/watch.ts";
import { server } from "../support/postgres.ts";

const run = promisify(execFile);

/** A server whose data is set back, as a replica that lagged has them when the server fails over to it. */
async function databaseJournal(): Promise<Restorable> {
  const own = await server();
  const { url } = await own.database();
  const [data, backup] = ["data", "backup"].map((name) => join(own.folder, name)) as [string, string];
  const replace = async (from: string, to: string): Promise<void> => {
    await own.stop();
    await rm(to, { recursive: true, force: true });
    await run("cp", ["-a", from, to]);
    await own.start();
  };
  return {
    env: { BPOS_JOURNAL: url },
    backup: () => replace(data, backup),
    restore: () => replace(backup, data),
  };
}

restoredContract(databaseJournal);

it("who opted out by a machine that listens is put back by it, for another machine that sends", async () => {
  const journal = await databaseJournal();
  const { mock, run } = await machineWith(journal);
  const other = shell({ env: { ...journal.env, BPOS_HOME: temporaryFolder() } });
  const optedOut = async (machine: typeof run): Promise<number> => {
    const { stdout } = await machine(["campaign", "optout", "list", "--json"]);
    return (JSON.parse(stdout) as { opt_outs: unknown[] }).opt_outs.length;
  };
  const listener = await listenIn(other);
  await journal.backup();
  await vi.waitFor(
    async () => expect((await postReply(listener.url, { phone: phone(1), text: "BAJA" })).status).toBe(200),
    { timeout: 30_000, interval: 200 },
  );
  await journal.restore();
  await vi.waitFor(async () => expect(await optedOut(run)).toBe(1), { timeout: 30_000, interval: 200 });
  const sent = await run(send(people(3), "--ref", "lunes", "--yes", "--json"));
  expect(parse(sent.stdout)).toMatchObject({ recipients: { added: 2, opted_out: 1 } });
  expect((await mock.control.messages()).map((each) => each.phone)).toEqual([phone(0), phone(2)]);
});

it("a watch that runs while its server fails over marks what it delivers again, and says so", async () => {
  const journal = await databaseJournal();
  const { mock, run } = await machineWith(journal);
  let stdout = "";
  let stderr = "";
  let stop = (): void => undefined;
  /** True for each delivery that was marked, in their sequence, by order. */
  const deliveries = () => {
    const marks = new Map<unknown, unknown[]>();
    for (const { event, order, repeated } of eventsOf({
      stdout: stdout.slice(0, stdout.lastIndexOf("\n") + 1),
    }))
      if (event === "order.new") {
        const id = order?.["order_id"];
        marks.set(id, [...(marks.get(id) ?? []), repeated]);
      }
    return [...marks.values()];
  };
  const watch = run(["orders", "watch", "-o", "ndjson", "-q", "--force", "--interval", "1s"], {
    onStart: (means) => {
      stop = means;
    },
    onOutput: (text) => {
      stdout = text;
    },
    onError: (text) => {
      stderr = text;
    },
  });
  const patient = { timeout: 30_000, interval: 50 };
  await mock.control.placeOrders({ count: 1 });
  await vi.waitFor(() => expect(deliveries()).toEqual([[false]]), patient);
  await journal.backup();
  await mock.control.placeOrders({ count: 3 });
  // The first of them may be repeated: the server is stopped before its delivery is noted, perhaps.
  await vi.waitFor(() => expect(deliveries().slice(1)).toEqual([[false], [false], [false]]), patient);
  await journal.restore();
  const twice = [false, true];
  await vi.waitFor(() => expect(deliveries().slice(1)).toEqual([twice, twice, twice]), patient);
  expect(stderr).toContain("older than this machine");
  stop();
  expect((await watch).code).toBe(130);
});
