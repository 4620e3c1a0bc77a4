import { describe, expect, it } from "vitest";
import { readProxies } from "../../src/api/proxy.ts";
import { isReason } from "../../src/errors.ts";

const proxy = "http://proxy.example:3128";
/** The variable of the proxy that is meant for an origin, undefined for none. */
const variableFor = (env: Record<string, string>, origin: string): string | undefined =>
  readProxies(env)?.of(origin)?.variable;

describe("which variable names the proxy", () => {
  it.each<[Record<string, string>, string, string | undefined]>([
    [{}, "https://api.example", undefined],
    [{ http_proxy: proxy }, "https://api.example", undefined],
    [{ http_proxy: proxy }, "http://api.example", "http_proxy"],
    [{ https_proxy: proxy, HTTPS_PROXY: "http://other" }, "https://api.example", "https_proxy"],
    [{ https_proxy: "", HTTPS_PROXY: proxy }, "https://api.example", "HTTPS_PROXY"],
    [{ https_proxy: " ", HTTPS_PROXY: "" }, "https://api.example", undefined],
    [{ ALL_PROXY: proxy }, "https://api.example", "ALL_PROXY"],
    [{ ALL_PROXY: proxy, all_proxy: proxy, HTTP_PROXY: proxy }, "http://api.example", "HTTP_PROXY"],
    [{ ALL_PROXY: proxy, all_proxy: proxy, HTTP_PROXY: proxy }, "https://api.example", "all_proxy"],
    // A web server's CGI makes HTTP_PROXY of a header that strangers send.
    [{ HTTP_PROXY: proxy, REQUEST_METHOD: "GET" }, "http://api.example", undefined],
    [{ http_proxy: proxy, REQUEST_METHOD: "GET" }, "http://api.example", "http_proxy"],
  ])("%j, %s: %s", (env, origin, expected) => {
    expect(variableFor(env, origin)).toBe(expected);
  });

  it.each([
    "http://localhost:4010",
    "http://127.0.0.1:4010",
    "http://127.8.9.1",
    "http://[::1]:4010",
    "https://shop.localhost",
    "http://LOCALHOST.",
  ])("never calls this machine through a proxy: %s", (origin) => {
    expect(variableFor({ all_proxy: proxy }, origin)).toBeUndefined();
  });
});

describe("NO_PROXY", () => {
  it.each([
    ["*", "https://api.example"],
    ["api.example", "https://api.example"],
    ["example", "https://api.example"],
    [".example", "https://api.example"],
    ["*.example", "https://api.example"],
    [".api.example", "https://api.example"],
    ["other, API.Example", "https://api.example"],
    ["other\tapi.example", "https://api.example."],
    ["api.example:443", "https://api.example"],
    ["api.example:8443", "https://api.example:8443"],
    ["api.example:80", "http://api.example"],
    ["10.1.2.3", "https://10.1.2.3"],
    ["10.0.0.0/8", "https://10.1.2.3"],
    ["2001:db8::1", "https://[2001:db8::1]"],
    ["[2001:db8::1]", "https://[2001:db8::1]:8443"],
    ["[2001:db8::1]:8443", "https://[2001:db8::1]:8443"],
    ["2001:db8::/32", "https://[2001:db8::1]"],
  ])("%s leaves out %s", (value, origin) => {
    expect(variableFor({ all_proxy: proxy, NO_PROXY: value }, origin)).toBeUndefined();
  });

  it.each([
    ["", "https://api.example"],
    [",, .", "https://api.example"],
    ["pi.example", "https://api.example"],
    ["api.example.org", "https://api.example"],
    ["api.example:8443", "https://api.example"],
    ["0.1.2.3", "https://10.1.2.3"],
    [".2.3", "https://10.1.2.3"],
    ["10.0.0.0/33", "https://10.1.2.3"],
    ["10.0.0.0/x", "https://10.1.2.3"],
    ["11.0.0.0/8", "https://10.1.2.3"],
    ["2001:db8::1", "https://[2001:db8::2]"],
    ["[2001:db8::1]:8443", "https://[2001:db8::1]"],
  ])("%s does not leave out %s", (value, origin) => {
    expect(variableFor({ all_proxy: proxy, NO_PROXY: value }, origin)).toBe("all_proxy");
  });

  it("is read in lower case first", () => {
    const env = { all_proxy: proxy, no_proxy: "api.example", NO_PROXY: "other.example" };
    expect(variableFor(env, "https://api.example")).toBeUndefined();
    expect(variableFor(env, "https://other.example")).toBe("all_proxy");
  });
});

describe("the address of a proxy", () => {
  const of = (value: string) => readProxies({ https_proxy: value })?.of("https://api.example");

  it.each([
    ["proxy.example:3128", "http://proxy.example:3128", undefined],
    ["HTTP://proxy.example:3128/", "http://proxy.example:3128", undefined],
    ["https://proxy.example", "https://proxy.example", undefined],
    ["http://ana:se%20cr%40eto@proxy.example:3128", "http://…@proxy.example:3128", "ana:se cr@eto"],
    ["ana:secreto@proxy.example:3128", "http://…@proxy.example:3128", "ana:secreto"],
    ["http://token@proxy.example:3128", "http://…@proxy.example:3128", "token:"],
    ["http://ana:100%@proxy.example", "http://…@proxy.example", "ana:100%"],
    ["http://[2001:db8::1]:3128", "http://[2001:db8::1]:3128", undefined],
  ])("%s", (value, shown, credentials) => {
    const { authorization = "", ...found } = of(value)!;
    expect(found.shown).toBe(shown);
    const [, encoded] = /^Basic (.*)$/.exec(authorization) ?? [];
    expect(encoded && Buffer.from(encoded, "base64").toString()).toBe(credentials);
  });

  it.each([
    ["socks5://ana:secreto@proxy.example:1080", { variable: "https_proxy", scheme: "socks5" }],
    ["http://ana:secreto@proxy.example:port", { variable: "https_proxy" }],
    ["http://", { variable: "https_proxy" }],
  ])("refuses %s without showing it", (value, facts) => {
    try {
      of(value);
      expect.unreachable();
    } catch (error) {
      expect(isReason(error, "proxy_unusable") && error.facts).toEqual(facts);
      expect(String(error)).not.toContain("secreto");
    }
  });

  it("is not looked at where no proxy is meant", () => {
    const proxies = readProxies({ https_proxy: "socks5://proxy", no_proxy: "api.example" });
    expect(proxies?.of("https://api.example")).toBeUndefined();
  });
});
