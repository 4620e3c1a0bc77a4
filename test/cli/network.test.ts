import { rootCertificates } from "node:tls";
import { describe, expect, it } from "vitest";
import { errorOf, recipientsFile } from "../support/campaigns.ts";
import { diagnosis } from "../support/doctor.ts";
import { listenIn, postReply } from "../support/listen.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { fixture, shell, temporaryFolder } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt, service } from "../support/service.ts";
import { caCertificate, caFile, secureServer } from "../support/tls.ts";

const noOrders = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
const secret = "s3cr3to";
const list = ["orders", "list", "--json"];

describe("NODE_TLS_REJECT_UNAUTHORIZED=0", () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const remote = { ...pointedAt("https://pos.example.com", "https://msg.example.com"), ...env };

  it.each<[string[], Record<string, string>]>([
    [list, {}],
    [["orders", "watch", "--once", "-o", "ndjson"], {}],
    [["catalog", "push", fixture("catalog.csv"), "--json"], {}],
    [["campaign", "status", "c1", "--json"], {}],
    [["profile", "add", "x", "--base-url", "https://pos.example.com", "--api-key-file", "-", "--json"], {}],
    [["campaign", "listen", "--forward-to", "https://crm.example.com/", "-o", "ndjson"], {}],
    [list, { BPOS_BASE_URL: "http://pos.example.com" }],
  ])("keeps %j from calling another machine, with 9", async (argv, more) => {
    const { code, stderr } = await shell({ env: { ...remote, ...more } })(argv, { stdin: "bpk_0123456789" });
    expect(code).toBe(9);
    expect(errorOf(stderr)).toMatchObject({ code: "config", reason: "tls_unchecked" });
    expect(errorOf(stderr)["hint"]).toContain("--ca-file");
  });

  it("is a failed check of doctor, which asks only this machine then", async () => {
    const { env: here } = await service();
    const good = diagnosis(await shell({ env: { ...here, ...env } })(["doctor", "--json"]));
    expect([good.ok, good.names.includes("certificates")]).toEqual([true, false]);
    const mixed = { ...here, ...env, BPOS_CAMPAIGNS_URL: "https://msg.example.com" };
    const bad = diagnosis(await shell({ env: mixed })(["doctor", "--json"]));
    expect({ code: bad.code, failed: bad.failed }).toEqual({ code: 9, failed: ["certificates"] });
    expect(bad.row("certificates").detail).toContain("NODE_TLS_REJECT_UNAUTHORIZED=0");
    expect(bad.row("certificates").remedy).toContain("--ca-file");
    expect(bad.row("base_url_access").status).toBe("pass");
    expect(bad.unchecked).toContain("campaigns_base_url_access");
  });
});

describe("a private CA", () => {
  it("is trusted by --ca-file, with others in the same file", async () => {
    const { port } = await secureServer(noOrders);
    const run = shell({ env: pointedAt(`https://localhost:${port}`) });
    const several = `Our CAs\n${rootCertificates[0]!}\n${caCertificate}`;
    const { code, stdout } = await run([...list, "--ca-file", caFile(several)]);
    expect(JSON.parse(stdout)).toEqual(noOrders);
    expect(code).toBe(0);
  });

  it("is asked for by name where a certificate is not accepted", async () => {
    const { port, requests } = await secureServer(noOrders);
    const run = shell({ env: pointedAt(`https://localhost:${port}`) });
    for (const flags of [[], ["--ca-file", caFile(rootCertificates[0])]]) {
      const { code, stderr } = await run([...list, ...flags]);
      expect(code).toBe(6);
      const error = errorOf(stderr);
      expect(error).toMatchObject({ untrusted: true, attempts: 1 });
      expect(error["hint"]).toContain("--ca-file");
    }
    expect(requests).toEqual([]);
  });

  it.each([
    ["a file that is not there", () => "/nowhere/ca.pem", "unreadable"],
    ["a folder", () => temporaryFolder(), "unreadable"],
    ["a file of something else", () => fixture("catalog.csv"), "no_certificate"],
    ["a certificate in DER form", () => caFile("0\x82\x01\xa9\x30\x82"), "no_certificate"],
    [
      "a key",
      () => caFile("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
      "no_certificate",
    ],
    ["a certificate that was cut", () => caFile(caCertificate.slice(0, 300)), "no_certificate"],
    [
      "a damaged second certificate",
      () => caFile(caCertificate + caCertificate.replace(/\n.{10}/, "\nAAAAAAAAAA")),
      "broken_certificate",
    ],
  ])("is not read from %s", async (_name, file, kind) => {
    const run = shell({ env: pointedAt("https://localhost:9") });
    const { code, stderr } = await run([...list, "--ca-file", file()]);
    expect(code).toBe(2);
    expect(errorOf(stderr)).toMatchObject({ reason: "ca_file_unusable", problem: { kind } });
  });
});

describe("a proxy of the environment", () => {
  it("leads to http and https, with its credentials, and shows them nowhere", async () => {
    const proxy = await proxyServer({ credentials: `ana:${secret}` });
    const { port } = await secureServer(noOrders);
    const plain = await scriptedServer(on("GET /v1/orders", reply(noOrders)));
    const env = { all_proxy: `http://ana:${secret}@${proxy.host}` };
    const addresses = [`https://api.example.com:${port}`, plain.url.replace("127.0.0.1", "api.example.com")];
    let seen = "";
    for (const address of addresses) {
      const run = shell({ env: { ...env, ...pointedAt(address) } });
      const { code, stdout, stderr } = await run([...list, "-vv", "--curl", "--ca-file", caFile()]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual(noOrders);
      seen += stderr;
    }
    expect(proxy.asked).toEqual([
      `CONNECT api.example.com:${port}`,
      expect.stringContaining("CONNECT api.example.com:"),
    ]);
    expect(seen).toContain(`through the proxy http://…@${proxy.host} (all_proxy)`);
    expect(seen).toContain('--proxy "$all_proxy"');
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain(Buffer.from(`ana:${secret}`).toString("base64"));
  });

  it("is not used for hosts of NO_PROXY, nor for a mock on this machine", async () => {
    const proxy = await proxyServer();
    const { mock, env } = await service();
    const proxies = { HTTP_PROXY: `http://${proxy.host}`, HTTPS_PROXY: `http://${proxy.host}` };
    const run = shell({ env: proxies });
    const worlds = [{ env }, { env: { BPOS_MOCK: mock.baseUrl } }, { env: { BPOS_MOCK: "1" } }];
    for (const world of worlds) expect((await run(list, world)).code).toBe(0);
    expect((await run(["--mock", ...list])).code).toBe(0);
    const elsewhere = { ...pointedAt("http://api.invalid:9"), NO_PROXY: ".invalid" };
    const { code, stderr } = await run([...list, "--retries", "0"], { env: elsewhere });
    expect(code).toBe(6);
    expect(errorOf(stderr)).not.toHaveProperty("proxy");
    expect(proxy.asked).toEqual([]);
  });

  it("that wants credentials is told as such, in both languages, and nothing is sent", async () => {
    const proxy = await proxyServer({ credentials: `ana:${secret}` });
    const run = shell({ env: { ...pointedAt("https://api.example.com:9"), HTTPS_PROXY: proxy.host } });
    const english = await run(["orders", "list"]);
    expect(english.code).toBe(6);
    expect(english.stderr).toMatch(/HTTPS_PROXY\) answered 407/);
    expect(english.stderr).toContain("needs a user name and password: set HTTPS_PROXY to http://USER:");
    const spanish = await run(["orders", "list", "--lang", "es"]);
    expect(spanish.stderr).toMatch(/HTTPS_PROXY\) respondió 407/);
    const send = ["campaign", "send", recipientsFile(["+5491155550017,Ana,1"]), "--template", "t", "--yes"];
    const { code, stderr } = await run([...send, "--json"]);
    expect(code).toBe(6);
    expect(errorOf(stderr)).toMatchObject({ reason: "unavailable", proxy: { status: 407 } });
    // Each call asked once: trying again is of no use. A send first asks for the service's time.
    expect(proxy.asked).toHaveLength(4);
  });

  it("that cannot be used ends the command before it reads its input", async () => {
    const run = shell({
      env: { ...pointedAt("https://api.example.com"), https_proxy: `socks5://u:${secret}@h` },
    });
    const { code, stderr } = await run(["catalog", "push", "/nowhere.csv", "--json"]);
    expect(code).toBe(9);
    expect(errorOf(stderr)).toMatchObject({
      reason: "proxy_unusable",
      variable: "https_proxy",
      scheme: "socks5",
    });
    expect(stderr).not.toContain(secret);
  });

  it("leads to a header's file too, whose host may be any public one", async () => {
    const proxy = await proxyServer();
    const { port } = await secureServer({ campaign_id: "c1" });
    const address = `https://api.example.com:${port}`;
    const run = shell({ env: { ...pointedAt(address), https_proxy: proxy.host } });
    const send = [
      "campaign",
      "send",
      recipientsFile(["+5491155550017,Ana,1"]),
      "--template",
      "t",
      "--yes",
      "--json",
    ];
    const header = ["--header-url", `https://files.example.com:${port}/menu.pdf`, "--ca-file", caFile()];
    const { code, stderr } = await run([...send, ...header]);
    // The server of this test answers JSON to everybody.
    expect(code).toBe(2);
    expect(errorOf(stderr)).toMatchObject({ reason: "header_unusable" });
    expect(proxy.asked).toEqual([`CONNECT api.example.com:${port}`, `CONNECT files.example.com:${port}`]);
    const own = await run([...send, "--header-url", "https://127.0.0.1/menu.pdf"]);
    expect(errorOf(own.stderr)).toMatchObject({
      reason: "header_unusable",
      problem: { kind: "private_host" },
    });
    const dead = await run([...send, ...header], { env: { https_proxy: "http://127.0.0.1:1" } });
    expect(dead.code).toBe(6);
    expect(errorOf(dead.stderr)).toMatchObject({ reason: "header_unreachable", problem: { kind: "proxy" } });
  });

  it("leads to where replies are forwarded", async () => {
    const proxy = await proxyServer();
    const server = await scriptedServer(on("POST /replies", reply({})));
    const env = { http_proxy: `http://${proxy.host}` };
    const to = server.url.replace("127.0.0.1", "pos.example.com");
    const listener = await listenIn(shell({ env }), ["--forward-to", `${to}/replies`]);
    await postReply(listener.url, { campaign_id: "c1", phone: "+5491155550017", text: "hola" });
    await expect.poll(() => server.requests.length).toBe(1);
    await listener.stop();
    expect(proxy.asked).toEqual([`CONNECT ${new URL(to).host}`]);
  });
});
