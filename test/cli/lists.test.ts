import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { people, phone, send } from "../support/campaigns.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

/** A home with a profile, and a branch with orders, pushes and sends; and one with nothing of all that. */
async function homes() {
  const { mock, env } = await service({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
  const folder = temporaryFolder();
  const file = join(folder, "prices.csv");
  writeFileSync(file, "codigo,nombre,precio\nA,Agua,1\n");
  await mock.control.placeOrders({ count: 25 });
  const full = shell({ env });
  for (const argv of [
    ["catalog", "push", file],
    ["catalog", "delete", "A"],
    send(people(2), "--yes", "--ref", "enero"),
    ["profile", "add", "a", "--no-check", "--base-url", "http://127.0.0.1:9", "--api-key-file", "-"],
  ])
    expect((await full(argv, { stdin: "bpk_demo_centro" })).code, argv.join(" ")).toBe(0);
  const other = await service({ scenario: "empty" });
  return { mock, full, bare: shell({ env: { ...other.env, BPOS_API_KEY: "bpk_demo_norte" } }) };
}

const lists: Readonly<Record<string, number>> = {
  "orders list": 20,
  "orders list --all": 25,
  "orders list --fields order_id,total": 20,
  "catalog history": 2,
  "campaign list": 1,
  "profile list": 1,
};

it("in a pipe a list is one heading line and its rows, empty or not, and nothing else anywhere", async () => {
  const { mock, full, bare } = await homes();
  const linesOf = async (run: typeof full, line: string): Promise<string[]> => {
    const { code, stdout, stderr } = await run(line.split(" "));
    expect({ code, stderr }, line).toEqual({ code: 0, stderr: "" });
    expect(stdout.endsWith("\n"), line).toBe(true);
    return stdout.slice(0, -1).split("\n");
  };
  for (const [line, rows] of Object.entries(lists)) {
    const [heading, ...found] = await linesOf(full, line);
    expect(found, line).toHaveLength(rows);
    expect(found, line).not.toContain("");
    const names = heading?.split(/ {2,}/)[0]?.trim() ?? "";
    const [only, ...none] = await linesOf(bare, line);
    expect([only?.trim().startsWith(names), none], line).toEqual([true, []]);
  }
  await mock.control.addFault("POST /v1/catalog/items status=500");
  expect(await linesOf(full, `mock fault --list --url ${mock.baseUrl}`)).toHaveLength(2);
  expect(await linesOf(full, `campaign find ${phone(1)}`)).toHaveLength(2);
});

it("where only standard error is a terminal, title and notes go there, unless -q", async () => {
  const { full } = await homes();
  // Ages are the same in each run.
  const clock = fakeClock(Date.now());
  const piped = { terminal: 100, piped: true, clock } as const;
  for (const line of Object.keys(lists)) {
    const plain = await full(line.split(" "), { clock });
    const { stdout, stderr } = await full(line.split(" "), piped);
    expect(stdout, line).toBe(plain.stdout);
    const whole = await full(line.split(" "), { terminal: 100, clock, env: { NO_COLOR: "1" } });
    const first = whole.stdout.split("\n")[0] ?? "";
    expect(first, line).not.toBe("");
    expect((await full(line.split(" "), { ...piped, env: { NO_COLOR: "1" } })).stderr, line).toContain(first);
    expect(stderr, line).not.toContain(plain.stdout.split("\n")[0]);
    expect((await full([...line.split(" "), "-q"], piped)).stderr, line).toBe("");
  }
});
