import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sample, string } from "fast-check";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { RunningMock } from "../../../src/mock/index.ts";
import { findDriver } from "../../../src/sqlite.ts";
import { errorOf } from "../../support/campaigns.ts";
import { diagnosis, webServer } from "../../support/doctor.ts";
import { listenIn, postReply } from "../../support/listen.ts";
import { deadAddress } from "../../support/peers.ts";
import { modeOf } from "../../support/profiles.ts";
import { shell, temporaryFolder, type World } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { virtualPrinter } from "../../support/virtual-printer.ts";

const key = "bpk_live_S3cretPart0123456789";
const otherKey = "bpk_live_An0therPart0123456789";
const secrets = {
  ...{ key, otherKey, proxy: "pr0xyPassw0rd", database: "d4tabasePassw0rd", webhook: "w3bhookSecret99" },
  ...{ token: "t0kenOfTheCommand", command: "sup3rKeyCommand" },
};
const phones = ["+5491150000017", "+5491155550027", "+5491155550037", "+5215512345678"];
const orderIds = [90_421_177, 90_421_188];

/** What customers write: names, notes and addresses, odd ones too. */
const odd = sample(string({ unit: "grapheme", minLength: 8, maxLength: 30 }), { numRuns: 8, seed: 7 });
const said = ["Zulema Ñandú", "Av. Corrientes 1234 piso 7", "sin cebolla, timbre roto", ...odd];

interface Kitchen {
  run: (argv: string[], world?: World) => ReturnType<ReturnType<typeof shell>>;
  folder: string;
  home: string;
}

const order = (id: number, n: number) => ({
  ...{ order_id: id, delivery_type: "delivery" as const, costo_envio: 500, delivery_address: said[1]! },
  cliente: {
    nombre: said[n]!,
    telefono: phones[n]!,
    telefono_area: "11",
    telefono_numero: phones[n]!.slice(-8),
  },
  domicilio: { calle: said[3]!, numero: "12", piso_depto: "3", localidad: said[4]!, referencia: said[5]! },
  lineas: [
    { codigo: "QX-1", nombre: said[6]!, cantidad: 2, precio_unitario: 1000, opciones: [], nota: said[2]! },
  ],
  observaciones: said[7]!,
});

/** A branch with everything that may not leave it: orders that an output is owed, a push, a send, replies. */
async function kitchen(): Promise<Kitchen> {
  const scenario = {
    ...{ name: "own", order_every: null, moving: false },
    templates: [
      {
        name: "qwt",
        id: "t1",
        languages: ["es_AR"],
        header: "none" as const,
        params: 1,
        state: "approved" as const,
        body: "{{1}}",
      },
    ],
    branches: [{ branch: "demo", store_id: "1", keys: [key], catalog: [], orders: orderIds.map(order) }],
  };
  const { mock } = await service({ scenario });
  const folder = temporaryFolder();
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  const profile = { api_key: key, base_url: mock.baseUrl, campaigns_base_url: mock.campaignsBaseUrl };
  const other = { ...profile, api_key: otherKey, key_command: `: ${secrets.token}; echo ${secrets.command}` };
  const profiles = { default: "centro", profiles: { centro: profile, norte: other } };
  writeFileSync(join(home, "config.json"), JSON.stringify(profiles), { mode: 0o600 });
  const env = {
    ...{ BPOS_HOME: home, BPOS_WEBHOOK_SECRET: secrets.webhook },
    HTTPS_PROXY: `http://ana:${secrets.proxy}@${new URL(await deadAddress()).host}`,
  };
  const run = shell({ env, cwd: folder });
  await fill(run, folder, mock);
  return { run, folder, home };
}

async function fill(run: Kitchen["run"], folder: string, { control }: RunningMock): Promise<void> {
  const exec = `cat >/dev/null; echo ${secrets.token} >&2; exit 1`;
  await run(["orders", "watch", "--once", "--exec", exec, "--out-dir", join(folder, said[0]!), "--quiet"]);
  const prices = join(folder, "precios de Zulema Ñandú.csv");
  writeFileSync(prices, `codigo,nombre,precio\nQX-1,Agua,10\nQX-2,${JSON.stringify(said[0])},x\n`);
  expect((await run(["catalog", "push", prices, "--rejected", join(folder, "r.csv")])).code).toBe(3);
  const people = join(folder, "clientes de Zulema Ñandú.csv");
  const rows = [1, 2, 3].map((n) => `${phones[n]},${JSON.stringify(said[n % 3]?.replaceAll(",", ""))}`);
  writeFileSync(people, `telefono,nombre\n${rows.join("\n")}\n`);
  const send = [
    "campaign",
    "send",
    people,
    "--template",
    "qwt",
    "--params",
    "nombre",
    "--ref",
    "zulema-nandu",
  ];
  expect((await run([...send, "--yes"])).code).toBe(0);

  for (const path of ["/messaging/campaigns", "/v1/catalog/items"])
    await control.addFault(`POST ${path} commit-drop times=1`);
  const lost = await run([...send, "--ref", "zulema-nandu-2", "--yes", "--allow-repeat", "--retries", "0"]);
  writeFileSync(prices, `codigo,nombre,precio\nQX-3,Agua,10\n`);
  const cut = await run(["catalog", "push", prices, "--retries", "0"]);
  expect([lost.code, cut.code]).toEqual([7, 7]);

  const forward = [
    "--forward-to",
    `${await deadAddress()}/${secrets.token}`,
    "--exec",
    "true",
    "-o",
    "ndjson",
  ];
  const listener = await listenIn(run, forward, { env: { BPOS_WEBHOOK_SECRET: "" } });
  for (const text of [said[2]!, ...odd])
    await postReply(listener.url, { campaign_id: "c1", phone: phones[1], text, name: said[0] });
  await listener.stop();
}

function unzip(file: string): Record<string, string> {
  const files = Object.entries(unzipSync(readFileSync(file)));
  return Object.fromEntries(files.map(([name, bytes]) => [name, strFromU8(bytes)]));
}

/** However a text may be written. */
function spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  const forms = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
  const coded = [
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
  return [...forms, ...coded, text.normalize("NFD")].map((form) => form.toLowerCase());
}

/** Every text of the world that stands in a bundle all the same. */
function leaks(files: Record<string, string>): string[] {
  const all = Object.entries(files).flat().join("\n").toLowerCase();
  const digits = all.replace(/[ ().+-]/g, "");
  const texts = [...Object.values(secrets), ...said, "zulema-nandu", "zulema", "corrientes"];
  const numbers = [...phones.flatMap((phone) => [phone.slice(1), phone.slice(-8)]), ...orderIds.map(String)];
  return [
    ...texts.filter((text) => spellings(text).some((form) => all.includes(form))),
    ...numbers.filter(
      (number) => digits.includes(number) || spellings(number).some((form) => all.includes(form)),
    ),
  ];
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("a bundle", () => {
  it("holds nothing of persons, and no secret", async () => {
    const { run, folder } = await kitchen();
    const database = `postgres://zulema:${secrets.database}@${new URL(await deadAddress()).host}/bpos`;
    const worlds: Record<string, string>[] = [
      {},
      { BPOS_API_KEY: otherKey },
      { BPOS_PROFILE: "norte" },
      { BPOS_CAMPAIGNS_URL: `https://zulema:${secrets.proxy}@msg.example.com` },
      { BPOS_BASE_URL: "https://pos.example.com" },
      { BPOS_JOURNAL: database },
    ];
    const page = { orders: said[0], nota: said[2], cliente: { telefono: phones[0], direccion: said[1] } };
    for (const [status, body] of [
      [200, JSON.stringify(page)],
      [200, `<p>${said[0]}</p>`],
      [400, JSON.stringify({ code: said[1], message: said[0] })],
      [403, JSON.stringify({ code: said[1], message: said[0] })],
      [503, said[0]],
    ] as const)
      worlds.push({
        BPOS_BASE_URL: await webServer((_request, response) => response.writeHead(status).end(body)),
      });

    for (const [n, env] of worlds.entries()) {
      const file = join(folder, `b${n}.zip`);
      await run(["doctor", "--bundle", file, "--json"], { env });
      const files = unzip(file);
      expect({ n, leaks: leaks(files) }).toEqual({ n, leaks: [] });
      expect(files["settings.json"]).toContain("BPOS_WEBHOOK_SECRET");
      if (n === 0) expect(files["checks.json"]).toMatch(/ref#\w{12}.*file#\w{12}/);
    }
  });

  it("tells what support needs: versions, settings with their source, rows, counts, events", async () => {
    const { run, folder } = await kitchen();
    const { stdout, code } = await run(["doctor", "--bundle", "b.zip", "--json"]);
    expect(code).toBe(0);
    const files = unzip(join(folder, "b.zip"));
    const { bundle } = JSON.parse(stdout) as { bundle: unknown };
    const sizes = Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) }));
    expect(bundle).toEqual({ file: "b.zip", files: sizes });
    expect(modeOf(join(folder, "b.zip"))).toBe("600");

    const parse = (name: string): Record<string, unknown> =>
      JSON.parse(files[name]!) as Record<string, unknown>;
    expect(parse("versions.json")).toMatchObject({
      ...{ bpos: "0.2.0", installation: "checkout" },
      journal: { engine: "sqlite", version: expect.stringMatching(/^3\./) as unknown, driver: findDriver() },
    });
    expect(parse("settings.json")["settings"]).toContainEqual({
      ...{ setting: "api_key", value: "bpk_…6789", source: "profile", from: "centro" },
    });
    const { checks } = parse("checks.json") as { checks: { name: string }[] };
    expect(checks.map(({ name }) => name)).toEqual(diagnosis({ stdout, code, stderr: "" }).names);
    expect(parse("journal.json")).toMatchObject({
      subjects: expect.arrayContaining([
        { subject: "recipients", entries: 6, pending: 3, oldest: null },
      ]) as unknown,
      owed: [{ branch: "centro", consumer: "default", output: "exec", orders: 2, changes: 0 }],
    });
  });

  it("knows an order and a phone again, within itself only", async () => {
    const { run, folder } = await kitchen();
    const read = async (name: string) => {
      await run(["doctor", "--bundle", name, "-q"]);
      return linesOf(unzip(join(folder, name))["events.ndjson"]!);
    };
    const events = await read("b.zip");
    const kinds = new Set(events.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(["call", "delivery", "order", "push", "reply", "send", "watch"]);
    const of = (kind: string, all = events) => all.filter((event) => event["kind"] === kind);
    expect(of("push")[0]).toMatchObject({
      branch: "centro",
      outcome: "partial",
      accepted: 1,
      rejected: 1,
      pending: 0,
    });
    expect(of("call")[0]).toMatchObject({ branch: "centro", state: "sent", people: 3 });
    const [found] = of("order");
    expect(of("delivery").filter(({ order: id }) => id === found!["order"])).toMatchObject([
      { output: "out-dir", state: "done" },
      { output: "exec", state: "open" },
    ]);
    expect(new Set(of("reply").map(({ phone }) => phone)).size).toBe(1);
    const times = events.map(({ at }) => String(at));
    expect(times).toEqual([...times].sort());

    const again = await read("again.zip");
    // Names of profiles tell support which branch is meant, also where another one is checked.
    await run(["doctor", "--bundle", "norte.zip", "-q", "-p", "norte"]);
    const branches = linesOf(unzip(join(folder, "norte.zip"))["events.ndjson"]!).flatMap(
      ({ branch }) => branch ?? [],
    );
    expect(new Set(branches)).toEqual(new Set(["centro"]));
    const marks = (all: typeof events) => all.flatMap(({ order: id, phone }) => [id ?? phone ?? []].flat());
    expect(marks(events).length).toBeGreaterThan(5);
    expect(marks(again).filter((mark) => marks(events).includes(mark))).toEqual([]);
  });

  it("holds what the printer was asked and said", async () => {
    const { env } = await service();
    const printer = await virtualPrinter();
    const folder = temporaryFolder();
    const profile = { printer: printer.url, base_url: env["BPOS_BASE_URL"], api_key: env["BPOS_API_KEY"] };
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "config.json"), JSON.stringify({ default: "c", profiles: { c: profile } }), {
      mode: 0o600,
    });
    await shell({ env: { BPOS_HOME: home }, cwd: folder })(["doctor", "--bundle", "b.zip"]);
    const said = JSON.parse(unzip(join(folder, "b.zip"))["printer.json"]!) as { dialogue: unknown[] };
    expect(said).toMatchObject({ language: "escpos", state: "pass" });
    expect(said.dialogue).toContainEqual({ way: "sent", hex: "100402100404" });
    expect(said.dialogue).toContainEqual({ way: "received", hex: expect.stringMatching(/^12/) as unknown });
  });

  it("changes nothing: neither a journal nor one that is not there", async () => {
    const { run, folder, home } = await kitchen();
    const journal = join(home, "state", "journal.db");
    const before = readFileSync(journal);
    await run(["doctor", "--bundle", "b.zip"]);
    expect(readFileSync(journal).equals(before)).toBe(true);
    const empty = shell({ cwd: folder, env: { BPOS_HOME: join(folder, "empty") } });
    await empty(["doctor", "--bundle", "c.zip"]);
    expect(JSON.parse(unzip(join(folder, "c.zip"))["journal.json"]!)).toEqual({ engine: null });
    expect(statSync(join(folder, "empty"), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe("writing it", () => {
  const asked = async (world: World, ...more: string[]) => {
    const { env } = await service();
    const cwd = temporaryFolder();
    const result = await shell({ env, cwd })(["doctor", "--bundle", "b.zip", ...more], world);
    return { ...result, exists: statSync(join(cwd, "b.zip"), { throwIfNoEntry: false }) !== undefined };
  };

  it("lists what is inside on a terminal, and asks", async () => {
    const yes = await asked({ terminal: 80, answers: [true] });
    expect({ code: yes.code, exists: yes.exists }).toEqual({ code: 0, exists: true });
    expect(yes.stderr).toMatch(/events\.ndjson +\d+ +the last 200 events/);
    expect(yes.stderr).toContain("Bundle written to b.zip");
    const no = await asked({ terminal: 80, answers: [false] }, "--lang", "es");
    expect({ code: no.code, exists: no.exists }).toEqual({ code: 2, exists: false });
    expect(no.stderr).toContain("No se escribió nada.");
    const quiet = await asked({ terminal: 80 }, "--yes");
    expect({ code: quiet.code, exists: quiet.exists }).toEqual({ code: 0, exists: true });
    for (const argv of [["--no-input"], []]) {
      const unasked = await asked(argv.length > 0 ? { terminal: 80 } : {}, ...argv);
      expect({ code: unasked.code, exists: unasked.exists }).toEqual({ code: 0, exists: true });
    }
  });

  it("keeps the exit code of what was checked", async () => {
    const { code, exists } = await asked({ env: { BPOS_API_KEY: "bpk_wrong_0123456789" } });
    expect({ code, exists }).toEqual({ code: 4, exists: true });
  });

  it("replaces a file with --force only, and refuses what is none before anything is checked", async () => {
    const { env } = await service();
    const cwd = temporaryFolder();
    const run = shell({ env, cwd });
    writeFileSync(join(cwd, "b.zip"), "mine");
    const taken = await run(["doctor", "--bundle", "b.zip", "--json"]);
    expect({ code: taken.code, error: errorOf(taken.stderr), stdout: taken.stdout }).toMatchObject({
      ...{ code: 2, error: { problem: { kind: "file_exists" } }, stdout: "" },
    });
    expect(readFileSync(join(cwd, "b.zip"), "utf8")).toBe("mine");
    expect((await run(["doctor", "--bundle", "b.zip", "--force"])).code).toBe(0);
    expect(Object.keys(unzip(join(cwd, "b.zip")))).toContain("checks.json");
    mkdirSync(join(cwd, "folder"));
    for (const file of ["folder", "/dev/full", "nowhere/b.zip", "/dev/stdout", "-"]) {
      const { code, stderr } = await run(["doctor", "--bundle", file, "--force", "--json"]);
      expect({ file, code, error: errorOf(stderr) }).toMatchObject({
        ...{ file, code: 2, error: { problem: { kind: "file_unwritable" } } },
      });
    }
    for (const flag of ["--force", "--yes"]) {
      const { code, stderr } = await run(["doctor", flag, "--json"]);
      expect({ code, error: errorOf(stderr) }).toMatchObject({
        code: 2,
        error: { problem: { kind: "needs_flag" } },
      });
    }
  });
});
