import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { type Running, startBinary } from "../../test/support/binary.ts";
import { temporaryFolder } from "../../test/support/run.ts";
import { service } from "../../test/support/service.ts";

export const patient = { timeout: 20_000, interval: 20 };

/** A shop whose machines share a journal; each command that delivers writes a line of number and `repeated`. */
export async function shop(journal: string) {
  const { mock, env } = await service({ scenario: "empty" });
  const log = join(temporaryFolder(), "log");
  const lines = (): string[] => (existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : []);
  const placed: string[] = [];
  return {
    mock,
    lines,
    place: async (count: number): Promise<void> => {
      for (const { order_id } of await mock.control.placeOrders({ count })) placed.push(String(order_id));
    },
    /** A machine with a home of its own. */
    watch: (...flags: string[]): Running =>
      startBinary(["orders", "watch", "--interval", "1s", "--force", "-o", "ndjson", ...flags], {
        env: { ...env, BPOS_HOME: temporaryFolder(), BPOS_JOURNAL: journal },
      }),
    exec: ["--exec", `cat >/dev/null; echo "$BPOS_ORDER_ID $BPOS_REPEATED" >>'${log}'; sleep 0.3`],
    /** Waits until every order was delivered; each once, but for those that are marked. */
    delivered: async (): Promise<void> => {
      const ids = () => new Set(lines().map((line) => line.split(" ")[0]));
      await vi.waitFor(() => expect(ids()).toEqual(new Set(placed)), patient);
      const first = lines().filter((line) => line.endsWith(" false"));
      expect(first).toEqual([...new Set(first)]);
    },
  };
}
