import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { fileOf } from "../support/push.ts";
import { fixture, type Run, shell, temporaryFolder, type World } from "../support/run.ts";
import { service } from "../support/service.ts";

const prices = fixture("catalog.csv");
const send = ["campaign", "send", fixture("recipients.csv"), "--template", "pedido_listo", "--yes"];
const bad = (): string[] => ["catalog", "push", fileOf("codigo,nombre,precio", "A,Agua,abc", "B,Bife,1")];

/** A shell whose commands note what --on-failure gives them. */
async function failing(fault?: string) {
  const { mock, env } = await service();
  if (fault !== undefined) await mock.control.addFault(`${fault} drop times=9`);
  const file = join(temporaryFolder(), "note");
  const note = `{ echo "$BPOS_COMMAND $BPOS_EXIT_CODE $BPOS_OUTCOME"; cat; } > '${file}'`;
  const base = shell({ env });
  const run = (argv: readonly string[], line = note, world: World = {}): Promise<Run> =>
    base([...argv, "--on-failure", line], world);
  const noted = (): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  return { run, noted };
}

it.each([
  ["catalog push 3 partial", ["catalog", "push", prices]],
  ["catalog push 3 partial", ["catalog", "push", prices, "--json"]],
  ["catalog push 3 nothing", ["catalog", "push", prices, "--dry-run"]],
  ["catalog push 7 unknown", ["catalog", "push", prices, "--retries", "0"], "POST /v1/catalog/items"],
  ["campaign send 3 sent", send],
  ["campaign send 3 nothing", [...send, "--dry-run"]],
  ["campaign send 7 unknown", [...send, "--retries", "0"], "POST /campaigns"],
  ["orders watch 3 partial", ["orders", "watch", "--once", "--exec", "exit 3"]],
])("%s, with the report: %j", async (about, argv, fault?: string) => {
  const { run, noted } = await failing(fault);
  const { stdout } = await run(argv);
  expect(stdout).not.toBe("");
  expect(noted()).toBe(`${about}\n${stdout}`);
});

it("campaign resume, with the report", async () => {
  const { run, noted } = await failing("POST /campaigns");
  await run([...send, "--retries", "0"], "true");
  const { stdout } = await run(["campaign", "resume", "--retries", "0"]);
  expect(stdout).toMatch(/^Campaign resume · \S+ · \d{4}-\d\d-\d\d \d\d:\d\d\n/);
  expect(noted()).toBe(`campaign resume 7 unknown\n${stdout}`);
});

it.each([
  ["catalog push 2 usage", ["catalog", "push", "nowhere.csv"]],
  ["catalog push 2 usage", ["catalog", "push", prices, "--max-deactivate", "3", "--json"]],
  ["campaign send 2 usage", ["campaign", "send", prices]],
  ["orders watch 4 denied", ["orders", "watch"], { BPOS_API_KEY: "" }],
  ["orders watch 4 denied", ["orders", "watch"], { BPOS_API_KEY: "bpk_not_the_key" }],
])(
  "%s, with what standard error says where there is no report: %j",
  async (about, argv, env?: Record<string, string>) => {
    const { run, noted } = await failing();
    const { stdout, stderr } = await run(argv, undefined, env && { env });
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^(?:(?:\S+T\S+ )?Error: .+\n(?:(?:\S+T\S+ )?Why: .+\n)?(?:\S+T\S+ )?Next: .+|Nothing was sent\.|\{"error":.+)\n$/m,
    );
    expect(noted()).toBe(`${about}\n${stderr}`);
  },
);

it("not after a success", async () => {
  const { run, noted } = await failing();
  expect((await run(["orders", "watch", "--once"])).code).toBe(0);
  expect(noted()).toBeUndefined();
});

it("what a terminal shows in colour arrives without", async () => {
  const { run, noted } = await failing();
  const { stdout } = await run(bad(), undefined, { terminal: 80 });
  expect(stdout).toContain("\u001b[");
  expect(noted()).toBe(`catalog push 3 partial\n${stripVTControlCharacters(stdout)}`);
  await run(["catalog", "push", "nowhere.csv"], undefined, { terminal: 80 });
  expect(noted()).toMatch(/^catalog push 2 usage\nError: /);
});

it("its own failure is said with -q too, and changes no exit code", async () => {
  const { run } = await failing();
  const quiet = [...bad(), "-q"];
  expect(await run(quiet, "echo first >&2; echo no such host >&2; exit 5")).toMatchObject({
    code: 3,
    stderr: "Warning: the --on-failure command `echo` ended with exit code 5: no such host\n",
  });
  const missing = await run(quiet, "no-such-command-here");
  expect(missing.code).toBe(3);
  expect(missing.stderr).toMatch(
    /^Warning: the --on-failure command `no-such-command-here` ended with exit code 127: .*no-such-com/,
  );
  expect(await run(quiet, "true")).toMatchObject({ code: 3, stderr: "" });
  const spanish = await run([...quiet, "--lang", "es"], "kill -9 $$");
  expect(spanish.stderr).toBe("Atención: el comando de --on-failure `kill` terminó por SIGKILL.\n");
});

it("needs a command", async () => {
  const { run } = await failing();
  expect((await run(bad(), "")).code).toBe(2);
});
