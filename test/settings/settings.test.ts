import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixture, shell, temporaryFolder } from "../support/run.ts";
import { on, reply, type ScriptedServer, scriptedServer } from "../support/scripted-server.ts";
import { service } from "../support/service.ts";

const empty = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
const oneList = (): Promise<ScriptedServer> => scriptedServer(on("GET /v1/orders", reply(empty)));
const keyOf = ({ requests }: ScriptedServer): unknown => requests[0]?.headers["x-api-key"];

/** A home with one profile `centro` at that address. */
function homeWith(url: string, more: object = {}): Record<string, string> {
  const folder = temporaryFolder();
  const profiles = { centro: { api_key: "bpk_profile", base_url: url, campaigns_base_url: url, ...more } };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ default: "centro", profiles }), {
    mode: 0o600,
  });
  return { BPOS_HOME: folder };
}

const nowhere = "http://127.0.0.1:9";
/** Runs `bpos orders list` with this environment. */
const listed = (env: Record<string, string>, ...flags: string[]) =>
  shell({ env })([...flags, "orders", "list"]);

describe("flag, then environment, then profile", () => {
  it("uses the default profile when nothing else is said", async () => {
    const server = await oneList();
    expect((await shell({ env: homeWith(server.url) })(["orders", "list"])).code).toBe(0);
    expect(keyOf(server)).toBe("bpk_profile");
  });

  it("lets an explicit -p win over a stray key in the environment", async () => {
    const server = await oneList();
    await listed({ ...homeWith(server.url), BPOS_API_KEY: "bpk_stray" }, "-p", "centro");
    expect(keyOf(server)).toBe("bpk_profile");
  });

  it("lets flags win over everything, the key from a file or standard input", async () => {
    const server = await scriptedServer(
      on("GET /v1/orders", reply(empty)),
      on("GET /v1/orders", reply(empty)),
    );
    const file = join(temporaryFolder(), "key");
    writeFileSync(file, "bpk_file\n");
    const run = shell({ env: { ...homeWith("http://127.0.0.1:9"), BPOS_API_KEY: "bpk_env" } });
    await run(["orders", "list", "--base-url", server.url, "--api-key-file", file]);
    await run(["orders", "list", "--base-url", server.url, "--api-key-file", "-"], { stdin: "bpk_stdin\n" });
    expect(server.requests.map(({ headers }) => headers["x-api-key"])).toEqual(["bpk_file", "bpk_stdin"]);
  });

  it("marks what works offline too: the check of a catalog and the settings of a sandbox profile", async () => {
    const env = homeWith("http://127.0.0.1:9", { sandbox: true });
    const run = shell({ env });
    const firstLine = async (...argv: string[]): Promise<string | undefined> =>
      (await run(argv)).stdout.split("\n")[0];
    const check = ["catalog", "check", fixture("catalog.csv")];
    expect(await firstLine(...check)).toMatch(/^SANDBOX · /);
    expect(await firstLine("profile", "show")).toMatch(/^SANDBOX · /);
    expect(await firstLine("--mock", ...check)).toMatch(/^MOCK · /);
    const live = homeWith("http://127.0.0.1:9");
    for (const argv of [check, ["profile", "show"]])
      expect((await shell({ env: live })(argv)).stdout).not.toMatch(/SANDBOX · |MOCK · /);
  });

  it("takes BPOS_MOCK=1 as --mock, and never sends a real key there", async () => {
    const env = { BPOS_MOCK: "1", BPOS_API_KEY: "bpk_live_real" };
    const { code, stdout } = await shell()(["orders", "list"], { env, terminal: 100 });
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toContain("MOCK");
  });

  it("begins afresh with a running mock that was reset, since its orders have the same numbers again", async () => {
    const { mock } = await service();
    const run = shell({ env: { BPOS_MOCK: mock.baseUrl } });
    const watched = async (): Promise<number> =>
      (await run(["orders", "watch", "--once", "-o", "ndjson"])).stdout.split("\n").length - 1;
    expect([await watched(), await watched()]).toEqual([4, 0]);
    await mock.control.reset();
    expect(await watched()).toBe(4);
  });
});

describe("what is missing", () => {
  it("names the three ways to give a key, one of them --mock, and ends with 4", async () => {
    const { code, stderr } = await listed({ BPOS_BASE_URL: nowhere });
    expect(code).toBe(4);
    for (const way of ["BPOS_API_KEY", "-p", "--mock"]) expect(stderr).toContain(way);
  });

  it("lists the profiles that exist when one does not", async () => {
    const { code, stderr } = await listed(homeWith(nowhere), "-p", "norte");
    expect(code).toBe(11);
    expect(stderr).toContain("norte");
    expect(stderr).toContain("centro");
  });
});
