import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { raw } from "../../mock/raw.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { type Listener, listenIn, postReply } from "../../support/listen.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { withoutTimes } from "../../support/watch.ts";

const secret = "s3cret-0123456789abcdef";
const key = "bpk_live_S3cretPart0123456789";

/** Returns the answer to a POST of `{}` with any Host: `fetch` sets none. */
function posted({ url }: Listener, headers: Record<string, string>, path = "/"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = { "content-type": "application/json", ...headers };
    request(new URL(path, url), { method: "POST", headers: sent }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    })
      .on("error", reject)
      .end("{}");
  });
}

function secretFile(text: string, mode = 0o600): string {
  const file = join(temporaryFolder(), "secret");
  writeFileSync(file, text, { mode });
  return file;
}

describe("campaign listen on loopback", () => {
  it.each([
    [{ host: "evil.example" }, 421],
    [{ host: "evil.example:80" }, 421],
    [{ host: "127.0.0.1.evil.example" }, 421],
    [{ host: "LOCALHOST:9" }, 200],
    [{ host: "[::1]" }, 200],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://localhost:5173" }, 200],
  ])("answers a POST with %j by %i", async (headers: Record<string, string>, status) => {
    const listener = await listenIn(shell());
    expect(await posted(listener, headers)).toBe(status);
    const { stderr } = await listener.stop();
    expect(stderr.includes(`Refused a POST with ${status}`)).toBe(status !== 200);
    expect(stderr.includes("pass --public-url URL")).toBe(status === 421);
  });

  it("is live for whoever may ask, without the secret, and shows nothing else", async () => {
    const listener = await listenIn(shell(), ["-o", "ndjson", "--secret-file", secretFile(secret)]);
    const read = async (path: string, how?: RequestInit) => {
      const answer = await fetch(new URL(path, listener.url), how);
      return [answer.status, await answer.text()];
    };
    expect(await postReply(listener.url + secret, { phone: "+5491155550001" })).toMatchObject({
      status: 200,
    });
    expect(await read("/livez")).toEqual([200, "ok\n"]);
    expect(await read("/livez?verbose")).toEqual([200, "ok\n"]);
    expect(await read("/livez", { method: "HEAD" })).toEqual([200, ""]);
    for (const path of ["/livez/", "/livez/x", "/healthz", "/metrics", `/${secret}`, "/x/livez"])
      expect((await read(path))[0], path).toBe(405);
    const post = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    expect((await read("/livez", post))[0]).toBe(404);
    expect((await raw(`${listener.url}livez`, { headers: { host: "evil.example" } })).status).toBe(421);
  });

  it("without a public address refuses no Host with --trust-any-host, but web pages", async () => {
    const listener = await listenIn(shell(), ["-o", "ndjson", "--trust-any-host"]);
    expect(await posted(listener, { host: "bpos:4020" })).toBe(200);
    expect(await posted(listener, { host: "evil.example", origin: "http://evil.example" })).toBe(403);
  });
});

describe("--public-url", () => {
  const publicUrl = "https://Hooks.example.com/bpos";
  const evil = { host: "evil.example", origin: "http://evil.example" };

  it.each([
    // A proxy keeps the name that it was called by (Caddy, ngrok), or calls by its own (nginx).
    [[], { host: "hooks.example.com" }, 200],
    [[], { host: "HOOKS.example.com:443" }, 200],
    [[], { host: "127.0.0.1:4020" }, 200],
    [[], { host: "localhost" }, 200],
    [[], { host: "hooks.example.com", origin: "https://hooks.example.com" }, 200],
    [[], { host: "hooks.example.com", origin: "https://evil.example" }, 403],
    [[], evil, 421],
    [[], { host: "hooks.example.com.evil.example" }, 421],
    [["--host", "0.0.0.0"], evil, 421],
    [["--trust-any-host"], { host: "app-7f9.internal" }, 200],
    [["--trust-any-host"], evil, 403],
  ])("with %j answers a POST with %j by %i", async (flags, headers: Record<string, string>, status) => {
    const listener = await listenIn(shell(), ["-o", "ndjson", "--public-url", publicUrl, ...flags]);
    expect(await posted(listener, headers, "/bpos/")).toBe(status);
    const { stderr } = await listener.stop();
    expect(stderr).toContain("Give the service https://Hooks.example.com/bpos/.");
    expect(stderr.includes("--trust-any-host")).toBe(status === 421);
  });
});

describe("a secret", () => {
  it("is asked for when others than this machine reach it", async () => {
    const listener = await listenIn(shell(), ["--host", "0.0.0.0", "-q"]);
    expect(withoutTimes((await listener.stop()).stderr)).toMatch(
      /^Anyone who can reach 0\.0\.0\.0:\d+ can post/,
    );
  });

  it.each([
    ["a file", (): [string[], object] => [["--secret-file", secretFile(`${secret}\n`)], {}]],
    ["the environment", (): [string[], object] => [[], { BPOS_WEBHOOK_SECRET: secret }]],
  ])("from %s has to end the path, and is shown nowhere", async (_where, given) => {
    const [flags, env] = given();
    const clock = fakeClock();
    const home = temporaryFolder();
    const kept = join(home, "said");
    const listener = await listenIn(
      shell({ env: { BPOS_HOME: home, BPOS_API_KEY: key, ...env } }),
      [
        "-o",
        "ndjson",
        "--host",
        "0.0.0.0",
        "--exec",
        `cat >> '${kept}'; echo ${secret} ${key} >&2; exit 1`,
        ...flags,
      ],
      { clock },
    );
    const status = async (path: string): Promise<number> =>
      (await postReply(`${listener.url}${path}`, { text: `${secret} ${key}` })).status;
    for (const path of ["", "x", `${secret}/`, `${secret}x`, `?${secret}`, secret.toUpperCase(), "%E0%A4%A"])
      expect([path, await status(path)]).toEqual([path, 404]);
    for (const path of [secret, `hooks/bpos/${secret}?a=1`, secret.replace("-", "%2D")])
      expect([path, await status(path)]).toEqual([path, 200]);
    await vi.waitFor(() => expect(existsSync(kept) && listener.events()).toHaveLength(3), {
      timeout: 10_000,
    });
    clock.advance(61_000);
    expect(await status("x")).toBe(404);
    const { stdout, stderr } = await listener.stop();
    expect(stderr.match(/Refused a POST with 404: its path does not end in the secret/g)).toHaveLength(2);
    expect(stderr).not.toContain("Anybody");
    expect(stderr).toContain("/SECRET");
    const all = stdout + stderr + readFileSync(kept, "utf8");
    const journal = readFileSync(join(home, "state", "journal.db"), "latin1");
    for (const text of [all, journal]) expect(text).not.toMatch(/s3cret-0123|S3cretPart/i);
  });

  it.each([
    ["short", "1234567\n", "8 to 512"],
    ["of several lines", `${secret}\n${secret}\n`, "8 to 512"],
    ["with a slash", "abcdefgh/ijkl", "8 to 512"],
    ["without end", "x".repeat(100_000), "8 to 512"],
    ["that is empty", "\n", "8 to 512"],
  ])("%s is refused with 9, and not repeated", async (_what, text, why) => {
    const { code, stderr } = await shell()(["campaign", "listen", "--secret-file", secretFile(text)]);
    expect(code).toBe(9);
    expect(stderr).toContain(why);
    expect(stderr).not.toMatch(/1234567|s3cret-|abcdefgh|xxxx/);
  });

  it("of no file is refused, one that others may read is warned of", async () => {
    const none = await shell()(["campaign", "listen", "--secret-file", "nowhere"]);
    expect([none.code, none.stderr.includes("nowhere")]).toEqual([9, true]);
    const listener = await listenIn(shell(), ["--secret-file", secretFile(secret, 0o644)]);
    expect((await listener.stop()).stderr).toContain("other users of this machine can read the secret");
  });
});
