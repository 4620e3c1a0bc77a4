import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { accepted, batches, parse, priceList } from "../support/push.ts";
import { fixture, type Run, root, temporaryFolder } from "../support/run.ts";
import { type Handler, reply, reset, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";

interface Running {
  child: ChildProcess;
  ended: Promise<Run & { signal: string | null }>;
}

/** A way to start the real binary: all of one starter share a home and a service. */
function starter(url: string): (...argv: string[]) => Running {
  const env = { PATH: process.env["PATH"], BPOS_HOME: temporaryFolder(), ...pointedAt(url) };
  return (...argv) => {
    const child = spawn(process.execPath, [join(root, "bin/bpos.js"), "catalog", "push", ...argv], { env });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += String(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += String(chunk);
    });
    const ended = once(child, "close").then((end) => {
      const [code, signal] = end as [number | null, string | null];
      return { code: code ?? -1, signal, stdout, stderr };
    });
    return { child, ended };
  };
}

/** A call that stays without an answer, and the moment at which it arrived. */
function hanging(): { arrived: Promise<void>; handler: Handler } {
  let handler: Handler = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    handler = () => resolve();
  });
  return { arrived, handler };
}

it("holds a second push of the branch off, and lets it in at once when the first was killed", async () => {
  const { arrived, handler } = hanging();
  const server = await scriptedServer(...batches(handler, reply(accepted(1)), reply(accepted(1))));
  const start = starter(server.url);
  const file = priceList(1);
  const first = start(file);
  await arrived;
  const second = await start(priceList(1, 5), "--json").ended;
  expect(second).toMatchObject({ code: 9, stdout: "" });
  expect(JSON.parse(second.stderr)).toMatchObject({ error: { reason: "locked", pid: first.child.pid } });
  // What sends nothing waits for nobody.
  expect((await start(file, "--dry-run").ended).code).toBe(0);
  first.child.kill("SIGKILL");
  expect((await first.ended).signal).toBe("SIGKILL");
  expect((await start(file, "--json").ended).code).toBe(0);
  expect(server.requests[1]!.body.equals(server.requests[0]!.body)).toBe(true);
  expect((await start(file, "--json").ended).code).toBe(0);
});

it("ends with 130 on Ctrl-C while a call is out, says that it is unknown, and settles it the next time", async () => {
  const { arrived, handler } = hanging();
  const answers = [accepted(1), accepted(1, { duplicate: true }), accepted(1)].map((each) => reply(each));
  const server = await scriptedServer(...batches(answers[0]!, handler, answers[1]!, answers[2]!));
  const start = starter(server.url);
  const argv = [priceList(3), "--batch-size", "1", "--json"];
  const first = start(...argv);
  await arrived;
  first.child.kill("SIGINT");
  const { code, stdout, stderr } = await first.ended;
  expect(code).toBe(130);
  expect(parse(stdout)).toMatchObject({ outcome: "unknown", sent: 2, batches: 2, accepted: 1 });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "interrupted" } });
  const second = await start(...argv).ended;
  expect(second.code).toBe(0);
  expect(parse(second.stdout)).toMatchObject({ outcome: "complete", accepted: 3, duplicate_batches: 1 });
  expect(server.requests[2]!.body.equals(server.requests[1]!.body)).toBe(true);
});

const catalog = (): string => fixture("catalog.csv");

it.each([
  { what: "an unknown outcome", file: () => priceList(1), answers: [reset()], flag: "--retries=0", code: 7 },
  { what: "rejected rows", file: catalog, answers: [reply(accepted(293))], flag: "--retries=0", code: 3 },
  { what: "rejected rows of a dry run", file: catalog, answers: [], flag: "--dry-run", code: 3 },
  { what: "rejected rows with --strict", file: catalog, answers: [], flag: "--strict", code: 2 },
])("tells a script of $what though nobody reads its output", async ({ file, answers, flag, code }) => {
  const server = await scriptedServer(...batches(...answers));
  const { child, ended } = starter(server.url)(file(), flag);
  child.stdout?.destroy();
  expect((await ended).code).toBe(code);
});
