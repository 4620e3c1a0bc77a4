import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sample, string } from "fast-check";
import { expect, it } from "vitest";
import type { RunningMock } from "../../src/mock/index.ts";
import { diagnosis, webServer } from "../support/doctor.ts";
import { listenIn, postReply } from "../support/listen.ts";
import { deadAddress } from "../support/peers.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

const key = "bpk_live_S3cretPart0123456789";
const otherKey = "bpk_live_An0therPart0123456789";
const secrets = {
  ...{ key, otherKey, proxy: "pr0xyPassw0rd", database: "d4tabasePassw0rd", webhook: "w3bhookSecret99" },
  ...{ token: "t0kenOfTheCommand", command: "sup3rKeyCommand" },
};
const phones = ["+5491150000017", "+5491155550027", "+5491155550037", "+5215512345678"];
const orderIds = [90_421_177, 90_421_188];

/** Texts of customers: names, notes and addresses, odd ones too. */
const odd = sample(string({ unit: "grapheme", minLength: 8, maxLength: 30 }), { numRuns: 8, seed: 7 });
const said = ["Zulema Ñandú", "Av. Corrientes 1234 piso 7", "sin cebolla, timbre roto", ...odd];

type Shell = ReturnType<typeof shell>;

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

/** A branch with all that is of persons in its journal: orders that an output is owed, pushes, sends, replies, opt-outs; and each secret set. */
async function kitchen(): Promise<Shell> {
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
  return run;
}

async function fill(run: Shell, folder: string, { control }: RunningMock): Promise<void> {
  const exec = `cat >/dev/null; echo ${secrets.token} >&2; exit 1`;
  await run(["orders", "watch", "--once", "--exec", exec, "--out-dir", join(folder, said[0]!), "--quiet"]);
  const prices = join(folder, "prices.csv");
  writeFileSync(prices, `codigo,nombre,precio\nQX-1,Agua,10\nQX-2,${JSON.stringify(said[0])},x\n`);
  expect((await run(["catalog", "push", prices, "--rejected", join(folder, "r.csv")])).code).toBe(3);
  const people = join(folder, "customers.csv");
  const rows = [1, 2, 3].map((n) => `${phones[n]},${JSON.stringify(said[n % 3]?.replaceAll(",", ""))}`);
  writeFileSync(people, `telefono,nombre\n${rows.join("\n")}\n`);
  const template = ["--template", "qwt", "--params", "nombre"];
  const send = ["campaign", "send", people, ...template, "--ref", "enero"];
  expect((await run([...send, "--yes"])).code).toBe(0);

  for (const path of ["/messaging/campaigns", "/v1/catalog/items"])
    await control.addFault(`POST ${path} commit-drop times=1`);
  const lost = await run([...send, "--ref", "febrero", "--yes", "--allow-repeat", "--retries", "0"]);
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
  expect((await run(["campaign", "optout", "add", phones[1]!])).code).toBe(0);
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

/** Every text of the world that stands in an output all the same. */
function leaks(output: string): string[] {
  const all = output.toLowerCase();
  const digits = all.replace(/[ ().+-]/g, "");
  const numbers = phones.flatMap((phone) => [phone.slice(1), phone.slice(-8)]);
  const isIn = (text: string): boolean => spellings(text).some((form) => all.includes(form));
  return [
    ...[...Object.values(secrets), ...said].filter(isIn),
    ...numbers.filter((number) => digits.includes(number) || isIn(number)),
  ];
}

it("doctor and status as JSON hold no key, no other secret and nothing of persons", async () => {
  const run = await kitchen();
  const database = `postgres://ana:${secrets.database}@${new URL(await deadAddress()).host}/bpos`;
  const worlds: Record<string, string>[] = [
    {},
    { BPOS_API_KEY: otherKey },
    { BPOS_PROFILE: "norte" },
    { BPOS_CAMPAIGNS_URL: `https://ana:${secrets.proxy}@msg.example.com` },
    { BPOS_BASE_URL: "https://pos.example.com" },
    { BPOS_JOURNAL: database },
  ];
  for (const env of worlds)
    for (const argv of [
      ["doctor", "--json"],
      ["status", "--json"],
    ]) {
      const { stdout, stderr } = await run(argv, { env });
      expect({ env, argv, leaks: leaks(stdout + stderr) }).toEqual({ env, argv, leaks: [] });
    }

  // All of it is there to be told of.
  const { stdout } = await run(["status", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    branches: [
      {
        branch: "centro",
        outputs: [
          { output: "exec", undelivered: 2 },
          { output: "out-dir", undelivered: 0 },
        ],
        unfinished_sends: [{ external_ref: "febrero", remaining: 3 }],
        waiting_replies: 1 + odd.length,
      },
      { branch: "norte" },
    ],
  });
  expect(diagnosis(await run(["doctor", "--json"])).row("unfinished").detail).toContain('"febrero" (3)');
});

it("doctor as JSON does not quote an answer that it does not know: it may be an order", async () => {
  for (const body of [JSON.stringify({ pedidos: [order(1, 0)] }), `<p>${said[0]}</p>`]) {
    const answering = await webServer((_request, response) => response.writeHead(200).end(body));
    const run = shell({ env: { BPOS_API_KEY: key, BPOS_BASE_URL: answering } });
    const { stdout, stderr } = await run(["doctor", "--json"]);
    expect(stdout).toContain("200, but not from the service");
    expect({ body, leaks: leaks(stdout + stderr) }).toEqual({ body, leaks: [] });
    expect((await run(["doctor"])).stdout).toContain(body.slice(0, 8));
  }
});
