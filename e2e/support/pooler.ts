import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Database } from "./postgres.ts";
import { freePort, ordinaryUser, password } from "./postgres-server.ts";

/** Debian's, or that of the PATH; undefined where there is none. */
export const pgbouncer = ["/usr/sbin", ...(process.env["PATH"] ?? "").split(":")]
  .map((folder) => join(folder, "pgbouncer"))
  .find((file) => existsSync(file));

/** A PgBouncer before a database, whose clients may be `bpos`; returns the address through it. It ends with the test. */
export async function pooler({ url, name }: Database, ...settings: string[]): Promise<string> {
  const { port, hostname } = new URL(url);
  const own = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "bpos-pooler-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const inFolder = (file: string): string => join(folder, file);
  await writeFile(inFolder("users"), `"bpos" "${password}"\n`);
  const lines = [
    ...["[databases]", `${name} = host=${hostname} port=${port}`, "[pgbouncer]"],
    ...["listen_addr = 127.0.0.1", `listen_port = ${own}`, "unix_socket_dir ="],
    ...["auth_type = scram-sha-256", `auth_file = ${inFolder("users")}`],
    ...["default_pool_size = 4", ...settings],
  ];
  await writeFile(inFolder("ini"), `${lines.join("\n")}\n`);
  const as = ordinaryUser();
  if (as.uid !== undefined && as.gid !== undefined)
    for (const file of [folder, inFolder("users"), inFolder("ini")]) await chown(file, as.uid, as.gid);
  await chmod(folder, 0o700);
  const child = spawn(pgbouncer ?? "", ["-q", inFolder("ini")], {
    ...as,
    cwd: "/",
    env: {},
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const reaches = () =>
    new Promise<void>((resolve, reject) => {
      const socket = createConnection(own, "127.0.0.1", () => {
        socket.destroy();
        resolve();
      }).on("error", reject);
    });
  await vi.waitFor(reaches, { timeout: 10_000, interval: 20 });
  return Object.assign(new URL(url), { port: String(own) }).href;
}
