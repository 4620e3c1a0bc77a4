import { expect, it, onTestFinished } from "vitest";
import { fakeClock } from "../../../support/fake-clock.ts";
import { type Answer, deadAddress, fixedServer, orderOf, pageOf } from "../../../support/peers.ts";
import { addUnchecked } from "../../../support/profiles.ts";
import { shell } from "../../../support/run.ts";
import { pointedAt, service } from "../../../support/service.ts";
import { eventsOf, newIds, watchPolls } from "../../../support/watch.ts";

const minute = 60_000;
/** The middle of every range that chance may choose from. */
const world = { random: () => 0.5 };
const denied = { code: "ERROR_CODE_ACCESS_DENIED", message: "Invalid API key.", payload: "" };

const empty: Answer = () => ({ body: pageOf([orderOf(1)]) });

/** Answers with a status from an instant on, for so long. */
async function failing(clock: { now: () => number }, status: number, forMs = Number.POSITIVE_INFINITY) {
  const from = clock.now() + 2 * minute;
  const isDown = (): boolean => clock.now() >= from && clock.now() < from + forMs;
  return fixedServer((url) => (isDown() ? { status, body: denied } : empty(url)));
}

it("an outage and its end are warnings, with -q too, and events of -o ndjson", async () => {
  const clock = fakeClock();
  const run = shell({ env: pointedAt(await failing(clock, 503, 5 * minute)) });
  const loud = await watchPolls(run, { polls: 20, clock, world });
  const [began, ended] = eventsOf(loud).filter(({ event }) => event.startsWith("watch."));
  expect(began).toMatchObject({ event: "watch.outage", reason: "unavailable", status: 503 });
  expect(Date.parse(String(began!["since"]))).toBe(Date.parse(String(began!["at"])));
  expect(ended).toMatchObject({ event: "watch.recovered", branch: began!["branch"] });
  expect(ended!["after_s"]).toBeGreaterThanOrEqual(240);
  expect(newIds(loud)).toEqual([1]);
  const again = fakeClock();
  const quietly = shell({ env: pointedAt(await failing(again, 503, 5 * minute)) });
  const quiet = await watchPolls(quietly, { polls: 20, clock: again, world, argv: ["-q", "--exec", "true"] });
  expect(quiet.stdout).toBe("");
  expect(quiet.stderr.match(/No response/g)).toHaveLength(1);
  expect(quiet.stderr.match(/is responding again/g)).toHaveLength(1);
});

it("an outage has lasted as long in its event as in its sentence", async () => {
  const clock = fakeClock();
  const run = shell({ env: pointedAt(await failing(clock, 503, 53_000)) });
  // One poll fails, and 0.6 s later the retry is answered.
  const { stdout, stderr } = await watchPolls(run, { polls: 10, clock, world: { random: () => 0.3 } });
  const ended = eventsOf({ stdout }).find(({ event }) => event === "watch.recovered");
  expect(ended).toMatchObject({ after_s: 0 });
  expect(stderr).toContain("again after 0 s");
});

it("an outage began with the poll that failed, however long its calls hung", async () => {
  const clock = fakeClock();
  const from = clock.now() + 2 * minute;
  const hangs: Answer = (url) => {
    if (clock.now() < from) return empty(url);
    clock.advance(1.5 * minute);
    return { status: 503, body: denied };
  };
  const run = shell({ env: pointedAt(await fixedServer(hangs)) });
  const events = eventsOf(await watchPolls(run, { polls: 6, clock, world }));
  const [began] = events.filter(({ event }) => event === "watch.outage");
  expect(Date.parse(String(began!["at"])) - Date.parse(String(began!["since"]))).toBe(1.5 * minute);
});

it("a branch that is given up is a warning with -q too, and an event", async () => {
  const clock = fakeClock();
  const run = shell();
  const add = (name: string, url: string) =>
    run(addUnchecked(name, "--base-url", url), { stdin: `bpk_test_secret_000000${name}` });
  await add("centro", await fixedServer(empty));
  await add("norte", await failing(clock, 403));
  const argv = ["--all-profiles"];
  const loud = await watchPolls(run, { polls: 40, clock, world, argv });
  const stopped = eventsOf(loud).filter(({ event }) => event === "watch.stopped");
  expect(stopped).toMatchObject([{ branch: "norte", reason: "access_denied", status: 403 }]);
  const [began] = eventsOf(loud).filter(({ event }) => event === "watch.outage");
  expect(stopped[0]!["since"]).toBe(began!["since"]);
  const quiet = await watchPolls(run, { polls: 10, clock, world, argv: [...argv, "-q", "--exec", "true"] });
  expect(quiet.stderr).toContain("norte");
  expect(quiet.stdout).toBe("");
});

it("many branches whose service is down leave no warning of Node's behind", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): unknown => warnings.push(name);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const run = shell();
  const url = await deadAddress();
  for (let n = 0; n < 14; n++)
    await run(addUnchecked(`b${n}`, "--base-url", url), { stdin: `bpk_test_secret_00000000${n}` });
  await watchPolls(run, { polls: 20, clock: fakeClock(), argv: ["--all-profiles"] });
  expect(warnings).toEqual([]);
});

it("an outage ends where the service that answers again is another one", async () => {
  const { mock, env } = await service({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
  const result = await watchPolls(shell({ env }), {
    ...{ polls: 4, world },
    after: async (poll) => {
      if (poll === 1) await mock.control.addFault("GET /v1/orders status=503");
      else if (poll === 2) await mock.control.reset();
    },
  });
  expect(eventsOf(result).map(({ event }) => event)).toEqual(["watch.outage", "watch.recovered"]);
  expect(result.stderr.match(/is responding again/g)).toHaveLength(1);
});
