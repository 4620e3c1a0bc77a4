import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { runBinary } from "../support/binary.ts";
import { fileOf } from "../support/push.ts";
import { fixture, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { sized } from "../support/soak.ts";
import { logTime } from "../support/watch.ts";

it("runs in an environment that holds next to nothing, without HOME or a terminal", async () => {
  const { env, mock } = await service({ scenario: "empty" });
  const file = fileOf("codigo,nombre,precio", "A,Agua,1.50", "B,Bife,2.50");
  const folder = temporaryFolder();
  const bare = { ...env, PATH: "", XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const argv = ["catalog", "push", file, "--changed-only", "-q"];
  for (let n = 0; n < 2; n++)
    expect(await runBinary(argv, { env: bare })).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await mock.control.catalog("demo")).toHaveLength(2);
});

/** A user whom the machine does not know, and who has no home. */
const nobody = { uid: 54_321, gid: 54_321 };

/** A working folder that cannot be written, and a user without a home; who may not become one gets a home that cannot be. */
function readOnlyPlace() {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "file"), "");
  chmodSync(cwd, 0o555);
  if (process.getuid?.() === 0) return { cwd, as: nobody, env: {} };
  return { cwd, env: { BPOS_HOME: join(cwd, "file", "home") } };
}

const prices = fixture("catalog.csv");
const send = ["campaign", "send", fixture("recipients.csv"), "--template", "pedido_listo"];
const add = [..."profile add a --base-url http://127.0.0.1:9 --no-check --key-command".split(" "), "echo k"];
type Row = [exit: keyof typeof exitCodes, argv: string[], where?: "nowhere"];

/** Commands that can do their work there, mostly with a service that answers. */
const working: readonly Row[] = [
  ["ok", ["orders", "list"]],
  ["partial", ["catalog", "push", prices, "--dry-run"]],
  ["ok", ["--mock", "orders", "list"], "nowhere"],
  ["partial", ["catalog", "check", prices]],
  ["ok", ["profile", "list"]],
  ["ok", ["profile", "show"]],
  ["ok", ["help", "files"]],
];

/** Commands that cannot. */
const failing: readonly Row[] = [
  ["config", ["orders", "watch", "--once"]],
  ["config", ["catalog", "push", prices]],
  ["config", [...send, "--yes"]],
  ["usage", ["catalog", "check", prices, "--fixed", "file/fixed.csv"]],
  ["config", add],
  ["config", ["mock", "--port", "0", "--data", "file/world.db"]],
  ["denied", ["orders", "list"], "nowhere"],
  ["not_found", ["orders", "show", "77"]],
  ["config", ["catalog", "delete", "A"]],
  ["config", ["catalog", "history"]],
  ["not_found", ["campaign", "status", "cmp_0"]],
  ["config", ["campaign", "list"]],
  ["config", ["campaign", "resume"]],
  ["config", ["campaign", "listen", "--port", "0"]],
  ["usage", ["init"]],
  ["not_found", ["profile", "use", "a"]],
  ["not_found", ["profile", "rename", "a", "b"]],
  ["not_found", ["profile", "remove", "a"]],
  ["config", ["demo"]],
  ["config", ["mock", "order"], "nowhere"],
];

describe("where nothing can be written, without a home, a terminal or anything in the environment", () => {
  it.each<Row>(working.slice(0, sized(1, 99)))("does its work (%s): %j", async (exit, argv, where) => {
    const { env } = await service();
    const place = readOnlyPlace();
    const run = await runBinary(argv, { ...place, env: { ...(where ? {} : env), ...place.env } });
    expect(run.code).toBe(exitCodes[exit]);
    expect(run.stderr).not.toMatch(/Error|^ +at /m);
  });

  it.each<Row>(failing.slice(0, sized(1, 99)))(
    "says in some lines why not, or in one of JSON (%s): %j",
    async (exit, argv, where) => {
      const { env } = await service();
      const place = readOnlyPlace();
      const asJson = ["-o", /watch|listen/.test(argv.join()) ? "ndjson" : "json"];
      const lines = [[], asJson].map(async (more) => {
        const world = { ...place, env: { ...(where ? {} : env), ...place.env } };
        const { code, stdout, stderr } = await runBinary([...argv, ...more], world);
        expect([code, stdout]).toEqual([exitCodes[exit], ""]);
        if (exit === "config" && !argv.includes("--data")) expect(stderr).toContain("BPOS_HOME");
        // The status of a campaign does without the journal, and says so before.
        return stderr.replace(logTime, "").replace(/^Warning: .+\n/, "");
      });
      const [text, json] = await Promise.all(lines);
      expect(text).toMatch(/^Error: .+\n(?:Why: {3}.+\n)?Next: {2}.+\n(?:Nothing was sent\.\n)?$/);
      expect(JSON.parse(json!)).toMatchObject({
        error: { code: exit, message: expect.any(String) as string },
      });
    },
  );

  it("the check-up tells it in a row of its own", async () => {
    const { env } = await service();
    const place = readOnlyPlace();
    const { code, stdout, stderr } = await runBinary(["doctor", "--json"], {
      ...place,
      env: { ...env, ...place.env },
    });
    const { checks } = JSON.parse(stdout) as { checks: { status: string; remedy: string | null }[] };
    const failed = checks.filter(({ status }) => status === "fail");
    expect({ code, stderr }).toEqual({ code: exitCodes.config, stderr: "" });
    expect(failed.map(({ remedy }) => remedy).join()).toContain("BPOS_HOME");
  });
});
