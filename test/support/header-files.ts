import { preflightHeader } from "../../src/campaigns/send/header.ts";
import { errorText } from "../../src/cli/display/error-text.ts";
import { type BposError, isReason } from "../../src/errors.ts";
import { pipe } from "../cli/ui.ts";
import { fileHost, publicInternet } from "./file-host.ts";

export const MB = 1024 * 1024;

/** A file that begins so. */
export const file = (start: string | Buffer, more = 100): Buffer =>
  Buffer.concat([typeof start === "string" ? Buffer.from(start, "latin1") : start, Buffer.alloc(more)]);
export const box = (brand: string): Buffer => file(`\0\0\0\x20ftyp${brand}\0\0\0\0isommp42`);
export const jpeg = file("\xff\xd8\xff\xe0\0\x10JFIF");
export const png = file("\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
export const mp4 = box("mp42");
export const pdf = file("%PDF-1.7\n");

export interface Served {
  status?: number;
  headers?: Record<string, string | number>;
  body?: Buffer | string;
  path?: string;
  host?: string;
}

export async function judge({
  status = 200,
  headers = {},
  body = "",
  path = "/a",
  host,
}: Served): ReturnType<typeof preflightHeader> {
  const server = await fileHost((response) => response.writeHead(status, headers).end(body));
  const how = { dispatcher: publicInternet(), timeoutMs: 10_000, signal: undefined };
  return preflightHeader(server.at(path, host), how);
}

export type Unusable = BposError<"header_unusable" | "header_unreachable">;

/** The refusal in which `work` must end. */
export async function refusal(work: Promise<unknown> | (() => unknown)): Promise<Unusable> {
  const error = await Promise.resolve()
    .then(() => (typeof work === "function" ? work() : work))
    .then(
      (value): unknown => new Error(`no refusal but ${JSON.stringify(value)}`),
      (thrown: unknown) => thrown,
    );
  if (isReason(error, "header_unusable") || isReason(error, "header_unreachable")) return error;
  throw error;
}

export const say = (error: BposError): string => errorText(error, pipe());
