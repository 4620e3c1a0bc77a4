import { createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import { shell } from "../support/run.ts";
import { listening } from "../support/server.ts";
import { pointedAt } from "../support/service.ts";
import { filesCertificate } from "../support/tls.ts";

const password = "se-cr-et-911";

/** A question of a server for a proof: its kind, and what goes with it. */
function question(kind: number, more: Buffer | string = ""): Buffer {
  const body = Buffer.concat([Buffer.from([0, 0, 0, kind]), Buffer.from(more)]);
  const head = Buffer.from("R\0\0\0\0", "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const clear = question(3);
const md5 = question(5, "salt");
const scram = question(10, "SCRAM-SHA-256\0\0");
const bound = question(10, "SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0");
const letIn = Buffer.concat([question(0), Buffer.from("Z\0\0\0\x05I", "latin1")]);

/** Whoever it is, with a certificate of its own: it asks all of this at once. Returns what it was told after the name of the user. */
async function impostor(...asked: Buffer[]) {
  let told = "";
  const talk = (socket: Socket): void => {
    let isNamed = false;
    socket
      .on("error", () => undefined)
      .on("data", (bytes) => {
        if (isNamed) told += bytes.toString("latin1");
        else socket.write(Buffer.concat(asked));
        isNamed = true;
      });
  };
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    // The first question is whether there is TLS.
    socket.once("data", () => {
      socket.write("S");
      talk(new TLSSocket(socket, { isServer: true, ...filesCertificate }));
    });
  });
  return { port: await listening(server), told: () => told };
}

async function opening(port: number, search: string, env: Record<string, string> = {}) {
  const BPOS_JOURNAL = `postgres://caja:${password}@127.0.0.1:${port}/bar?${search}`;
  const run = shell({ env: { ...pointedAt("http://127.0.0.1:9"), ...env, BPOS_JOURNAL } });
  const { code, stderr } = await run(["campaign", "list", "--json"]);
  expect(stderr).not.toContain(password);
  const { error } = JSON.parse(stderr) as { error: { reason: string; detail: string } };
  return { code, reason: error.reason, detail: error.detail };
}

const noBinding =
  "it offers no channel binding (SCRAM-SHA-256-PLUS over TLS), which channel_binding=require needs";

it("a server with any certificate gets the password in clear where nothing is asked of it, as by psql", async () => {
  const { port, told } = await impostor(clear);
  const opened = opening(port, "sslmode=require");
  await expect.poll(told).toContain(password);
  expect(told()).toContain(password);
  void opened.catch(() => undefined);
});

const byMethod = (method: string): string =>
  `it authenticates by ${method}, which require_auth does not allow`;
const binding = { search: "channel_binding=require", detail: noBinding };
const scramOnly = "require_auth=scram-sha-256";

it.each<[string, Buffer[], { search?: string; env?: Record<string, string>; detail: string }]>([
  ["in clear", [clear], binding],
  ["as MD5", [md5], binding],
  ["by SCRAM without a binding", [scram], binding],
  ["in clear after it asked for a binding", [bound, clear], binding],
  ["not at all", [letIn], binding],
  ["in clear", [clear], { env: { PGCHANNELBINDING: "require" }, detail: noBinding }],
  ["in clear", [clear], { search: scramOnly, detail: byMethod("password") }],
  ["in clear", [clear], { search: "require_auth=!password,!md5", detail: byMethod("password") }],
  ["in clear", [clear], { env: { PGREQUIREAUTH: "md5, scram-sha-256" }, detail: byMethod("password") }],
  ["as MD5", [md5], { search: scramOnly, detail: byMethod("md5") }],
  ["not at all", [letIn], { search: scramOnly, detail: byMethod("none") }],
  ["by half of SCRAM", [scram, letIn], { search: scramOnly, detail: "the server there is not PostgreSQL" }],
])(
  "an impostor that asks for the password %s gets nothing: %#",
  async (_, asked, { search = "", env, detail }) => {
    const { port, told } = await impostor(...asked);
    const said = await opening(port, `sslmode=require&${search}`, env);
    expect(said).toEqual({ code: 9, reason: "journal_unreadable", detail });
    // The beginning of SCRAM says nothing of the password.
    expect(told()).toMatch(/^(p.{4}SCRAM-SHA-256\0.{4}[ny],,n=\*,r=[\w+/=]+)?$/s);
  },
);

it("a version of TLS that is too old gets nothing either", async () => {
  const { port, told } = await impostor(clear);
  const said = await opening(
    port,
    "sslmode=require&ssl_max_protocol_version=TLSv1.2&ssl_min_protocol_version=TLSv1.3",
  );
  expect(said).toMatchObject({ code: 9, reason: "journal_unreadable" });
  expect(told()).toBe("");
});
