import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { maskedKey, maxKeyLength } from "../errors/mask-key.ts";
import { BposError, isReason } from "../errors.ts";
import { isOpen } from "./rights.ts";

export interface KeyReader {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly hide: (secret: string, mark?: string) => void;
}

type FileKey = { key: string; isOpen: boolean };

const maxFileBytes = 64 * 1024;

function unreadable(source: string, error: unknown): BposError {
  // The system's message and the cause repeat the name, which may be the key itself.
  if (/^\s*bpk_[^/\\.]{8,}$/.test(source))
    return new BposError("key_unreadable", {
      source: maskedKey(source.trim()),
      detail: { kind: "key_as_file" },
    });
  return new BposError("key_unreadable", { source, detail: (error as Error).message }, { cause: error });
}

/** The webhook's secret is a part of a path: so long that a guess is hopeless, and an address stays one. */
const secretLength = { min: 8, max: 512 };

/** Returns the webhook's secret from the file, else from the variable; undefined where neither is there. Throws `secret_unusable`. */
export async function readSecret(
  reader: KeyReader & { readonly env: Readonly<Record<string, string | undefined>> },
  file: string | undefined,
): Promise<FileKey | undefined> {
  const { min, max } = secretLength;
  const given = reader.env["BPOS_WEBHOOK_SECRET"]?.trim() ?? "";
  if (file === undefined && given === "") return undefined;
  const source = file ?? "BPOS_WEBHOOK_SECRET";
  try {
    const found = file === undefined ? { key: given, isOpen: false } : await keyFromFile(reader, file);
    reader.hide(found.key);
    if (new RegExp(`^[\\w.~+=:@,-]{${min},${max}}$`).test(found.key)) return found;
  } catch (error) {
    if (!isReason(error, "key_unreadable")) throw error;
    const { source: shown, detail } = error.facts;
    if (typeof detail === "string") throw new BposError("secret_unusable", { source: shown, detail });
  }
  throw new BposError("secret_unusable", { source, detail: { kind: "secret_form", min, max } });
}

/** `-` is standard input. Throws `key_unreadable`. */
export async function keyFromFile({ stdin, cwd, platform }: KeyReader, source: string): Promise<FileKey> {
  const file = resolve(cwd, source);
  const input: AsyncIterable<Uint8Array> =
    source === "-" ? stdin : createReadStream(file, { end: maxFileBytes });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxFileBytes) break;
    }
  } catch (error) {
    throw unreadable(source, error);
  }
  const tooLong = { kind: "key_too_long", length: maxFileBytes, max: maxKeyLength, isCut: true } as const;
  if (size > maxFileBytes) throw new BposError("key_unreadable", { source, detail: tooLong });
  const text = Buffer.concat(chunks).toString("utf8");
  const key = text.replace(/^\ufeff/, "").trim();
  if (key === "") throw new BposError("key_unreadable", { source, detail: { kind: "empty" } });
  return { key, isOpen: source !== "-" && isOpen(file, platform) };
}
