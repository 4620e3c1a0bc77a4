import type { Detail, OwnDetail } from "../../errors/detail.ts";
import { capitalised, ended } from "../phrases.ts";
import { quoted } from "../quoted.ts";
import { type Words, wordsFor } from "../words-for.ts";

const end = "the end of the file";

const details: Words<OwnDetail, string> = {
  too_slow: ({ ms, complete }) => `no ${complete ? "complete " : ""}answer within ${ms / 1000} s`,
  given_up: () => "given up from this side",
  answer_too_large: ({ maxBytes }) => `an answer of more than ${maxBytes} bytes`,
  encoding_unasked: ({ encoding }) => `an answer in the encoding ${encoding}, which was not asked for`,
  encoding_broken: ({ of, encoding, detail }) =>
    `${of === "answer" ? `the ${encoding} encoding of the answer` : `its ${encoding} encoding`} is broken: ${detail}`,
  broke_off: ({ detail }) => `the connection broke in the middle of the answer: ${detailWords(detail)}`,
  redirect: ({ to }) => `a redirect to ${to ?? "nowhere"}, which is not followed`,
  answer_empty: () => "empty body",
  answer_html: () => "HTML instead of JSON",
  answer_cut_off: () => "the JSON ends early",
  answer_too_deep: ({ maxDepth }) => `JSON nested deeper than ${maxDepth} levels`,
  answer_not_json: () => "not JSON",
  answer_no_problem: () => "no error body of the service",
  answer_lacks: ({ path, type }) => (path === "" ? `no JSON ${type}` : `no ${path} ${type}`),
  not_a_mock: () => "not the answer of a mock",
  proxy_answered: ({ proxy, variable, status, said }) =>
    `the proxy ${proxy} (${variable}) answered ${`${status} ${said}`.trimEnd()}`,
  proxy_unreached: ({ proxy, variable, detail }) =>
    `the proxy ${proxy} (${variable}) could not be reached: ${detailWords(detail)}`,
  not_json: () => "it is not JSON",
  empty: () => "it is empty",
  key_as_file: () => "that looks like the key itself, and no file of that name can be read",
  key_not_for_header: ({ at, length }) => `character ${at} of ${length} cannot be sent in a header`,
  key_too_long: ({ length, max, isCut }) =>
    `it has ${isCut ? "more than " : ""}${length} characters, and a key has ${max} at most`,
  key_lines: ({ lines }) => `it has ${lines} lines, and a key is one line`,
  secret_form: ({ min, max }) =>
    `it is not one line of ${min} to ${max} letters, digits and . _ ~ + = : @ , -`,
  json_unexpected: ({ expected, found }) => {
    const what =
      expected === "value" ? "a value" : expected === "end" ? end : expected.map(quoted).join(" or ");
    const there = found === null ? end : quoted(found);
    return `${what} expected, ${there} found`;
  },
  json_list_twice: ({ listKey }) => `a second "${listKey}" found, and only one can be meant`,
  is_folder: () => "it is a folder",
  not_regular: () => "it is no regular file",
  folder_missing: () => "its folder does not exist",
  not_allowed: () => "you may not write there",
  file_missing: () => "there is no such file",
  not_readable: () => "you may not read it",
  wrong_type: ({ path, type }) => `${path === "" ? "the whole" : quoted(path)} is no ${type}`,
  journal_newer: () => "it was written by a newer bpos",
  journal_moved_meanwhile: () => "another bpos found it damaged and moved it aside at this moment",
  journal_damaged_in_use: () => "it is damaged, and another bpos that works with it has to be stopped first",
};

/** Why something failed, as part of a sentence; what others said stays as it came. */
export function detailWords(detail: Detail): string {
  return typeof detail === "string" ? detail : wordsFor(details, detail);
}

/** Why something failed, as a sentence of its own; what others said keeps its first letter. */
export function detailSentence(detail: Detail): string {
  return ended(typeof detail === "string" ? detail : capitalised(detailWords(detail)));
}
