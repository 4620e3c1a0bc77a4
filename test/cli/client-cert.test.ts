import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf, recipientsFile } from "../support/campaigns.ts";
import { diagnosis, webServer } from "../support/doctor.ts";
import { home } from "../support/profiles.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { fixture, shell, temporaryFolder } from "../support/run.ts";
import { pointedAt, service } from "../support/service.ts";
import { sized } from "../support/soak.ts";
import {
  caFile,
  clientFiles,
  expiredCertificate,
  filesCertificate,
  hostCertificate,
  secureServer,
} from "../support/tls.ts";

const noOrders = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
const list = ["orders", "list", "--json"];

/** A service that wants the client certificate of files. */
const wanting = (own: ServerOptions = {}) =>
  secureServer(noOrders, {
    own: { requestCert: true, rejectUnauthorized: true, ca: filesCertificate.cert, ...own },
  });

const flagsOf = ({ cert, key }: { cert: string; key: string }): string[] => [
  ...["--client-cert", cert],
  ...["--client-key", key],
];

const trusting = (): string[] => ["--ca-file", caFile()];

describe("a client certificate", () => {
  it("of flags is shown to both addresses of the service, also through a proxy, which does not see it", async () => {
    const { port, shown, requests } = await wanting();
    const own = clientFiles(filesCertificate);
    const base = shell({ env: pointedAt(`https://localhost:${port}`) });
    expect((await base([...list, ...trusting(), ...flagsOf(own)])).code).toBe(0);
    await base(["campaign", "status", "c1", "--json", ...trusting(), ...flagsOf(own)]);
    const before = requests.length;

    const proxy = await proxyServer({ tls: true });
    const away = pointedAt(`https://api.example.com:${port}`);
    const behind = shell({ env: { ...away, https_proxy: `https://${proxy.host}` } });
    expect((await behind([...list, ...trusting(), ...flagsOf(own)])).code).toBe(0);
    expect(proxy.asked).toEqual([`CONNECT api.example.com:${port}`]);
    expect(proxy.shown).toEqual([false]);
    expect(requests.length).toBeGreaterThan(before);
    expect(new Set(shown)).toEqual(new Set(["bpos test"]));
  });

  it("without --ca-file leaves the trust in the machine's own certificates as it is", async () => {
    const { port } = await wanting();
    const run = shell({ env: pointedAt(`https://localhost:${port}`) });
    const { code, stderr } = await run([...list, ...flagsOf(clientFiles(filesCertificate))]);
    expect(code).toBe(6);
    expect(errorOf(stderr)).toMatchObject({ untrusted: true });
  });

  it("is shown to nobody else: the file of a header, where replies are forwarded", async () => {
    const { port, shown } = await secureServer(
      { campaign_id: "c1" },
      { own: { requestCert: true, rejectUnauthorized: false } },
    );
    const proxy = await proxyServer();
    const env = { ...pointedAt(`https://api.example.com:${port}`), https_proxy: proxy.host };
    const send = ["campaign", "send", recipientsFile(["+5491155550017,Ana,1"]), "--template", "t", "--yes"];
    const header = ["--header-url", `https://files.example.com:${port}/menu.pdf`, ...trusting()];
    await shell({ env })([...send, ...header, ...flagsOf(clientFiles(filesCertificate))]);
    expect(proxy.asked).toContain(`CONNECT files.example.com:${port}`);
    expect(shown).toContain("nobody");
  });

  it("is kept in a profile by its whole name, and used from any folder", async () => {
    const { port, shown } = await wanting();
    const { run, file } = home();
    const own = clientFiles(filesCertificate);
    const cwd = dirname(own.cert);
    const add = ["profile", "add", "centro", "--base-url", `https://localhost:${port}`, ...trusting()];
    const names = flagsOf({ cert: "cert.pem", key: "key.pem" });
    const kept = await run([...add, ...names, "--api-key-file", "-"], { cwd, stdin: "bpk_0123456789" });
    expect({ code: kept.code, stderr: kept.stderr }).toMatchObject({ code: 0 });
    const { profiles } = JSON.parse(readFileSync(file, "utf8")) as { profiles: Record<string, unknown> };
    expect(profiles["centro"]).toMatchObject({ client_cert: own.cert, client_key: own.key });
    expect((await run([...list, ...trusting()])).code).toBe(0);
    expect(shown).toEqual(["bpos test", "bpos test"]);
    const { settings } = JSON.parse((await run(["profile", "show", "--json"])).stdout) as {
      settings: { setting: string; value: string; source: string }[];
    };
    const row = settings.find(({ setting }) => setting === "client_key");
    expect(row).toMatchObject({ value: own.key, source: "profile" });
  });

  it("of a profile counts from the folder of the profile file, and flags precede it", async () => {
    const { port, shown } = await wanting({ rejectUnauthorized: false });
    const { run, write, folder: config } = home();
    const folder = join(config, "tls");
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const own = clientFiles(filesCertificate);
    renameSync(own.cert, join(folder, "cert.pem"));
    renameSync(own.key, join(folder, "key.pem"));
    const profile = {
      ...{ base_url: `https://localhost:${port}`, api_key: "bpk_0123456789" },
      ...{ client_cert: "tls/cert.pem", client_key: "tls/key.pem" },
    };
    write({ default: "centro", profiles: { centro: profile } });
    expect((await run([...list, ...trusting()])).code).toBe(0);
    await run([...list, ...trusting(), ...flagsOf(clientFiles(hostCertificate))]);
    expect(shown).toEqual(["bpos test", "bpos test host"]);
    const curl = await run([...list, ...trusting(), "--curl"]);
    expect(curl.stderr).toContain(`--cert '${join(folder, "cert.pem")}'`);
  });
});

describe("a service that wants one", () => {
  it.each((["TLSv1.3", "TLSv1.2"] as const).slice(0, sized(1, 2)))(
    "and gets none is told as such, over %s",
    async (version) => {
      const { port, requests } = await wanting({ minVersion: version, maxVersion: version });
      const run = shell({ env: pointedAt(`https://localhost:${port}`) });
      for (const argv of [list, ["catalog", "push", fixture("catalog.csv"), "--json"]]) {
        const { code, stderr } = await run([...argv, ...trusting()]);
        expect({ code, error: errorOf(stderr) }).toMatchObject({
          code: 6,
          error: { reason: "unavailable", client_cert: true, attempts: 1 },
        });
        expect(errorOf(stderr)["hint"]).toContain("--client-cert FILE and --client-key FILE");
      }
      const spanish = await run(["orders", "list", "--lang", "es", ...trusting()]);
      expect(spanish.stderr).toContain("--client-cert ARCHIVO y --client-key ARCHIVO");
      const seen = diagnosis(await run(["doctor", "--json", ...trusting()]));
      expect(seen.failed).toEqual(["base_url_tls"]);
      expect(seen.row("base_url_tls").remedy).toContain("--client-cert FILE");
      expect(requests).toEqual([]);
    },
  );

  it("and says so in a web page, as nginx does, is told as such", async () => {
    const page = "<html><head><title>400 No required SSL certificate was sent</title></head></html>";
    const url = await webServer((_request, response) => response.writeHead(400).end(page));
    const { code, stderr } = await shell({ env: pointedAt(url) })(list);
    expect(code).toBe(5);
    expect(errorOf(stderr)["hint"]).toContain("--client-cert FILE");
  });
});

describe("what cannot be a client certificate", () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const encrypted = (type: "pkcs1" | "pkcs8"): string =>
    privateKey.export({ type, format: "pem", cipher: "aes-256-cbc", passphrase: "s3cr3to" }) as string;
  const { cert, key } = filesCertificate;

  it.each<[string, { cert: string; key: string }, string]>([
    ["something else as a certificate", { cert: "id,name\n", key }, "no_certificate"],
    ["a key as a certificate", { cert: key, key }, "no_certificate"],
    ["a certificate that was damaged", { cert: cert.replace(/\n.{10}/, "\nAAAAAAAAAA"), key }, "broken"],
    ["a certificate as a key", { cert, key: cert }, "no_key"],
    ["an encrypted key", { cert, key: encrypted("pkcs8") }, "key_encrypted"],
    ["an encrypted key of the old form", { cert, key: encrypted("pkcs1") }, "key_encrypted"],
    ["a key that was damaged", { cert, key: key.replace(/\n.{30}/, "\n") }, "broken"],
    ["the key of another", { cert, key: hostCertificate.key }, "key_of_other"],
  ])("is refused: %s", async (_name, files, kind) => {
    const run = shell({ env: pointedAt("https://localhost:9") });
    const own = clientFiles(files);
    const { code, stderr } = await run([...list, ...flagsOf(own)]);
    expect({ code, error: errorOf(stderr) }).toMatchObject({
      code: 2,
      error: { reason: "client_cert_unusable", problem: { kind } },
    });
    expect(stderr).not.toContain(files.key.split("\n")[1]);
    const { row, failed, unchecked } = diagnosis(await run(["doctor", "--json", ...flagsOf(own)]));
    expect({ status: row("client_cert").status, failed }).toEqual({
      status: "fail",
      failed: ["client_cert"],
    });
    expect(unchecked).toContain("base_url_tls");
  });

  it("names what decrypts the key", async () => {
    const own = clientFiles({ cert, key: encrypted("pkcs8") });
    const { stderr } = await shell({ env: pointedAt("https://localhost:9") })([...list, ...flagsOf(own)]);
    expect(errorOf(stderr)["hint"]).toContain(`openssl pkey -in ${own.key} -out key.pem`);
  });

  it.each([
    ["a file that is not there", "/nowhere/cert.pem"],
    ["a folder", "/"],
  ])("is %s", async (_name, path) => {
    const run = shell({ env: pointedAt("https://localhost:9") });
    const { cert: good } = clientFiles(filesCertificate);
    for (const own of [
      { cert: path, key: path },
      { cert: good, key: path },
    ]) {
      const { code, stderr } = await run([...list, ...flagsOf(own)]);
      expect({ code, error: errorOf(stderr) }).toMatchObject({
        code: 2,
        error: { problem: { kind: "unreadable" } },
      });
    }
  });

  it("is one without the other, in flags and in a profile", async () => {
    const run = shell({ env: pointedAt("https://localhost:9") });
    const own = clientFiles(filesCertificate);
    const one = await run([...list, "--client-cert", own.cert]);
    expect({ code: one.code, error: errorOf(one.stderr) }).toMatchObject({
      code: 2,
      error: { problem: { kind: "needs_flag", flag: "--client-cert", other: "--client-key" } },
    });
    const other = await run([...list, "--client-key", own.key, "--mock"]);
    expect(other.code).toBe(2);

    const there = home();
    const profile = { base_url: "https://localhost:9", api_key: "bpk_0123456789", client_key: own.key };
    there.write({ default: "c", profiles: { c: profile } });
    const half = await there.run(list);
    expect({ code: half.code, error: errorOf(half.stderr) }).toMatchObject({
      code: 2,
      error: { problem: { kind: "half", setting: "client_key", other: "client_cert" } },
    });
    expect((await there.run([...list, "--mock", "-p", "c"])).code).toBe(0);
  });
});

describe("doctor", () => {
  it("tells when the certificate ends, and warns before and after", async () => {
    const { env } = await service();
    const run = shell({ env });
    const good = diagnosis(await run(["doctor", "--json", ...flagsOf(clientFiles(filesCertificate))]));
    expect(good.row("client_cert")).toMatchObject({ status: "pass" });
    expect(good.row("client_cert").detail).toMatch(/cert\.pem, valid for \d+ days, until 2\d{3}-/);
    const over = diagnosis(await run(["doctor", "--json", ...flagsOf(clientFiles(expiredCertificate))]));
    expect({ code: over.code, warned: over.warned }).toEqual({ code: 0, warned: ["client_cert"] });
    expect(over.row("client_cert").detail).toMatch(/expired on 2020-0[12]-/);
  });

  it("and every command warn of a key that others can read", async () => {
    const { env } = await service();
    const run = shell({ env });
    const own = clientFiles(filesCertificate);
    chmodSync(own.key, 0o644);
    const listed = await run([...list, ...flagsOf(own)]);
    expect(listed.code).toBe(0);
    expect(listed.stderr).toContain(`chmod 600 ${own.key}`);
    const { row, warned } = diagnosis(await run(["doctor", "--json", ...flagsOf(own)]));
    expect(warned).toEqual(["client_cert"]);
    expect(row("client_cert").remedy).toBe(`Run: chmod 600 ${own.key}`);
  });

  it("passes where the service accepts the certificate", async () => {
    const { port } = await wanting();
    const run = shell({ env: { ...pointedAt(`https://localhost:${port}`), BPOS_CAMPAIGNS_URL: "" } });
    const own = flagsOf(clientFiles(filesCertificate));
    const { failed, row } = diagnosis(await run(["doctor", "--json", ...trusting(), ...own]));
    expect(failed).toEqual([]);
    expect(row("base_url_access").status).toBe("pass");
  });
});

it("is not read in a rehearsal", async () => {
  const own = { cert: join(temporaryFolder(), "none.pem"), key: "none.pem" };
  expect((await shell()([...list, "--mock", ...flagsOf(own)])).code).toBe(0);
});
