import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { shell, temporaryFolder, type World } from "./run.ts";
import { type Handler, on, reply, scriptedServer } from "./scripted-server.ts";
import { pointedAt, service } from "./service.ts";

interface LeftOut {
  line: number;
  phone: string | null;
  error: string;
}

/** The document that `campaign send --json` prints. */
export interface Report {
  send_id: string;
  external_ref: string;
  recipients: Record<string, number> & { errors: string[] };
  campaigns: {
    campaign_id: string | null;
    idempotency_key: string;
    status: string | null;
    replayed: boolean;
    recipients: { added: number; duplicates: number; errors: string[] };
  }[];
  invalid: LeftOut[];
  duplicate_rows: LeftOut[];
  excluded_rows: LeftOut[];
  outcome: string;
  dry_run: boolean;
}

export const parse = (text: string): Report => JSON.parse(text) as Report;

/** The error that a command printed as JSON, the last line on standard error. */
export function errorOf(stderr: string): Record<string, unknown> {
  const line = stderr.trimEnd().split("\n").at(-1) ?? "";
  return (JSON.parse(line) as { error: Record<string, unknown> }).error;
}

/** The phone of person `n`; no magic digits end it. */
export const phone = (n: number): string => `+54911${50_000_000 + n * 10 + 7}`;

/** Writes a recipients file with these rows, each a phone and a name, and returns its path. */
export function recipientsFile(rows: readonly string[], folder = temporaryFolder()): string {
  const file = join(folder, "people.csv");
  writeFileSync(file, `telefono,nombre,pedido\n${rows.join("\n")}\n`);
  return file;
}

/** The rows of the people `from` up to, not including, `to`. */
export const rows = (to: number, from = 0): string[] =>
  Array.from({ length: to - from }, (_, n) => `${phone(from + n)},Ana ${from + n},${from + n}`);

/** A recipients file of `count` people. */
export const people = (count: number, folder = temporaryFolder()): string =>
  recipientsFile(rows(count), folder);

export const send = (file: string, ...more: string[]): string[] => [
  "campaign",
  "send",
  file,
  "--template",
  "pedido_listo",
  ...more,
];

/** The service's answer to a campaign of two people. */
export const created = {
  campaign_id: "c1",
  status: "sent",
  replayed: false,
  recipients: { added: 2, duplicates: 0, errors: [] },
};

/** Answers a campaign: everybody in it was added. */
export const took: Handler = (response, request) => {
  const { recipients } = JSON.parse(request.body.toString()) as { recipients: unknown[] };
  const all = { added: recipients.length, duplicates: 0, errors: [] };
  reply({ ...created, recipients: all })(response, request);
};

/** A shell with a mock, and a folder with the means to write a file there. */
export async function desk(world: World = {}) {
  const { mock, env } = await service();
  const run = shell({ ...world, env });
  const folder = temporaryFolder();
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const phones = async (): Promise<string[]> =>
    (await mock.control.messages()).map(({ phone }) => phone).toSorted();
  return { run, file, phones, path: (name: string) => join(folder, name) };
}

/** Tells neither a status nor the time. */
const untold: Handler = (response, request) => {
  response.sendDate = false;
  reply({ code: "TEST", message: "not told", payload: "" }, 404)(response, request);
};

/** A service that answers campaigns so, one after the other, and a shell that points to it. */
export async function poster(handlers: readonly Handler[], world: World = {}) {
  // Before a repeat is refused, the service is asked who got the earlier message.
  const unread = { ...on("GET /campaigns/c1", untold), aside: true } as const;
  const server = await scriptedServer(unread, ...handlers.map((handler) => on("POST /campaigns", handler)));
  return { server, run: shell({ ...world, env: { ...pointedAt(server.url), ...world.env } }) };
}
