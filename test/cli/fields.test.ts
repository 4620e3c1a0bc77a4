import { describe, expect, it } from "vitest";
import { campaignServer, person, statusOf } from "../support/campaign-server.ts";
import { fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { type Run, shell } from "../support/run.ts";
import { pointedAt, service } from "../support/service.ts";

const ndjson = (text: string): unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
const json = (run: Run): unknown => JSON.parse(run.stdout);

const orders = [
  orderOf(1, {
    cliente: { nombre: "Ana 寿司", telefono: "+5491161234567" },
    domicilio: { calle: "Mitre" },
    lineas: [
      { codigo: "A1", nombre: "Pizza", cantidad: 2, precio_unitario: 50, subtotal: 100 },
      { codigo: null, nombre: "Flan", cantidad: 1, precio_unitario: 0, subtotal: 0 },
    ],
    propina: 50.5,
    "dotted.name": "kept",
  }),
  orderOf(2, { propina: null }),
];

async function shop(): Promise<(argv: string[], terminal?: number) => Promise<Run>> {
  const url = await fixedServer(() => ({ body: pageOf(orders, { total: 9, has_more: true, extra: 1 }) }));
  const run = shell({ env: pointedAt(url) });
  return (argv, terminal) =>
    run(["orders", "list", ...argv], terminal === undefined ? {} : { terminal, env: { NO_COLOR: "1" } });
}

describe("--fields of orders", () => {
  it("chooses and orders the keys of JSON, also those that only the service knows, and keeps the envelope", async () => {
    const list = await shop();
    const chosen = await list(["--fields", "propina, total,order_id,domicilio", "--json"]);
    expect(json(chosen)).toEqual({
      orders: [
        { propina: 50.5, total: 100, order_id: 1, domicilio: { calle: "Mitre" } },
        { propina: null, total: 100, order_id: 2 },
      ],
      ...{ page: 1, per_page: 20, total: 9, has_more: true, extra: 1 },
    });
    expect(chosen.stdout.indexOf("propina")).toBeLessThan(chosen.stdout.indexOf("order_id"));
    expect(ndjson((await list(["-o", "ndjson", "--fields=order_id"])).stdout)).toEqual([
      { order_id: 1 },
      { order_id: 2 },
    ]);
  });

  it("reaches into objects and lists by a dot, and takes a name with a dot as it is", async () => {
    const list = await shop();
    const names = "cliente.telefono,order_id,cliente.nombre,lineas.codigo,dotted.name,domicilio.calle";
    expect(json(await list(["--json", "--fields", names]))).toMatchObject({
      orders: [
        {
          cliente: { telefono: "+5491161234567", nombre: "Ana 寿司" },
          order_id: 1,
          lineas: [{ codigo: "A1" }, { codigo: null }],
          "dotted.name": "kept",
          domicilio: { calle: "Mitre" },
        },
        { cliente: { telefono: "+5491155550000", nombre: null }, order_id: 2, lineas: [] },
      ],
    });
    expect((await list(["-o", "csv", "--fields", "order_id,cliente.nombre,lineas.codigo"])).stdout).toBe(
      'order_id,cliente.nombre,lineas.codigo\r\n1,Ana 寿司,"[""A1"",null]"\r\n2,,\r\n',
    );
  });

  it("refuses a field that nobody knows, in every form, with what was meant and what there is", async () => {
    const list = await shop();
    for (const form of ["table", "json", "ndjson", "csv"]) {
      const { code, stdout, stderr } = await list(["-o", form, "--fields", "order_id,totl"]);
      expect([form, code, stdout]).toEqual([form, 2, ""]);
      expect(stderr).toContain("totl");
      expect(stderr).toMatch(/Did you mean `total`\?/);
      expect(stderr).toMatch(/order_id, created_at, .*propina/);
    }
    expect((await list(["--json", "--fields", "cliente_nombre"])).stderr).toContain("cliente.nombre");
    expect((await list(["--json", "--fields", "cliente.color"])).code).toBe(2);
    expect((await list(["--json", "--fields", "__proto__"])).code).toBe(2);
    expect((await list(["--fields", " , "])).code).toBe(2);
    const spanish = await list(["--fields", "totl", "--lang", "es"]);
    expect(spanish.stderr).toContain("No existe el campo");
  });
});

it("chooses the fields of a campaign's recipients, and leaves the campaign whole", async () => {
  const people = [person(1, "failed", { error_message: "no", extra: 1 }), person(2, "read")];
  const { url } = await campaignServer({ body: statusOf("c1", people, { failed: 1 }) });
  const run = shell({ env: pointedAt(url) });
  const status = ["campaign", "status", "c1", "--fields"];
  expect(json(await run([...status, "status,phone,extra", "--json"]))).toEqual({
    ...statusOf("c1", people, { failed: 1 }),
    recipients: [
      { status: "failed", phone: "+5491150000001", extra: 1 },
      { status: "read", phone: "+5491150000002" },
    ],
  });
  expect((await run([...status, "status,campaign_id,extra", "-o", "csv"])).stdout).toBe(
    "status,campaign_id,extra\r\nfailed,c1,1\r\nread,c1,\r\n",
  );
  const { stdout } = await run([...status, "status,phone"]);
  expect(stdout).toMatch(/^status {2}phone\nfailed {2}\+5491150000001\nread {4}\+5491150000002$/m);
  expect((await run([...status, "phon", "--json"])).stderr).toContain("`phone`");
  const watch = await run([...status, "phone", "--watch"]);
  expect([watch.code, watch.stdout]).toEqual([2, ""]);
  expect(watch.stderr).toMatch(/--fields and --watch/);
});

it("chooses the fields of pushes, sends and requests", async () => {
  const { mock, env } = await service();
  const run = shell({ env });
  await run(["catalog", "push", "-"], { stdin: "codigo,nombre,precio\nA1,Flan,100\nA2,Pan,x\n" });
  await run(["campaign", "send", "-", "--template", "pedido_listo", "--ref", "r1", "--yes"], {
    stdin: "telefono,nombre,pedido\n+5491150000017,Ana,1\n",
  });
  const pushes = ["catalog", "history", "--fields", "rejected,accepted"];
  expect(json(await run([...pushes, "--json"]))).toMatchObject({
    pushes: [{ accepted: 1, rejected: [{ codigo: "A2" }] }],
  });
  expect(Object.keys((ndjson((await run([...pushes, "-o", "ndjson"])).stdout) as object[])[0]!)).toEqual([
    "rejected",
    "accepted",
  ]);
  expect((await run([...pushes, "-o", "csv"])).stdout).toBe("rejected,accepted\r\n1,1\r\n");
  expect((await run(pushes)).stdout).toMatch(/^rejected {2}accepted\n {7}1 {9}1$/m);

  const sends = ["campaign", "list", "--fields"];
  expect(json(await run([...sends, "external_ref,recipients.planned", "--json"]))).toEqual({
    sends: [{ external_ref: "r1", recipients: { planned: 1 } }],
  });
  expect((await run([...sends, "planned,external_ref", "-o", "csv"])).stdout).toBe(
    "planned,external_ref\r\n1,r1\r\n",
  );
  expect((await run([...sends, "external_ref,outcome"])).stdout).toMatch(
    /^external_ref {2}outcome\nr1 {12}sent$/m,
  );

  const log = ["mock", "log", "--url", mock.baseUrl, "--fields"];
  expect((await run([...log, "method,path,fault"])).stdout).toContain("POST  /v1/catalog/items  —\n");
  const { requests } = json(await run([...log, "status,method", "--json"])) as { requests: object[] };
  expect(requests.length).toBeGreaterThan(1);
  for (const request of requests) expect(Object.keys(request)).toEqual(["status", "method"]);
  expect((await run([...log, "pth"])).stderr).toContain("`path`");
});

it("is refused where there is no list to choose of, before anything is done", async () => {
  const { mock, env } = await service();
  const run = shell({ env });
  const commands = [
    ["orders", "show", "1"],
    ["orders", "watch", "--once"],
    ["catalog", "push", "-"],
    ["catalog", "check", "-"],
    ["catalog", "delete", "A1"],
    ["campaign", "send", "-", "--template", "pedido_listo", "--yes"],
    ["campaign", "resume"],
    ["mock", "advance", "5m", "--url", mock.baseUrl],
    ["demo"],
  ];
  for (const command of commands) {
    const { code, stdout, stderr } = await run([...command, "--fields", "total"], { stdin: "codigo\nA1\n" });
    expect([command.join(" "), code, stdout]).toEqual([command.join(" "), 2, ""]);
    expect(stderr).toMatch(/--fields .*list/);
  }
  expect(await mock.control.requests()).toEqual([]);
});
