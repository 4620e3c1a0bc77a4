import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { type Running, startBinary } from "../support/binary.ts";
import { postReply, type ReplyLine } from "../support/listen.ts";
import { answerOf, meetingPoint } from "../support/programs.ts";
import { temporaryFolder } from "../support/run.ts";
import { sized, soakIt } from "../support/soak.ts";

interface Listener extends Running {
  url: string;
  events: () => ReplyLine[];
}

/** The real `campaign listen`, once it listens. */
async function start(home: string, ...flags: string[]): Promise<Listener> {
  const argv = ["campaign", "listen", "--port", "0", "-o", "ndjson", ...flags];
  const running = startBinary(argv, { env: { BPOS_HOME: home } });
  await running.said("To rehearse");
  const [url] = /http:\/\/\S+\/(?=\.)/.exec(running.err()) ?? [];
  if (url === undefined) throw new Error(running.err());
  const whole = (): string[] => running.out().split("\n").slice(0, -1);
  return { ...running, url, events: () => whole().map((line) => JSON.parse(line) as ReplyLine) };
}

const patient = { timeout: 15_000 };
const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

it("killed between a reply and its --exec, hands it on at the next start, each one", async () => {
  const home = temporaryFolder();
  const { come, comer } = await meetingPoint();
  const first = await start(home, "--exec", comer());
  for (const phone of ["+1", "+2", "+3"]) expect((await postReply(first.url, { phone })).status).toBe(200);
  // The command has the first one, the others wait.
  await come(1);
  await first.stop("SIGKILL");

  const second = await start(home, "--exec", 'echo "$BPOS_PHONE $BPOS_REPEATED" >> "$BPOS_HOME/said"');
  const said = (): string => textOf(join(home, "said"));
  await vi.waitFor(() => expect(said()).toBe("+1 true\n+2 false\n+3 false\n"), patient);
  expect(await second.stop("SIGTERM")).toBe(130);
  // The other run printed what one did not.
  const printed = [...first.events(), ...second.events()].map(
    ({ body }) => (body as { phone: string }).phone,
  );
  expect([...new Set(printed)].sort()).toEqual(["+1", "+2", "+3"]);
});

it("ends at once while --exec runs, and says whose reply it did not finish", async () => {
  const { come, comer } = await meetingPoint();
  const listener = await start(temporaryFolder(), "--exec", comer({ stubborn: true }));
  await postReply(listener.url, { phone: "+1" });
  const [command] = await come(1);
  const spoken = answerOf(command!);
  expect(await listener.stop("SIGINT")).toBe(130);
  // It does not outlive the listening.
  expect(await spoken).toBe("");
  await listener.ended;
  expect(listener.err()).toContain("The reply from +1 was being delivered to --exec when you stopped");
});

soakIt(
  "holds up no other output while nobody reads its pipe, says so once, and loses nothing",
  async () => {
    const home = temporaryFolder();
    const first = await start(home, "--exec", 'echo "$BPOS_EXTERNAL_REF" >> "$BPOS_HOME/said"');
    first.child.stdout.pause();
    const replies = sized(40, 120);
    for (let n = 1; n <= replies; n++) {
      const answer = await postReply(first.url, { external_ref: `r${n}`, text: "x".repeat(9_000) });
      expect(answer.status).toBe(200);
    }
    const said = (): string[] => textOf(join(home, "said")).trim().split("\n");
    await vi.waitFor(() => expect(said()).toHaveLength(replies), patient);
    await first.said("Ctrl-Q");
    expect(await first.stop("SIGTERM")).toBe(130);
    expect(first.err().match(/Ctrl-Q/g)).toHaveLength(1);
    const second = await start(home);
    const last = { external_ref: `r${replies}`, repeated: false };
    await vi.waitFor(() => expect(second.events().at(-1)).toMatchObject(last), patient);
    expect(second.events().filter(({ repeated }) => repeated)).toHaveLength(1);
  },
  60_000,
);

soakIt("ends with 0 when nobody reads its pipe any more, though no reply comes", async () => {
  const first = await start(temporaryFolder());
  first.child.stdout.destroy();
  expect(await first.exited).toBe(0);
});
