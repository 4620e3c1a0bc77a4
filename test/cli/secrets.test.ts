import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fakeClock } from "../support/fake-clock.ts";
import { fixedServer } from "../support/peers.ts";
import { quickClock } from "../support/quick-clock.ts";
import { fixture, shell, temporaryFolder, type World } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { listening } from "../support/server.ts";
import { pointedAt, service } from "../support/service.ts";
import { sized } from "../support/soak.ts";

const key = "bpk_live_S3cretPart0123456789";

/** Every file below a folder, as text. */
function filesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

/** An answer that repeats the key in every way in which it can do no harm to what the answer says. */
const echo = {
  [key]: key,
  small: key.toLowerCase(),
  percent: encodeURIComponent(key).replace("_", "%5f"),
  base64: Buffer.from(key).toString("base64"),
};
const echoed = {
  orders: [{ order_id: 7, created_at: 1, status: "pendiente", ...echo, lineas: [{ nombre: key, ...echo }] }],
  ...{ page: 1, per_page: 20, total: 1, has_more: false, duplicate: false, skipped_stale: 0 },
  accepted: 1,
  rejected: [{ codigo: key, error: `no ${key}` }],
  ...{ campaign_id: `c-${key}`, status: key, campaign_name: key, external_ref: key, replayed: false },
  recipients: { added: 1, duplicates: 0, errors: [`+549 ${key}`] },
  echo,
};
const headers = { "x-echo": key, [key]: key, etag: key.toLowerCase() };

type Answered = [status: number, body: unknown, headers?: Record<string, string>];
const services: [string, Answered][] = [
  ["works, and repeats the key all over", [200, echoed, headers]],
  ["refuses and repeats the key", [403, { code: key, message: `the key ${key} is invalid`, payload: key }]],
  ["fails and repeats the key", [502, `upstream said: ${key}`, headers]],
  ["answers nonsense with the key in it", [299, [key]]],
  ["leads to a host of that name", [307, "", { location: `https://${key}.example/` }]],
  ["answers in an encoding of that name", [200, "{}", { "content-encoding": key }]],
  ["answers with a broken encoding", [200, key, { "content-encoding": "gzip" }]],
];
it.each(services.slice(0, sized(2, 7)))(
  "shows and keeps the key nowhere against a service that %s",
  async (_name, [status, body, more]) => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        response.writeHead(status, { "content-type": "application/json", ...more });
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      });
    });
    const url = `http://127.0.0.1:${await listening(server)}`;
    const env = { ...pointedAt(url, undefined, key), BPOS_HOME: temporaryFolder() };
    const out = join(env.BPOS_HOME, "out");
    const commands = [
      ["orders", "list"],
      ["orders", "list", "--fields", "order_id,echo.small"],
      ["orders", "show", "1"],
      ["orders", "watch", "--once", "--out-dir", out, "--exec", `echo ${key} >&2; cat; exit 1`],
      ["catalog", "push", fixture("catalog.csv"), "--rejected", join(env.BPOS_HOME, "rejected.csv")],
      ["catalog", "history"],
      ["campaign", "send", fixture("recipients.csv"), "--template", "pedido_listo", "--yes"],
      ["campaign", "status", "c1"],
      ["campaign", "status", "--ref", "nada"],
      ["campaign", "list"],
      ["doctor"],
      ["openapi"],
      ["orders", "lsit", key],
    ];
    const run = shell({ env, clock: fakeClock() });
    let seen = "";
    for (const command of commands) {
      for (const more of [
        ["--verbose"],
        ["-o", command.includes("watch") ? "ndjson" : "json", "-vv", "--curl"],
      ]) {
        const { code, stdout, stderr } = await run([...command, ...more]);
        expect(code).not.toBe(1);
        seen += stdout + stderr;
      }
    }
    seen += filesBelow(env.BPOS_HOME);
    expect(seen).toContain("GET /v1/orders");
    expect(seen).toContain("bpk_…6789");
    expect(seen).not.toMatch(/S3cretPart/i);
    for (const text of [echo.percent, echo.base64]) expect(seen).not.toContain(text);
  },
);

it("keeps an answer in which a key of digits is a number", async () => {
  const digits = "1234567890";
  const order = `{"order_id":${digits},"nota":"la ${digits}"}`;
  const page = `{"orders":[${order}],"page":1,"per_page":20,"total":1,"has_more":false}`;
  const server = await scriptedServer(on("GET /v1/orders", reply(page)));
  const { code, stdout } = await shell({ env: pointedAt(server.url, undefined, digits) })([
    ...["orders", "list", "--json"],
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ orders: [{ order_id: 1234567890, nota: "la …7890" }] });
});

it.each([
  ["of 3,000 characters", `{"a":"${"x".repeat(2_990)}"}`, "2998 characters"],
  ["of several lines", `${key}\n${key}\n`, "2 lines"],
  ["with a sign that no header carries", `${key}ñ`, `character ${key.length + 1} of ${key.length + 1}`],
  ["without end", "x".repeat(100_000), "more than 65536 characters"],
])("refuses a key %s before it is used, and does not repeat it", async (_what, text, why) => {
  const folder = temporaryFolder();
  const file = join(folder, "key");
  writeFileSync(file, text, { mode: 0o600 });
  const profiles = { a: { api_key: text.trim(), base_url: "http://127.0.0.1:9" } };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  chmodSync(folder, 0o700);
  const run = shell({ env: { BPOS_BASE_URL: "http://127.0.0.1:9", BPOS_HOME: folder } });
  const given: [string[], World?][] = [
    [["--api-key-file", file]],
    [["--api-key-file", "-"], { stdin: text }],
    ...(text.length > 65_536 ? [] : ([[["-p", "a"]], [[], { env: { BPOS_API_KEY: text } }]] as const)),
  ] as [string[], World?][];
  for (const command of [["orders", "list"], ["orders", "watch", "--once", "-vv"], ["doctor"]]) {
    for (const [flags, world] of given) {
      const { code, stdout, stderr } = await run([...command, ...flags], world);
      expect([command[0], code]).toEqual([command[0], 9]);
      expect((stdout + stderr).toLowerCase()).toContain(why.toLowerCase());
      expect(stdout + stderr).not.toMatch(/xxxxx|S3cretPart/);
    }
  }
  const add = "profile add b --base-url http://127.0.0.1:9 --api-key-file".split(" ");
  const added = await run([...add, file]);
  expect([added.code, added.stderr.includes("xxxxx")]).toEqual([9, false]);
});

it.each([
  ["en", "--api-key-file takes a file name"],
  ["es", "--api-key-file recibe el nombre de un archivo"],
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
  const run = shell({ env, clock: quickClock() });
  let seen = "";
  for (const command of commands) {
    const both = [["--verbose"], ["--json", "-vv", "--curl"]];
    // A demo takes as long as all of the others.
    for (const more of command[0] === "demo" ? both.slice(sized(1, 0)) : both) {
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
