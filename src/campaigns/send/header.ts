import {
  fetchHeaderFile,
  type HeaderFetch,
  type HeaderFile,
  shownUrl,
  whereabouts,
} from "../../api/header-file.ts";
import { isBusy } from "../../api/retry.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session.ts";
import { type HeaderType, type HeaderWarning, headerTypes } from "../../contract/limits.ts";
import { isPublicHost } from "../../contract/public-host.ts";
import { BposError, type HeaderProblem, type OtherType } from "../../errors.ts";

/** What speaks against fetching a file from there, known without asking anybody. */
function problemOf(url: URL): HeaderProblem | undefined {
  if (url.protocol !== "https:") return { kind: "not_https" };
  if (url.username !== "" || url.password !== "") return { kind: "credentials" };
  return isPublicHost(url.hostname) ? undefined : { kind: "private_host", host: url.hostname };
}

function unreadable(text: string, problem: HeaderProblem): BposError {
  // Whatever stands before an @ may be a password, and behind a ? the signature that opens the file.
  const shown = text.replace(/^.*@/s, "…@").replace(/[?#].*/s, "?…");
  const cut = shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
  return new BposError("header_unusable", { url: cut === "" ? '""' : cut, problem });
}

/** Reads the URL of a header's file as `docs/service.md` 4.3 asks for it, without the network. Throws `header_unusable`. */
export function readHeaderUrl(text: string): URL {
  // Without the two slashes, URL would still make sense of "https:host".
  if (!/^https?:\/\//i.test(text.trim()) || !URL.canParse(text))
    throw unreadable(text, { kind: "not_a_url" });
  const url = new URL(text);
  // It is sent as it was written, and not every program repairs it as URL does.
  const unescaped = /[^!-~]/.test(text);
  const problem =
    problemOf(url) ??
    (text.includes("#") ? ({ kind: "fragment" } as const) : undefined) ??
    (unescaped ? ({ kind: "unescaped", escaped: shownUrl(url) } as const) : undefined);
  if (problem) throw new BposError("header_unusable", { url: shownUrl(url), problem });
  return url;
}

const starts = (head: Buffer, signature: string, at = 0): boolean =>
  head.toString("latin1", at, at + signature.length) === signature;

/** What the brand of an ISO media file says that is not a plain MP4. */
const brands: readonly [RegExp, OtherType][] = [
  [/^qt {2}/, "mov"],
  [/^3g[2p]/, "3gp"],
  [/^(hei[cmsx]|hev[cmsx]|mif1|msf1)/, "heic"],
  [/^avi[fs]/, "avif"],
  [/^M4[AB]/, "m4a"],
];

/** The signatures of files that begin with theirs. */
const signatures: readonly [string, HeaderType | OtherType][] = [
  ["\xff\xd8\xff", "image/jpeg"],
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["GIF8", "gif"],
  ["II*\0", "tiff"],
  ["MM\0*", "tiff"],
  ["\x1a\x45\xdf\xa3", "webm"],
  ["PK\x03\x04", "zip"],
  ["\xd0\xcf\x11\xe0", "office"],
  ["ID3", "mp3"],
];

type Found = HeaderType | OtherType | "html";

function textKind(head: Buffer): "html" | "svg" | "text" | undefined {
  const text = head.toString("utf8").replace(/^\ufeff?\s*/, "");
  if (/^<(!doctype html|html|head|body|script|title|meta)\b/i.test(text)) return "html";
  if (/^<(\?xml|svg|!--|!doctype svg)/i.test(text) && /<svg\b/i.test(text)) return "svg";
  if (/^<(\?xml|!--)/.test(text) && /<html\b/i.test(text)) return "html";
  // The head may end in the middle of a character.
  return /[\p{Cc}\ufffd]/u.test(text.replaceAll(/[\t\r\n\f]|\ufffd+$/g, "")) ? undefined : "text";
}

/** What a file is by its first bytes, whatever its name or host says. */
function foundIn(head: Buffer): Found {
  const known = signatures.find(([signature]) => starts(head, signature));
  if (known) return known[1];
  if (starts(head, "ftyp", 4)) {
    const brand = head.toString("latin1", 8, 12);
    return brands.find(([pattern]) => pattern.test(brand))?.[1] ?? "video/mp4";
  }
  // What QuickTime wrote before files had brands.
  if (["moov", "mdat", "wide", "free", "skip"].some((atom) => starts(head, atom, 4))) return "mov";
  if (starts(head, "RIFF")) {
    if (starts(head, "WEBP", 8)) return "webp";
    if (starts(head, "AVI ", 8)) return "avi";
  }
  const text = textKind(head);
  if (text === "html" || text === "svg") return text;
  if (head.subarray(0, 1024).includes("%PDF-")) return "application/pdf";
  if (starts(head, "BM") && text === undefined) return "bmp";
  return text ?? "unknown";
}

const isHeaderType = (found: Found): found is HeaderType => Object.hasOwn(headerTypes, found);

const shares = [
  [/(^|\.)(drive|docs)\.google\.com$/, "Google Drive"],
  [/(^|\.)dropbox\.com$/, "Dropbox"],
  [/(^|\.)(onedrive\.live\.com|1drv\.ms|sharepoint\.com)$/, "OneDrive"],
] as const;

const shareOf = (url: URL): (typeof shares)[number][1] | null =>
  shares.find(([pattern]) => pattern.test(url.hostname))?.[1] ?? null;

function statusProblem(status: number): HeaderProblem | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403) return { kind: "sign_in", status };
  return { kind: status === 404 || status === 410 ? "missing" : "status", status };
}

function contentProblem(given: URL, file: HeaderFile, found: Found): HeaderProblem | undefined {
  if (file.unknownEncoding !== undefined) return { kind: "encoding", encoding: file.unknownEncoding };
  if (file.head.length === 0) return { kind: "empty" };
  if (found === "html") return { kind: "web_page", share: shareOf(given) ?? shareOf(file.url) };
  if (!isHeaderType(found)) return { kind: "other_type", found };
  const { kind: of, limit } = headerTypes[found];
  const bytes = file.exact ? file.bytes : null;
  return file.bytes > limit ? { kind: "too_large", of, bytes, limit } : undefined;
}

/** The name under which a document arrives, when it is not a PDF's; null when the URL gives none. */
function wrongName(given: URL, type: HeaderType): string | null | undefined {
  const segment = given.pathname.split("/").at(-1) ?? "";
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // It stays as it is written.
  }
  const fits = headerTypes[type].extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
  // A name that is nothing but an ending is none.
  if (fits && !name.startsWith(".")) return undefined;
  return name === "" || fits ? null : name;
}

function warningsOf(given: URL, file: HeaderFile, type: HeaderType): HeaderWarning[] {
  const { kind, aliases } = headerTypes[type];
  const warnings: HeaderWarning[] = [];
  const name = kind === "document" ? wrongName(given, type) : undefined;
  if (name !== undefined) warnings.push({ kind: "file_name", name });
  const said = file.contentType?.split(";", 1).join("").trim().toLowerCase() ?? "";
  if (said !== type && !aliases.some((alias) => alias === said)) {
    warnings.push({ kind: "content_type", said: said === "" ? null : said, type });
  }
  if (!file.exact) warnings.push({ kind: "size_unknown", counted: file.bytes });
  return warnings;
}

/**
 * Fetches the beginning of a header's file as the service will, without any credential, and judges it (`docs/service.md` 4.3
 * and 8): its type by its bytes, its size, its name. Throws `header_unusable`, `header_unreachable` and `interrupted`.
 */
export async function preflightHeader(
  text: string,
  how: Pick<HeaderFetch, "dispatcher" | "timeoutMs" | "signal">,
): Promise<{ type: HeaderType; warnings: HeaderWarning[] }> {
  const given = readHeaderUrl(text);
  const limitOf = (head: Buffer): number => {
    const found = foundIn(head);
    return isHeaderType(found) ? headerTypes[found].limit : 0;
  };
  const file = await fetchHeaderFile(given, { ...how, problemOf, limitOf });
  const { status } = file;
  const where = whereabouts(given, file.url);
  if (isBusy(status))
    throw new BposError("header_unreachable", { ...where, problem: { kind: "status", status } });
  const found = foundIn(file.head);
  const problem = statusProblem(status) ?? contentProblem(given, file, found);
  if (problem) throw new BposError("header_unusable", { ...where, problem });
  // What is not a header's type was a problem.
  const type = found as HeaderType;
  return { type, warnings: warningsOf(given, file, type) };
}

const defaultTimeoutMs = 30_000;

/** Checks the header's file before anything is sent. A service on this machine is a rehearsal, whose files need not exist. */
export async function checkHeader(
  { signal, flags }: Pick<Runtime, "signal" | "flags">,
  { output, dispatcher, isLocal }: Pick<Session, "output" | "dispatcher" | "isLocal">,
  { headerUrl, preflight }: { headerUrl?: string | undefined; preflight?: boolean | undefined },
): Promise<void> {
  if (headerUrl === undefined || preflight === false) return;
  if (isLocal) return output.notice(output.texts.notices.headerNotFetched);
  const how = { dispatcher, timeoutMs: flags.timeout ?? defaultTimeoutMs, signal };
  const { warnings } = await preflightHeader(headerUrl, how);
  for (const warning of warnings) await output.warning(output.texts.headerWarning(warning));
}
