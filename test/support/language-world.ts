import type { StartMockOptions } from "../../src/mock/index.ts";
import type { Case } from "./two-languages.ts";

/** Worlds and files whose names are words of no language. */

const orders = [
  {
    ...{ order_id: 1, delivery_type: "delivery" as const, costo_envio: 500, delivery_address: "Qrst 12" },
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
    ...{ order_id: 2, delivery_type: "pick_up" as const, costo_envio: 0 },
    cliente: { nombre: null, telefono: "+5491150000027" },
    pago: { modo: "online", pagado: true },
    lineas: [{ codigo: null, nombre: "Wtz", cantidad: 1, precio_unitario: 300, opciones: [] }],
  },
];
const catalog = [{ codigo: "QX-1", nombre: "Brqx", categoria: "Ghj", precio: 1000, deshabilitado: false }];
const template = {
  ...{ name: "qwt", id: "t1", languages: ["es_AR"], header: "none" as const, params: 1 },
  ...{ state: "approved" as const, body: "{{1}}" },
};

/** A world with two orders, a product and a template, and the faults it starts with. */
export const world = (...faults: string[]): { mock: StartMockOptions } => ({
  mock: {
    faults,
    scenario: {
      ...{ name: "own", order_every: null, moving: false, templates: [template] },
      branches: [{ branch: "demo", store_id: "1", keys: ["bpk_demo_centro"], catalog, orders }],
    },
  },
});

/** A case in that world. */
export const go = (exit: number, line: string | string[], more: Partial<Case> = {}): Case => ({
  argv: typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line,
  exit,
  ...more,
});

/** The environment without a service behind it. */
export const down = {
  env: {
    BPOS_BASE_URL: "http://127.0.0.1:9",
    BPOS_CAMPAIGNS_URL: "http://127.0.0.1:9",
    BPOS_API_KEY: "bpk_q",
  },
};
/** The environment with an address and no key. */
export const keyless = { env: { ...down.env, BPOS_API_KEY: "" } };

/** A key that the mock does not take, and what it says then. */
export const denied = {
  ...world(),
  env: { BPOS_API_KEY: "bpk_demo_inactive" },
  data: [/The API key is invalid[^."\n]*/],
};

export const files = {
  "p.csv": "codigo,nombre,precio\nQX-1,Brqx,10.50\nQX-2,Wtz,20\n",
  "jump.csv": "codigo,nombre,precio\nQX-1,Brqx,1.05\nQX-2,Wtz,20\nQX-3,Kjh,5\n",
  "one-up.csv": "codigo,precio\nQX-1,17\n",
  "one.csv": "codigo,nombre,precio\nQX-1,Brqx,10.50\n",
  "bad.csv": "codigo,nombre,precio\nQX-1,Brqx,abc\n,Wtz,20\nQX-3,Kjh,-1\nQX-4,Kjh,1,2,3\nQX-5,Kjh,5\n",
  "twice.csv": "codigo,nombre,precio\nQX-1,Brqx,10\nQX-1,Brqx,10\nQX-2,Wtz,1\nQX-2,Wtz,2\n",
  "qw.csv": "qw,nombre,precio\nQX-1,Brqx,1\n",
  "broken.json": '[{"codigo": "a" "b"}]',
  "rows.json": '[{"codigo": "a", "precio": 1}, [1], {"codigo": 2}]',
  "q.csv": "telefono,v1\n+5491155550017,Zzyx\n+5491155550027,Kjh\n",
  "bq.csv": [
    ...["telefono,v1", "+5491155550017,Zzyx", "abc,Kjh", ",Wtz", "1155550037,Kjh", "+5491155550017,Zzyx"],
    ...["+5491155550047,", "+5491155550057,a,b", ""],
  ].join("\n"),
  "x.csv": "qx\n",
  "config.json": JSON.stringify({
    default: "xa",
    profiles: {
      xa: { api_key: "bpk_xa_0123456789", base_url: "https://q.example", country: "AR" },
      xb: { key_command: "echo q", base_url: "http://127.0.0.1:9", sandbox: true },
    },
  }),
};
