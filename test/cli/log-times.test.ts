import { describe, expect, it } from "vitest";
import { campaignServer, person, statusOf } from "../support/campaign-server.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { listenIn } from "../support/listen.ts";
import { fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { shell } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";
import { watchPolls, withoutTimes } from "../support/watch.ts";

describe("--log-format text", () => {
  const env = async () => pointedAt(await fixedServer(() => ({ body: pageOf([orderOf(1)]) })));

  it.each(["en", "es"])(
    "each line of a long run begins with the time in a pipe, and none on a terminal: %s",
    async (lang) => {
      const run = shell({ env: { ...(await env()), BPOS_LANG: lang } });
      const piped = await watchPolls(run, { polls: 3, argv: ["-o", "table"] });
      expect(piped.stderr).toMatch(/^2026-01-01T09:00:00-03:00 /);
      const shown = await watchPolls(run, {
        polls: 3,
        argv: ["-o", "table", "--consumer", "x"],
        world: { terminal: 200 },
      });
      const [first] = withoutTimes(piped.stderr).split("\n");
      expect(shown.stderr).toContain(first!.replace('"default"', '"x"'));
      expect(shown.stderr).not.toContain("2026-01-01T");

      // Three lines: what it watches, and the two of its end.
      expect(withoutTimes(piped.stderr).split("\n")).toHaveLength(4);
    },
  );

  it("of listen, status --watch and mock too; an error that is asked for as JSON stays JSON", async () => {
    const listener = await listenIn(shell());
    const { stderr } = await listener.stop();
    expect(withoutTimes(stderr)).toMatch(/^Listening for replies on .*\n\{"error":\{"code":"interrupted"/);

    const done = statusOf("c1", [person(1, "read")], { pending: 0, read: 1 });
    const { url } = await campaignServer({ body: done });
    const run = shell({ env: pointedAt(url), clock: fakeClock() });
    expect(withoutTimes((await run(["campaign", "status", "c1", "--watch"])).stderr)).toContain("final");
    const busy = await shell()(["mock", "--port", new URL(url).port]);
    expect(withoutTimes(busy.stderr)).toMatch(/^Error: /);
  });

  it("of a short command is as it was", async () => {
    const run = shell({ env: await env() });
    const once = await run(["orders", "watch", "--once", "--exec", "exit 3"]);
    expect(once.stderr).toMatch(/^Order 1: /);
    expect((await run(["orders", "list", "--bogus"])).stderr).toMatch(/^Error: /);
    expect((await run(["campaign", "status", "--bogus"])).stderr).toMatch(/^Error: /);
  });
});
