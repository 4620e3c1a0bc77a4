import type { CallFacts, ErrorFacts, ProxyTrouble } from "../../errors.ts";
import { quoted, resumed } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { detailWords } from "./details.ts";
import type { Reasons } from "./reason.ts";

/** Status and code of an answer. */
const answered = ({ status, serviceCode }: CallFacts): string =>
  [status, serviceCode].filter((part) => part !== undefined && part !== "").join(" ");

/** Returns the service's answer, as far as it is known: status, code and message, or the beginning of the answer. */
function answerText(facts: CallFacts): string {
  const message = facts.serviceMessage ?? facts.quote ?? "";
  return [answered(facts), message === "" ? "" : `"${message}"`].filter((part) => part !== "").join(", ");
}

/** Returns the cause of a failed call: the answer, or the network's error. */
function findings(facts: CallFacts, t: T): string {
  const { detail = "", retryAfterMs = 0, maxWaitMs } = facts;
  const mustWait =
    maxWaitMs !== undefined &&
    t("the service asks to wait {waitS} s, and bpos waits at most {maxWaitS} s", {
      waitS: Math.ceil(retryAfterMs / 1000),
      maxWaitS: maxWaitMs / 1000,
    });
  const said = [answerText(facts), detailWords(detail, t), mustWait].filter(Boolean);
  return said.length === 0 ? t("no response") : said.join("; ");
}

/** Why a call failed. */
function because(facts: CallFacts, t: T): string {
  const { endpoint, origin, attempts, askedFor } = facts;
  const said = findings(facts, t);
  if (attempts > 1)
    return t(
      askedFor === "time"
        ? "Cannot read the service's time before sending: {endpoint} at {origin} after {attempts} attempts: {said}."
        : "{endpoint} at {origin} after {attempts} attempts: {said}.",
      { endpoint, origin, attempts, said },
    );
  return t(
    askedFor === "time"
      ? "Cannot read the service's time before sending: {endpoint} at {origin}: {said}."
      : "{endpoint} at {origin}: {said}.",
    { endpoint, origin, said },
  );
}

/** Says what to do when the service does not accept the client certificate, or got none. */
export const clientCertNext = (t: T): string =>
  t(
    "The service requires a client certificate: pass --client-cert FILE and --client-key FILE, or set client_cert and client_key in the profile. If you already do, ask whoever runs the service which certificate it accepts. `bpos doctor` shows when yours expires.",
  );

/** Says what to do about a certificate that is not accepted. */
export const untrustedNext = (t: T): string =>
  t(
    "If your network has its own CA, pass its certificate with --ca-file FILE or NODE_EXTRA_CA_CERTS. Otherwise check the address and this machine's clock: someone might be intercepting the connection.",
  );

/** Returns whether a catalog or a campaign was being sent: an unknown outcome is settled differently. */
const isCampaign = ({ endpoint }: CallFacts): boolean => endpoint.includes("/campaigns");

/** Returns the template that the service does not know; its error code is the same as for any other input. */
function lackedTemplate({ template, serviceMessage = "" }: ErrorFacts["input_refused"]): string | undefined {
  const isSaid =
    /\b(template|plantilla)\b/i.test(serviceMessage) &&
    /not found|(does not|doesn't) exist|unknown|no (such|existe|encontr|se encontr)/i.test(serviceMessage);
  return isSaid ? template : undefined;
}

/** Says what to do about a campaign that was refused. */
function campaignRefusedNext(facts: ErrorFacts["input_refused"], t: T): string {
  if (facts.status === 413)
    return t(
      "This call was not sent: it is too large. Ask whoever runs the service or the proxy what the limit is.",
    );
  return lackedTemplate(facts) === undefined
    ? t(
        "This call was not sent. Check the template's exact name, its approval, --language, the number of variables in --params (none: --params '') and, for an image, video or document, --header-url.",
      )
    : t(
        "This call was not sent. Check the exact name or --template-id, and that the template is approved for this branch (-p NAME). Whoever manages the templates on the platform can see them all.",
      );
}

/** Says what to do about a call that was refused for another reason than its key. */
function refusedNext(facts: ErrorFacts["input_refused"], t: T): string {
  const { status, endpoint, clientCert } = facts;
  if (clientCert) return clientCertNext(t);
  if (status === 404)
    return t("Check --base-url and --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) and their paths.");
  if (endpoint.startsWith("GET /campaigns"))
    return t(
      "Check the campaign_id, and that the campaign was sent with this key: the service does not show campaigns of other branches.",
    );
  if (isCampaign(facts)) return campaignRefusedNext(facts, t);
  return status === 413 && endpoint.includes("/catalog/")
    ? t(
        "A single product is too large: shorten its longest text. If it is already short, ask whoever runs the service or the proxy what the limit is.",
      )
    : t("Correct what the service reports, then run the command again.");
}

/** Says what to do about a proxy that blocked a call. */
function proxyNext({ status, credentials, variable }: ProxyTrouble, t: T): string {
  if (status === 407)
    return credentials
      ? t("Correct the user name or password in {variable}. Percent-encode special characters.", {
          variable,
        })
      : t(
          "The proxy needs a user name and password: set {variable} to http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded.",
          { variable },
        );
  return status !== undefined && status < 500
    ? t("The proxy does not allow that address: ask whoever runs it, or list the service's host in NO_PROXY.")
    : t(
        "Check the address in {variable} and that the proxy runs, or list the service's host in NO_PROXY. Rerunning is safe: nothing is applied twice.",
        { variable },
      );
}

function unavailableNext({ proxy, clientCert, untrusted, status = 500 }: CallFacts, t: T): string {
  if (proxy !== undefined) return proxyNext(proxy, t);
  if (clientCert) return clientCertNext(t);
  if (untrusted) return untrustedNext(t);
  return status < 400
    ? t(
        "This is not the address of the service: correct --base-url or --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL).",
      )
    : t(
        "Rerunning is safe: nothing is applied twice. Try again later; if it persists, check the network, the proxy and the address.",
      );
}

function unavailableWhat(facts: CallFacts, t: T): string {
  const { proxy, endpoint, origin, status } = facts;
  if (proxy !== undefined)
    return t("The proxy {proxyUrl} did not let {endpoint} through.", { proxyUrl: proxy.url, endpoint });
  return status === undefined
    ? t("No usable answer from {origin}.", { origin })
    : t("The service answered {endpoint} with {answered}.", { endpoint, answered: answered(facts) });
}

/** Too slow, too early, too many: answers that say nothing about what was sent. */
const isPutOff = ({ status }: CallFacts): boolean => [408, 425, 429].includes(status ?? 0);

/** A refusal of a call that had been tried before. */
const isRefusal = (facts: CallFacts): boolean =>
  facts.status !== undefined && facts.status >= 400 && facts.status < 500 && !isPutOff(facts);

/** Says how to settle the unknown outcome of a campaign call. */
function settlesCampaign(facts: ErrorFacts["outcome_unknown"], t: T): string {
  const resume = resumed(facts.ref);
  if (!isRefusal(facts))
    return t("{resume} settles it with the same keys: nobody is messaged twice.", { resume });
  return t(
    facts.status === 403
      ? "Correct the key, then run {resume}. Or ask whoever runs the service whether the call arrived."
      : "Correct the template or the header file, then run {resume}. Or ask whoever runs the service whether the call arrived.",
    { resume },
  );
}

/** Says how to settle the unknown outcome of a call, and what prevents it. */
function settles(facts: ErrorFacts["outcome_unknown"], t: T): string {
  if (isCampaign(facts)) return settlesCampaign(facts, t);
  if (facts.status === 403)
    return facts.storeId === undefined
      ? t(
          "The service refuses the key now, but an earlier attempt might have been applied. Correct the key, then run the same command again: it continues.",
        )
      : t(
          "The service refuses the key or the store_id {storeId} now, but an earlier attempt might have been applied. Correct it, then run the same command again: it continues.",
          { storeId: quoted(String(facts.storeId)) },
        );
  if (isPutOff(facts))
    return t(
      "Try again later: the same command with the same file or codes continues with the same event ids, and nothing is applied twice.",
    );
  return isRefusal(facts)
    ? t(
        "The service refuses this batch now, but an earlier attempt might have been applied. Correct the file and push it: a changed file starts a new push with later timestamps.",
      )
    : t(
        "Run the same command again with the same file or codes: it continues with the same event ids, and nothing is applied twice.",
      );
}

type Interrupted = ErrorFacts["interrupted"];

/** Says what a command was doing when it was stopped. */
function stoppedWhat({ during }: Interrupted, t: T): string {
  switch (during) {
    case "work":
      return t(
        "Stopped before the end by Ctrl-C or a signal. Everything sent is in the journal. If a request was in progress, its outcome is unknown.",
      );
    case "setup":
      return t("Stopped by Ctrl-C or a signal. No profile was changed.");
    case "printing":
      return t("Stopped by Ctrl-C or a signal. The receipt might be printed, in whole or in part.");
    case "upkeep":
      return t("Stopped by Ctrl-C or a signal. The work is partly done.");
    case "follow":
    case "look":
      return t("Stopped by Ctrl-C or a signal. Not everything was read yet.");
    default:
      return t("Stopped by Ctrl-C or a signal.");
  }
}

/** How a command that was stopped continues. */
function stoppedNext({ during, ref }: Interrupted, t: T): string {
  switch (during) {
    case "printing":
      return t("Check the printer. If the receipt is not there, run the command again.");
    case "upkeep":
      return t("Run the same command again to continue.");
    case "follow":
    case "look":
      return t("Run the command again: it changes nothing.");
    case "watch":
      return t("Run it again to continue: it delivers the orders that arrived meanwhile, none twice.");
    case "listen":
      return t("Run it again to continue: it delivers the replies that were accepted but not delivered.");
    case "work":
      return ref === undefined
        ? t("Run the same command again to continue: nothing is applied or sent twice.")
        : t("{resume} continues: nobody is messaged twice.", { resume: resumed(ref) });
    default:
      return t("Run the command again.");
  }
}

/** Reasons of the service, the network and signals. */
export const callReasons = {
  access_denied: (t) => ({
    more: t(
      "The service answered 401 or 403: the key is wrong, inactive or belongs to another branch, or the store_id does not match the key. Check which key is in use: BPOS_API_KEY takes precedence over a profile unless you pass -p.",
    ),
    say: (facts) =>
      facts.storeId === undefined
        ? {
            what: t("The service does not accept this key."),
            why: because(facts, t),
            next: t(
              "The key is invalid, inactive or belongs to another branch. Check BPOS_API_KEY or the profile in -p, or try --mock.",
            ),
          }
        : {
            what: t("The service does not accept this key with the store_id {storeId}.", {
              storeId: quoted(String(facts.storeId)),
            }),
            why: because(facts, t),
            next: t(
              "Correct the store_id or leave it out (--store-id, or store_id in the profile): it must match the branch of the key. Then check the key: BPOS_API_KEY, or the profile in -p.",
            ),
          },
  }),

  input_refused: (t) => ({
    more: t(
      "The service answered 4xx: it refused this request and did not apply it. Its answer says why. With 404, check the address. For a campaign, check the template, its language and its variables.",
    ),
    say: (facts) => {
      const { endpoint } = facts;
      const template = lackedTemplate(facts);
      const what =
        template === undefined
          ? t("The service refused {endpoint} with {answered}.", { endpoint, answered: answered(facts) })
          : t("No template {template} for this key.", { template });
      return { what, why: because(facts, t), next: refusedNext(facts, t) };
    },
  }),

  campaign_not_found: (t) => ({
    next: t(
      "Check the id (`bpos campaign list` shows campaigns sent from this machine) and the branch (-p NAME): the service shows a campaign only to the key that sent it. To search by phone: `bpos campaign find PHONE`.",
    ),
    more: t("The service has no campaign with this id for this key."),
    say: (facts) => ({
      what: t("No campaign {campaignId} for this key.", { campaignId: facts.campaignId }),
      why: because(facts, t),
    }),
  }),

  unavailable: (t) => ({
    more: t(
      "The service did not answer, or answered 408, 429 or 5xx, even after all retries. The request was not applied. Run the command again later: nothing is sent or applied twice.",
    ),
    say: (facts) => ({
      what: unavailableWhat(facts, t),
      why: because(facts, t),
      next: unavailableNext(facts, t),
    }),
  }),

  unreadable_answer: (t) => ({
    next: t(
      "Check the address, and that no proxy or sign-in page answers in its place. Rerunning is safe; --verbose shows each request.",
    ),
    more: t("The answer is a web page, empty, truncated or otherwise invalid. The request only reads data."),
    say: (facts) => ({
      what: t("The answer to {endpoint} is not from the service.", { endpoint: facts.endpoint }),
      why: because(facts, t),
    }),
  }),

  outcome_unknown: (t) => ({
    more: t(
      "A request was sent and its outcome is unknown. Every request carries a key, and the service applies each key once. For a push, run the same command again with the same file. For a campaign, run `bpos campaign resume`. Nothing is sent or applied twice.",
    ),
    say: (facts) => ({
      what: t("Unknown outcome: {endpoint} might have been applied.", {
        endpoint: facts.endpoint,
      }),
      why:
        isCampaign(facts) && isRefusal(facts)
          ? t("{refusal} An earlier attempt might have arrived, so the outcome is still unknown.", {
              refusal: because(facts, t),
            })
          : because(facts, t),
      next: settles(facts, t),
    }),
  }),

  interrupted: (t) => ({
    more: t(
      "The command was stopped by Ctrl-C, SIGTERM or a closed terminal (SIGHUP). Finished work is in the journal. To continue, run the command again, or `bpos campaign resume` for a send.",
    ),
    say: (facts) => ({ what: stoppedWhat(facts, t), next: stoppedNext(facts, t) }),
  }),
} satisfies Partial<Reasons>;
