import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { childEnv, userShell, windowsProgram } from "../../src/system/child-env.ts";
import { openInBrowser, page } from "../../src/system/programs.ts";
import { realSystem } from "../../src/system.ts";
import { home } from "../support/profiles.ts";
import { temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

afterEach(() => vi.unstubAllEnvs());

const secrets = {
  BPOS_API_KEY: "bpk_demo_centro",
  BPOS_WEBHOOK_SECRET: "a-secret-of-the-webhook",
  BPOS_JOURNAL: "",
  PGPASSWORD: "a-password-of-postgres",
};

/** A program that keeps its environment in a file, under the names by which bpos starts programs, and this process with secrets in its environment. */
function traced() {
  const folder = temporaryFolder();
  const kept = join(folder, "kept");
  for (const name of ["lp", "notify-send", "xdg-open", "trace"]) {
    writeFileSync(join(folder, name), `#!/bin/sh\nenv > '${kept}.part'\nmv '${kept}.part' '${kept}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const PATH = `${folder}:${process.env["PATH"]}`;
  for (const [name, value] of Object.entries({ ...secrets, PATH, BPOS_LANG: "en" })) vi.stubEnv(name, value);
  const names = (): string[] => {
    if (!existsSync(kept)) return ["nothing ran"];
    const all = readFileSync(kept, "utf8").split("\n");
    return all
      .map((line) => line.split("=")[0] ?? "")
      .filter((name) => Object.hasOwn(secrets, name) || name === "BPOS_LANG");
  };
  return { env: { ...secrets, PATH }, names };
}

const all = [...Object.keys(secrets), "BPOS_LANG"].sort();
const { signal } = new AbortController();

describe.skipIf(process.platform === "win32")("secrets in the environment of bpos", () => {
  it("are not in that of a pager, a browser's opener and a notification", async () => {
    for (const start of [
      () => page("trace", "text"),
      () => openInBrowser("http://127.0.0.1:4010/"),
      () => realSystem().notify({ title: "Order 7", body: "Ana" }, signal),
    ]) {
      const { names } = traced();
      await start();
      expect(names()).toEqual(["BPOS_LANG"]);
      vi.unstubAllEnvs();
    }
  });

  it("are not in that of a printer's queue and a key_command; they are in that of --exec and --on-failure", async () => {
    const { mock, env: address } = await service({ scenario: "empty" });
    await mock.control.placeOrders({ count: 1 });
    const watch = ["orders", "watch", "--once"];
    for (const [expected, argv, profile] of [
      [["BPOS_LANG"], [...watch, "--consumer", "queue", "--printer", "lp:kitchen"], {}],
      [["BPOS_LANG"], ["-p", "a", "orders", "list"], { key_command: "trace; echo bpk_demo_centro" }],
      [all, [...watch, "--consumer", "exec", "--exec", "trace"], {}],
      [all, ["catalog", "push", "no-such.csv", "--on-failure", "trace"], {}],
    ] as const) {
      const { env, names } = traced();
      const { run, write } = home({ env: { ...env, ...address } });
      write({ profiles: { a: { base_url: mock.baseUrl, ...profile } } });
      await run([...argv]);
      expect(names().sort(), argv.join(" ")).toEqual(expected);
      vi.unstubAllEnvs();
    }
  });

  it("are known in any letters, as Windows takes them", () => {
    expect(childEnv({ Bpos_Api_Key: "1", Path: "p" }, { A: "b" })).toEqual({ Path: "p", A: "b" });
  });
});

it("names a program of Windows by its absolute path", () => {
  expect(windowsProgram({ SystemRoot: String.raw`D:\WINNT` }, "cmd.exe")).toBe(
    String.raw`D:\WINNT\System32\cmd.exe`,
  );
  expect(userShell("win32", {})).toBe(String.raw`C:\Windows\System32\cmd.exe`);
  expect(userShell("linux", {})).toBe(true);
});
