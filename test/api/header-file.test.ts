import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fetchHeaderFile, type HeaderFetch, type HeaderFile } from "../../src/api/header-file.ts";
import { fileHost, publicInternet } from "../support/file-host.ts";
import { sized } from "../support/soak.ts";
import { factsOf } from "./harness.ts";

const MB = 1024 * 1024;

const fetchFile = (url: string, how: Partial<HeaderFetch> = {}): Promise<HeaderFile> =>
  fetchHeaderFile(new URL(url), {
    dispatcher: publicInternet(),
    timeoutMs: 10_000,
    signal: undefined,
    findProblem: () => undefined,
    findLimit: () => MB,
    ...how,
  });

/** Writes zeros for as long as somebody takes them. */
function pour(response: ServerResponse): void {
  const block = Buffer.alloc(64 * 1024);
  const more = (): void => {
    while (!response.destroyed && response.write(block));
  };
  response.on("drain", more);
  more();
}

describe("the request", () => {
  it("carries no credential and asks for the bytes as they are", async () => {
    const host = await fileHost((response) => response.end("x"));
    await fetchFile(host.at("/promo.jpg?sig=a%20b"));
    const { host: name, "user-agent": agent, ...rest } = host.requests[0] ?? {};
    expect(name).toMatch(/^files\.example\.com:\d+$/);
    expect(agent).toMatch(/^bpos\//);
    expect(rest).toEqual({ accept: "*/*", "accept-encoding": "identity", connection: "keep-alive" });
  });

  it("asks for path and query as they are in the URL", async () => {
    let asked = "";
    const host = await fileHost((response, request) => {
      asked = `${request.method} ${request.url}`;
      response.end("x");
    });
    await fetchFile(host.at("/a%20b/promo.jpg?sig=%2F+x"));
    expect(asked).toBe("GET /a%20b/promo.jpg?sig=%2F+x");
  });
});

describe("what is read", () => {
  it("is the whole of a small file", async () => {
    const host = await fileHost((response) => response.end("hello"));
    expect(await fetchFile(host.at("/a"))).toMatchObject({
      status: 200,
      head: Buffer.from("hello"),
      bytes: 5,
      unknownEncoding: undefined,
    });
  });

  it("is only the head where the host says the size, and then the connection is closed", async () => {
    let closed: Promise<unknown> | undefined;
    const host = await fileHost((response) => {
      closed = once(response, "close");
      response.writeHead(200, { "content-type": "application/pdf", "content-length": 90 * MB });
      // The rest never comes: to wait for it would end in the time-out.
      response.write(Buffer.alloc(5000));
    });
    const file = await fetchFile(host.at("/menu.pdf"), { timeoutMs: 60_000 });
    expect(file).toMatchObject({ bytes: 90 * MB, contentType: "application/pdf" });
    expect(file.head).toHaveLength(4096);
    await closed;
  });

  it("is counted where the host does not say the size", async () => {
    const host = await fileHost((response) => {
      response.write(Buffer.alloc(300_000));
      response.end(Buffer.alloc(7));
    });
    expect(await fetchFile(host.at("/a"))).toMatchObject({ bytes: 300_007 });
  });

  it("is no more than the limit and what was on its way, and of that only the head is kept", async () => {
    let closed: Promise<unknown> | undefined;
    const host = await fileHost((response) => {
      closed = once(response, "close");
      pour(response);
    });
    let asked = 0;
    const limitOf = (head: Buffer): number => {
      asked = head.length;
      return MB;
    };
    const file = await fetchFile(host.at("/a"), { findLimit: limitOf });
    await closed;
    expect(asked).toBe(4096);
    expect(file.bytes).toBeGreaterThan(MB);
    expect(file.bytes).toBeLessThan(MB + 128 * 1024);
    expect(file.head).toHaveLength(4096);
  });

  it("is what was counted when time runs out, once it is known what the file is", async () => {
    const host = await fileHost((response) => void response.write(Buffer.alloc(10_000)));
    expect(await fetchFile(host.at("/a"), { timeoutMs: 1000 })).toMatchObject({
      bytes: 10_000,
    });
  });

  it("is nothing of an answer without a file", async () => {
    const host = await fileHost((response) => pour(response.writeHead(404)));
    expect(await fetchFile(host.at("/a"))).toMatchObject({ status: 404, head: Buffer.alloc(0) });
  });
});

describe("an encoding that nobody asked for", () => {
  const plain = Buffer.concat([Buffer.from("%PDF-1.7"), Buffer.alloc(20 * MB)]);
  const encodings: [string, () => Buffer][] = [
    ["gzip", () => gzipSync(plain)],
    ["br", () => brotliCompressSync(plain.subarray(0, MB))],
    ["x-gzip", () => gzipSync(plain)],
    ["deflate", () => deflateSync(plain)],
  ];
  it.each(encodings.slice(0, sized(2, 4)))(
    "%s is undone, and its content counted and not its Content-Length",
    async (encoding, encode) => {
      const bytes = encode();
      const host = await fileHost((response) => {
        response.writeHead(200, { "content-encoding": encoding, "content-length": bytes.length });
        response.end(bytes);
      });
      const whole = await fetchFile(host.at("/a"), { findLimit: () => 50 * MB });
      expect(whole).toMatchObject({ bytes: encoding === "br" ? MB : plain.length });
      expect(whole.head.toString("latin1", 0, 8)).toBe("%PDF-1.7");
      const part = await fetchFile(host.at("/a"), { findLimit: () => 100_000 });
      expect(part.bytes).toBeLessThan(200_000);
    },
  );

  it("that is broken is no file", async () => {
    const cut = gzipSync(plain).subarray(0, 9000);
    const host = await fileHost((response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(cut),
    );
    const { problem } = await factsOf(
      "header_unreachable",
      fetchFile(host.at("/a"), { findLimit: () => 50 * MB }),
    );
    const detail = { kind: "encoding_broken", encoding: "gzip" };
    expect(problem).toMatchObject({ kind: "protocol", detail });
  });
});

describe("redirects", () => {
  /** `/3` leads to `/2`, and that on to `/0`, which is a file. */
  const chain = (status: number) =>
    fileHost((response, { url = "" }) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end("file");
      else response.writeHead(status, { location: `${left - 1}` }).end();
    });

  it.each(sized([302, 308], [301, 302, 303, 307, 308]))(
    "of status %i are followed five times",
    async (status) => {
      const host = await chain(status);
      const file = await fetchFile(host.at("/5"));
      expect(file).toMatchObject({ status: 200, url: new URL(host.at("/0")) });
      expect(host.requests).toHaveLength(6);
      const facts = await factsOf("header_unusable", fetchFile(host.at("/6")));
      expect(facts).toEqual({
        url: host.at("/6"),
        redirectedTo: host.at("/0"),
        problem: { kind: "redirects", limit: 5 },
      });
      expect(host.requests).toHaveLength(12);
    },
  );

  it("are not followed to where something speaks against it", async () => {
    const host = await fileHost((response) =>
      response.writeHead(302, { location: "http://10.0.0.1/a?key=1" }).end(),
    );
    const problem = { kind: "not_https" } as const;
    const seen: string[] = [];
    const problemOf = (target: URL): typeof problem => {
      seen.push(target.href);
      return problem;
    };
    const facts = await factsOf("header_unusable", fetchFile(host.at("/a"), { findProblem: problemOf }));
    expect(facts).toEqual({ url: host.at("/a"), redirectedTo: "http://10.0.0.1/a?…", problem });
    expect(seen).toEqual(["http://10.0.0.1/a?key=1"]);
  });

  it("that end in silence run out of time, and the error says where", async () => {
    const host = await fileHost((response, { url }) => {
      if (url === "/a") response.writeHead(302, { location: "/b" }).end();
    });
    const facts = await factsOf("header_unreachable", fetchFile(host.at("/a"), { timeoutMs: 1000 }));
    expect(facts).toMatchObject({ redirectedTo: host.at("/b"), problem: { kind: "timeout" } });
  });
});

describe("an abort", () => {
  it("ends it in the middle, and the connection with it", async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const host = await fileHost((response) => {
      closed = once(response, "close");
      response.write("x", () => controller.abort());
    });
    await factsOf("interrupted", fetchFile(host.at("/a"), { signal: controller.signal }));
    await closed;
  });
});
