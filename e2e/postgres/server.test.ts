import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { root } from "../../test/support/run.ts";
import { database, server } from "../support/postgres.ts";
import type { PostgresServer } from "../support/postgres-server.ts";

it("each database of a test is new, sorts by bytes unless it is told, and asks for the password", async () => {
  const { psql, url, terminateBackends } = await database();
  const sorted = "SELECT 'B' < 'a' AS bytes, current_setting('fsync') AS fsync";
  expect(await psql(sorted)).toEqual([{ bytes: true, fsync: "on" }]);
  expect(await (await database({ locale: "es" })).psql(sorted)).toMatchObject([{ bytes: false }]);
  expect(await psql("SELECT 1 FROM pg_namespace WHERE nspname = 'bpos'")).toEqual([]);
  expect(await terminateBackends()).toBe(0);
  const client = new pg.Client(url.replace(/:[^:]+@/, ":guessed@"));
  await expect(client.connect()).rejects.toThrow("password authentication failed");
});

it("a server of a test's own can be told how to be, and comes back after a stop", async () => {
  const own = await server("max_connections = 7");
  await own.restart("immediate");
  expect(await own.psql("SHOW max_connections")).toEqual([{ max_connections: "7" }]);
});

it.each(["SIGINT", "SIGKILL"] as const)(
  "ends with the process that started it, also by %s",
  async (signal) => {
    const script = `
    import { startServer } from "./e2e/support/postgres-server.ts";
    console.log(JSON.stringify((await startServer()).server));
    setInterval(() => undefined, 1_000);`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      cwd: root,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { folder, port } = JSON.parse(line) as PostgresServer;
    expect(existsSync(join(folder, "data/postmaster.pid"))).toBe(true);
    child.kill(signal);
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), { timeout: 10_000 });
    const reached = once(createConnection(port, "127.0.0.1"), "connect");
    await expect(reached).rejects.toThrow("ECONNREFUSED");
  },
);
