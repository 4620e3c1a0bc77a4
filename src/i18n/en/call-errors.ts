import type { CallFacts } from "../../errors.ts";
import type { ErrorTexts, ErrorWords } from "../error-words.ts";
import { ended, resumed } from "../phrases.ts";
import { detailWords } from "./detail.ts";
import { proxyNext, proxyPageNext, untrustedNext } from "./network.ts";

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
