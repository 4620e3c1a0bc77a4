import { describe, expect, it } from "vitest";
import { preflightHeader } from "../../../src/campaigns/send/header.ts";
import { type ErrorFacts, exitNameOf } from "../../../src/errors.ts";
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
  const page = "<!DOCTYPE html><title>Sign in</title>";
  it.each<[string, Served, string, string]>([
    ["401", { status: 401 }, "its host answers 401: it needs a sign-in", "private browser window"],
    [
      "403",
      { status: 403, body: jpeg },
      "its host answers 403: it needs a sign-in",
      "private browser window",
    ],
    [
      "404",
      { status: 404, body: page },
      "its host answers 404: no such file",
      "Check the URL, capitals included",
    ],
    ["410", { status: 410 }, "its host answers 410: no such file", ""],
    ["another status", { status: 418 }, "its host answers 418", "Pass the URL of the file itself"],
    ["nothing", { body: "" }, "the file is empty", "Upload it again"],
    ["204", { status: 204 }, "the file is empty", ""],
    [
      "a web page",
      { body: `\ufeff \n${page}` },
      "a web page (HTML), perhaps to sign in",
      "without a page around it",
    ],
    ["XHTML", { body: '<?xml version="1.0"?>\n<html xmlns="x">' }, "a web page", ""],
    ["a page that speaks of PDF", { body: `${page}%PDF-` }, "a web page", ""],
    [
      "Google Drive",
      { body: page, host: "drive.google.com" },
      "a share link of Google Drive",
      "public web server",
    ],
    ["Dropbox", { body: page, host: "www.dropbox.com" }, "a share link of Dropbox", "raw=1 instead of dl=0"],
    [
      "zstd",
      { headers: { "content-encoding": "zstd" }, body: "x" },
      'the unrequested encoding "zstd"',
      "without Content-Encoding",
    ],
    ["GIF", { body: file("GIF89a") }, "it is a GIF image", "Save it as a JPEG or PNG"],
    ["WebP", { body: file("RIFF\0\0\0\0WEBPVP8 ") }, "a WebP image", "JPEG or PNG"],
    ["AVIF", { body: box("avif") }, "an AVIF image", "JPEG or PNG"],
    ["HEIC", { body: box("heic") }, "a HEIC image", "JPEG or PNG"],
    ["BMP", { body: file("BM\x36\0\0\0") }, "a BMP image", "JPEG or PNG"],
    ["TIFF", { body: file("II*\0") }, "a TIFF image", "JPEG or PNG"],
    ["TIFF, the other way round", { body: file("MM\0*") }, "a TIFF image", ""],
    ["SVG", { body: '<?xml version="1.0"?><svg xmlns="x"/>' }, "an SVG drawing", "JPEG or PNG"],
    ["MOV", { body: box("qt  ") }, "a QuickTime (MOV) video", "Convert it to an MP4"],
    ["an old MOV", { body: file("\0\0\0\x08wide\0\0") }, "a QuickTime (MOV) video", "MP4"],
    ["3GP", { body: box("3gp4") }, "a 3GP video", "MP4"],
    ["WebM", { body: file("\x1a\x45\xdf\xa3") }, "a WebM or Matroska video", "MP4"],
    ["AVI", { body: file("RIFF\0\0\0\0AVI LIST") }, "an AVI video", "MP4"],
    ["M4A", { body: box("M4A ") }, "M4A sound", "Upload a JPEG or PNG image, an MP4"],
    ["MP3", { body: file("ID3\x03") }, "MP3 sound", "Upload a JPEG or PNG image, an MP4"],
    ["a Word file", { body: file("PK\x03\x04") }, "a ZIP archive, or a Word", "Save it as a PDF"],
    ["an old Word file", { body: file("\xd0\xcf\x11\xe0") }, "an Office document in the old format", "PDF"],
    ["JSON", { body: '{"error":"señal"}' }, "plain text", "Upload a JPEG or PNG image, an MP4"],
    [
      "PDF too late",
      { body: file(`${" ".repeat(1020)}%PDF-`) },
      "of unknown type",
      "Upload a JPEG or PNG image, an MP4",
    ],
    ["who knows", { body: file("\x01\x02") }, "of unknown type", "Upload a JPEG or PNG image, an MP4"],
  ])("%s", async (_name, served, why, next) => {
    const error = await refusal(judge({ path: "/x.jpg?sig=s3cret", ...served }));
    expect(exitNameOf[error.reason]).toBe("usage");
    const [what, because, then] = say(error).split("\n");
    expect(what).toMatch(/^Error: Header file https:\/\/\S+\/x\.jpg\?…: .*\.$/);
    expect(what).toContain(why);
    expect(because).toMatch(/Nothing was sent\.$/);
    expect(then).toContain(next);
    expect(say(error) + error.message).not.toContain("s3cret");
  });

  it.each([
    ["image", jpeg, 5 * MB + 1, "5.1 MB, and an image may have 5 MB."],
    ["video", mp4, 17 * MB, "17 MB, and a video may have 16 MB."],
    ["document", pdf, 250 * MB, "250 MB, and a document may have 100 MB."],
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
    expect(exitNameOf[error.reason]).toBe("unavailable");
    const [what, because, then] = say(error).split("\n");
    expect(what).toMatch(/^Error: Header file https:\/\/\S+: .*\.$/);
    expect(what).toContain(why);
    expect(because).toMatch(/could not be checked.*it may still be right\. Nothing was sent\.$/);
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
      "its host was not found: getaddrinfo ENOTFOUND",
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
      "is not accepted: self-signed certificate",
      "the service will refuse it as well",
    );
    expect(server.requests).toEqual([]);
  });
});
