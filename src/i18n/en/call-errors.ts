import type { Detail, OwnDetail } from "../../errors/detail.ts";
import type { WorldProblem } from "../../errors/world-problem.ts";
import type { CaFileProblem, CallFacts } from "../../errors.ts";
import { capitalised, ended, quoted, resumed } from "../phrases.ts";
import { type ErrorTexts, type ErrorWords, type Words, wordsFor } from "../shapes.ts";

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
};

/** Why something failed, as part of a sentence; what others said stays as it came. */
export function detailWords(detail: Detail): string {
  return typeof detail === "string" ? detail : wordsFor(details, detail);
}

/** Why something failed, as a sentence of its own; what others said keeps its first letter. */
export function detailSentence(detail: Detail): string {
  return ended(typeof detail === "string" ? detail : capitalised(detailWords(detail)));
}

/** What is said of requests as they are made, for a person who looks for a fault. */
export const network = {
  attempt: (request: string, attempt: number) => (attempt === 1 ? request : `${request}, attempt ${attempt}`),
  answer: (status: number, request: string) => `${status} to ${request}`,
  via: (proxy: string) => `through the proxy ${proxy}`,
  more: (characters: number) => `… ${characters} more characters are not shown`,
};

const caFile: Words<CaFileProblem, { why: string; next: string }> = {
  unreadable: ({ detail }) => ({
    why: ended(detail),
    next: "Check the name and that you may read the file.",
  }),
  no_certificate: () => ({
    why: 'It holds no certificate in PEM form: nothing between "-----BEGIN CERTIFICATE-----" and "-----END CERTIFICATE-----".',
    next: "Ask for the CA's certificate as PEM. One in DER form (.cer, .der) becomes PEM with `openssl x509 -inform der -in FILE -out ca.pem`.",
  }),
  broken_certificate: ({ number, detail }) => ({
    why: ended(`Certificate ${number} in it cannot be read: ${detail}`),
    next: "Get the file once more: it may have been cut off or changed on its way.",
  }),
};

/** What keeps from going out at all. */
export const networkErrors: Pick<ErrorTexts, "proxy_unusable" | "ca_file_unusable"> = {
  proxy_unusable: ({ variable, scheme }) => ({
    what: `The proxy in ${variable} cannot be used.`,
    why: `${scheme === undefined ? "It is not an address." : `bpos goes through http:// and https:// proxies, not through ${scheme}://.`} Nothing was sent.`,
    next: `Set ${variable} as http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded; or unset it, or name the service's host in NO_PROXY to do without a proxy.`,
  }),
  ca_file_unusable: ({ file, problem }) => {
    const { why, next } = wordsFor(caFile, problem);
    return { what: `The certificates in ${file} cannot be used.`, why: `${why} Nothing was sent.`, next };
  },
};

/** What to do about a certificate that is not accepted. */
export const untrustedNext =
  "In a network with a CA of its own, name that CA's certificate: --ca-file FILE, or NODE_EXTRA_CA_CERTS. Otherwise check the address and this machine's clock: somebody may be listening in.";

/** What to do about a proxy that did not pass a request on. */
export function proxyNext({
  variable,
  status,
  credentials,
}: {
  variable: string;
  status?: number;
  credentials: boolean;
}): string {
  if (status === 407)
    return credentials
      ? `Correct the user name or password in ${variable}; special characters are percent-encoded there.`
      : `It wants a user name and password: set ${variable} as http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded.`;
  return status !== undefined && status < 500
    ? "The proxy does not allow that address: ask whoever runs it to, or name the service's host in NO_PROXY to go without it."
    : `Check the address in ${variable} and that the proxy runs; or unset it, or name the service's host in NO_PROXY, to go without it. Rerunning is safe: nothing is applied twice.`;
}

/** What to do about a refusal that may be a proxy's own page. */
export const proxyPageNext = ({ url, variable }: { url: string; variable: string }): string =>
  `This is not an answer of the service as it is known: it may be the proxy's (${url}, ${variable}). Ask whoever runs that to allow the address, or name the service's host in NO_PROXY to go without it.`;

/** "after 5 attempts", or nothing when there was only one. */
const after = ({ attempts }: CallFacts): string => (attempts > 1 ? ` after ${attempts} attempts` : "");

/** Status and code of an answer. */
const answered = ({ status, serviceCode }: CallFacts): string =>
  [status, serviceCode].filter((part) => part !== undefined && part !== "").join(" ");

/** What the service answered, as far as it is known: status, code and message, or the beginning of the answer. */
function answer(facts: CallFacts): string {
  const head = answered(facts);
  const { serviceMessage, quote } = facts;
  const said = serviceMessage ?? quote;
  return [head, said === undefined || said === "" ? "" : `"${said}"`]
    .filter((part) => part !== "")
    .join(", ");
}

/** That the service asked for a longer pause than is made. */
const tooLongAWait = ({ retryAfterMs = 0, longestWaitMs }: CallFacts): string =>
  longestWaitMs === undefined
    ? ""
    : `the service asks to wait ${Math.ceil(retryAfterMs / 1000)} s, and at most ${longestWaitMs / 1000} s are waited`;

/** Why a call came to nothing: the answer, or what the network said. */
function because(facts: CallFacts): string {
  const parts = [answer(facts), detailWords(facts.detail ?? ""), tooLongAWait(facts)].filter(
    (part) => part !== "",
  );
  const call = `${facts.endpoint} at ${facts.origin}`;
  const asked =
    facts.askedFor === "time" ? `The service is asked for its time before anything is sent (${call})` : call;
  const why = ended(`${asked}${after(facts)}: ${parts.join("; ") || "no answer"}`);
  return facts.nothingSent === true ? `${why} Nothing was sent.` : why;
}

/** Whether a catalog or a campaign was being sent; what settles an unknown outcome differs. */
const isCampaign = ({ endpoint }: CallFacts): boolean => endpoint.includes("/campaigns");

/** A refusal of a call that had been tried before. */
const isRefusal = ({ status = 0 }: CallFacts): boolean =>
  status >= 400 && status < 500 && !putOff.has(status);

const runAgain = {
  push: "Run the same command again with the same file or codes: it takes up where it stopped, with the same event ids, and nothing is applied twice.",
  send: (ref: string | undefined) =>
    `${resumed(ref)} settles it: the same keys are used, so nobody is messaged twice.`,
};

/** Too slow, too early, too many: answers that say nothing about what was sent. */
const putOff: ReadonlySet<number> = new Set([408, 425, 429]);

/** The words of a refusal; where it may be a proxy's own page, those say so first. */
const orProxys = (facts: CallFacts, words: ErrorWords): ErrorWords =>
  facts.proxy === undefined
    ? words
    : {
        ...words,
        what: `The service, or the proxy before it, refused ${facts.endpoint} with ${answered(facts)}.`,
        next: `${proxyPageNext(facts.proxy)} Or the service itself refuses it. ${words.next}`,
      };

/** What the service, the network or a signal ends. */
export const callErrors: Pick<
  ErrorTexts,
  "access_denied" | "input_refused" | "unavailable" | "unreadable_answer" | "outcome_unknown" | "interrupted"
> = {
  access_denied: (facts) =>
    orProxys(facts, {
      what:
        facts.storeId === undefined
          ? "The service does not accept this key."
          : `The service does not accept this key, or not with the store_id "${facts.storeId}".`,
      why: because(facts),
      next:
        facts.storeId !== undefined
          ? `The store_id "${facts.storeId}" was sent with the products and must be that of the key's branch: correct it or leave it out (--store-id, or store_id in the profile). If it is right, check the key: BPOS_API_KEY, or the profile named with -p.`
          : "The key is invalid, inactive or of another branch (a store_id must match it). Check BPOS_API_KEY or the profile named with -p, or rehearse with --mock.",
    }),
  input_refused: (facts) =>
    orProxys(facts, {
      what: `The service refused ${facts.endpoint} with ${answered(facts)}.`,
      why: because(facts),
      next:
        facts.status === 404
          ? "There is nothing at that address: check --base-url and --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) and their paths."
          : facts.endpoint.startsWith("GET /campaigns")
            ? "Check the campaign_id, and that the campaign was sent with this key: another branch's campaigns are not shown."
            : isCampaign(facts)
              ? facts.status === 413
                ? "This call was not sent: it is too large. Ask whoever runs the service, or a proxy before it, for the limit."
                : "This call was not sent. Check the template's exact name, that it is approved, its --language, that it has as many variables as --params names (none: --params '') and, if it has an image, video or document, --header-url; then run the command again."
              : facts.status === 413 && facts.endpoint.includes("/catalog/")
                ? "Even one product alone is too large for it: shorten its longest text in the file. If it is not long, ask whoever runs the service, or a proxy before it, for the limit."
                : "Correct what the service names and run the command again.",
    }),
  unavailable: (facts) => ({
    what:
      facts.proxy === undefined
        ? facts.status === undefined
          ? `No usable answer from ${facts.origin}.`
          : `The service answered ${facts.endpoint} with ${answered(facts)}.`
        : `The proxy ${facts.proxy.url} did not let ${facts.endpoint} through.`,
    why: because(facts),
    next: facts.proxy
      ? proxyNext(facts.proxy)
      : facts.untrusted === true
        ? untrustedNext
        : (facts.status ?? 500) < 400
          ? "The address is not the service's own: correct --base-url or --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL)."
          : "Rerunning is safe: nothing is applied twice. Try again later; if it stays so, check the network, the proxy and the address.",
  }),
  unreadable_answer: (facts) => ({
    what: `The answer to ${facts.endpoint} cannot be read.`,
    why: because(facts),
    next: "Check that the address is the service's and that no proxy or sign-in page stands between; rerunning is safe.",
  }),
  outcome_unknown: (facts) => ({
    what: `Unknown outcome: ${facts.endpoint} may or may not have been carried out.`,
    why:
      isCampaign(facts) && isRefusal(facts)
        ? `${because(facts)} An earlier try may have arrived, so this refusal proves nothing.`
        : because(facts),
    next: isCampaign(facts)
      ? isRefusal(facts)
        ? `Correct what is refused (${facts.status === 403 ? "at the service, the key" : "at the service, the template or the header file"}), then ${resumed(facts.ref)}; or ask the people who run the service whether it arrived.`
        : runAgain.send(facts.ref)
      : facts.status === 403
        ? `The service refuses the key${facts.storeId === undefined ? "" : ` or the store_id "${facts.storeId}"`} now, but an earlier try of this batch may have been applied. Put that right, then run the same command again: it takes up where it stopped.`
        : facts.status !== undefined && putOff.has(facts.status)
          ? `Try again later. ${runAgain.push}`
          : isRefusal(facts)
            ? "The service refuses this batch now, but an earlier try of it may have been applied. Correct the file and push that: a changed file begins a new push, whose times are later."
            : runAgain.push,
  }),
  interrupted: ({ during, ref }) =>
    ({
      reading: {
        what: "Stopped by Ctrl-C or a signal while the file was read.",
        why: "Nothing was sent.",
        next: "Run the command again.",
      },
      waiting: {
        what: "Stopped by Ctrl-C or a signal while it waited for another bpos.",
        why: "Nothing was sent.",
        next: "Run the command again.",
      },
      work: {
        what: "Stopped before the end, by Ctrl-C or a signal.",
        why: "What was sent until then is written down; a request that was under way may or may not have arrived.",
        next:
          ref === undefined
            ? "Run the same command again to go on: nothing is applied or sent twice."
            : `${resumed(ref)} goes on with it: nobody is messaged twice.`,
      },
      question: {
        what: "Stopped by Ctrl-C or a signal.",
        why: "Nothing was sent.",
        next: "Run the command again when it is right.",
      },
      setup: {
        what: "Stopped by Ctrl-C or a signal.",
        why: "No profile was kept, changed or removed.",
        next: "Run the command again whenever you like: it begins from the start.",
      },
      follow: {
        what: "Stopped by Ctrl-C or a signal.",
        why: "Not everything was final yet.",
        next: "Run it again to see how it stands then: looking changes nothing.",
      },
      look: {
        what: "Stopped by Ctrl-C or a signal.",
        why: "Not everything was checked yet.",
        next: "Run it again: looking changes nothing.",
      },
      watch: {
        what: "Stopped by Ctrl-C or a signal.",
        why: "This command runs until it is stopped.",
        next: "Run it again to go on: an order that came meanwhile is handed on then, and none twice.",
      },
      listen: {
        what: "Stopped by Ctrl-C or a signal.",
        why: "This command runs until it is stopped. Replies that it has answered are written down.",
        next: "Run it again to go on: what was not handed on yet is handed on then.",
      },
    })[during],
};

interface WhyAndNext {
  why: string;
  next: string;
}

const elsewhere = "Name another file, or move this one away to have a new world begin there.";

const problems: Words<WorldProblem, WhyAndNext> = {
  not_a_file: () => ({ why: "It is not a regular file.", next: "Name a file." }),
  not_sqlite: () => ({ why: "It is not an SQLite file: it was left as it is.", next: elsewhere }),
  other_program: () => ({
    why: "It is a database of another program: it was left as it is.",
    next: "Name another file.",
  }),
  newer: () => ({ why: "It was written by a newer bpos.", next: `Update bpos. ${elsewhere}` }),
  older: () => ({ why: "It was written by an older bpos.", next: elsewhere }),
  busy: () => ({
    why: "Another process has been writing to it for 10 s.",
    next: "Stop that process, or name another file.",
  }),
  damaged: ({ said }) => ({ why: `It is damaged (${said}).`, next: elsewhere }),
  unwritable: ({ said }) => ({
    why: `It cannot be written (${said}).`,
    next: "Check that you may write there and that the disk has room, or name another file; BPOS_HOME names another folder for that of --mock.",
  }),
  other_world: ({ of }) => ({
    why: `It holds a world of another ${of.join(" and ")}, and what has happened in it cannot be true of this one.`,
    next: "Leave that out, empty the world with `bpos mock reset`, or name another file.",
  }),
};

/** Why the file of the mock's world cannot be used, and what to do next. */
export function worldWords(problem: WorldProblem): WhyAndNext {
  return wordsFor(problems, problem);
}
