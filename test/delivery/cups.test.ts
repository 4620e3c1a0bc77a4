import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { shell, temporaryFolder } from "../support/run.ts";
import { listening } from "../support/server.ts";
import { virtualPrinter } from "../support/virtual-printer.ts";

const cupsd = "/usr/sbin/cupsd";
const isThere = existsSync(cupsd) && process.geteuid?.() === 0;

afterEach(() => vi.unstubAllEnvs());

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts CUPS itself on loopback, with everything it keeps in a folder of the test; the environment points to it. */
async function startCups(): Promise<void> {
  const folder = temporaryFolder();
  // The program that sends a job to the printer runs as another user.
  chmodSync(folder, 0o755);
  for (const name of ["etc", "spool", "spool/tmp", "run", "cache"]) mkdirSync(join(folder, name));
  const server = `127.0.0.1:${await freePort()}`;
  const open = ["/", "/admin"].map((path) => `<Location ${path}>\nAllow all\n</Location>`);
  const policy = "<Policy default>\n<Limit All>\nAllow all\n</Limit>\n</Policy>";
  const [conf, files] = [join(folder, "etc/cupsd.conf"), join(folder, "etc/cups-files.conf")];
  writeFileSync(
    conf,
    [`Listen ${server}`, "Browsing Off", "DefaultAuthType None", ...open, policy, ""].join("\n"),
  );
  const places = [
    ...[`ServerRoot ${folder}/etc`, `RequestRoot ${folder}/spool`, `TempDir ${folder}/spool/tmp`],
    ...[`StateDir ${folder}/run`, `CacheDir ${folder}/cache`],
    ...["ErrorLog", "AccessLog", "PageLog"].map((log) => `${log} ${folder}/${log}`),
  ];
  writeFileSync(files, `${places.join("\n")}\n`);
  const child: ChildProcess = spawn(cupsd, ["-f", "-c", conf, "-s", files], { stdio: "ignore" });
  onTestFinished(async () => {
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
  });
  vi.stubEnv("CUPS_SERVER", server);
}

/** Returns the output of a program of CUPS, once CUPS is there to answer. */
function ask(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
}

describe.skipIf(!isThere)("a real CUPS (as root, with Debian's packages cups and cups-client)", () => {
  it("has a queue that is printed on, byte for byte", { timeout: 60_000 }, async () => {
    await startCups();
    const soon = { timeout: 20_000, interval: 100 };
    await expect.poll(() => ask("lpstat", "-r"), soon).toContain("scheduler is running");
    const printer = await virtualPrinter();
    ask("lpadmin", "-p", "kitchen", "-E", "-v", `socket://127.0.0.1:${printer.port}`, "-m", "raw");
    const run = shell();
    expect(await run(["printer", "test", "lp:kitchen"])).toMatchObject({ code: 0 });
    await printer.printed(1);

    const file = join(temporaryFolder(), "paper");
    await run(["printer", "test", `file:${file}`]);
    await expect.poll(() => printer.jobs[0]?.toString("latin1"), soon).toBe(readFileSync(file, "latin1"));
    const refused = await run(["printer", "test", "lp:nowhere"]);
    expect(refused.stderr.replace(/\s+/g, " ")).toContain("does not exist");
  });
});
