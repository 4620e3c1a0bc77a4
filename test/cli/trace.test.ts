import { execFile, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { examples } from "../../src/contract/examples.ts";
import { recipientsFile } from "../support/campaigns.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { clockQuestion, on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";

const key = "bpk_live_S3cretPart0123456789";
const masked = "bpk_…6789";
const noOrders = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };

/** Runs `orders list -vv` against a service that answers with this. */
async function traced(answer: Parameters<typeof reply>, ...flags: string[]): Promise<string> {
  const server = await scriptedServer(on("GET /v1/orders", reply(...answer)));
  const run = shell({ env: pointedAt(server.url, undefined, key) });
  return (await run(["orders", "list", "--json", ...flags])).stderr;
}

describe("--verbose", () => {
  it("once, is one line a request", async () => {
    for (const flag of ["-v", "--verbose"])
      expect(await traced([noOrders], flag)).toMatch(
        /^GET http:\/\/127\.0\.0\.1:\d+\/v1\/orders\?status=pendiente&page=1 200 \d+ ms, attempt 1\n$/,
      );
  });

  it.each([["-vv"], ["-v", "-v"], ["--verbose", "--verbose"]])(
    "twice (%s %s), is headers and bodies too",
    async (...flags) => {
      const stderr = await traced([noOrders, 200, { "x-request-id": "r-1" }], ...flags);
      const lines = stderr.split("\n");
      expect(lines[0]).toMatch(/^> GET http:\/\/127\.0\.0\.1:\d+\/v1\/orders\?status=pendiente&page=1$/);
      expect(lines).toContain(`> X-API-Key: ${masked}`);
      expect(lines).toContain("> accept: application/json");
      expect(lines).toContain("< 200 to GET /v1/orders?status=pendiente&page=1");
      expect(lines).toContain("< x-request-id: r-1");
      expect(lines).toContain(`< ${JSON.stringify(noOrders)}`);
      expect(lines.at(-2)).toMatch(/^GET .* 200 \d+ ms, attempt 1$/);
    },
  );

  it.each([
    [{ telefono: "+5491155550017" }, '"telefono":"+54…0017"'],
    [{ phone: 5491155550017 }, '"phone":"549…0017"'],
    [{ telefono_numero: "55550017" }, '"telefono_numero":"…"'],
    [{ message: "llamar al +54 9 11 5555-0017 ya" }, '"message":"llamar al +54…0017 ya"'],
    [{ error: "tel5491155550017" }, "tel549…0017"],
    [{ detail: "casa\n1155550017" }, "casa\\n115…0017"],
    [{ errors: ["line 2", "5491155550017"] }, '["line 2","549…0017"]'],
    [{ note: "Ana", list: ["Ana", 7, { total: 8 }] }, '{"note":"…(3)","list":["…(3)","…(1)",{"total":8}]}'],
    [{ params: ["Ana", "5491155550017"] }, '"params":["…(3)","…(13)"]'],
    [{ errors: [5491155550017], created_at: 1795310284234 }, '[549…0017],"created_at":1795310284234'],
    [{ "5491155550017": "x" }, '{"549…0017":"…(1)"}'],
    [{ codigo: "7791290006782", order_id: 1155550017 }, '{"codigo":"7791290006782","order_id":1155550017}'],
    [{ customer_id: "5491155550017" }, '"customer_id":"…(13)"'],
    [{ store_id: "1155550017", send_id: "+5491155550017" }, '"store_id":"1155550017","send_id":"+54…0017"'],
    [
      { detail: "5491155550017@c.us", error: "user_5491155550017" },
      '"549…0017@c.us","error":"user_549…0017"',
    ],
    [{ message: "+54\u00a09\u202f11\u20075555\u20110017" }, '"message":"+54…0017"'],
    [{ message: "54\t9 11\t5555\t0017" }, '"message":"549…0017"'],
    [{ detail: "/?p=%252B5491155550017&q=%2B54%209%2011%205555-0017" }, "/?p=+54…0017&q=+54…0017"],
    [{ detail: "/?p=%35%34%39%31%31%35%35%35%35%30%30%31%37" }, "/?p=549…0017"],
    [{ occurred_at: "2026-01-31 08:00:00-03:00" }, '"2026-01-31 08:00:00-03:00"'],
    [{ total: 12345678901.5 }, '"total":12345678901.5'],
    [{ id: "cmp_e78788e9000000012345" }, '"id":"cmp_e78788e9000000012345"'],
  ])("masks phones, values of persons and little else: %j", async (more, expected) => {
    const stderr = await traced([{ ...noOrders, ...more }], "-vv");
    expect(stderr.replace(`${JSON.stringify(noOrders).slice(0, -1)},`, "{")).toContain(expected);
    expect(stderr).not.toMatch(/91155550017|9 11 5555/);
  });

  it("shows of an order what a supporter needs, and nothing of its customer", async () => {
    const { orders } = examples.listOrders.response;
    const { domicilio, cliente, delivery_address: line } = orders[0]!;
    const stderr = await traced([examples.listOrders.response], "-vv");
    for (const value of [line, ...Object.values(domicilio), ...Object.values(cliente)])
      if (value.length > 3) expect(stderr).not.toContain(value);
    expect(stderr).toContain('"domicilio":{"calle":"…(14)","numero":"…(4)",');
    expect(stderr).toContain('"cliente":{"nombre":"…(9)","telefono":"+54…4567",');
    for (const kept of ['"order_id":1042', '"codigo":"00123"', "Pizza muzzarella", '"total":9700'])
      expect(stderr).toContain(kept);
  });

  it("shows some KB of a body, says what is left out, and makes control characters visible", async () => {
    const lines = `{"error":"\u009b2J\u202e",\n"detail":"${"y".repeat(10_000)}"}`;
    const stderr = await traced([lines], "-vv", "--retries", "0");
    expect(stderr).toContain('< {"error":"‹U+009B›2J‹U+202E›",\n< "detail":"yyy');
    expect(stderr).toMatch(/y\n< … \d{4} more characters are not shown\n/);
    expect(stderr.length).toBeLessThan(6000);
    const header = await traced([noOrders, 200, { "x-odd": "a\u009b2J" }], "-vv");
    expect(header).toContain("x-odd: a‹U+009B›2J");
  });

  it("numbers the tries, and shows the body of a POST", async () => {
    const server = await scriptedServer(
      on("POST /campaigns", reply("busy", 503)),
      on(
        "POST /campaigns",
        reply({ campaign_id: "c1", recipients: { added: 1, duplicates: 0, errors: [] } }),
      ),
    );
    const run = shell({ env: pointedAt(server.url, undefined, key), clock: fakeClock() });
    const file = recipientsFile(["+5491155550017,Ana,1"]);
    const { stderr } = await run(["campaign", "send", file, "--template", "t", "--yes", "-vv"]);
    expect(stderr).toContain(`> POST ${server.url}/campaigns\n`);
    expect(stderr).toContain(`> POST ${server.url}/campaigns, attempt 2\n`);
    expect(stderr.match(/^> \{.*"phone":"\+54…0017"/gm)).toHaveLength(2);
    expect(stderr).not.toContain("91155550017");
  });
});

const execute = promisify(execFile);
const hasCurl = (() => {
  try {
    execFileSync("curl", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

/** Returns the requests of a person who copies the commands to a shell. */
async function pasted(commands: string, environment: Record<string, string> = {}) {
  const seen: { line: string; headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const there = commands.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, `http://127.0.0.1:${port}`);
  const script = join(temporaryFolder(), "pasted.sh");
  writeFileSync(script, there);
  await execute("sh", ["-e", script], {
    env: { PATH: process.env["PATH"], BPOS_API_KEY: key, ...environment },
  });
  return seen;
}

describe.skipIf(!hasCurl)("--curl", () => {
  it("prints a GET that can be pasted, and makes it nevertheless", async () => {
    const server = await scriptedServer(on("GET /v1/orders", reply(noOrders)));
    const run = shell({ env: pointedAt(server.url, undefined, key) });
    const { code, stdout, stderr } = await run(["orders", "list", "--json", "--curl"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(noOrders);
    expect(stderr).toMatch(/^curl /);
    expect(stderr).not.toContain("S3cretPart");
    const [sent, ...more] = await pasted(stderr);
    expect(more).toEqual([]);
    expect(sent?.line).toBe(`GET ${server.requests[0]!.url}`);
    const { host: _, ...headers } = server.requests[0]!.headers;
    const { connection: __, ...same } = headers;
    expect(sent?.headers).toMatchObject({ ...same, "accept-encoding": expect.any(String) as string });
  });

  it("prints a POST once, with whatever its body holds", async () => {
    const server = await scriptedServer(
      clockQuestion,
      on("POST /v1/catalog/items", reply("busy", 503)),
      on("POST /v1/catalog/items", reply({ accepted: 1 })),
    );
    const nasty = `it's "q" $HOME \`id\` \\n %s ñ☕👨‍👩‍👧 \u009b2J \u202e a\nb ${key}`;
    const row = JSON.stringify({ codigo: "A'1", nombre: nasty });
    const run = shell({ env: pointedAt(server.url, undefined, key), clock: fakeClock() });
    const push = ["catalog", "push", "-", "--format", "ndjson", "--curl", "-q"];
    const { stderr } = await run(push, { stdin: `${row}\n` });
    expect(stderr).not.toContain("S3cretPart");
    expect(stderr).not.toMatch(/[\u009b\u202e]/);
    const posts = (await pasted(stderr)).filter(({ line }) => line.startsWith("POST"));
    expect(posts).toHaveLength(1);
    const [first] = server.requests;
    expect(JSON.parse(posts[0]!.body)).toEqual(JSON.parse(first!.body.toString()));
    expect(posts[0]!.headers["content-type"]).toBe("application/json");
  });

  it("prints with --dry-run what would be sent, long bodies too, without asking anybody", async () => {
    const server = await scriptedServer();
    const run = shell({ env: pointedAt(server.url, undefined, key), clock: fakeClock() });
    const products = Array.from({ length: 1500 }, (_, n) =>
      JSON.stringify({ codigo: `A${n}`, nombre: `é'${"x".repeat(150)}` }),
    );
    const push = "catalog push - --format ndjson --batch-size 1000 --dry-run --curl".split(" ");
    const pushed = await run(push, { stdin: products.join("\n") });
    const batches = await pasted(pushed.stderr.slice(pushed.stderr.indexOf("printf")));
    const bodies = batches.map(
      ({ body }) => JSON.parse(body) as { action: string; items: { codigo: string }[] },
    );
    expect(bodies.map(({ items }) => items.length)).toEqual([1000, 500]);
    expect(bodies[0]).toMatchObject({ action: "upsert" });
    expect(bodies[0]?.items[0]).toEqual(JSON.parse(products[0]!));
    const file = recipientsFile(["+5491155550017,Ana O'Higgins,1"]);
    const send = ["campaign", "send", file, "--template", "t", "--ref", "r", "--dry-run", "--curl"];
    const { stderr, stdout } = await run(send);
    expect(stdout).toContain("Nothing was sent");
    expect(stderr).not.toMatch(/Ana|Higgins|91155550017/);
    const masked = stderr.slice(stderr.indexOf("# Personal data is masked"));
    const [call, ...more] = await pasted(masked);
    expect(more).toEqual([]);
    expect(call?.line).toBe("POST /campaigns");
    expect(JSON.parse(call!.body)).toMatchObject({
      template_name: "t",
      recipients: [{ phone: "+54…0017", params: ["…(13)", "…(1)"] }],
    });
    expect(server.requests).toEqual([]);
  });
});
