import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunningMock } from "../../../src/mock/index.ts";
import { errorOf, people, phone, rows, send } from "../../support/campaigns.ts";
import { priceList } from "../../support/push.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { eventsOf, watchOnce } from "../../support/watch.ts";

/** A journal that can be set back to what it was, as a backup or a replica that lagged does. */
export interface Restorable {
  env: Record<string, string>;
  backup: () => Promise<void>;
  restore: () => Promise<void>;
}

/** A machine with such a journal, and the mock that it talks to. */
export async function machineWith({ env }: Restorable) {
  const { mock, env: pointed } = await service({ scenario: "empty" });
  const run = shell({ env: { ...pointed, ...env } });
  return { mock, run };
}

/** How often the service was asked to change anything. */
const postsOf = async (mock: RunningMock): Promise<number> =>
  (await mock.control.requests(1_000)).filter(({ method }) => method === "POST").length;

/** Tests of a journal that knows less than was done with it, for any engine. */
export function restoredContract(open: () => Promise<Restorable>): void {
  describe("a journal that was restored", () => {
    it("is refused by send, resume, push and delete, naming what it does not know, until somebody accepts it", async () => {
      const journal = await open();
      const { mock, run } = await machineWith(journal);
      const folder = temporaryFolder();
      expect((await run(send(people(1), "--ref", "domingo", "--yes"))).code).toBe(0);
      await journal.backup();
      expect((await run(send(people(20, folder), "--ref", "lunes", "--yes", "--allow-repeat"))).code).toBe(0);
      await journal.restore();
      const posts = await postsOf(mock);

      const more = join(folder, "more.csv");
      writeFileSync(more, `telefono,nombre,pedido\n${rows(30).join("\n")}\n`);
      for (const argv of [
        send(more, "--ref", "lunes", "--yes", "--json"),
        ["campaign", "resume", "--json"],
        ["catalog", "push", priceList(2), "--json"],
        ["catalog", "delete", "A", "--json"],
      ]) {
        const { code, stderr } = await run(argv);
        expect([argv[1], code, errorOf(stderr)["reason"]]).toEqual([argv[1], 9, "journal_older"]);
        expect(errorOf(stderr)["message"]).toContain('"lunes"');
        expect(errorOf(stderr)["message"]).not.toContain('"domingo"');
      }
      expect(await postsOf(mock)).toBe(posts);
      const messaged = (await mock.control.messages()).filter((each) => each.phone === phone(5));
      expect(messaged).toHaveLength(1);

      const unasked = await run(["journal", "accept-restore", "--no-input", "--json"]);
      expect([unasked.code, errorOf(unasked.stderr)["reason"]]).toEqual([2, "not_a_terminal"]);
      const accepted = await run(["journal", "accept-restore", "--yes", "--json"]);
      expect([accepted.code, JSON.parse(accepted.stdout)]).toMatchObject([
        0,
        { accepted: true, sends: [{ ref: "lunes", template: "pedido_listo" }] },
      ]);
      expect(accepted.stderr).toContain("lunes");
      expect((await run(send(more, "--ref", "martes", "--yes", "--allow-repeat"))).code).toBe(0);
      const nothing = await run(["journal", "accept-restore", "--json"]);
      expect([nothing.code, JSON.parse(nothing.stdout)]).toMatchObject([0, { accepted: false, sends: [] }]);
    });

    it("messages nobody who opted out before, whatever it knows of that", async () => {
      const journal = await open();
      const { mock, run } = await machineWith(journal);
      const optout = (...words: string[]) => run(["campaign", "optout", ...words]);
      const list = async () =>
        (JSON.parse((await optout("list", "--json")).stdout) as { opt_outs: { source: string }[] }).opt_outs;
      await optout("add", phone(1));
      await optout("add", phone(2));
      await journal.backup();
      await optout("remove", phone(2), "--reason", "asked");
      await optout("add", phone(3));
      await journal.restore();
      // Who was taken off the list is on it again: that is the safe side.
      expect(await list()).toMatchObject([{}, {}, { phone: null, source: "added" }]);

      // Nothing was sent before: no count shows that it is older.
      const sent = await run(send(people(5), "--ref", "lunes", "--yes", "--json"));
      const { recipients } = JSON.parse(sent.stdout) as { recipients: object };
      expect(recipients).toMatchObject({ planned: 2, added: 2, opted_out: 3 });
      expect((await mock.control.messages()).map((each) => each.phone)).toEqual([phone(0), phone(4)]);

      await optout("add", phone(4));
      expect((await run(send(people(1), "--ref", "martes", "--yes", "--allow-repeat"))).code).toBe(0);
      await journal.restore();
      const refused = await run(send(people(5), "--ref", "miércoles", "--yes", "--json", "--allow-repeat"));
      expect([refused.code, errorOf(refused.stderr)["reason"]]).toEqual([9, "journal_older"]);
      await run(["journal", "accept-restore", "--yes"]);
      const last = await run(send(people(5), "--ref", "jueves", "--yes", "--json", "--allow-repeat"));
      expect(JSON.parse(last.stdout)).toMatchObject({ recipients: { added: 1, opted_out: 4 } });
    });

    it("delivers what was there marked as repeated, says so with -q too, and what comes later unmarked", async () => {
      const journal = await open();
      const { mock, run } = await machineWith(journal);
      await watchOnce(run);
      await journal.backup();
      await mock.control.placeOrders({ count: 3 });
      expect(eventsOf(await watchOnce(run)).map(({ repeated }) => repeated)).toEqual([false, false, false]);
      await journal.restore();

      const again = await watchOnce(run, "-q");
      expect(eventsOf(again).map(({ repeated }) => repeated)).toEqual([true, true, true]);
      expect(again.stderr).toContain("older than this machine");
      await run(["mock", "advance", "2s", "--url", mock.baseUrl]);
      await mock.control.placeOrders({ count: 1 });
      const later = await watchOnce(run, "-q");
      expect(eventsOf(later).map(({ repeated }) => repeated)).toEqual([false]);
      expect(later.stderr).toBe("");
      // Other work is as unknown as before.
      const { code, stderr } = await run(["catalog", "push", priceList(1), "--json"]);
      expect([code, errorOf(stderr)["reason"]]).toEqual([9, "journal_older"]);
    });

    it("sends every row with --changed-only once it is accepted: the service may have other prices", async () => {
      const journal = await open();
      const { run } = await machineWith(journal);
      const push = (file: string) => run(["catalog", "push", file, "--changed-only", "--json"]);
      const old = priceList(3);
      await push(old);
      await journal.backup();
      await push(priceList(3, 10));
      await journal.restore();
      expect((await push(old)).code).toBe(9);
      expect((await run(["journal", "accept-restore", "--yes"])).code).toBe(0);
      const { code, stdout, stderr } = await push(old);
      expect([code, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toMatchObject({ sent: 3, accepted: 3, unchanged: 0 });
    });

    it("is used as before where it knows all that was done", async () => {
      const journal = await open();
      const { run } = await machineWith(journal);
      expect((await run(send(people(2), "--ref", "lunes", "--yes"))).code).toBe(0);
      // The service refuses it: it did not leave.
      const refused = [...send(people(3), "--ref", "martes", "--yes"), "--template", "nobody_knows_this"];
      expect((await run(refused)).code).toBe(5);
      await watchOnce(run);
      await journal.backup();
      await journal.restore();
      expect((await run(send(people(4), "--ref", "miércoles", "--yes", "--allow-repeat"))).code).toBe(0);
      expect((await run(["catalog", "push", priceList(1)])).code).toBe(0);
    });
  });
}
