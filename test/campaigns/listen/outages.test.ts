import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { listenIn, postReply } from "../../support/listen.ts";
import { shell, temporaryFolder } from "../../support/run.ts";

const seen = (look: () => unknown[], count: number): Promise<void> =>
  vi.waitFor(() => expect(look()).toHaveLength(count), { timeout: 10_000, interval: 10 });

it("says once that an output takes nothing, and once that it has everything", async () => {
  const folder = temporaryFolder();
  const [good, taken] = [join(folder, "good"), join(folder, "taken")];
  const clock = fakeClock();
  let pauses = 0;
  const listener = await listenIn(
    shell(),
    [
      "-o",
      "ndjson",
      "--exec",
      `test -e "${good}" || test "$BPOS_PHONE" = +2 || { echo no paper; exit 7; }; printf "x " >> "${taken}"`,
    ],
    {
      clock: {
        now: () => clock.now(),
        sleep: async (ms, signal) => {
          pauses += 1;
          if (pauses === 6) writeFileSync(good, "");
          await clock.sleep(ms, signal);
        },
      },
    },
  );
  for (const phone of ["+1", "+2", "+3"]) await postReply(listener.url, { phone });
  await seen(listener.events, 3);
  const all = (): string[] => (existsSync(taken) ? readFileSync(taken, "utf8").trimEnd().split(" ") : []);
  await seen(all, 3);
  // When it gets the next one, it is through with those.
  await postReply(listener.url, { phone: "+4" });
  await seen(all, 4);
  const { stderr } = await listener.stop();
  expect(stderr.match(/(?:Delivery|delivered) to --exec.*/g)).toEqual([
    expect.stringMatching(
      /^Delivery to --exec is failing: .* ended with exit code 7: no paper\. \d repl(y is|ies are) pending\. bpos keeps retrying; /,
    ),
    "delivered to --exec.",
  ]);
});
