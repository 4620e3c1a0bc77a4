import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { fixture, shell, temporaryFolder } from "../support/run.ts";

it.each<[number, string[], RegExp]>([
  [0, ["--mock", "orders", "list", "--status", "rechazado", "--json"], /"total": ?[1-9]/],
  [3, ["--mock", "catalog", "push", fixture("catalog.csv"), "--json"], /"rejected"/],
])("ends with %i: %j", async (exit, argv, out) => {
  const { code, stdout } = await runBinary(argv, { env: { BPOS_HOME: temporaryFolder() } });
  expect(code).toBe(exit);
  expect(JSON.parse(stdout)).toBeTypeOf("object");
  expect(stdout).toMatch(out);
});

// Effects of loading a file must not be missed where files are loaded at their first use.
it.each([["openapi"], ["help", "errors"], ["orders", "list", "--mock", "--fields"], ["completion", "zsh"]])(
  "says the same built as in its source: %s",
  async (...argv) => {
    const world = { env: { BPOS_HOME: temporaryFolder() } };
    const { code, stdout } = await runBinary(argv, world);
    expect({ code, stdout }).toEqual(await shell(world)(argv).then(({ code, stdout }) => ({ code, stdout })));
  },
);

it("ends with 9 when the profile file cannot be read, and repeats nothing of it", async () => {
  const folder = temporaryFolder();
  const text = '{"profiles": {"a": {"api_key": "bpk_secret_1234"';
  writeFileSync(join(folder, "config.json"), text, { mode: 0o600 });
  const { code, stderr } = await runBinary(["orders", "list"], { env: { BPOS_HOME: folder } });
  expect(code).toBe(9);
  expect(stderr).toContain("config.json");
  expect(stderr).not.toContain("bpk_secret_1234");
});
