import type { ScenarioDefinition, StartMockOptions } from "../../src/mock/index.ts";
import { fakeClock } from "./fake-clock.ts";
import type { Case } from "./two-languages.ts";

/** A world whose names are words of no language. */
const orders = [
  {
    ...{ delivery_type: "delivery" as const, costo_envio: 500, delivery_address: "Qrst 12" },
    cliente: { nombre: "Zzyx", telefono: "+5491150000017", telefono_area: "11", telefono_numero: "50000017" },
    domicilio: { calle: "Qrst", numero: "12", piso_depto: "3", localidad: "Xlm", referencia: "Vvw" },
    lineas: [
      {
        ...{ codigo: "QX-1", nombre: "Brqx", cantidad: 2, precio_unitario: 1000 },
        opciones: [{ codigo: null, nombre: "Kjh", precio_adicional: 50 }],
      },
    ],
  },
  {
    ...{
      delivery_type: "pick_up" as const,
      costo_envio: 0,
      cliente: { nombre: null, telefono: "+5491150000027" },
    },
    pago: { modo: "online", pagado: true },
    lineas: [{ codigo: null, nombre: "Wtz", cantidad: 1, precio_unitario: 300 }],
  },
];
const scenario: ScenarioDefinition = {
  ...{ name: "own", order_every: null, moving: false },
  branches: [
    {
      ...{ branch: "demo", store_id: "1", keys: ["bpk_demo_centro"] },
      catalog: [{ codigo: "QX-1", nombre: "Brqx", categoria: "Ghj", precio: 1000, deshabilitado: false }],
      orders,
    },
  ],
  templates: [],
};
const template = {
  id: "t1",
  languages: ["es_AR"],
  header: "none",
  params: 1,
  state: "approved",
  body: "{{1}}",
} as const;
const withTemplates = { ...scenario, templates: [{ name: "qwt", ...template, languages: ["es_AR"] }] };
const world: StartMockOptions = { scenario: withTemplates };
const bare: StartMockOptions = { scenario: "empty" };
const denied = { BPOS_API_KEY: "bpk_demo_inactive" };
/** Nobody listens there, and it is not tried again. */
const down = {
  BPOS_BASE_URL: "http://127.0.0.1:9",
  BPOS_CAMPAIGNS_URL: "http://127.0.0.1:9",
  BPOS_API_KEY: "bpk_q",
};
const noRetry = ["--retries", "0"];
/** What the mock says, as the service would: it is passed on as it came. */
const said = [/The API key is invalid[^.\n]*/, /template not found or not approved[^.\n]*/i];

const prices = "codigo,nombre,precio\nQX-1,Brqx,10.50\nQX-2,Wtz,20\n";
const badPrices = "codigo,nombre,precio\nQX-1,Brqx,abc\n,Wtz,20\nQX-3,Kjh,-1\nQX-4,Kjh,1,2,3\nQX-5,Kjh,5\n";
const doubled = "codigo,nombre,precio\nQX-1,Brqx,10\nQX-1,Brqx,10\nQX-2,Wtz,1\nQX-2,Wtz,2\n";
const people = "telefono,v1\n+5491155550017,Zzyx\n+5491155550027,Kjh\n";
const badPeople =
  "telefono,v1\n+5491155550017,Zzyx\nabc,Kjh\n,Wtz\n1155550037,Kjh\n+5491155550017,Zzyx\n+5491155550047,\n";
const send = (file: string, ...more: string[]): string[] => [
  "campaign",
  "send",
  `{dir}/${file}`,
  "--template",
  "qwt",
  ...more,
];
const sent = send("p.csv", "--ref", "r1", "--yes");
const profiles = JSON.stringify({
  default: "xa",
  profiles: {
    xa: { api_key: "bpk_xa_0123456789", base_url: "https://q.example", country: "AR" },
    xb: { key_command: "echo q", base_url: "http://127.0.0.1:9", sandbox: true },
  },
});
const config = { "config.json": profiles };
const inDir = { BPOS_HOME: "{dir}" };

/** Every command with at least one case that goes well; those of a group are told apart by their number. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  "orders list": [
    { argv: ["orders", "list"], mock: world, exit: 0 },
    { argv: ["orders", "list", "--status", "all", "--limit", "1"], mock: world, exit: 0 },
    { argv: ["orders", "list"], mock: bare, exit: 0 },
    { argv: ["orders", "list", "--page", "3"], mock: world, exit: 0 },
    { argv: ["orders", "list"], exit: 4 },
    { argv: ["orders", "list"], env: { BPOS_API_KEY: "k" }, exit: 2 },
    { argv: ["orders", "list"], mock: world, env: denied, data: said, exit: 4 },
    { argv: ["orders", "list", ...noRetry], env: down, exit: 6 },
    {
      argv: ["orders", "list", "--retries", "1"],
      mock: { ...world, faults: ["GET /v1/orders status=503 times=9"] },
      exit: 6,
    },
    { argv: ["orders", "list", "--frist"], exit: 2 },
    { argv: ["orders", "list", "--status", "qx"], mock: world, exit: 2 },
    { argv: ["orders", "list", "--since", "qx", "--page", "0"], mock: world, exit: 2 },
    { argv: ["orders", "list", "--fields", "qx"], mock: world, exit: 2 },
    { argv: ["orders", "list", "-p", "qx"], exit: 2 },
    { argv: ["orders", "lits"], exit: 2 },
    { argv: ["orders", "list", "-v"], mock: world, exit: 0 },
    { argv: ["orders", "list"], mock: world, exit: 130, stopAtOnce: true },
  ],
  "orders show": [
    { argv: ["orders", "show", "1"], mock: world, exit: 0 },
    { argv: ["orders", "show", "2"], mock: world, exit: 0 },
    { argv: ["orders", "show", "77"], mock: world, exit: 2 },
    { argv: ["orders", "show", "qx"], mock: world, exit: 2 },
    { argv: ["orders", "show"], exit: 2 },
    { argv: ["orders", "show", "1", "2"], exit: 2 },
  ],
  "orders watch": [
    { argv: ["orders", "watch", "--once"], mock: world, exit: 0 },
    {
      argv: ["orders", "watch", "--once"],
      mock: world,
      before: [["orders", "watch", "--once", "-q"]],
      exit: 0,
    },
    { argv: ["orders", "watch", "--once", "--exec", "exit 3"], mock: world, exit: 3 },
    { argv: ["orders", "watch", "--once", "--out-dir", "{dir}/o"], mock: world, exit: 0 },
    { argv: ["orders", "watch", "--once", ...noRetry], env: down, exit: 6 },
    { argv: ["orders", "watch", "--exec-timeout", "3s"], mock: world, exit: 2 },
    {
      argv: ["orders", "watch", "--interval", "1s"],
      env: { ...down, BPOS_BASE_URL: "https://q.example" },
      exit: 2,
    },
    { argv: ["orders", "watch"], mock: world, exit: 130, during: ({ stop }) => stop() },
  ],
  "catalog check": [
    { argv: ["catalog", "check", "{dir}/p.csv"], files: { "p.csv": prices }, exit: 0 },
    {
      argv: ["catalog", "check", "{dir}/p.csv", "--fixed", "{dir}/f.csv"],
      files: { "p.csv": badPrices },
      exit: 3,
    },
    { argv: ["catalog", "check", "{dir}/p.csv"], files: { "p.csv": doubled }, exit: 3 },
    { argv: ["catalog", "check", "{dir}/q.csv"], exit: 2 },
    { argv: ["catalog", "check", "{dir}/p.csv"], files: { "p.csv": "qx,qy\n1,2\n" }, exit: 2 },
    { argv: ["catalog", "check", "{dir}/p.json"], files: { "p.json": '[{"codigo": "a" "b"}]' }, exit: 2 },
    {
      argv: ["catalog", "check", "{dir}/p.ndjson"],
      files: { "p.ndjson": '{"codigo": "a",\n[1]\n' },
      exit: 3,
    },
  ],
  "catalog push": [
    { argv: ["catalog", "push", "{dir}/p.csv"], files: { "p.csv": prices }, mock: world, exit: 0 },
    { argv: ["catalog", "push", "{dir}/p.csv"], files: { "p.csv": badPrices }, mock: world, exit: 3 },
    {
      argv: ["catalog", "push", "{dir}/p.csv", "--dry-run"],
      files: { "p.csv": badPrices },
      mock: world,
      exit: 3,
    },
    {
      argv: ["catalog", "push", "{dir}/p.csv", "--strict"],
      files: { "p.csv": badPrices },
      mock: world,
      exit: 2,
    },
    {
      argv: ["catalog", "push", "{dir}/p.csv", "--changed-only"],
      files: { "p.csv": prices },
      mock: world,
      exit: 0,
    },
    {
      argv: ["catalog", "push", "{dir}/p.csv", "--changed-only"],
      before: [["catalog", "push", "{dir}/p.csv", "--changed-only"]],
      ...{ files: { "p.csv": prices }, mock: world, exit: 0 },
    },
    {
      argv: ["catalog", "push", "{dir}/b.csv", "--deactivate-missing"],
      before: [["catalog", "push", "{dir}/a.csv"]],
      ...{
        files: { "a.csv": prices, "b.csv": "codigo,nombre,precio\nQX-1,Brqx,10.50\n" },
        mock: world,
        exit: 2,
      },
    },
    { argv: ["catalog", "push", "{dir}/q.csv"], mock: world, exit: 2 },
    { argv: ["catalog", "push", "{dir}/p.csv"], files: { "p.csv": prices }, exit: 4 },
    {
      argv: ["catalog", "push", "{dir}/p.csv"],
      files: { "p.csv": prices },
      mock: world,
      env: denied,
      data: said,
      exit: 4,
    },
    {
      argv: ["catalog", "push", "{dir}/p.csv", ...noRetry],
      ...{ files: { "p.csv": prices }, exit: 7 },
      mock: { ...world, faults: ["POST /v1/catalog/items reset times=9"] },
    },
    {
      argv: ["catalog", "push", "{dir}/p.csv"],
      ...{ files: { "p.csv": prices }, mock: world, exit: 9 },
      clock: () => fakeClock(Date.UTC(2026, 0, 1, 14)),
    },
    {
      argv: ["catalog", "push", "{dir}/p.csv"],
      ...{ files: { "p.csv": prices }, mock: world, exit: 0 },
      clock: () => fakeClock(Date.UTC(2026, 0, 1, 10)),
    },
    {
      argv: ["catalog", "push", "{dir}/p.csv"],
      ...{ files: { "p.csv": "SKU,nombre,precio\nQX-1,Brqx,1\n" }, mock: world, exit: 0, exitInPipe: 2 },
      answers: () => ["SKU"],
    },
    {
      argv: ["catalog", "push", "{dir}/p.csv", "--batch-size", "x"],
      files: { "p.csv": prices },
      mock: world,
      exit: 2,
    },
    {
      argv: ["catalog", "push", "{dir}/p.csv"],
      files: { "p.csv": prices },
      mock: world,
      exit: 130,
      stopAtOnce: true,
    },
  ],
  "catalog delete": [
    { argv: ["catalog", "delete", "QX-1"], mock: world, exit: 0 },
    { argv: ["catalog", "delete", "QX-1", "QX-9", "--dry-run"], mock: world, exit: 0 },
    { argv: ["catalog", "delete"], mock: world, exit: 2 },
    { argv: ["catalog", "delete", "QX-1", "--file", "{dir}/p.csv"], mock: world, exit: 2 },
  ],
  "catalog history": [
    {
      argv: ["catalog", "history"],
      before: [
        ["catalog", "push", "{dir}/p.csv"],
        ["catalog", "delete", "QX-1"],
      ],
      ...{ files: { "p.csv": badPrices }, mock: world, exit: 0 },
    },
    { argv: ["catalog", "history"], mock: world, exit: 0 },
    { argv: ["catalog", "history", "--limit", "qx"], mock: world, exit: 2 },
  ],
  "campaign send": [
    { argv: sent, files: { "p.csv": people }, mock: world, exit: 0 },
    { argv: sent, files: { "p.csv": people }, mock: world, before: [sent], exit: 0 },
    { argv: send("p.csv", "--dry-run"), files: { "p.csv": badPeople }, mock: world, exit: 3 },
    { argv: send("p.csv", "--yes"), files: { "p.csv": badPeople }, mock: world, exit: 3 },
    {
      argv: send("p.csv"),
      files: { "p.csv": people },
      mock: world,
      answers: () => [true],
      exit: 0,
      exitInPipe: 2,
    },
    { argv: send("p.csv"), files: { "p.csv": people }, mock: world, answers: () => [false], exit: 2 },
    {
      argv: send("p.csv", "--test-to", "+5491155550097"),
      ...{ files: { "p.csv": people }, mock: world, answers: () => [true], exit: 0, exitInPipe: 2 },
    },
    {
      argv: send("p.csv", "--ref", "r2", "--yes"),
      files: { "p.csv": people },
      mock: world,
      before: [sent],
      exit: 2,
    },
    {
      argv: ["campaign", "send", "{dir}/p.csv", "--template", "other", "--ref", "r1", "--yes"],
      ...{ files: { "p.csv": people }, mock: world, before: [sent], exit: 2 },
    },
    {
      argv: send("p.csv", "--ref", "r1-test-1", "--yes"),
      before: [send("p.csv", "--ref", "r1", "--test-to", "+5491155550097", "--yes")],
      ...{ files: { "p.csv": people }, mock: world, exit: 2 },
    },
    { argv: send("p.csv", "--yes"), files: { "p.csv": people }, mock: { scenario }, data: said, exit: 5 },
    { argv: send("p.csv", "--yes", "--expect", "9"), files: { "p.csv": people }, mock: world, exit: 2 },
    {
      argv: send("p.csv", "--yes", "--exclude", "{dir}/x.csv"),
      files: { "p.csv": people, "x.csv": "qx\n" },
      mock: world,
      exit: 2,
    },
    {
      argv: send("p.csv", "--yes", ...noRetry),
      ...{
        files: { "p.csv": people },
        mock: { ...world, faults: ["POST /campaigns reset times=9"] },
        exit: 7,
      },
    },
    {
      argv: send("p.csv", "--yes", "--header-url", "http://q.example/a"),
      files: { "p.csv": people },
      mock: world,
      exit: 2,
    },
    { argv: ["campaign", "send", "{dir}/p.csv"], files: { "p.csv": people }, mock: world, exit: 2 },
    { argv: send("q.csv"), mock: world, exit: 2 },
    { argv: send("p.csv", "--not-after", "qx"), files: { "p.csv": people }, mock: world, exit: 2 },
  ],
  "campaign status": [
    {
      argv: ["campaign", "status", "--ref", "r1"],
      files: { "p.csv": people },
      before: [sent],
      mock: world,
      exit: 0,
    },
    {
      argv: ["campaign", "status", "--ref", "r1", "--watch"],
      ...{ files: { "p.csv": people }, before: [sent], mock: world, exit: 130, during: ({ stop }) => stop() },
    },
    {
      argv: ["campaign", "status", "--ref", "r1", "--wait", "10s"],
      files: { "p.csv": people },
      before: [sent],
      mock: world,
      exit: 8,
    },
    { argv: ["campaign", "status", "--ref", "qx"], mock: world, exit: 2 },
    { argv: ["campaign", "status", "qx"], mock: world, data: [/campaign not found[^.\n]*/i], exit: 5 },
    { argv: ["campaign", "status"], mock: world, exit: 2 },
  ],
  "campaign list": [
    { argv: ["campaign", "list"], files: { "p.csv": people }, before: [sent], mock: world, exit: 0 },
    { argv: ["campaign", "list"], mock: world, exit: 0 },
  ],
  "campaign resume": [
    {
      argv: ["campaign", "resume"],
      before: [sent.concat(noRetry)],
      ...{
        files: { "p.csv": people },
        mock: { ...world, faults: ["POST /campaigns status=502 times=1"] },
        exit: 0,
      },
    },
    { argv: ["campaign", "resume"], mock: world, exit: 0 },
    { argv: ["campaign", "resume", "qx"], mock: world, exit: 2 },
  ],
  "campaign listen": [
    { argv: ["campaign", "listen", "--port", "x"], mock: world, exit: 2 },
    { argv: ["campaign", "listen", "--host", "q.example", "--port", "0"], mock: world, exit: 2 },
  ],
  init: [
    { argv: ["init"], exit: 2 },
    {
      argv: ["init"],
      ...{ mock: world, exit: 0, exitInPipe: 2 },
      answers: ({ profile }) => [
        ...["..", "xa", "ftp://x", "{mock}", "-", "bpk_demo_inactive", "AR", profile.ask.live],
        ...[profile.ask.again.key, "bpk_demo_centro"],
      ],
      data: said,
    },
  ],
  "profile add": [
    {
      argv: ["profile", "add", "xa", "--base-url", "{mock}", "--api-key-file", "-"],
      ...{ mock: world, stdin: "bpk_demo_centro", exit: 0 },
    },
    {
      argv: ["profile", "add", "xa", "--base-url", "{mock}", "--api-key-file", "-"],
      ...{ mock: world, stdin: "bpk_demo_inactive", data: said, exit: 4 },
    },
    { argv: ["profile", "add", "../x", "--api-key-file", "-"], stdin: "k", exit: 2 },
    { argv: ["profile", "add", "xa"], exit: 2 },
  ],
  "profile list": [
    { argv: ["profile", "list"], files: config, env: inDir, exit: 0 },
    { argv: ["profile", "list"], exit: 0 },
    { argv: ["profile", "list"], files: { "config.json": "{" }, env: inDir, exit: 9 },
    { argv: ["profile", "list"], files: { "config.json": '{"profiles": 3}' }, env: inDir, exit: 9 },
  ],
  "profile use": [
    { argv: ["profile", "use", "xb"], files: config, env: inDir, exit: 0 },
    { argv: ["profile", "use", "xc"], files: config, env: inDir, exit: 2 },
  ],
  "profile show": [
    { argv: ["profile", "show"], files: config, env: inDir, exit: 0 },
    { argv: ["profile", "show", "xb"], files: config, env: { ...inDir, BPOS_BASE_URL: "http://q" }, exit: 0 },
    { argv: ["profile", "show", "xc"], exit: 2 },
  ],
  "profile rename": [
    { argv: ["profile", "rename", "xa", "xc"], files: config, env: inDir, exit: 0 },
    { argv: ["profile", "rename", "xa", "xb"], files: config, env: inDir, exit: 2 },
  ],
  "profile remove": [
    { argv: ["profile", "remove", "xa", "--yes"], files: config, env: inDir, exit: 0 },
    { argv: ["profile", "remove", "xa"], files: config, env: inDir, answers: () => [false], exit: 2 },
    { argv: ["profile", "remove", "xc"], files: config, env: inDir, exit: 2 },
  ],
  doctor: [
    { argv: ["doctor"], mock: world, exit: 0 },
    { argv: ["doctor"], exit: 4 },
    { argv: ["doctor", ...noRetry], env: down, exit: 6 },
    { argv: ["doctor"], mock: world, env: denied, data: said, exit: 4 },
    { argv: ["doctor"], files: { "config.json": "{" }, env: inDir, exit: 9 },
  ],
  demo: [{ argv: ["demo"], exit: 0 }],
  mock: [
    { argv: ["mock", "--port", "0"], exit: 0, during: ({ stop }) => stop() },
    { argv: ["mock", "--port", "x"], exit: 2 },
    { argv: ["mock", "--scenario", "qx"], exit: 2 },
    { argv: ["mock", "--port", "0", "--fault", "qx"], exit: 2 },
  ],
  "mock order": [
    { argv: ["mock", "order", "--count", "2", "--url", "{mock}"], mock: world, exit: 0 },
    { argv: ["mock", "order", "--url", "http://127.0.0.1:9", ...noRetry], exit: 6 },
    { argv: ["mock", "order", "--status", "qx", "--url", "{mock}"], mock: world, exit: 2 },
    { argv: ["mock", "order"], exit: 2 },
  ],
  "mock reply": [
    {
      argv: ["mock", "reply", "+5491155550017", "Zzyx", "--url", "{mock}"],
      ...{ files: { "p.csv": people }, before: [sent], mock: world, exit: 0 },
    },
    { argv: ["mock", "reply", "+5491155550017", "Zzyx", "--url", "{mock}"], mock: world, exit: 5 },
  ],
  "mock advance": [
    { argv: ["mock", "advance", "5m", "--url", "{mock}"], mock: world, exit: 0 },
    { argv: ["mock", "advance", "qx", "--url", "{mock}"], mock: world, exit: 2 },
  ],
  "mock fault": [
    {
      argv: ["mock", "fault", "POST /campaigns status=502 times=2", "--url", "{mock}"],
      mock: world,
      exit: 0,
    },
    {
      argv: ["mock", "fault", "--list", "--url", "{mock}"],
      mock: { ...world, faults: ["GET /v1/orders status=503"] },
      exit: 0,
    },
    { argv: ["mock", "fault", "--list", "--url", "{mock}"], mock: world, exit: 0 },
    { argv: ["mock", "fault", "--clear", "--url", "{mock}"], mock: world, exit: 0 },
    { argv: ["mock", "fault", "--url", "{mock}"], mock: world, exit: 2 },
  ],
  "mock reset": [{ argv: ["mock", "reset", "--url", "{mock}"], mock: world, exit: 0 }],
  "mock log": [
    { argv: ["mock", "log", "--url", "{mock}"], before: [["orders", "list"]], mock: world, exit: 0 },
    { argv: ["mock", "log", "--url", "{mock}"], mock: world, exit: 0 },
  ],
  help: [
    { argv: ["help"], exit: 0 },
    { argv: ["help", "exit-codes"], exit: 0 },
    { argv: ["help", "environment"], exit: 0 },
    { argv: ["help", "files"], exit: 0 },
    { argv: ["help", "json"], exit: 0 },
    { argv: ["help", "errors"], exit: 0 },
    { argv: ["help", "errors", "key_missing"], exit: 0 },
    { argv: ["help", "qx"], exit: 2 },
    { argv: ["help", "errors", "qx"], exit: 2 },
    { argv: [], exit: 0 },
    { argv: ["orders"], exit: 2 },
    { argv: ["lists"], exit: 2 },
  ],
  completion: [
    { argv: ["completion", "bash"], exit: 0 },
    { argv: ["completion", "qx"], exit: 2 },
  ],
  openapi: [{ argv: ["openapi"], exit: 0 }],
};
