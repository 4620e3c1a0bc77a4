import * as fc from "fast-check";
import type * as z from "zod";
import { type EndpointId, endpoints } from "../../src/contract/endpoints.ts";
import { anyText } from "../support/texts.ts";

/** A request that is good until it is changed. */
export interface Target {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Values of `body` named `{like this}` stand in the path, percent-encoded; a GET has the others in its query. */
  path: string;
  body: Record<string, unknown>;
  /** The shape of a good answer. */
  answer?: z.ZodType;
  /** A bad answer must leave the orders as they were; the others cannot reach them. */
  movesOrders?: true;
}

const at = "2026-01-01T12:00:00-03:00";
const api = (id: EndpointId, body: Record<string, unknown>): Target => {
  const { method, path, base, response } = endpoints[id];
  return { method, path: base === "base_url" ? path : `/messaging${path}`, body, answer: response };
};
const control = (method: Target["method"], path: string, body: Record<string, unknown>): Target => ({
  method,
  path: `/_mock/${path}`,
  body,
});
const moving = (target: Target): Target => ({ ...target, movesOrders: true });

const phone = "+5491161234567";
const person = { phone, params: ["Ana", "17"] };
const event = { event_id: "e", occurred_at: at };
const upsert = {
  ...{ ...event, action: "upsert", store_id: "1" },
  items: ["PIZ-001", "X"].map((codigo) => ({
    ...{ codigo, nombre: "Pizza", categoria: "Pizzas" },
    ...{ precio: 9000, deshabilitado: false },
  })),
};
const send = {
  ...{ idempotency_key: "k", recipients: [person, { ...person, phone: "+5491161234568" }] },
  ...{ template_name: "pedido_listo", template_id: "tpl_1", template_language: "es_AR" },
  ...{ external_ref: "r", campaign_name: "n" },
};
const media = {
  ...{ idempotency_key: "k", recipients: [{ phone, params: ["Ana"] }] },
  ...{ template_name: "menu_pdf", header_media_url: "https://example.com/menu.pdf" },
};
const line = {
  ...{ codigo: "A", nombre: "Uno", cantidad: 2, precio_unitario: 10.5, subtotal: 21 },
  opciones: [{ codigo: null, nombre: "o", precio_adicional: 1 }],
};
const order = {
  ...{ order_id: 7, created_at: 1_767_279_600_000, status: "pendiente", delivery_type: "delivery" },
  ...{ costo_envio: 1, total: 22, cliente: { nombre: "Ana" }, domicilio: { calle: "c" } },
  ...{ pago: { modo: "online" }, lineas: [line] },
};
const template = {
  id: "tpl_9",
  languages: ["es_AR"],
  header: "none",
  params: 1,
  state: "approved",
  body: "",
};
const fault = { method: "POST", path: "/campaigns", effect: "status", status: 502, times: 2, rate: 0.5 };

/** Every endpoint, and every change that the control API takes. */
export const targets: Readonly<Record<string, Target>> = {
  upsert: api("pushCatalog", upsert),
  delete: api("pushCatalog", { ...event, action: "delete", items: [{ codigo: "PIZ-001" }] }),
  campaign: api("sendCampaign", send),
  media: api("sendCampaign", media),
  status: api("readCampaign", { campaign_id: "cmp_1" }),
  list: api("listOrders", { status: "pendiente", since: at, page: "1" }),
  orders: moving(control("POST", "orders", { count: 1, branch: "demo", order })),
  move: moving(control("PATCH", "orders/{id}", { id: "1001", status: "listo" })),
  advance: moving(control("POST", "clock", { advance_ms: 60_000 })),
  now: moving(control("POST", "clock", { now: at })),
  freeze: moving(control("POST", "clock", { frozen: true })),
  speed: moving(control("POST", "clock", { speed: 60 })),
  template: control("PUT", "templates/{name}", { name: "nueva", ...template }),
  fault: control("POST", "faults", fault),
  rule: control("POST", "faults", { rule: "POST /campaigns delay=3s times=2 rate=0.1" }),
  disarm: control("DELETE", "faults", {}),
  reply: control("POST", "replies", { phone: "+5491161230003", text: "sí", campaign_id: "cmp_1" }),
  reset: moving(control("POST", "reset", { scenario: "empty", seed: 7 })),
};

/** JSON that JSON.stringify would not write; it goes into the body as it is. */
const literal = (text: string): string => `literal:${Buffer.from(text).toString("hex")}`;
const writeBody = (body: unknown): string =>
  JSON.stringify(body).replace(/"literal:([0-9a-f]*)"/g, (_, hex: string) =>
    Buffer.from(hex, "hex").toString(),
  );

const nasty: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 1.5, 1e21, 1e308, 2 ** 53, -(2 ** 63), 5e-324],
  ...[
    "",
    " ",
    "0",
    "x",
    "\0",
    "\ud800",
    "__proto__",
    "constructor",
    "*",
    "../..",
    "%00",
    "\r\nX: y",
    "👩‍👩‍👧",
  ],
  ...[65, 129, 5_000].map((length) => "a".repeat(length)),
  ...["2026-02-30T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00", "9999-12-31T23:59:59-23:59"],
  ...["+1", "+5491161230000", "http://127.0.0.1/x.pdf", "https://[::1]/x.pdf", "demo", "norte", "rush"],
  ...[[], {}, [null], [[]], [{}], { a: { b: {} } }, Array(1_001).fill("x"), { __proto__: null, length: -1 }],
  ...["1e999", "-1e999", '{"__proto__":1}', '{"a":1,"a":2}', "NaN", "'x'", ""].map(literal),
  literal("[".repeat(3_000) + "]".repeat(3_000)),
];
const values = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...nasty) },
  fc.jsonValue({ maxDepth: 3 }),
  anyText(),
  fc.double(),
  fc.integer(),
);

/** One change at one field, counted through the whole body. */
type Change = {
  readonly field: number;
  readonly kind: "replace" | "remove" | "extra" | "twice";
  readonly value: unknown;
};

/** A changed request, as it goes out. */
export interface Case {
  readonly target: string;
  readonly changes: readonly Change[];
  /** The body's length that is sent, from nothing to all. */
  readonly kept: number;
}

const change = fc.record({
  field: fc.nat(40),
  kind: fc.constantFrom("replace", "replace", "replace", "remove", "extra", "twice"),
  value: values,
});

/** Requests of every target, changed in up to three fields; one in twenty has its body cut short. */
export const cases: fc.Arbitrary<Case> = fc.record({
  target: fc.constantFrom(...Object.keys(targets)),
  changes: fc.array(change, { maxLength: 3 }),
  kept: fc.oneof({ weight: 19, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
});

type Holder = Record<string | number, unknown>;

function placesIn(holder: unknown): { holder: Holder; name: string }[] {
  if (typeof holder !== "object" || holder === null) return [];
  return Object.entries(holder).flatMap(([name, inner]) => [
    { holder: holder as Holder, name },
    ...placesIn(inner),
  ]);
}

function changed(body: Record<string, unknown>, changes: readonly Change[]): Record<string, unknown> {
  const copy = structuredClone(body);
  for (const { field, kind, value } of changes) {
    // A later change may reach into an earlier one's value.
    const given = structuredClone(value);
    const places = placesIn(copy);
    const place = places[field % places.length];
    if (!place) continue;
    const { holder, name } = place;
    if (kind === "remove") Reflect.deleteProperty(holder, name);
    else if (kind === "extra") holder[`${name}_`] = given;
    else if (kind === "twice") holder[name] = [holder[name], holder[name]];
    else holder[name] = given;
  }
  return copy;
}

// A lone surrogate has no percent-encoding.
const inAddress = (given: unknown): string =>
  encodeURIComponent(
    (typeof given === "string" ? given : JSON.stringify(given ?? null)).replace(/\p{Cs}/gu, "\ufffd"),
  );

/** The method, path and body of a case. */
export function requestOf({ target: name, changes, kept }: Case): {
  method: Target["method"];
  path: string;
  body: string | null;
} {
  const target = targets[name]!;
  const rest = changed(target.body, changes);
  const path = target.path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const given = rest[field];
    Reflect.deleteProperty(rest, field);
    return inAddress(given);
  });
  if (target.method !== "GET") {
    const body = writeBody(rest);
    return { method: target.method, path, body: body.slice(0, Math.ceil(body.length * kept)) };
  }
  const query = Object.entries(rest).map(([field, given]) => `${inAddress(field)}=${inAddress(given)}`);
  return { method: "GET", path: `${path}?${query.join("&")}`, body: null };
}
