import type { ExecEnd } from "../../errors.ts";
import { sayKind, type Words } from "../../texts/kinds.ts";
import { quoted } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { Detail, OwnDetail } from "../problems.ts";
import { databaseWords } from "./database.ts";

/** Errors of operating systems by their codes. English shows the original text; other languages put words before it, since people search for it. */
const systemWords: Readonly<Record<string, (text: string, t: T) => string>> = {
  ECONNREFUSED: (text, t) => t("{text} // ECONNREFUSED: the connection was refused", { text }),
  ECONNRESET: (text, t) => t("{text} // ECONNRESET, EPIPE: the connection was cut", { text }),
  EPIPE: (text, t) => t("{text} // ECONNRESET, EPIPE: the connection was cut", { text }),
  ENOTFOUND: (text, t) => t("{text} // ENOTFOUND: no server has that name", { text }),
  EAI_AGAIN: (text, t) => t("{text} // EAI_AGAIN: the name of the server could not be resolved", { text }),
  ETIMEDOUT: (text, t) => t("{text} // ETIMEDOUT: no answer in time", { text }),
  EHOSTUNREACH: (text, t) => t("{text} // EHOSTUNREACH: there is no way to that machine", { text }),
  EHOSTDOWN: (text, t) => t("{text} // EHOSTDOWN: that machine is switched off", { text }),
  ENETUNREACH: (text, t) => t("{text} // ENETUNREACH: there is no network to it", { text }),
  EADDRINUSE: (text, t) => t("{text} // EADDRINUSE: that address is in use", { text }),
  ENOENT: (text, t) => t("{text} // ENOENT: it does not exist", { text }),
  EACCES: (text, t) => t("{text} // EACCES, EPERM: no permission", { text }),
  EPERM: (text, t) => t("{text} // EACCES, EPERM: no permission", { text }),
  EBUSY: (text, t) => t("{text} // EBUSY: it is in use", { text }),
  EISDIR: (text, t) => t("{text} // EISDIR: it is a folder", { text }),
  ENOTDIR: (text, t) => t("{text} // ENOTDIR: it is not a folder", { text }),
  ENOSPC: (text, t) => t("{text} // ENOSPC: no space on the disk", { text }),
  EROFS: (text, t) => t("{text} // EROFS: the disk is read-only", { text }),
  EIO: (text, t) => t("{text} // EIO: an error while reading or writing", { text }),
};

function systemText(text: string, t: T): string {
  const [code = ""] = /\bE(?:AI_)?[A-Z]{2,}\b/.exec(text) ?? [];
  return systemWords[code]?.(text, t) ?? text;
}

/** Names of JSON's types; they follow "no", so Spanish has the article. */
const typeWords: Readonly<Record<string, (t: T) => string>> = {
  array: (t) => t("array // a type of JSON"),
  boolean: (t) => t("boolean // a type of JSON"),
  number: (t) => t("number // a type of JSON"),
  object: (t) => t("object // a type of JSON"),
  string: (t) => t("string // a type of JSON"),
};

function lackWords({ path, type: name }: { path: string; type: string }, t: T): string {
  const type = typeWords[name]?.(t) ?? name;
  return path === "" ? t("no JSON {type}", { type }) : t("no {path} {type}", { path, type });
}

const details: Words<OwnDetail> = {
  too_slow: ({ ms }, t) => t("no complete answer within {seconds} s", { seconds: ms / 1000 }),
  given_up: (_, t) => t("bpos gave up"),
  answer_too_large: ({ maxBytes }, t) => t("an answer of more than {maxBytes} bytes", { maxBytes }),
  encoding_unasked: ({ encoding }, t) => t("an answer in the unrequested encoding {encoding}", { encoding }),
  encoding_broken: ({ encoding, detail }, t) =>
    t("broken {encoding} encoding: {detail}", { encoding, detail }),
  redirect: ({ to }, t) =>
    to === null
      ? t("a redirect without a target, which bpos does not follow")
      : t("a redirect to {to}, which bpos does not follow", { to }),
  answer_empty: (_, t) => t("empty body"),
  answer_html: (_, t) => t("HTML instead of JSON"),
  answer_too_deep: ({ maxDepth }, t) => t("JSON nested deeper than {maxDepth} levels", { maxDepth }),
  answer_not_json: (_, t) => t("not JSON"),
  answer_no_problem: (_, t) => t("not an error of the service"),
  answer_lacks: lackWords,
  not_a_mock: (_, t) => t("not the answer of a mock"),

  proxy_answered: ({ proxy, variable, status }, t) =>
    t("the proxy {proxy} ({variable}) answered {status}", { proxy, variable, status }),
  proxy_unreached: ({ proxy, variable, detail }, t) =>
    t("the proxy {proxy} ({variable}) could not be reached: {detail}", {
      proxy,
      variable,
      detail: detailWords(detail, t),
    }),

  key_as_file: (_, t) => t("this looks like the key itself, not like a file name"),
  key_not_for_header: ({ at, length }, t) =>
    t("character {at} of {length} cannot be sent in a header", { at, length }),
  key_too_long: ({ length, max, isCut }, t) =>
    t(
      isCut
        ? "more than {length} characters, and a key has at most {max}"
        : "{length} characters, and a key has at most {max}",
      { length, max },
    ),
  key_lines: ({ lines }, t) => t("{lines} lines, and a key is one line", { lines }),
  secret_form: ({ min, max }, t) =>
    t("not one line of {min} to {max} letters, digits and . _ ~ + = : @ , -", { min, max }),

  not_json: (_, t) => t("not JSON"),
  json_unexpected: ({ found }, t) =>
    found === null ? t("it ends too early") : t("unexpected {found}", { found: quoted(found) }),
  json_list_twice: ({ listKey }, t) => t("{listKey} appears twice", { listKey: quoted(listKey) }),
  wrong_type: ({ path, type }, t) =>
    path === ""
      ? t("the whole file is not of type {type}", { type })
      : t("{path} is not of type {type}", { path: quoted(path), type }),

  empty: (_, t) => t("it is empty"),
  is_folder: (_, t) => t("it is a folder"),
  not_regular: (_, t) => t("not a regular file"),
  folder_missing: (_, t) => t("its folder does not exist"),
  not_allowed: (_, t) => t("no permission to write there"),
  file_missing: (_, t) => t("no such file"),
  not_readable: (_, t) => t("no permission to read it"),
  file_replaced: ({ file }, t) => t("{file} was removed or replaced", { file }),

  journal_newer: (_, t) => t("written by a newer bpos"),
  journal_outdated: (_, t) => t("written by an older bpos, in a format that this one does not read"),
  journal_copied: ({ to }, t) => t("it was copied to {to}, which is now the journal", { to }),
  database: ({ problem }, t) => databaseWords(problem, t).what,
};

/** Says why something failed, as part of a sentence; what others said stays as it came. */
export const detailWords = (detail: Detail, t: T): string =>
  typeof detail === "string" ? systemText(detail, t) : sayKind(details, detail, t);

/** Says how the command of --exec or --on-failure ended. */
export function execEndWords({ timedOutMs, exitCode, killedBy }: ExecEnd, t: T): string {
  if (timedOutMs !== null)
    return t("was still running after {seconds} s and was stopped", { seconds: timedOutMs / 1000 });
  if (exitCode !== null) return t("ended with exit code {exitCode}", { exitCode });
  return killedBy === null ? t("could not be started") : t("was ended by {killedBy}", { killedBy });
}

/** Names the command of --exec, by its program and its place among the outputs. */
export const programWords = (
  { program, outputNumber }: { program: string; outputNumber: number },
  t: T,
): string => t("`{program}` (output {outputNumber})", { program, outputNumber });
