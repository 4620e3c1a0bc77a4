import { describe, expect, it } from "vitest";
import { preflightHeader, readHeaderUrl } from "../../../src/campaigns/send/header.ts";
import { fileHost, publicInternet } from "../../support/file-host.ts";
import { box, file, jpeg, judge, mp4, pdf, png, refusal, say } from "../../support/header-files.ts";

describe("a URL", () => {
  it.each([
    "https://cdn.example.com/menu.pdf",
    "HTTPS://CDN.example.com:8443/a%20b/menu.pdf?X-Sig=a%2Fb&c=d",
    "https://8.8.8.8/promo.png",
    "https://[2606:4700::1111]/promo.png",
    "https://xn--caf-dma.example.com/a@2x.jpg",
  ])("may be %s", (text) => {
    expect(readHeaderUrl(text).protocol).toBe("https:");
  });

  it.each([
    ["promo.jpg", "not_https", "by https only", "Put the file on a public web server"],
    ["https:cdn.example.com/a.jpg", "not_https", "", ""],
    ["https://", "not_https", "", ""],
    ["data:image/png;base64,AAAA", "not_https", "", ""],
    ["", "not_https", "", ""],
    ["http://cdn.example.com/a.jpg", "not_https", "by https only", "its https:// URL"],
    ["https://a:secret@cdn.example.com/a.jpg", "credentials", "a user name or password", "public web server"],
    ["https://ana@cdn.example.com/a.jpg", "credentials", "", ""],
    [" https://cdn.example.com/a.jpg", "unescaped", "", "Write it as https://cdn.example.com/a.jpg "],
    ["https://cdn.example.com/menu #1.pdf", "unescaped", "a #, spaces", "in a file name as %23"],
    ["https://cdn.example.com/menu.pdf#", "unescaped", "", ""],
    ["https://cdn.example.com/menú 1.pdf", "unescaped", "accents", "/men%C3%BA%201.pdf"],
    [
      "https://localhost/a.jpg",
      "private_host",
      "localhost is reachable only from this machine",
      "public web server",
    ],
    ["https://shop.localhost./a.jpg", "private_host", "", ""],
    ["https://server/a.jpg", "private_host", "", ""],
    ["https://nas.local/a.jpg", "private_host", "", ""],
    ["https://127.0.0.1/a.jpg", "private_host", "", ""],
    ["https://0x7f.1/a.jpg", "private_host", "", ""],
    ["https://10.1.2.3/a.jpg", "private_host", "", ""],
    ["https://172.31.0.1/a.jpg", "private_host", "", ""],
    ["https://192.168.0.10/a.jpg", "private_host", "", ""],
    ["https://169.254.169.254/a.jpg", "private_host", "", ""],
    ["https://100.64.0.1/a.jpg", "private_host", "", ""],
    ["https://[::1]/a.jpg", "private_host", "", ""],
    ["https://[fe80::1]/a.jpg", "private_host", "", ""],
    ["https://[fd00::1]/a.jpg", "private_host", "", ""],
    ["https://[::ffff:192.168.0.1]/a.jpg", "private_host", "", ""],
    ["https://[::ffff:7f00:1]/a.jpg", "private_host", "", ""],
    ["https://[::7f00:1]/a.jpg", "private_host", "", ""],
    ["https://[64:ff9b::7f00:1]/a.jpg", "private_host", "", ""],
    ["https://[2002:a00:1::]/a.jpg", "private_host", "", ""],
    ["https://2130706433/a.jpg", "private_host", "", ""],
    ["https://017700000001/a.jpg", "private_host", "", ""],
    ["https://127.0.0.1./a.jpg", "private_host", "", ""],
    ["https://localhost../a.jpg", "private_host", "", ""],
  ])("may not be %s: %s", async (text, kind, what, next) => {
    const error = await refusal(() => readHeaderUrl(text));
    expect(error).toMatchObject({ reason: "header_unusable", facts: { problem: { kind } } });
    expect(say(error)).toMatch(/^Error: Header file \S.*\.\nWhy: .*\nNext: /);
    expect(say(error).split("\n")[0]).toContain(what);
    expect(say(error).split("\n")[2]).toContain(next);
  });

  it.each([
    "https://cdn.example.com/a b?sig=s3cret",
    "http://cdn.example.com/a?sig=s3cret",
    "https://ana:s3cret@cdn.example.com/a",
    "//ana:s3cret@cdn.example.com/a",
    "cdn.example.com/a?sig=s3cret",
    "https://server/a?sig=s3cret#s3cret",
  ])("keeps its secret out of the error: %s", async (text) => {
    const error = await refusal(() => readHeaderUrl(text));
    expect(say(error) + error.message).not.toContain("s3cret");
  });

  it("that cannot be used is not fetched", async () => {
    const server = await fileHost((response) => response.end(jpeg));
    const how = { dispatcher: publicInternet(), timeoutMs: 10_000, signal: undefined };
    for (const host of ["localhost", "127.0.0.1", "ana@files.example.com"]) {
      await refusal(preflightHeader(server.at("/a.jpg", host), how));
    }
    expect(server.requests).toEqual([]);
  });
});

describe("a file that can be used", () => {
  it.each([
    ["a JPEG", jpeg, "image/jpeg"],
    ["a PNG", png, "image/png"],
    ["an MP4", mp4, "video/mp4"],
    ["an MP4 of another brand", box("isom"), "video/mp4"],
    ["a PDF", pdf, "application/pdf"],
    ["a PDF behind something else", file(`${" ".repeat(1019)}%PDF-`), "application/pdf"],
  ] as const)("is %s by its bytes", async (_name, body, type) => {
    const path = "/x.pdf?sig=s3cret";
    const judgement = await judge({ body, path, headers: { "content-type": `${type}; charset=binary` } });
    expect(judgement).toEqual({ type, warnings: [] });
  });

  it("is warned of under a name or a type that is not its own", async () => {
    const { warnings } = await judge({ body: pdf, path: "/menu", headers: { "content-type": "text/plain" } });
    expect(warnings).toEqual([
      { kind: "file_name", name: "menu" },
      { kind: "content_type", said: "text/plain", type: "application/pdf" },
    ]);
    expect((await judge({ body: jpeg })).warnings).toMatchObject([{ kind: "content_type", said: "" }]);
  });
});
