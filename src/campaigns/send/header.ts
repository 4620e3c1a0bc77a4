import {
  fetchHeaderFile,
  type HeaderFetch,
  type HeaderFile,
  shownUrl,
  whereabouts,
} from "../../api/header-file.ts";
import { isBusy } from "../../api/retry.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { isPublicHost, webUrl } from "../../contract/addresses.ts";
import { type HeaderType, type HeaderWarning, headerTypes } from "../../contract/limits.ts";
import { BposError, type HeaderProblem } from "../../errors.ts";
import { sayKind, type Words } from "../../texts/kinds.ts";
import { quoted } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";

function findProblem(url: URL): HeaderProblem | undefined {
  if (url.protocol !== "https:") return { kind: "not_https" };
  if (url.username !== "" || url.password !== "") return { kind: "credentials" };
  return isPublicHost(url.hostname) ? undefined : { kind: "private_host", host: url.hostname };
}

export function readHeaderUrl(text: string): URL {
  const url = webUrl(text.trim());
  if (url === undefined) {
    // The part before an @ can be a password, and the part after a ? the signature that opens the file.
    const masked = text
      .replace(/^.*@/s, "…@")
      .replace(/[?#].*/s, "?…")
      .slice(0, 80);
    throw new BposError("header_unusable", { url: masked || '""', problem: { kind: "not_https" } });
  }
  // It is sent as it was written, and not every program repairs it as URL does; a # would end the request.
  const isEscaped = /^[!-~]*$/.test(text) && !text.includes("#");
  const problem =
    findProblem(url) ?? (isEscaped ? undefined : ({ kind: "unescaped", escaped: shownUrl(url) } as const));
  if (problem) throw new BposError("header_unusable", { url: shownUrl(url), problem });
  return url;
}

const otherBrand = /^(qt {2}|3g[2p]|hei[cmsx]|hev[cmsx]|mif1|msf1|avi[fs]|M4[AB])/;
/** After these first bytes, `%PDF-` is only part of the content. */
const otherFile = /^(GIF8|II\*|MM\0|PK\x03\x04|\xd0\xcf\x11\xe0|ID3|RIFF)/;

function detectType(head: Buffer): HeaderType | "web_page" | "other_type" {
  const start = head.toString("latin1", 0, 1024);
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("ftyp", 4)) return otherBrand.test(start.slice(8)) ? "other_type" : "video/mp4";
  const text = head.toString("utf8").replace(/^\ufeff?\s*/, "");
  if (/^<(!doctype html|html|head|body|script|title|meta)\b/i.test(text)) return "web_page";
  if (/^<(\?xml|!--)/.test(text) && /<html\b/i.test(text)) return "web_page";
  return start.includes("%PDF-") && !otherFile.test(start) ? "application/pdf" : "other_type";
}

function findLimit(head: Buffer): number {
  const type = detectType(head);
  return type === "web_page" || type === "other_type" ? 0 : headerTypes[type].limit;
}

function judge({ status, unknownEncoding, head, bytes }: HeaderFile): HeaderType | HeaderProblem {
  if (status < 200 || status > 299) return { kind: "status", status };
  if (unknownEncoding !== undefined) return { kind: "encoding", encoding: unknownEncoding };
  if (head.length === 0) return { kind: "empty" };
  const type = detectType(head);
  if (type === "web_page" || type === "other_type") return { kind: type };
  const { kind: of, limit } = headerTypes[type];
  return bytes > limit ? { kind: "too_large", of, limit } : type;
}

function listWarnings(given: URL, { contentType = "" }: HeaderFile, type: HeaderType): HeaderWarning[] {
  const warnings: HeaderWarning[] = [];
  // A document is named after the last part of its URL; an extension alone is not a name.
  const name = given.pathname.split("/").at(-1) ?? "";
  if (type === "application/pdf" && !/^[^.].*\.pdf$/i.test(name)) warnings.push({ kind: "file_name", name });
  const said = contentType.split(";", 1).join("").trim().toLowerCase();
  const aliases: readonly string[] = headerTypes[type].aliases;
  if (said !== type && !aliases.includes(said)) warnings.push({ kind: "content_type", said, type });
  return warnings;
}

export async function preflightHeader(
  text: string,
  how: Pick<HeaderFetch, "dispatcher" | "timeoutMs" | "signal">,
): Promise<{ type: HeaderType; warnings: HeaderWarning[] }> {
  const given = readHeaderUrl(text);
  const file = await fetchHeaderFile(given, { ...how, findProblem: findProblem, findLimit: findLimit });
  const { status } = file;
  const where = whereabouts(given, file.url);
  if (isBusy(status))
    throw new BposError("header_unreachable", { ...where, problem: { kind: "status", status } });
  const type = judge(file);
  if (typeof type !== "string") throw new BposError("header_unusable", { ...where, problem: type });
  return { type, warnings: listWarnings(given, file, type) };
}

const typeWords: Readonly<Record<HeaderType, (t: T) => string>> = {
  "image/jpeg": (t) => t("a JPEG image"),
  "image/png": (t) => t("a PNG image"),
  "video/mp4": (t) => t("an MP4 video"),
  "application/pdf": (t) => t("a PDF"),
};

const words: Words<HeaderWarning> = {
  file_name: ({ name }, t) =>
    t(
      "Warning: the document will be named {name}, after its URL. Use a URL that ends in a name such as menu.pdf.",
      { name: quoted(name) },
    ),
  content_type: ({ said, type }, t) => {
    const facts = { what: typeWords[type](t), type };

    return said === ""
      ? t(
          "Warning: the header file is {what}, but its server sends no Content-Type, which WhatsApp can rely on. Configure the server to send it as {type}.",
          facts,
        )
      : t(
          "Warning: the header file is {what}, but its server sends it as {said}, and WhatsApp can rely on that. Configure the server to send it as {type}.",
          { ...facts, said: quoted(said) },
        );
  },
};

/** Checks the header's file before anything is sent. A service on this machine is a rehearsal, whose files need not exist. */
export async function checkHeader(
  { signal, flags }: Runtime,
  { output, dispatcher, isLocal }: Session,
  headerUrl: string,
): Promise<void> {
  if (isLocal)
    return output.notice(
      output.texts.t(
        "The header file is not checked, because the service is on this machine or on its network.",
      ),
    );
  const how = { dispatcher, timeoutMs: flags.timeout ?? 30_000, signal };
  const { warnings } = await preflightHeader(headerUrl, how);
  for (const warning of warnings) await output.warning(sayKind(words, warning, output.texts.t));
}
