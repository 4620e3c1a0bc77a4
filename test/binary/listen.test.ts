import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { answering, freePort, postReply, type ReplyLine } from "../support/listen.ts";
import { answerOf, meetingPoint } from "../support/programs.ts";
import { root, temporaryFolder } from "../support/run.ts";

interface Listener {
  child: ChildProcess;
  url: string;
  events: () => ReplyLine[];
  err: () => string;
  /** Exit code and signal. */
  ended: Promise<unknown[]>;
}

/** The real `campaign listen`, once it listens. */
async function start(home: string, ...flags: string[]): Promise<Listener> {
  const port = await freePort();
  const argv = [join(root, "bin/bpos.js"), "campaign", "listen", "--port", port, "-o", "ndjson", ...flags];
  const env = { PATH: process.env["PATH"] ?? "", BPOS_HOME: home };
  const child = spawn(process.execPath, argv, { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const written = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.err += text;
  });
  const url = `http://127.0.0.1:${port}/`;
  const ended = once(child, "close");
  await answering(url);
  const events = (): ReplyLine[] =>
    written.out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ReplyLine);
  return { child, url, events, err: () => written.err, ended };
}

it("killed between a reply and its --exec, hands it on at the next start, each one", async () => {
  const home = temporaryFolder();
  const { come, comer } = await meetingPoint();
  const first = await start(home, "--exec", comer());
  for (const phone of ["+1", "+2", "+3"]) {
    const answer = await postReply(first.url, { phone });
    expect(answer.status).toBe(200);
  }
  // The command has the first one, the others wait.
  await come(1);
  first.child.kill("SIGKILL");
  await first.ended;

  const said = join(home, "said");
  const second = await start(home, "--exec", 'echo "$BPOS_PHONE $BPOS_REPEATED" >> "$BPOS_HOME/said"');
  await vi.waitFor(
    () => expect(existsSync(said) && readFileSync(said, "utf8")).toBe("+1 true\n+2 false\n+3 false\n"),
    { timeout: 10_000 },
  );
  second.child.kill("SIGTERM");
  expect(await second.ended).toEqual([130, null]);
  // What one run did not print the other did.
  const printed = [...first.events(), ...second.events()].map(
    ({ body }) => (body as { phone: string }).phone,
  );
  expect([...new Set(printed)].sort()).toEqual(["+1", "+2", "+3"]);
});

it("ends within a second while --exec runs, and says whose reply it did not finish", async () => {
  const { come, comer } = await meetingPoint();
  const listener = await start(temporaryFolder(), "--exec", comer({ stubborn: true }));
  await postReply(listener.url, { phone: "+1" });
  const [command] = await come(1);
  const spoken = answerOf(command!);
  const began = performance.now();
  listener.child.kill("SIGINT");
  expect(await listener.ended).toEqual([130, null]);
  // A second is promised; the machine that tests may be busy.
  expect(performance.now() - began).toBeLessThan(1_500);
  expect(listener.err()).toContain("The reply of +1 was at --exec when you stopped");
  // It does not outlive the listening.
  expect(await spoken).toBe("");
});

it.skipIf(process.platform === "win32")(
  "holds up no other output while nobody reads its pipe, says so once, and loses nothing",
  async () => {
    const home = temporaryFolder();
    const first = await start(home, "--exec", 'echo "$BPOS_EXTERNAL_REF" >> "$BPOS_HOME/said"');
    first.child.stdout!.pause();
    const replies = 120;
    for (let n = 1; n <= replies; n++) {
      const answer = await postReply(first.url, { external_ref: `r${n}`, text: "x".repeat(4_000) });
      expect(answer.status).toBe(200);
    }
    const said = (): string[] =>
      existsSync(join(home, "said")) ? readFileSync(join(home, "said"), "utf8").trim().split("\n") : [];
    await vi.waitFor(() => expect(said()).toHaveLength(replies), { timeout: 20_000 });
    await vi.waitFor(() => expect(first.err()).toContain("Nobody reads standard output"), {
      timeout: 10_000,
    });
    first.child.kill("SIGTERM");
    expect(await once(first.child, "exit")).toEqual([130, null]);
    expect(first.err().match(/Nobody reads/g)).toHaveLength(1);
    const second = await start(home);
    await vi.waitFor(
      () => expect(second.events().at(-1)).toMatchObject({ external_ref: `r${replies}`, repeated: false }),
      { timeout: 10_000 },
    );
    expect(second.events().filter(({ repeated }) => repeated)).toHaveLength(1);
  },
  60_000,
);

it.skipIf(process.platform === "win32")(
  "ends with 0 when nobody reads its pipe any more, though no reply comes",
  async () => {
    const first = await start(temporaryFolder());
    first.child.stdout!.destroy();
    expect(await once(first.child, "exit")).toEqual([0, null]);
  },
);
