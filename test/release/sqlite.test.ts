import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { findDriver } from "../../src/sqlite.ts";
import { runBinary, startBinary } from "../support/binary.ts";
import { people, send, took } from "../support/campaigns.ts";
import { locksLeft } from "../support/journal.ts";
import { accepted, priceList } from "../support/push.ts";
import { root, temporaryFolder } from "../support/run.ts";
import { clockQuestion, type Handler, hanging, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";
import { randomOf, sized } from "../support/soak.ts";
import { findNode24 } from "./node24.ts";

const nodes = { libsql: process.execPath, "node:sqlite": findNode24() } as const;
const bothWays = [
  ["libsql", "node:sqlite"],
  ["node:sqlite", "libsql"],
] as const;

/** Returns what the writer found in a journal, and how many rows were durable when it was killed, some milliseconds after its first step. */
async function writeAndKill(node: string, argv: readonly string[], ms: number) {
  const child = spawn(node, ["--import", "tsx", join(import.meta.dirname, "writer.ts"), ...argv], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === 2) setTimeout(() => child.kill("SIGKILL"), ms);
  }
  expect((await exited)[1]).toBe("SIGKILL");
  const found = JSON.parse(lines[0]!) as { driver: string; rows: number; state: string };
  return { found, durable: Number(lines.at(-1)) };
}

// Only an older Node uses libsql.
describe.skipIf(findDriver() === "node:sqlite")("a file of either driver", () => {
  it("is continued by the other after a kill in the middle of its writes, and nothing durable is missing", async () => {
    const random = randomOf("writers");
    const file = join(temporaryFolder(), "journal.db");
    const rowsEach = 50;
    let before = 0;
    for (let round = 0; round < sized(6, 40); round++) {
      const driver = round % 2 === 0 ? "libsql" : "node:sqlite";
      const { found, durable } = await writeAndKill(nodes[driver], [file, `${rowsEach}`], random() * 60);
      expect(found).toMatchObject({ driver, state: "ok" });
      expect(found.rows % rowsEach).toBe(0);
      expect(found.rows).toBeGreaterThanOrEqual(before);
      // One transaction may be durable whose line was not written any more.
      expect(found.rows).toBeLessThanOrEqual(before + rowsEach);
      expect(durable).toBeGreaterThan(found.rows);
      before = durable;
    }
  });

  const commands = [
    { name: "catalog push", argv: () => ["catalog", "push", priceList(1_500), "--json"] },
    { name: "campaign send", argv: () => [...send(people(2_345)), "--yes", "--json"] },
  ];
  it.each(bothWays.flatMap(([from, to]) => commands.map((command) => ({ ...command, from, to }))))(
    "of $from is locked for $name with $to, which goes on with the same bytes after a kill",
    async ({ argv: line, from, to }) => {
      const bodies: string[] = [];
      const second = hanging();
      const answer: Handler = (response, request) => {
        const body = request.body.toString();
        bodies.push(body);
        const { items } = JSON.parse(body) as { items?: unknown[] };
        const usual = items ? reply(accepted(items.length)) : took;
        (bodies.length === 2 ? second.handler : usual)(response, request);
      };
      const calls = ["POST /campaigns", "POST /v1/catalog/items"];
      const server = await scriptedServer(
        clockQuestion,
        ...calls.map((on) => ({ on, aside: true as const, handler: answer })),
      );
      const env = { BPOS_HOME: temporaryFolder(), ...pointedAt(server.url) };
      const argv = line();
      const first = startBinary(argv, { env, node: nodes[from] });
      await second.arrived;
      const other = { env, node: nodes[to] };
      const refused = await runBinary([...argv, "--lock-wait", "0"], other);
      expect(refused.code).toBe(9);
      expect(JSON.parse(refused.stderr)).toMatchObject({
        error: { reason: "locked", pid: first.child.pid },
      });
      await first.stop("SIGKILL");
      expect(bodies).toHaveLength(2);
      expect(await runBinary(argv, other)).toMatchObject({ code: 0, stderr: "" });
      expect(bodies).toHaveLength(4);
      expect(bodies[2]).toBe(bodies[1]);
      expect(new Set(bodies).size).toBe(3);
      expect(await locksLeft(env.BPOS_HOME)).toEqual([]);
    },
  );

  it.each(bothWays)(
    "is a world of the mock that was killed with %s and goes on with %s",
    async (from, to) => {
      const home = temporaryFolder();
      const argv = ["mock", "--port", "0", "--data", join(home, "world.db"), "--scenario", "empty"];
      const serve = async (node: string) => {
        const mock = startBinary(argv, { env: { BPOS_HOME: home }, node });
        await mock.said("\n");
        const line = JSON.parse(mock.out()) as {
          base_url: string;
          campaigns_base_url: string;
          keys: { key: string }[];
        };
        const pointed = pointedAt(line.base_url, line.campaigns_base_url, line.keys[0]!.key);
        return { mock, env: { BPOS_HOME: home, ...pointed } };
      };
      const status = ["campaign", "status", "--ref", "r", "--json"];
      const recipients = join(home, "ana.csv");
      writeFileSync(recipients, "telefono\n+5491155501234\n");
      const argvSend = ["campaign", "send", recipients, "--template", "aviso_simple", "--ref", "r", "--yes"];
      const one = await serve(nodes[from]);
      expect(await runBinary(argvSend, { env: one.env, node: nodes[from] })).toMatchObject({ code: 0 });
      await one.mock.stop("SIGKILL");
      const { mock, env } = await serve(nodes[to]);
      expect(await runBinary(status, { env, node: nodes[to] })).toMatchObject({ code: 0, stderr: "" });
      expect(await mock.stop("SIGINT")).toBe(0);
    },
  );
});

describe("Node 24", () => {
  it("runs the command and the mock of the library without libsql, and says nothing on standard error", async () => {
    const from = temporaryFolder();
    for (const part of ["bin", "dist", "package.json", "fixtures"])
      cpSync(join(root, part), join(from, part), { recursive: true });
    const env = { BPOS_HOME: temporaryFolder(), ...pointedAt("http://127.0.0.1:9") };
    const node = nodes["node:sqlite"];
    const run = await runBinary(["catalog", "history", "--json"], { env, node, from });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const library = `import { startMock } from "bpos/mock"; await (await startMock({ data: "world.db" })).close();`;
    writeFileSync(join(from, "library.mjs"), library);
    const child = spawn(node, ["library.mjs"], { cwd: from, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    expect((await once(child, "close"))[0]).toBe(0);
    expect(said).toBe("");
  });

  it("passes the tests of the journal, the world, pushes, doctor and kills with its own SQLite", async () => {
    const files = [
      "test/sqlite.test.ts",
      "test/journal",
      "test/mock/world-file",
      "test/catalog/sending/send-batches",
    ];
    const kills = ["kill.test.ts", "push-kills", "send-kills", "watch.test.ts"].map(
      (name) => `test/binary/${name}`,
    );
    const argv = ["run", ...files, "test/maintenance/doctor/journal", ...kills];
    const env = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"));
    const child = spawn(nodes["node:sqlite"], ["node_modules/vitest/vitest.mjs", ...argv], {
      cwd: root,
      env: Object.fromEntries(env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill());
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    const [code] = (await once(child, "close")) as [number | null];
    expect(code, said).toBe(0);
  }, 600_000);
});
