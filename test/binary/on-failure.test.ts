import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runBinary, startBinary } from "../support/binary.ts";
import { fileOf } from "../support/push.ts";
import { temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { sized } from "../support/soak.ts";

/** Writes down what the command of --on-failure is given, the whole of its environment included. */
const note = "{ env; echo; cat; } > note";

/** As cron has it: nothing in the environment, and the key in a file. */
async function cron() {
  const { mock, env } = await service();
  const [{ key } = { key: "" }] = mock.keys;
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "key"), key, { mode: 0o600 });
  const { BPOS_API_KEY: _, ...addresses } = env;
  const world = { cwd, env: { ...addresses, BPOS_HOME: cwd } };
  const flags = (line: string): string[] => ["--api-key-file", "key", "--on-failure", line];
  const noted = (): [environment: string, input: string] | undefined => {
    if (!existsSync(join(cwd, "note"))) return undefined;
    const [environment = "", ...input] = readFileSync(join(cwd, "note"), "utf8").split("\n\n");
    return [environment, input.join("\n\n")];
  };
  const run = (argv: readonly string[], line = note) => runBinary([...argv, ...flags(line)], world);
  return {
    run,
    noted,
    key,
    start: (argv: readonly string[]) => startBinary([...argv, ...flags(note)], world),
  };
}

const header = "codigo,nombre,precio";
const bad = (): string[] => ["catalog", "push", fileOf(header, "A,Agua,abc", "B,Bife,1")];

it("gets the report of a command that failed, and never its key", async () => {
  const { run, noted, key } = await cron();
  const { code, stdout } = await run(bad());
  expect(code).toBe(3);
  const [environment, input] = noted()!;
  expect(input).toBe(stdout);
  for (const line of ["BPOS_EXIT_CODE=3", "BPOS_OUTCOME=partial", "BPOS_COMMAND=catalog push"])
    expect(environment.split("\n")).toContain(line);
  expect(environment).not.toContain(key);
  expect(environment).not.toContain("BPOS_API_KEY");
});

it("is not run for a line that cannot be parsed", async () => {
  const { run, noted } = await cron();
  expect((await run(["catalog", "push", "a.csv", "--frist"])).code).toBe(2);
  expect(noted()).toBeUndefined();
});

it.each((["SIGINT", "SIGTERM"] as const).slice(0, sized(1, 2)))("is not run after %s", async (signal) => {
  const { start, noted } = await cron();
  const watch = start(["orders", "watch"]);
  await watch.said("Watching");
  expect(await watch.stop(signal)).toBe(130);
  expect(noted()).toBeUndefined();
});

it("a large report arrives whole, or need not be read", async () => {
  const many = sized(1_000, 5_000);
  const rows = Array.from({ length: many }, (_, n) => `P${n},Product ${n},consultar`);
  const { run, noted } = await cron();
  const large = ["catalog", "push", fileOf(header, ...rows), "--json"];
  const { stdout } = await run(large);
  const [, input] = noted()!;
  expect(input).toBe(stdout);
  expect((JSON.parse(input) as { rejected: object[] }).rejected).toHaveLength(many);
  expect(await run(large, "exec true")).toMatchObject({ code: 3, stderr: "" });
});
