import type { Detail, OwnDetail, WorldProblem } from "../../errors/problems.ts";
import type { CaFileProblem, CallFacts, ErrorFacts, ExecEnd, ProxyTrouble } from "../../errors.ts";
import { answer, answered, ended, isCampaign, isPutOff, isRefusal, quoted, resumed } from "../phrases.ts";
import { advice, defineReasons, type ErrorWords, said, sentences } from "../shapes.ts";
import { databaseWords } from "./database.ts";

const ownDetail: (detail: OwnDetail) => string = sentences<OwnDetail>()({
  too_slow: ({ ms }) => `no complete answer within ${ms / 1000} s`,
  given_up: "bpos gave up",
  answer_too_large: "an answer of more than {maxBytes} bytes",
  encoding_unasked: "an answer in the unrequested encoding {encoding}",
  encoding_broken: "broken {encoding} encoding: {detail}",
  redirect: ({ to }) => `a redirect to ${to ?? "nowhere"}, which bpos does not follow`,
  answer_empty: "empty body",
  answer_html: "HTML instead of JSON",
  answer_too_deep: "JSON nested deeper than {maxDepth} levels",
  answer_not_json: "not JSON",
  answer_no_problem: "not an error of the service",
  answer_lacks: ({ path, type }) => (path === "" ? `no JSON ${type}` : `no ${path} ${type}`),
  not_a_mock: "not the answer of a mock",
  proxy_answered: "the proxy {proxy} ({variable}) answered {status}",
  proxy_unreached: ({ proxy, variable, detail }) =>
    `the proxy ${proxy} (${variable}) could not be reached: ${detailWords(detail)}`,
  not_json: "not JSON",
  empty: "it is empty",
  key_as_file: "that looks like the key itself, not like the name of a file",
  key_not_for_header: "character {at} of {length} cannot be sent in a header",
  key_too_long: ({ length, max, isCut }) =>
    `${isCut ? "more than " : ""}${length} characters, and a key has at most ${max}`,
  key_lines: "{lines} lines, and a key is one line",
  secret_form: "not one line of {min} to {max} letters, digits and . _ ~ + = : @ , -",
  json_unexpected: ({ found }) =>
    found === null ? "it ends too early" : `${quoted(found)} does not belong there`,
  json_list_twice: 'a second "{listKey}" found, and only one can be meant',
  is_folder: "it is a folder",
  not_regular: "not a regular file",
  folder_missing: "its folder does not exist",
  not_allowed: "no permission to write there",
  file_missing: "no such file",
  not_readable: "no permission to read it",
  wrong_type: ({ path, type }) => `${path === "" ? "the whole file" : quoted(path)} is not of type ${type}`,
  journal_newer: "written by a newer bpos",
  journal_outdated: "written by an older bpos, which this one does not read",
  journal_copied: "it was copied to {to}, and goes on there",
  file_replaced: "{file} was removed or replaced",
  database: ({ problem }) => databaseWords(problem).what,
});

/** How the command of --exec or --on-failure ended. */
export function execEnd({ exitCode, killedBy, timedOutMs }: ExecEnd): string {
  if (timedOutMs !== null) return `was still running after ${timedOutMs / 1000} s and was stopped`;
  if (exitCode !== null) return `ended with exit code ${exitCode}`;
  return killedBy === null ? "could not be started" : `was ended by ${killedBy}`;
}

/** Why something failed, as part of a sentence; what others said stays as it came. */
export const detailWords = (detail: Detail): string =>
  typeof detail === "string" ? detail : ownDetail(detail);

/** What is said of requests as they are made, for a person who looks for a fault. */
export const network = {
  attempt: (request: string, attempt: number) => (attempt === 1 ? request : `${request}, attempt ${attempt}`),
  answer: (status: number, request: string) => `${status} to ${request}`,
  via: (proxy: string) => `through the proxy ${proxy}`,
  more: (characters: number) => `… ${characters} more characters are not shown`,
};

/** What is wrong with a file of certificates, as part of a sentence, and what to do next. */
export const caFileWords = advice<CaFileProblem>()({
  unreadable: { what: "{detail}", next: "Check the name and the permissions of the file." },
  no_certificate: {
    what: "no certificate in PEM form (-----BEGIN CERTIFICATE-----)",
    next: "Get the CA's certificate as PEM. `openssl x509 -inform der -in FILE -out ca.pem` converts one in DER form (.cer, .der).",
  },
  broken_certificate: {
    what: "certificate {number} cannot be read: {detail}",
    next: "Get the file again: it may have been truncated or changed.",
  },
});

/** What to do about a certificate that is not accepted. */
export const untrustedNext =
  "In a network with its own CA, pass that CA's certificate with --ca-file FILE or NODE_EXTRA_CA_CERTS. Otherwise check the address and this machine's clock: somebody may be listening in.";

/** What to do about a proxy that did not pass a request on. */
function proxyNext({ variable, status, credentials }: Omit<ProxyTrouble, "url">): string {
  if (status === 407)
    return credentials
      ? `Correct the user name or password in ${variable}; special characters are percent-encoded there.`
      : `The proxy needs a user name and password: set ${variable} to http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded.`;
  return status !== undefined && status < 500
    ? "The proxy does not allow that address: ask whoever runs it, or list the service's host in NO_PROXY."
    : `Check the address in ${variable} and that the proxy runs, or list the service's host in NO_PROXY. Rerunning is safe: nothing is applied twice.`;
}

/** Why a call failed: the answer, or what the network said. */
function because(facts: CallFacts): string {
  const { attempts, retryAfterMs = 0, maxWaitMs } = facts;
  const wait =
    maxWaitMs === undefined
      ? ""
      : `the service asks to wait ${Math.ceil(retryAfterMs / 1000)} s, and bpos waits at most ${maxWaitMs / 1000} s`;
  const parts = [answer(facts), detailWords(facts.detail ?? ""), wait].filter((part) => part !== "");
  const call = `${facts.askedFor === "time" ? "Reading the service's time before sending, " : ""}${facts.endpoint} at ${facts.origin}`;
  const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
  const why = ended(`${call}${tries}: ${parts.join("; ") || "no answer"}`);
  return facts.nothingSent === true ? `${why} Nothing was sent.` : why;
}

const pushAgain =
  "Run the same command again with the same file or codes: it continues with the same event ids, and nothing is applied twice.";

/** What to do about a refusal other than that of the key. */
function refusedNext(facts: CallFacts): string {
  const { status, endpoint } = facts;
  if (status === 404)
    return "Check --base-url and --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) and their paths.";
  if (endpoint.startsWith("GET /campaigns"))
    return "Check the campaign_id, and that the campaign was sent with this key: those of other branches are not shown.";
  if (isCampaign(facts))
    return status === 413
      ? "This call was not sent: it is too large. Ask whoever runs the service or a proxy for the limit."
      : "This call was not sent. Check the template's exact name, its approval, --language, the number of variables in --params (none: --params '') and, for an image, video or document, --header-url.";
  return status === 413 && endpoint.includes("/catalog/")
    ? "Even one product alone is too large: shorten its longest text. If it is short, ask whoever runs the service or a proxy for the limit."
    : "Correct what the service names and run the command again.";
}

/** What settles a campaign whose outcome is unknown. */
const campaignUnknownNext = (facts: CallFacts & { ref?: string }): string =>
  isRefusal(facts)
    ? `Correct what the service refuses: ${facts.status === 403 ? "the key" : "the template or the header file"}, then run ${resumed(facts.ref)}; or ask whoever runs the service whether the call arrived.`
    : `${resumed(facts.ref)} settles it with the same keys: nobody is messaged twice.`;

/** What settles a batch of products whose outcome is unknown. */
function catalogUnknownNext(facts: CallFacts): string {
  const { status, storeId } = facts;
  if (status === 403)
    return `The service refuses the key${storeId === undefined ? "" : ` or the store_id "${storeId}"`} now, but an earlier attempt may have been applied. Correct that, then run the same command again: it continues.`;
  if (isPutOff(facts)) return `Try again later. ${pushAgain}`;
  return isRefusal(facts)
    ? "The service refuses this batch now, but an earlier attempt may have been applied. Correct the file and push it: a changed file begins a new push with later stamps."
    : pushAgain;
}

const stopped = "Stopped by Ctrl-C or a signal.";
const beforeSending = { what: stopped, why: "Nothing was sent.", next: "Run the command again." };
const onlyRead = {
  what: stopped,
  why: "Not everything was read yet.",
  next: "Run the command again: it changes nothing.",
};

function interruptedWords({ during, ref }: ErrorFacts["interrupted"]): ErrorWords {
  const runs = { what: stopped, why: "This command runs until it is stopped." };
  return {
    reading: beforeSending,
    waiting: beforeSending,
    question: beforeSending,
    setup: { ...beforeSending, why: "No profile was changed." },
    printing: {
      what: stopped,
      why: "The receipt may be on paper, whole or in part.",
      next: "Look at the printer, and run the command again if it is not there.",
    },
    upkeep: {
      what: stopped,
      why: "The work is partly done.",
      next: "Run the same command again to continue.",
    },
    follow: onlyRead,
    look: onlyRead,
    watch: {
      ...runs,
      next: "Run it again to continue: orders that came meanwhile are delivered then, none twice.",
    },
    listen: {
      ...runs,
      next: "Run it again to continue: replies that were accepted and not yet delivered are delivered then.",
    },
    work: {
      what: "Stopped before the end, by Ctrl-C or a signal.",
      why: "What was sent is in the journal; the outcome of a request in progress is unknown.",
      next:
        ref === undefined
          ? "Run the same command again to continue: nothing is applied or sent twice."
          : `${resumed(ref)} continues: nobody is messaged twice.`,
    },
  }[during];
}

/** What the service, the network or a signal ends. */
export const callErrors = defineReasons({
  access_denied: {
    what: (facts) =>
      `The service does not accept this key${facts.storeId === undefined ? "" : ` with the store_id "${facts.storeId}"`}.`,
    why: because,
    next: (facts) =>
      facts.storeId !== undefined
        ? `Correct the store_id or leave it out (--store-id, or store_id in the profile): it must be that of the key's branch. Then check the key: BPOS_API_KEY, or the profile named with -p.`
        : "The key is invalid, inactive or of another branch. Check BPOS_API_KEY or the profile named with -p, or rehearse with --mock.",
    more: "The service answered 401 or 403: the key is wrong, inactive or of another branch, or the store_id is not that of the key. Check which key is in use: BPOS_API_KEY takes precedence over a profile, unless -p names one.",
  },
  input_refused: {
    what: (facts) => `The service refused ${facts.endpoint} with ${answered(facts)}.`,
    why: because,
    next: refusedNext,
    more: "The service answered with a 4xx: it refused what was sent, and this call was not carried out. Its answer says why. With 404 check the address; for a campaign check the template, its language and its variables.",
  },
  unavailable: {
    what: (facts) =>
      facts.proxy !== undefined
        ? `The proxy ${facts.proxy.url} did not let ${facts.endpoint} through.`
        : facts.status === undefined
          ? `No usable answer from ${facts.origin}.`
          : `The service answered ${facts.endpoint} with ${answered(facts)}.`,
    why: because,
    next: (facts) => {
      if (facts.proxy !== undefined) return proxyNext(facts.proxy);
      if (facts.untrusted === true) return untrustedNext;
      return (facts.status ?? 500) < 400
        ? "The address is not the service's: correct --base-url or --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL)."
        : "Rerunning is safe: nothing is applied twice. Try again later; if it persists, check the network, the proxy and the address.";
    },
    more: "The service did not answer, or answered that it is unavailable (408, 429, 5xx), even after every retry. The request was not applied. Run the command again later: nothing is sent or applied twice.",
  },
  unreadable_answer: {
    what: ({ endpoint }) => `The answer to ${endpoint} is not the service's.`,
    why: because,
    next: "Check the address, and that no proxy or sign-in page answers in its place. Rerunning is safe; --verbose shows each request.",
    more: "Something answered, but not as the service does: a web page, an empty or truncated answer. The request only read.",
  },
  outcome_unknown: {
    what: ({ endpoint }) => `Unknown outcome: ${endpoint} may or may not have been carried out.`,
    why: (facts) =>
      isCampaign(facts) && isRefusal(facts)
        ? `${because(facts)} An earlier attempt may have arrived, so this refusal proves nothing.`
        : because(facts),
    next: (facts) => (isCampaign(facts) ? campaignUnknownNext(facts) : catalogUnknownNext(facts)),
    more: "A request was sent and its outcome is unknown. Every request carries a key, and the service carries out the same key once. For a push, run the same command again with the same file; for a campaign, `bpos campaign resume`: nothing is sent or applied twice.",
  },
  interrupted: {
    ...said(interruptedWords),
    more: "Ctrl-C, SIGTERM, or a terminal that was closed (SIGHUP). What was done is in the journal. Run the command again, or `bpos campaign resume` for a send: it continues.",
  },
});

const elsewhere = "Name another file, or move this one away to begin a new world.";

/** What is wrong with the file of the mock's world, as part of a sentence, and what to do next. */
export const worldWords = advice<WorldProblem>()({
  not_a_file: { what: "not a regular file", next: "Name a file." },
  not_sqlite: { what: "not an SQLite file, left as it is", next: elsewhere },
  other_program: { what: "a database of another program, left as it is", next: "Name another file." },
  newer: { what: "written by a newer bpos", next: `Update bpos. ${elsewhere}` },
  outdated: { what: "written by an older bpos, which this one does not read", next: elsewhere },
  busy: {
    what: "another process has been writing to it for 10 s",
    next: "Stop that process, or name another file.",
  },
  damaged: { what: "damaged ({said})", next: elsewhere },
  unwritable: {
    what: "cannot be written ({said})",
    next: "Check permissions and free space, or name another file; BPOS_HOME names another folder for that of --mock.",
  },
  other_world: {
    what: ({ of }) => `a world of another ${of.join(" and ")}`,
    next: "Leave that flag out, empty the world with `bpos mock reset`, or name another file.",
  },
});
