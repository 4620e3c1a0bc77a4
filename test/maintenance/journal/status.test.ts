import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { branchId } from "../../../src/journal/records/branches.ts";
import { people, send } from "../../support/campaigns.ts";
import { journalOf } from "../../support/journal.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

const status = (...more: string[]): string[] => ["journal", "status", ...more];

interface Status {
  exists: boolean;
  subjects: { subject: string; entries: number; pending: number; oldest: string | null }[];
  locks: Record<string, unknown>[];
}

describe("journal status", () => {
  it("counts what is kept and what is pending, and names who holds a lock for which branch", async () => {
    const { env } = await service();
    const home = temporaryFolder();
    const run = shell({ env: { ...env, BPOS_HOME: home, NO_COLOR: "1" } });
    await run(send(people(3), "--yes"));
    const journal = await journalOf(home);
    const { stdout } = await run(status("--json"));
    const before = JSON.parse(stdout) as Status;
    const of = (name: string) => before.subjects.find(({ subject }) => subject === name);
    expect(of("recipients")).toMatchObject({ entries: 3, pending: 0 });
    expect(of("sends")).toMatchObject({
      entries: 1,
      pending: 0,
      oldest: expect.stringMatching(/^20/) as string,
    });
    expect(of("orders")).toEqual({ subject: "orders", entries: 0, pending: 0, oldest: null });
    expect(before.locks).toEqual([]);

    const [apiKey, address] = ["bpk_centro_1", "https://api.example.com/v1"];
    const profiles = { centro: { api_key: apiKey, base_url: address } };
    writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
    await journal.under({ work: "push", branch: branchId({ address, apiKey, world: undefined }) });
    await journal.under({ work: "listen", branch: "all" });
    await journal.under({ work: "watch", branch: "0123456789abcdef", consumer: "cocina 2" });
    const { locks } = JSON.parse((await run(status("--json"))).stdout) as Status;
    expect(locks).toMatchObject([
      { work: "listen", branch: null, branch_id: null, consumer: null, host: "caja-1", pid: 4711 },
      { work: "push", branch: "centro" },
      { work: "watch", branch: null, branch_id: "0123456789abcdef", consumer: "cocina 2" },
    ]);
    const table = (await run(status(), { terminal: 100 })).stdout;
    expect(table).toMatch(/orders watch\s+01234567\s+cocina 2\s+caja-1:4711/);
    expect((await run(status("-o", "csv", "--fields", "subject,entries"))).stdout).toContain(
      "recipients,3\r\n",
    );
  });

  it("names who has not got which orders, also where nobody watches any more", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const run = shell({ env: { ...env, BPOS_HOME: temporaryFolder(), NO_COLOR: "1" } });
    await mock.control.placeOrders({ count: 3 });
    expect((await run(status(), { terminal: 80 })).stdout).not.toContain("pending for an output");
    const fails = "exit 1";
    await run(["orders", "watch", "--once", "-q", "--exec", fails, "--consumer", "cocina"]);
    const { owed } = JSON.parse((await run(status("--json"))).stdout) as { owed: unknown };
    expect(owed).toMatchObject([
      { branch_id: expect.any(String) as string, consumer: "cocina", output: "exec", orders: 3, changes: 0 },
    ]);
    const { stdout } = await run(status(), { terminal: 80 });
    expect(stdout).toMatch(/\w+\s+cocina\s+exec\s+3\s+0/);
    expect(stdout).toMatch(/bpos\s+orders\s+forget/);
  });

  it("makes no journal where there is none", async () => {
    const home = temporaryFolder();
    const run = shell({ env: { BPOS_HOME: home } });
    const { code, stdout } = await run(status());
    expect([code, stdout.split(":")[0]]).toEqual([0, "No journal yet"]);
    expect(JSON.parse((await run(status("--json"))).stdout)).toMatchObject({ exists: false, subjects: [] });
    expect(existsSync(join(home, "state"))).toBe(false);
  });
});
