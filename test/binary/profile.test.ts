import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

it("loses no profile when several processes write at once", async () => {
  const home = join(temporaryFolder(), "home");
  const names = ["a", "b", "c", "d"];
  const argv = ["--base-url", "http://127.0.0.1:9", "--api-key-file", "-", "--no-check", "-q"];
  const runs = await Promise.all(
    names.map((name) =>
      runBinary(["profile", "add", name, ...argv], {
        env: { BPOS_HOME: home },
        stdin: "bpk_test_0123456789",
      }),
    ),
  );
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, ""]));
  const { profiles } = JSON.parse(readFileSync(join(home, "config.json"), "utf8")) as { profiles: object };
  expect(Object.keys(profiles).toSorted()).toEqual(names);
});

it("leaves what a key_command says on standard error to the person, and what it prints to itself", async () => {
  const { mock } = await service();
  const home = join(temporaryFolder(), "home");
  mkdirSync(home, { mode: 0o700 });
  const centro = { key_command: "echo unlocked >&2; echo bpk_demo_centro", base_url: mock.baseUrl };
  const content = JSON.stringify({ default: "centro", profiles: { centro } });
  writeFileSync(join(home, "config.json"), content, { mode: 0o600 });
  const { code, stdout, stderr } = await runBinary(["orders", "list", "--json"], {
    env: { BPOS_HOME: home },
  });
  expect([code, stderr]).toEqual([0, "unlocked\n"]);
  expect(JSON.parse(stdout)).toMatchObject({ total: 4 });
  expect(stdout).not.toContain("bpk_demo_centro");
});
