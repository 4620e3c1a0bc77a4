import { describe, expect, it } from "vitest";
import { preflightHeader } from "../../../src/campaigns/send/header.ts";
import { type ErrorFacts, exitNames } from "../../../src/errors.ts";
import { fileHost, publicInternet } from "../../support/file-host.ts";
import {
  box,
  file,
  jpeg,
  judge,
  MB,
  mp4,
  pdf,
  refusal,
  type Served,
  say,
  type Unusable,
} from "../../support/header-files.ts";

describe("a file that cannot be used", () => {
  const other = "its content is not JPEG, PNG, MP4 or PDF";
  const anyKind = "Upload a JPEG or PNG image, an MP4";
  const page = "<!DOCTYPE html><title>Sign in</title>";
  it.each<[string, Served, string, string]>([
    ["401", { status: 401 }, "its host answers 401", "private browser window"],
    ["403", { status: 403, body: jpeg }, "its host answers 403", "private browser window"],
    ["404", { status: 404, body: page }, "its host answers 404", "Check the URL, capitals included"],
    ["nothing", { body: "" }, "the file is empty", "Upload it again"],
    ["204", { status: 204 }, "the file is empty", ""],
    ["a web page", { body: `\ufeff \n${page}` }, "a web page (HTML)", "not a page around it"],
    ["XHTML", { body: '<?xml version="1.0"?>\n<html xmlns="x">' }, "a web page", ""],
    ["a page that speaks of PDF", { body: `${page}%PDF-` }, "a web page", ""],
    ["zstd", { headers: { "content-encoding": "zstd" }, body: "x" }, 'encoding "zstd"', "Content-Encoding"],
    ["GIF", { body: file("GIF89a") }, other, anyKind],
    ["WebP", { body: file("RIFF\0\0\0\0WEBPVP8 ") }, other, anyKind],
    ["AVIF", { body: box("avif") }, other, anyKind],
    ["HEIC", { body: box("heic") }, other, anyKind],
    ["SVG", { body: '<?xml version="1.0"?><svg xmlns="x"/>' }, other, anyKind],
    ["MOV", { body: box("qt  ") }, other, anyKind],
    ["an old MOV", { body: file("\0\0\0\x08wide\0\0") }, other, anyKind],
    ["3GP", { body: box("3gp4") }, other, anyKind],
    ["M4A", { body: box("M4A ") }, other, anyKind],
    ["a ZIP with a PDF in it", { body: file("PK\x03\x04menu.pdf%PDF-1.7") }, other, anyKind],
    ["JSON", { body: '{"error":"señal"}' }, other, anyKind],
    ["PDF too late", { body: file(`${" ".repeat(1020)}%PDF-`) }, other, anyKind],
    ["who knows", { body: file("\x01\x02") }, other, anyKind],
  ])("%s", async (_name, served, why, next) => {
    const error = await refusal(judge({ path: "/x.jpg?sig=s3cret", ...served }));
    expect(exitNames[error.reason]).toBe("usage");
    const [what, because, then] = say(error).split("\n");
    expect(what).toMatch(/^Error: Header file https:\/\/\S+\/x\.jpg\?…: .*\.$/);
    expect(what).toContain(why);
    expect(because).toMatch(/The service could not use it\.$/);
    expect(then).toContain(next);
    expect(say(error) + error.message).not.toContain("s3cret");
  });

  it.each([
    ["image", jpeg, 5 * MB + 1, "too large for an image (at most 5 MB)."],
    ["video", mp4, 17 * MB, "too large for a video (at most 16 MB)."],
    ["document", pdf, 250 * MB, "too large for a document (at most 100 MB)."],
  ])("too large: %s", async (_kind, start, bytes, words) => {
    const server = await fileHost((response) => {
      response.writeHead(200, { "content-length": bytes });
      response.write(Buffer.concat([start, Buffer.alloc(5000)]));
    });
    const how = { dispatcher: publicInternet(), timeoutMs: 10_000, signal: undefined };
    expect(say(await refusal(preflightHeader(server.at("/x.pdf"), how)))).toContain(words);
  });

  it("is not looked for where a redirect leads to this network", async () => {
    const location = "https://127.0.0.1/x.jpg?sig=s3cret";
    const error = await refusal(judge({ status: 302, headers: { location } }));
    expect(error.facts).toMatchObject({
      redirectedTo: "https://127.0.0.1/x.jpg?…",
      problem: { kind: "private_host" },
    });
    expect(say(error)).toContain("(redirected to https://127.0.0.1/x.jpg?…): 127.0.0.1 is reachable");
  });

  it("is not looked for behind the sixth redirect", async () => {
    const error = await refusal(judge({ status: 302, headers: { location: "/a" } }));
    expect(say(error)).toContain("no file after 5 redirects");
  });
});

describe("a host that gives no answer now", () => {
  type Kind = ErrorFacts["header_unreachable"]["problem"]["kind"];
  const expectWords = (error: Unusable, kind: Kind, why: string, next: string): void => {
    expect(error.reason).toBe("header_unreachable");
    expect(error.facts.problem.kind).toBe(kind);
    expect(exitNames[error.reason]).toBe("unavailable");
    const [what, because, then] = say(error).split("\n");
    expect(what).toMatch(/^Error: Header file https:\/\/\S+: .*\.$/);
    expect(what).toContain(why);
    expect(because).toMatch(/could not be checked.*It might still be valid\.$/);
    expect(then).toContain(next);
    expect(then).toContain("--no-preflight sends without the check.");
    expect(say(error) + error.message).not.toContain("s3cret");
  };
  const url = "https://files.example.com/x.jpg?sig=s3cret";
  const how = { timeoutMs: 10_000, signal: undefined };

  it.each([408, 429, 500, 503])("answers %i", async (status) => {
    const error = await refusal(judge({ status, path: "/x.jpg?sig=s3cret" }));
    expectWords(error, "status", `its host answers ${status}: overloaded`, "Run the command again later");
  });

  it("has no address", async () => {
    const lost = Object.assign(new Error("getaddrinfo ENOTFOUND files.example.com"), { code: "ENOTFOUND" });
    const dispatcher = publicInternet({ lookup: (_host, _options, callback) => callback(lost, "", 4) });
    const error = await refusal(preflightHeader(url, { ...how, dispatcher }));
    expectWords(
      error,
      "dns",
      "it could not be fetched: getaddrinfo ENOTFOUND",
      "Check this machine's network",
    );
  });

  it("shows a certificate that nobody vouches for", async () => {
    const server = await fileHost((response) => response.end(jpeg));
    const dispatcher = publicInternet({ ca: false });
    const error = await refusal(preflightHeader(server.at("/x.jpg?sig=s3cret"), { ...how, dispatcher }));
    expectWords(
      error,
      "tls",
      "it could not be fetched: self-signed certificate",
      "the service will also reject it",
    );
    expect(server.requests).toEqual([]);
  });
});
