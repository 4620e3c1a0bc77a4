import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { program } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";
import { listening } from "../support/server.ts";

const execute = promisify(execFile);

/** Of util-linux: it gives a command a terminal. */
const hasScript = ((): boolean => {
  try {
    return /util-linux/.test(execFileSync("script", ["--version"], { encoding: "utf8" }));
  } catch {
    return false;
  }
})();

it.runIf(hasScript)(
  "on a terminal no command waits for a registry, and the next one says what it answered",
  async () => {
    const asked: string[] = [];
    let answer = (): void => undefined;
    const registry = createServer(({ url = "" }, response) => {
      asked.push(url);
      answer = () => void response.end(JSON.stringify({ version: "99.0.0" }));
    });
    const npm_config_registry = `http://127.0.0.1:${await listening(registry)}`;
    const home = temporaryFolder();
    writeFileSync(join(home, "config.json"), JSON.stringify({ update_check: true }), { mode: 0o600 });
    const env = { PATH: process.env["PATH"], BPOS_HOME: home, npm_config_registry, TERM: "xterm" };
    const list = async (): Promise<string> => {
      const line = [...program.map((word) => `"${word}"`), "profile list"].join(" ");
      return (await execute("script", ["-qec", line, "/dev/null"], { env })).stdout;
    };

    // The registry has not answered, and will not before this has ended.
    expect(await list()).not.toContain("99.0.0");
    const wait = { timeout: 20_000, interval: 20 };
    await vi.waitFor(() => expect(asked).toEqual(["/bpos/latest"]), wait);
    answer();
    const known = join(home, "cache", "update.json");
    await vi.waitFor(
      () => expect(existsSync(known) && readFileSync(known, "utf8")).toContain("99.0.0"),
      wait,
    );
    expect(await list()).toMatch(/\r\nbpos 99\.0\.0 is available; .*\r\n$/);
    expect(await list()).not.toContain("99.0.0");
    expect(asked).toHaveLength(1);
  },
);
