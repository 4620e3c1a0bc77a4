import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fakeClock } from "../support/fake-clock.ts";
import { fixedServer } from "../support/peers.ts";
import { fixture, shell, temporaryFolder } from "../support/run.ts";
import { pointedAt, service } from "../support/service.ts";

const key = "bpk_live_S3cretPart0123456789";

/** Every file below a folder, as text. */
function filesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

it.each([
  ["a service that works", 200],
  ["a service that refuses and repeats the key", 403],
  ["a service that fails and repeats the key", 502],
  ["a service that answers nonsense with the key in it", 299],
])("shows the key nowhere against %s", async (_name, status) => {
  const body = {
    200: { orders: [], accepted: 1, campaign_id: "c1", page: 1, per_page: 20, total: 0, has_more: false },
    403: { code: "ERROR_CODE_ACCESS_DENIED", message: `the key ${key} is invalid`, payload: key },
    502: `upstream said: ${key}`,
    299: [key],
  }[status];
  const env = {
    ...pointedAt(await fixedServer(() => ({ status, body })), undefined, key),
    BPOS_HOME: temporaryFolder(),
  };
  const folder = temporaryFolder();
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, key);
  const commands = [
    ["orders", "list"],
    ["orders", "show", "1"],
    ["orders", "watch", "--once"],
    ["catalog", "push", fixture("catalog.csv"), "--rejected", join(env.BPOS_HOME, "rejected.csv")],
    ["campaign", "send", fixture("recipients.csv"), "--template", "pedido_listo", "--yes"],
    ["campaign", "status", "c1"],
    ["campaign", "status", "--ref", "nada"],
    ["openapi"],
  ];
  const run = shell({ env, clock: fakeClock() });
  let seen = "";
  let ran = 0;
  for (const command of commands) {
    for (const more of [
      ["--verbose"],
      ["--json", "-vv", "--curl"],
      ["--json", "--retries", "0"],
      ["--api-key-file", keyFile],
    ]) {
      const { stdout, stderr } = await run([...command, ...more]);
      seen += stdout + stderr;
      ran += 1;
    }
  }
  seen += filesBelow(env.BPOS_HOME);
  expect(ran).toBe(32);
  expect(seen).toContain("GET /v1/orders");
  expect(seen).not.toContain(key);
  expect(seen).not.toContain("S3cretPart");
});

it.each([
  ["en", "--api-key-file takes the name of a file"],
  ["es", "--api-key-file lleva el nombre de un archivo"],
])("does not repeat a key that was pasted where its file belongs, in %s", async (lang, next) => {
  const run = shell({ env: { BPOS_BASE_URL: "http://127.0.0.1:9", BPOS_LANG: lang } });
  const list = ["orders", "list"];
  for (const argv of [list, [...list, "-vv"], [...list, "--json"], ["doctor"], ["profile", "add", "x"]]) {
    const { code, stdout, stderr } = await run([...argv, "--api-key-file", key]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("bpk_…6789");
    expect(stdout + stderr).not.toContain("S3cretPart");
    if (argv[0] === "orders" && !argv.includes("--json")) expect(stderr).toContain(next);
  }
  // Four characters of a short secret are too much of it.
  const short = await run([...list, "--api-key-file", "bpk_12345678"]);
  expect(short.stderr).toContain("bpk_…");
  expect(short.stderr).not.toContain("5678");
  for (const name of ["bpk_live_key.txt", "keys/bpk_live_key", "bpk_key"])
    expect((await run([...list, "--api-key-file", name])).stderr).toContain(name);
});

it("keeps a real key out of the demo and out of everything that talks to a mock", async () => {
  const { mock } = await service();
  const env = { BPOS_API_KEY: key, BPOS_HOME: temporaryFolder() };
  const url = ["--url", mock.baseUrl];
  const commands = [
    ["demo"],
    ["--mock", "orders", "list"],
    ["mock", "order", ...url],
    ["mock", "advance", "5m", ...url],
    ["mock", "fault", "--list", ...url],
    ["mock", "reply", "+5491155550003", "hola", ...url],
    ["mock", "log", ...url],
    ["mock", "reset", ...url],
  ];
  const run = shell({ env });
  let seen = "";
  for (const command of commands) {
    for (const more of [["--verbose"], ["--json", "-vv", "--curl"]]) {
      const { stdout, stderr } = await run([...command, ...more]);
      seen += stdout + stderr;
    }
  }
  seen += filesBelow(env.BPOS_HOME);
  expect(seen).toContain("MOCK");
  expect(seen).not.toContain("S3cretPart");
});

it("keeps the state folder for its owner only", async () => {
  const home = temporaryFolder();
  const env = {
    ...pointedAt(await fixedServer(() => ({ body: { accepted: 1 } })), undefined, key),
    BPOS_HOME: home,
  };
  await shell({ env })(["catalog", "push", "-", "--format", "ndjson"], { stdin: '{"codigo":"A"}\n' });
  expect(statSync(join(home, "state")).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, "state", "journal.db")).mode & 0o777).toBe(0o600);
});
