import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fixedServer, orderOf, pageOf } from "../../../support/peers.ts";
import { shell, temporaryFolder } from "../../../support/run.ts";
import { pointedAt } from "../../../support/service.ts";
import { eventsOf, newIds, orderBook, watchOnce, watchPolls } from "../../../support/watch.ts";

/** Serves these orders as pendiente, and nothing in the other states. */
async function serving(orders: readonly unknown[]): Promise<ReturnType<typeof shell>> {
  const url = await fixedServer(({ searchParams }) => ({
    body: pageOf(searchParams.get("status") === "pendiente" ? orders : []),
  }));
  return shell({ env: pointedAt(url) });
}

describe("an order without a usable order_id", () => {
  const { order_id: _id, ...without } = orderOf(0);
  it.each([
    ["none", without],
    ["1.5", orderOf(1.5)],
    ["null", orderOf(null)],
    ["a path", orderOf("../../etc/passwd")],
    ["a list", orderOf([7])],
    ["no object: null", null],
    ["no object: the number of another", 2],
    ["no object: a text", "no anda"],
    ["no object: a list of orders", [orderOf(3)]],
  ])("(%s) is kept and reported once, and holds no other up", async (_name, odd) => {
    const run = await serving([orderOf(1), odd, orderOf(2)]);
    const home = temporaryFolder();
    const folder = join(home, "state", "quarantine");
    const result = await watchPolls(run, { polls: 3, world: { env: { BPOS_HOME: home } } });
    expect(newIds(result)).toEqual([1, 2]);
    const [name, ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, name!), "utf8"))).toEqual(odd);
    expect(result.stderr.split(join(folder, name!))).toHaveLength(2);
    expect(result.stderr).toContain("(orders.1");
  });
});

describe("an order without a usable order_id that changes from poll to poll", () => {
  const { order_id: _id, ...without } = orderOf(0);
  it.each([
    ["an order", without, { updated_at: 0, cliente: { ...(without["cliente"] as object), visto: 0 } }],
    ["in a state of its own", { ...without, status: "" }, { status: "listo" }],
    ["no more than a counter", { order_id: null }, { n: 0 }],
  ])("(%s) is kept and reported once, also after a restart", async (_name, odd, changing) => {
    let polls = 0;
    const touched = (value: object): object =>
      JSON.parse(JSON.stringify(value), (_key, each: unknown) => (each === 0 ? ++polls : each)) as object;
    const list = [{}, { cliente: { nombre: "Ana" } }];
    const url = await fixedServer(({ searchParams }) => {
      const asked = searchParams.get("status") === "pendiente";
      return { body: pageOf(asked ? list.map((more) => ({ ...odd, ...touched(changing), ...more })) : []) };
    });
    const home = temporaryFolder();
    const run = shell({ env: { ...pointedAt(url), BPOS_HOME: home } });
    const { stderr } = await watchPolls(run, { polls: 4 });
    expect(stderr.match(/without a valid order_id was saved/g)).toHaveLength(2);
    await watchOnce(run);
    // Two that are alike are two.
    list.push({});
    await watchOnce(run);
    expect(readdirSync(join(home, "state", "quarantine"))).toHaveLength(3);
  });

  it("fills no disk: at most 1,000 are kept, then it is said once", async () => {
    let n = 0;
    const url = await fixedServer(({ searchParams }) => ({
      body: pageOf(searchParams.get("status") === "pendiente" ? [`x ${++n}`, null, `y ${n}`] : []),
    }));
    const home = temporaryFolder();
    const folder = join(home, "state", "quarantine");
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < 995; file++) writeFileSync(join(folder, `${file}.json`), "");
    const run = shell({ env: { ...pointedAt(url), BPOS_HOME: home } });
    const { stderr } = await watchPolls(run, { polls: 5 });
    expect(readdirSync(folder)).toHaveLength(1_000);
    expect(stderr.match(/was not saved: .* holds 1,000/g)).toHaveLength(1);
    expect(stderr).toContain(folder);
    expect((await watchOnce(run)).code).toBe(3);
  });
});

describe("an order_id that is no small number", () => {
  it("keeps all its digits on standard output, in the file and in its name, and is told from its neighbour", async () => {
    const ids = ["9007199254740993", "9007199254740992", "12345678901234567891"];
    const listed = ids.map((id) => `{"order_id":${id},"created_at":1767265200000,"total":1}`).join(",");
    const server = createServer((request, response) => {
      const orders = request.url?.includes("status=pendiente") ? listed : "";
      response.end(`{"orders":[${orders}],"page":1,"per_page":20,"total":1,"has_more":false}`);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const run = shell({ env: pointedAt(`http://127.0.0.1:${port}`) });
    const folder = temporaryFolder();
    const { stdout } = await watchOnce(run, "--out-dir", folder);
    expect(stdout.match(/"order_id":\d+/g)).toEqual(ids.map((id) => `"order_id":${id}`));
    for (const id of ids)
      expect(readFileSync(join(folder, `${id}.json`), "utf8")).toContain(`"order_id":${id},`);
    expect(readdirSync(folder)).toHaveLength(ids.length);
    expect((await watchOnce(run, "--out-dir", folder)).stdout).toBe("");
  });
});

it.each(["CON", "nul", "com1"])("an order %s has a file that is no device of Windows", async (id) => {
  const folder = temporaryFolder();
  await watchOnce(await serving([orderOf(id)]), "--out-dir", folder);
  expect(readdirSync(folder)).toEqual([`${id}_.json`]);
});

describe("an order that the contract does not foresee", () => {
  it("passes through with its unknown state and fields", async () => {
    const order = orderOf(1, {
      status: "en_revision",
      propina: { monto: 12.5 },
      cliente: { nombre: "Añá", vip: [true] },
    });
    const [event] = eventsOf(await watchOnce(await serving([order])));
    expect(event).toMatchObject({ event: "order.new" });
    expect(event!.order).toEqual(order);
  });

  it("is handed on raw, with one warning however often it is listed", async () => {
    const odd = { order_id: 3, created_at: Date.UTC(2026, 0, 1, 11), status: "pendiente", total: "no sé" };
    const orders = [orderOf(1, { created_at: 1 }), odd];
    const run = shell({ env: pointedAt(await fixedServer(orderBook(orders).answer)) });
    const result = await watchPolls(run, {
      polls: 12,
      after: (poll) => {
        // It moves up in its page.
        if (poll === 3) orders.shift();
      },
    });
    expect(eventsOf(result).at(-1)!.order).toEqual(odd);
    expect(result.stderr.match(/does not match the service's specification/g)).toHaveLength(1);
  });
});
