import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addUnchecked as add, home, secretKey as key, modeOf as mode } from "../support/profiles.ts";
import { type Run, temporaryFolder } from "../support/run.ts";
import { on, reply, type ScriptedServer, scriptedServer } from "../support/scripted-server.ts";
import { service } from "../support/service.ts";

const empty = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
const lists = (count: number): Promise<ScriptedServer> =>
  scriptedServer(...Array.from({ length: count }, () => on("GET /v1/orders", reply(empty))));
const asJson = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

describe("bpos init", () => {
  it("leads to a first list of orders against a mock, with a file for its owner alone", async () => {
    const { mock } = await service();
    const { run, file, folder, stored } = home({ terminal: 80, env: { NO_COLOR: "1" } });
    const answers = ["centro", mock.baseUrl, mock.campaignsBaseUrl, "bpk_demo_centro", "ar"];
    const done = await run(["init"], {
      answers: [...answers, "a demo branch: every table says SANDBOX", false],
    });
    expect(done.code).toBe(0);
    expect(done.stderr).toContain("accepts the key. 4 orders in pendiente.");
    expect(done.stdout).toMatch(/Try it: `bpos orders list`\n$/);
    expect([mode(folder), mode(file)]).toEqual(["700", "600"]);
    expect(stored()).toEqual({
      default: "centro",
      profiles: {
        centro: {
          base_url: mock.baseUrl,
          campaigns_base_url: mock.campaignsBaseUrl,
          api_key: "bpk_demo_centro",
          country: "AR",
          sandbox: true,
        },
      },
    });
    expect((await run(["orders", "list"])).stdout).toMatch(/^SANDBOX[\s\S]*4 orders\.\n$/);
    expect(readdirSync(folder).filter((name) => !/^(config\.json(\.lock)?|state)$/.test(name))).toEqual([]);
  });

  it("objects at the question to what cannot be meant, and says why", async () => {
    const { run, stored } = home({ terminal: 80, env: { NO_COLOR: "1" } });
    const answers = [
      ...["../up", "__proto__", "two words", "\u001b[2Jx", "", "centro"],
      ...["pos.example.com", "https://ana:secret@127.0.0.1:9", "https://127.0.0.1:9"],
      ...["ftp://x", "-", "", "cláve", key, "Narnia", "-", "the real branch"],
      ...["Save the profile as it is", true, "no host", "192.168.1.50/x", "COM3:", "tcp://127.0.0.1:1", "-"],
    ];
    const { code, stderr } = await run(["init", "--retries", "0"], { answers });
    expect(code).toBe(0);
    expect(stderr.match(/^> .*/gm)).toHaveLength(5 + 2 + 1 + 2 + 1 + 3);
    expect(stderr).toContain("must start with http:// or https://");
    expect(stderr).toContain("> No key was entered. Type or paste it");
    expect(stderr).not.toContain("ana:secret");
    expect(stderr).not.toContain("\u001b[2J");
    expect(stored().profiles).toEqual({
      centro: { base_url: "https://127.0.0.1:9", api_key: key, sandbox: false },
    });
  });

  it("lets the key be typed again when the service does not take it", async () => {
    const { mock } = await service();
    const { run, stored } = home({ terminal: 80, env: { NO_COLOR: "1" } });
    const first = ["centro", mock.baseUrl, "-", "bpk_demo_inactive", "AR", "the real branch"];
    const answers = [...first, "Type the key again", "bpk_demo_norte", false];
    const { code, stderr } = await run(["init"], { answers });
    expect(code).toBe(0);
    expect(stderr).toContain("does not accept this key");
    expect(stored().profiles["centro"]?.["api_key"]).toBe("bpk_demo_norte");
    expect(stderr).not.toContain("--update");
  });

  it("offers first what is likely to help, and at the end says that the key is still not known to be good", async () => {
    const { mock } = await service();
    const { run } = home({ terminal: 80, env: { NO_COLOR: "1" } });
    const offered: string[][] = [];
    const first = ["centro", "http://127.0.0.1:9", "-", "bpk_demo_inactive", "AR", "the real branch"];
    const taken = [0, 0, 1, 3];
    const choose = (_question: string, choices: readonly string[]): Promise<number> => {
      offered.push([...choices]);
      return Promise.resolve(taken[offered.length - 1] ?? 3);
    };
    const answers = [...first.slice(0, -1), mock.baseUrl, "-", false];
    const argv = ["init", "--retries", "0"];
    const refused = await run(argv, { answers, prompts: { choose } });
    const [, away, awayAgain, denied] = offered;
    expect(away).toEqual([
      ...["Try again", "Type the addresses again", "Type the key again", "Save the profile as it is"],
    ]);
    expect(awayAgain).toEqual(away);
    expect(denied?.[0]).toBe("Type the key again");
    expect(refused.stderr).toMatch(
      /not\s+accepted\s+this\s+profile's\s+key[\s\S]*bpos\s+profile\s+add\s+centro\s+--update/,
    );
    const norte = ["norte", ...first.slice(1), "Save the profile as it is", false, false];
    const untried = await run(argv, { answers: norte });
    expect(untried.stderr).toMatch(
      /not\s+accepted\s+this\s+profile's\s+key[\s\S]*bpos\s+doctor\s+-p\s+norte/,
    );
    const unchecked = await home().run(add("sur"), { stdin: key });
    expect(unchecked.stderr).toContain("bpos profile add sur --update --api-key-file -");
  });

  it("left with Ctrl-C says that no profile was kept or removed", async () => {
    const { run, stored, write } = home({ terminal: 80, env: { NO_COLOR: "1" } });
    write({ profiles: { centro: { api_key: key } } });
    const left = (): Promise<never> =>
      Promise.reject(Object.assign(new Error("left"), { name: "ExitPromptError" }));
    const prompts = { confirm: left, text: left, secret: left };
    for (const argv of [
      ["init"],
      ["profile", "remove", "centro"],
      ["profile", "add", "x", "--api-key-file", "-"],
    ]) {
      const { code, stderr } = await run(argv, { prompts });
      expect(code).toBe(130);
      expect(stderr).toContain("No profile was changed.");
    }
    expect(Object.keys(stored().profiles)).toEqual(["centro"]);
  });

  it("changes an existing profile, keeping its key and what bpos does not know of", async () => {
    const server = await lists(1);
    const { run, stored, write } = home({ terminal: 80, env: { NO_COLOR: "1" } });
    const centro = { api_key: key, base_url: "http://127.0.0.1:9", note: { n: 1.1 }, country: "UY" };
    write({ default: "norte", profiles: { centro, norte: { api_key: "n" } }, version: 7 });
    const answers = ["centro", true, server.url, "", "", "", "the real branch", false, false];
    const { code, stdout, stderr } = await run(["init"], { answers });
    expect(code).toBe(0);
    expect(stdout).toContain("bpos -p centro orders list");
    expect(stderr).toContain("bpos identifies a branch by its key");
    expect(stored()).toEqual({
      default: "norte",
      profiles: { centro: { ...centro, base_url: server.url, sandbox: false }, norte: { api_key: "n" } },
      version: 7,
    });
  });
});

describe("bpos profile add", () => {
  it("tries the key, and keeps nothing that the service does not take", async () => {
    const { mock } = await service();
    const { run, stored, file } = home();
    const argv = ["profile", "add", "centro", "--base-url", mock.baseUrl, "--api-key-file", "-"];
    const denied = await run(argv, { stdin: "bpk_demo_inactive\n" });
    expect(denied.code).toBe(4);
    expect(denied.stderr).toContain("--no-check");
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    const more = ["--country", "mx", "--currency", "mxn", "--store-id", "9", "--header-field", "h", "--json"];
    const taken = await run([...argv, ...more], { stdin: "\ufeffbpk_demo_centro\r\n" });
    expect(taken.code).toBe(0);
    expect(asJson(taken.stdout)).toEqual({ profile: "centro", default: "centro", config_file: file });
    expect(stored().profiles["centro"]).toEqual({
      ...{ api_key: "bpk_demo_centro", base_url: mock.baseUrl, store_id: "9" },
      ...{ country: "MX", currency: "MXN", header_field: "h" },
    });
  });

  it.each([
    ["a name that leads elsewhere", add("../x"), "Invalid profile name"],
    ["a name that acts on a terminal", add("\u001b[2J"), "Invalid profile name"],
    ["a name that objects know", add("__proto__"), "Invalid profile name"],
    ["a key as the name", add("bpk_live_0123456789abcdef"), "look like a key"],
    ["a name that is too long", add("a".repeat(65)), "1 to 64"],
    ["a name with a space", add("a b"), "Invalid profile name"],
    ["a country that is none", add("a", "--country", "XX"), 'Unknown country "XX".'],
    ["a currency that is none", add("a", "--currency", "pesos"), 'Unknown currency "pesos".'],
    ["two keys", add("a", "--key-command", "x"), "exclude each other"],
    ["a key in place of a command", ["profile", "add", "a", "--key-command", key], "looks like a key"],
    ["no address", ["profile", "add", "a", "--api-key-file", "-"], "needs the address"],
    ["no key", ["profile", "add", "a", "--base-url", "http://h"], "needs a key"],
    ["an address that is none", ["profile", "add", "a", "--base-url", "h"], 'Invalid address "h"'],
    ["--mock", add("a", "--mock"), "exclude each other"],
  ])("refuses %s with 2", async (_name, argv, said) => {
    const { run, file } = home();
    const { code, stderr, stdout } = await run(argv, { stdin: key });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.replaceAll("\n", " ")).toContain(said);
    expect(stderr).not.toContain("\u001b[2J");
    expect(stderr).not.toContain(key);
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("changes one with --update alone, a key in the place of a command", async () => {
    const { run, stored, write } = home();
    write({ profiles: { a: { key_command: "pass a", base_url: "http://h", map: { codigo: "SKU" } } } });
    const taken = await run(add("a"), { stdin: key });
    expect(taken.code).toBe(2);
    expect(taken.stderr).toContain("bpos profile add a --update");
    const argv = ["profile", "add", "a", "--update", "--api-key-file", "-", "--no-check"];
    expect((await run(argv, { stdin: key })).code).toBe(0);
    expect(stored().profiles["a"]).toEqual({ api_key: key, base_url: "http://h", map: { codigo: "SKU" } });
    // The same key at another real address is the same branch.
    const moved = ["profile", "add", "a", "--update", "--base-url", "https://new.example.com", "--no-check"];
    expect((await run(moved)).stderr).not.toContain("bpos identifies a branch by its key");
  });

  it("warns of a file of the key that others can read, and of what goes before the profile", async () => {
    const { run, folder } = home({ env: { BPOS_API_KEY: "k", BPOS_MOCK: "1" } });
    const keyFile = join(temporaryFolder(), "my key");
    writeFileSync(keyFile, key, { mode: 0o644 });
    const argv = ["profile", "add", "a", "--base-url", "http://pos.example.com", "--no-check"];
    const { code, stderr, stdout } = await run([...argv, "--api-key-file", keyFile]);
    expect(code).toBe(0);
    expect(stderr).toContain(`chmod 600 '${keyFile}'`);
    expect(stderr).toContain("BPOS_API_KEY is set");
    expect(stderr).toContain("BPOS_MOCK is set");
    expect(stderr).toContain("not https");
    expect(stdout).toContain("bpos -p a orders list");
    chmodSync(keyFile, 0o600);
    const quiet = await run([...argv, "--update", "--api-key-file", keyFile]);
    expect(quiet.stderr).not.toContain("chmod");
    expect(mode(folder)).toBe("700");
  });
});

describe("bpos profile list, show, use, rename and remove", () => {
  const profiles = {
    centro: { api_key: key, base_url: "http://c", campaigns_base_url: "http://m", sandbox: true },
    norte: { key_command: `echo ${key}`, base_url: "http://n", secret_note: key },
  };

  it("lists with the keys masked, in each form", async () => {
    const { run, write } = home();
    expect((await run(["profile", "list"], { terminal: 80 })).stdout).toContain("bpos init");
    expect(asJson((await run(["profile", "list", "--json"])).stdout)).toEqual({
      profiles: [],
      default: null,
    });
    write({ default: "centro", profiles });
    const json = asJson((await run(["profile", "list", "--json"])).stdout);
    expect(json).toMatchObject({
      default: "centro",
      profiles: [
        { name: "centro", default: true, api_key: "bpk_…6789", key_command: false, sandbox: true },
        { name: "norte", default: false, api_key: null, key_command: true, base_url: "http://n" },
      ],
    });
    expect((await run(["profile", "list", "--fields", "name", "-o", "csv"])).stdout).toBe(
      "name\r\ncentro\r\nnorte\r\n",
    );
    const { stdout } = await run(["profile", "list", "--no-color"], { terminal: 60 });
    expect(stdout).toContain("* centro");
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it("shows where each setting comes from, and never the key", async () => {
    const { run, write } = home();
    write({ default: "centro", profiles });
    const env = { BPOS_BASE_URL: "http://env", BPOS_API_KEY: "bpk_env_0123456789ab" };
    const from = async (...argv: string[]): Promise<Record<string, unknown>> => {
      const { stdout } = await run(["profile", "show", ...argv, "--json"], { env });
      const { settings } = JSON.parse(stdout) as {
        settings: { setting: string; value: unknown; from: unknown }[];
      };
      return Object.fromEntries(settings.map(({ setting, value, from }) => [setting, [value, from]]));
    };
    expect(await from()).toMatchObject({
      profile: ["centro", "default"],
      base_url: ["http://env", "BPOS_BASE_URL"],
      campaigns_base_url: ["http://m", "centro"],
      api_key: ["bpk_…89ab", "BPOS_API_KEY"],
      currency: ["ARS", null],
      country: [null, null],
    });
    expect(await from("--base-url", "http://flag")).toMatchObject({
      base_url: ["http://flag", "--base-url"],
    });
    expect(await from("centro")).toMatchObject({
      base_url: ["http://c", "centro"],
      api_key: ["bpk_…6789", "centro"],
    });
    expect(await from("norte")).toMatchObject({ key_command: [null, "norte"] });
  });

  it("removes one after a question, and says what the default is then", async () => {
    const { run, write, stored } = home();
    write({ default: "centro", profiles: { ...profiles, sur: {} } });
    const remove = ["profile", "remove"];
    expect((await run([...remove, "centro"])).stderr).toContain("--yes");
    const no = await run([...remove, "centro"], { terminal: 80, answers: [false] });
    expect(no).toEqual({ code: 2, stdout: "", stderr: "Nothing was changed.\n" });
    expect(stored().default).toBe("centro");
    const gone = await run([...remove, "centro"], { terminal: 200, answers: [true] });
    expect(gone.stdout).toContain("No profile is the default now");
    expect(stored()).toEqual({ profiles: { norte: profiles.norte, sur: {} } });
    await run(["profile", "use", "sur"]);
    const last = await run([...remove, "sur", "--yes", "--json"]);
    expect(asJson(last.stdout)).toEqual({ removed: "sur", default: "norte" });
    expect(stored().default).toBe("norte");
  });

  it("forgets nothing that was handed on, sent or pushed when a profile is renamed", async () => {
    const { mock } = await service();
    const { run, write, stored } = home();
    const { baseUrl: base_url, campaignsBaseUrl: campaigns_base_url } = mock;
    const centro = { base_url, campaigns_base_url, api_key: "bpk_demo_centro", country: "AR", extra: 1 };
    write({ default: "centro", profiles: { centro, norte: {} } });
    const orders = join(temporaryFolder(), "orders");
    const watch = ["orders", "watch", "--once", "-o", "ndjson", "--out-dir", orders];
    const prices = ["catalog", "push", "-", "--format", "ndjson", "--changed-only", "--json"];
    const send = ["campaign", "send", "-", "--template", "pedido_listo", "--ref", "r", "--yes", "--json"];
    const work = async (name: string): Promise<unknown[]> => {
      const at = (argv: string[], stdin: string): Promise<Run> => run(["-p", name, ...argv], { stdin });
      const watched = await at(watch, "");
      const pushed = await at(prices, '{"codigo":"A","nombre":"a","precio":1}\n');
      const sent = await at(send, "telefono,nombre,pedido\n+5491155550017,Ana,7\n");
      return [
        watched.stdout.split("\n").length - 1,
        asJson(pushed.stdout)["sent"],
        asJson(sent.stdout)["outcome"],
      ];
    };
    expect(await work("centro")).toEqual([4, 1, "sent"]);
    expect((await run(["profile", "rename", "centro", "norte"])).code).toBe(2);
    expect((await run(["profile", "rename", "centro", "microcentro"])).code).toBe(0);
    expect(stored()).toEqual({ default: "microcentro", profiles: { microcentro: centro, norte: {} } });
    expect(await work("microcentro")).toEqual([0, 0, "replayed"]);
    expect(await mock.control.messages()).toHaveLength(1);
  });
});

it("a name that no profile has is answered with those there are, and no way round a profile", async () => {
  const { run } = home();
  await run(add("norte"), { stdin: key });
  for (const argv of [
    ["use", "nrte"],
    ["rename", "nrte", "x"],
    ["remove", "nrte", "--yes"],
    ["show", "nrte"],
    ["add", "nrte", "--update", "--printer", "tcp://192.168.1.50"],
    ["add", "nrte", "--update", "--api-key-file", "-"],
  ]) {
    const { code, stderr } = await run(["profile", ...argv]);
    expect(code).toBe(11);
    expect(stderr).toContain('Did you mean "norte"?');
    if (argv[0] !== "show") expect(stderr).toContain("Use one of those, or add a profile");
    if (argv[0] !== "show") expect(stderr).not.toMatch(/-p NAME|BPOS_API_KEY|--mock/);
  }
  // With all that a new one needs it is one.
  expect((await run(add("sur", "--update"), { stdin: key })).code).toBe(0);
});
