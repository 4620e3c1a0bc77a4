import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runBinary, startBinary } from "../support/binary.ts";
import { shell } from "../support/run.ts";
import { service } from "../support/service.ts";
import { newIds } from "../support/watch.ts";
import { folderOnC, recorder, runBatch, userOfWindows } from "./windows.ts";

const ndjson = ["-o", "ndjson"];

it.each([
  ["orders", "list", "--json"],
  ["orders", "list"],
  ["completion", "powershell"],
  ["--lang", "es", "help", "orders", "watch"],
])("says the same as on Linux: %s %s %s", async (...argv) => {
  const { env } = await service({ clock: "2026-01-01T12:00:00-03:00" });
  const run = await runBinary(argv, {
    env: { ...env, ...userOfWindows(), TZ: "America/Argentina/Buenos_Aires" },
  });
  expect(run).toEqual(await shell({ env })(argv));
});

it("delivers each order once, to a file that a shell of Windows opened, and to the next program", async () => {
  const { env } = await service();
  const folder = folderOnC();
  const { line, read } = recorder(folder);
  const world = { cwd: folder, env: { ...env, ...userOfWindows(folder), RECORD: line } };
  const watch = '"%BPOS%" orders watch --once -o ndjson';
  const lines = [`${watch} > 1.ndjson`, `${watch} > 2.ndjson`, `${watch} --consumer b | %RECORD%`];
  const run = await runBatch(lines, world);
  expect(run.code, run.stderr).toBe(0);
  const [first, second] = ["1.ndjson", "2.ndjson"].map((name) => ({
    stdout: readFileSync(join(folder, name), "utf8"),
  }));
  expect(newIds(first!).length).toBeGreaterThan(1);
  expect(second).toEqual({ stdout: "" });
  expect(newIds({ stdout: read()[0]!.input })).toEqual(newIds(first!));
});

it("lets one watch of a consumer run at a time, and the next one as soon as that is killed", async () => {
  const { env } = await service();
  const world = { env: { ...env, ...userOfWindows() } };
  const argv = ["orders", "watch", "--interval", "1s", "--force", ...ndjson];
  const first = startBinary(argv, world);
  await first.said("order.new");
  const second = await runBinary(argv, world);
  expect(second.code, second.stderr).toBe(9);
  await first.stop("SIGKILL");
  const third = await runBinary(["orders", "watch", "--once", ...ndjson], world);
  expect(third.code, third.stderr).toBe(0);
});

describe("the mock", () => {
  it("shows the whole tour by itself", async () => {
    const tour = await runBinary(["demo", "--yes"], { env: userOfWindows() });
    expect(tour.code, tour.stderr).toBe(0);
  });

  it("runs, and is found by other commands", async () => {
    const world = { env: userOfWindows() };
    const mock = startBinary(["mock", "--port", "0", "-o", "json"], world);
    await mock.said("base_url");
    const { base_url } = JSON.parse(mock.out()) as { base_url: string };
    const made = await runBinary(["mock", "order", "--count", "2"], world);
    expect(made.code, made.stderr).toBe(0);
    const list = await runBinary(["orders", "list", "--json"], {
      env: { ...world.env, BPOS_MOCK: base_url },
    });
    expect(list.code, list.stderr).toBe(0);
    await mock.stop("SIGKILL");
  });
});
