import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";

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
