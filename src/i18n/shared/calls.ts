import type { Detail } from "../../errors/problems.ts";
import type { CallFacts, ErrorFacts, ProxyTrouble } from "../../errors.ts";
import { resumed } from "../../texts/phrases.ts";
import { textFor } from "../template.ts";

/** Status and code of an answer. */
const toAnswered = ({ status, serviceCode }: CallFacts): string =>
  [status, serviceCode].filter((part) => part !== undefined && part !== "").join(" ");

/** What the service answered, as far as it is known: status, code and message, or the beginning of the answer. */
function toAnswer(facts: CallFacts): string {
  const message = facts.serviceMessage ?? facts.quote ?? "";
  return [toAnswered(facts), message === "" ? "" : `"${message}"`].filter((part) => part !== "").join(", ");
}

/** Whether a catalog or a campaign was being sent; what settles an unknown outcome differs. */
const isCampaign = ({ endpoint }: CallFacts): boolean => endpoint.includes("/campaigns");

/** Too slow, too early, too many: answers that say nothing about what was sent. */
const isPutOff = ({ status }: CallFacts): boolean => [408, 425, 429].includes(status ?? 0);

/** A refusal of a call that had been tried before. */
const isRefusal = (facts: CallFacts): boolean =>
  facts.status !== undefined && facts.status >= 400 && facts.status < 500 && !isPutOff(facts);

type ProxyState = "wrong_password" | "no_password" | "not_allowed" | "down";

function toProxyState({ status, credentials }: ProxyTrouble): ProxyState {
  if (status === 407) return credentials ? "wrong_password" : "no_password";
  return status !== undefined && status < 500 ? "not_allowed" : "down";
}

type Refused = "path" | "campaign_id" | "template" | "campaign_size" | "campaign" | "product_size" | "other";

/** Whether the service says that it has no such template; its code is that of any other input. */
const lacksTemplate = ({ template, serviceMessage = "" }: ErrorFacts["input_refused"]): boolean =>
  template !== undefined &&
  /\b(template|plantilla)\b/i.test(serviceMessage) &&
  /not found|(does not|doesn't) exist|unknown|no (such|existe|encontr|se encontr)/i.test(serviceMessage);

/** What was refused, other than the key. */
function toRefused(facts: ErrorFacts["input_refused"]): Refused {
  const { status, endpoint } = facts;
  if (status === 404) return "path";
  if (endpoint.startsWith("GET /campaigns")) return "campaign_id";
  if (isCampaign(facts) && status === 413) return "campaign_size";
  if (isCampaign(facts)) return lacksTemplate(facts) ? "template" : "campaign";
  return status === 413 && endpoint.includes("/catalog/") ? "product_size" : "other";
}

type Unsettled = "campaign" | "campaign_key" | "campaign_refused" | "key" | "later" | "refused" | "catalog";

/** What kind of call has an unknown outcome, and what is in the way of settling it. */
function toUnsettled(facts: CallFacts): Unsettled {
  const isDenied = facts.status === 403;
  if (isCampaign(facts))
    return !isRefusal(facts) ? "campaign" : isDenied ? "campaign_key" : "campaign_refused";
  if (isDenied) return "key";
  if (isPutOff(facts)) return "later";
  return isRefusal(facts) ? "refused" : "catalog";
}

interface Failed {
  endpoint: string;
  origin: string;
  isForTime: boolean;
  /** How often it was tried, where that was more than once. */
  attempts: number | undefined;
  /** What is known of it. */
  said: string;
}

export interface CallWords {
  detail: (detail: Detail) => string;
  /** Why a call failed: the answer, or what the network said. */
  failed: (facts: Failed) => string;
  mustWait: (facts: { waitS: number; maxWaitS: number }) => string;
  noAnswer: string;
}

export const failedWords = textFor<Failed>();
export const mustWaitWords = textFor<{ waitS: number; maxWaitS: number }>();

function because(facts: CallFacts, words: CallWords): string {
  const { attempts, retryAfterMs = 0, maxWaitMs, endpoint, origin } = facts;
  const wait =
    maxWaitMs === undefined
      ? ""
      : words.mustWait({ waitS: Math.ceil(retryAfterMs / 1000), maxWaitS: maxWaitMs / 1000 });
  const said = [toAnswer(facts), words.detail(facts.detail ?? ""), wait].filter((part) => part !== "");
  return words.failed({
    endpoint,
    origin,
    isForTime: facts.askedFor === "time",
    attempts: attempts > 1 ? attempts : undefined,
    said: said.join("; ") || words.noAnswer,
  });
}

type During = "unsent" | "setup" | "printing" | "upkeep" | "reading" | "watch" | "listen" | "work";

const unsent = ["reading", "waiting", "question"];

function toDuring(during: ErrorFacts["interrupted"]["during"]): During {
  if (during === "follow" || during === "look") return "reading";
  return unsent.includes(during) ? "unsent" : (during as During);
}

/** What is known of the reasons that the service, the network or a signal ends a command for. */
export const knownOfCalls = (words: CallWords) => {
  const failed = (facts: CallFacts) => ({ texts: { why: because(facts, words) } });
  return {
    access_denied: failed,
    input_refused: (facts: ErrorFacts["input_refused"]) => ({
      ...failed(facts),
      answered: toAnswered(facts),
      refused: toRefused(facts),
      template: lacksTemplate(facts) ? facts.template : undefined,
    }),
    campaign_not_found: failed,
    unavailable: (facts: CallFacts) => ({
      ...failed(facts),
      answered: toAnswered(facts),
      proxyUrl: facts.proxy?.url,
      proxyState: facts.proxy === undefined ? undefined : toProxyState(facts.proxy),
      variable: facts.proxy?.variable ?? "",
      isElsewhere: (facts.status ?? 500) < 400,
    }),
    unreadable_answer: failed,
    outcome_unknown: (facts: ErrorFacts["outcome_unknown"]) => ({
      ...(isCampaign(facts) && isRefusal(facts)
        ? { refusal: because(facts, words), texts: { why: undefined } }
        : { refusal: undefined, ...failed(facts) }),
      unsettled: toUnsettled(facts),
      resume: resumed(facts.ref),
    }),
    interrupted: ({ during, ref }: ErrorFacts["interrupted"]) => ({
      during: toDuring(during),
      resume: ref === undefined ? undefined : resumed(ref),
    }),
  };
};
