import { describe, expect, it } from "vitest";
import { diagnosis, expiredServer, webServer } from "../../support/doctor.ts";
import { deadAddress } from "../../support/peers.ts";
import { proxyServer } from "../../support/proxy-server.ts";
import { shell, type World } from "../../support/run.ts";
import { pointedAt, service } from "../../support/service.ts";
import { caFile, secureServer } from "../../support/tls.ts";

const doctor = ["doctor", "--json"];
const noOrders = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
const secret = "s3cr3to";

const examine = async (baseUrl: string, more: string[] = [], { env = {}, ...world }: World = {}) => {
  const orders = { ...pointedAt(baseUrl), BPOS_CAMPAIGNS_URL: "" };
  const run = await shell({ env: { ...orders, ...env }, ...world })([...doctor, ...more]);
  return { ...diagnosis(run), ...run };
};

describe("the name", () => {
  it("that is not found ends with 6", async () => {
    const { code, failed, unchecked, row } = await examine("https://nobody.invalid");
    expect({ code, failed }).toEqual({ code: 6, failed: ["base_url_dns"] });
    expect(row("base_url_dns").detail).toMatch(/^cannot reach nobody\.invalid: .*(ENOTFOUND|EAI_AGAIN)/);
    expect(unchecked).toEqual([
      ...["base_url_tcp", "base_url_tls", "base_url_http", "base_url_access"],
      "clock",
    ]);
  });
});

describe("the certificate", () => {
  it("of a CA that nobody knows fails with --ca-file as its remedy, and passes with it", async () => {
    const { port, requests } = await secureServer(noOrders);
    const url = `https://127.0.0.1:${port}`;
    const strange = await examine(url);
    expect({ code: strange.code, failed: strange.failed }).toEqual({ code: 6, failed: ["base_url_tls"] });
    expect(strange.row("base_url_tls").detail).toMatch(/^certificate refused: .*(SELF_SIGNED|UNABLE_TO)/);
    expect(strange.row("base_url_tls").remedy).toContain("--ca-file FILE");
    expect(requests).toEqual([]);
    const trusted = await examine(url, ["--ca-file", caFile()]);
    expect(trusted.failed).toEqual([]);
    expect(trusted.row("base_url_tls").detail).toMatch(
      /^certificate valid for \d+ days, until 2119-12-31 \(bpos test CA\)$/,
    );
    expect(trusted.row("ca_file").status).toBe("pass");
  });

  it("that has ended fails", async () => {
    const { url, certificate } = await expiredServer();
    const { code, failed, row } = await examine(url, ["--ca-file", caFile(certificate)]);
    expect({ code, failed }).toEqual({ code: 6, failed: ["base_url_tls"] });
    expect(row("base_url_tls").detail).toContain("CERT_HAS_EXPIRED");
    expect(row("base_url_tls").remedy).toContain("whoever runs the service to renew it");
  });

  it("of another host fails", async () => {
    const { port } = await secureServer(noOrders);
    const proxy = await proxyServer();
    const env = { https_proxy: `http://127.0.0.1:${proxy.port}` };
    const other = `https://api.other.test:${port}`;
    const { failed, row } = await examine(other, ["--ca-file", caFile()], { env });
    expect(failed).toEqual(["base_url_tls"]);
    expect(row("base_url_tls").detail).toContain("api.other.test");
  });

  it("cannot be there where nobody speaks TLS, and is missed where the key would go out plainly", async () => {
    const { env } = await service();
    const plain = await examine(env["BPOS_BASE_URL"]!.replace("http:", "https:"));
    expect(plain.failed).toEqual(["base_url_tls"]);
    expect(plain.row("base_url_tls").remedy).toContain("http://");
    const proxy = await proxyServer();
    const web = await webServer((_request, response) => void response.end(JSON.stringify(noOrders)));
    const shop = web.replace("127.0.0.1", "shop.example.com");
    const open = await examine(shop, [], { env: { http_proxy: `http://127.0.0.1:${proxy.port}` } });
    expect(open.row("base_url_http").status).toBe("pass");
    expect(open.row("base_url_tls")).toMatchObject({
      status: "warn",
      detail: "none: the key is sent to shop.example.com unencrypted",
    });
  });
});

describe("a proxy", () => {
  const credentials = `ana:${secret}`;

  it("is named with its variable, without its password, and the way through it is checked", async () => {
    const { port } = await secureServer(noOrders);
    const proxy = await proxyServer({ credentials });
    const env = { HTTPS_PROXY: `http://${credentials}@127.0.0.1:${proxy.port}` };
    const found = await examine(`https://shop.example.com:${port}`, ["--ca-file", caFile()], { env });
    expect(found.failed).toEqual([]);
    expect(found.row("proxy").detail).toBe(
      `http://…@127.0.0.1:${proxy.port} for orders and catalog (HTTPS_PROXY)`,
    );
    expect(found.row("base_url_tcp").detail).toContain("shop.example.com:");
    expect(found.row("base_url_tcp").detail).toContain("through the proxy http://…@127.0.0.1");
    expect(found.row("base_url_tls").status).toBe("pass");
    expect(found.stdout + found.stderr).not.toContain(secret);
    expect(proxy.asked).toContain(`CONNECT shop.example.com:${port}`);
  });

  it("that wants a password, refuses, or is not there, is one failure with its remedy", async () => {
    const wants = await proxyServer({ credentials });
    const env = { HTTPS_PROXY: `http://127.0.0.1:${wants.port}` };
    const unknown = await examine("https://shop.example.com", [], { env });
    expect({ code: unknown.code, failed: unknown.failed }).toEqual({ code: 6, failed: ["base_url_tcp"] });
    expect(unknown.row("base_url_tcp").detail).toContain("answered 407");
    expect(unknown.row("base_url_tcp").remedy).toContain("USER:PASSWORD");
    const dead = await examine("https://shop.example.com", [], {
      env: { HTTPS_PROXY: await deadAddress() },
    });
    expect(dead.failed).toEqual(["base_url_tcp"]);
    expect(dead.row("base_url_tcp").detail).toContain("could not be reached");
    const deadHttp = await examine("http://shop.example.com", [], {
      env: { http_proxy: await deadAddress() },
    });
    expect(deadHttp.row("base_url_tcp").detail).toContain("could not be reached");
  });
});
