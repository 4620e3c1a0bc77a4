import { fileName, quoted } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { detailWords } from "./details.ts";
import { fileWords } from "./files.ts";
import { headerProblemWords, headerUnreachableWords } from "./header.ts";
import { about, type Reasons } from "./reason.ts";

/** A file that a command reads. */
const fileReasons = {
  input_unreadable: (t) => ({
    next: t("Check the name and the permissions. Quote a name with spaces. - reads standard input."),
    more: t("The input file does not exist, is a folder, or cannot be read by this user."),
    say: ({ file, detail }) => ({ what: about(fileName(file, t), detailWords(detail, t), t) }),
  }),

  input_unusable: (t) => ({
    more: t(
      "bpos read the file but cannot use it. The message says why, and often which flag helps. `bpos catalog check` checks a catalog without sending anything.",
    ),
    say: ({ file: name, line, problem }) => {
      const { what, next } = fileWords(problem, t);
      const file = fileName(name, t);
      return {
        what:
          line === undefined
            ? about(file, what, t)
            : t("{file}, line {line}: {problem}.", { file, line, problem: what }),
        next,
      };
    },
  }),

  rows_rejected_strict: (t) => ({
    why: t("--strict sends all rows or none."),
    next: t(
      "Correct the listed rows, or leave out --strict to send the others. --rejected FILE saves the rejected rows.",
    ),
    say: ({ file, rejected }) => ({
      what: t("{file}: {rejected, plural, one {# row was} other {# rows were}} rejected.", {
        file: fileName(file, t),
        rejected,
      }),
    }),
  }),
} satisfies Partial<Reasons>;

/** The address of a header's file, and what is wrong with it. */
const headerWhat = (
  { url, redirectedTo }: { url: string; redirectedTo?: string },
  problem: string,
  t: T,
): string =>
  redirectedTo === undefined
    ? t("Header file {url}: {problem}.", { url, problem })
    : t("Header file {url} (redirected to {redirectedTo}): {problem}.", { url, redirectedTo, problem });

/** The file of a header: an image, a video or a document. */
const headerReasons = {
  header_unusable: (t) => ({
    why: t("The service could not use it."),
    more: t(
      "The --header-url file cannot be a message header: it has the wrong type, is too large, is a web page, or is out of the service's reach. A private browser window must open the file itself.",
    ),
    say: (facts) => {
      const { what, next } = headerProblemWords(facts.problem, t);
      return { what: headerWhat(facts, what, t), next };
    },
  }),

  header_unreachable: (t) => ({
    why: t("The file could not be checked from this machine. It might still be valid."),
    say: (facts) => {
      const { what, next } = headerUnreachableWords(facts.problem, t);
      return {
        what: headerWhat(facts, what, t),
        next: t("{remedy} --no-preflight sends without the check.", { remedy: next }),
      };
    },
  }),
} satisfies Partial<Reasons>;

/** Reasons of things that are not found. */
const absentReasons = {
  order_not_found: (t) => ({
    why: t("No order with this number in this branch."),
    next: t(
      "Check the number with `bpos orders list --status all --all`, and the branch with -p NAME. The service might no longer list old orders.",
    ),
    say: ({ orderId }) => ({ what: t("Order {orderId} not found.", { orderId }) }),
  }),

  message_not_found: (t) => ({
    why: t("In a mock, only a phone that got a message can reply."),
    say: ({ phone, reached, failed }) => ({
      what: t(failed ? "The message to {phone} failed." : "No message was sent to {phone}.", { phone }),
      next:
        reached.length === 0
          ? t("Send a campaign first. `bpos mock advance 5m` delivers its messages.")
          : t("Reply from a phone that got one: {reached}.", { reached: reached.join(", ") }),
    }),
  }),

  send_not_found: (t) => ({
    why: t(
      "bpos searches only the journal, and only sends with this key. The service finds a campaign only by its id.",
    ),
    next: t(
      "Check the reference (`bpos campaign list`) and the branch (-p NAME). If another machine sent it, run this there, or ask the service: `bpos campaign status ID` with its campaign_id.",
    ),
    say: ({ ref }) => ({ what: t("This machine's journal has no send {ref}.", { ref: quoted(ref) }) }),
  }),

  person_not_found: (t) => ({
    why: t(
      "bpos searches only the journal, and only sends with this key. The phone can be in any format. The service cannot search by phone.",
    ),
    next: t(
      "Check the phone (--country AR) and the branch (-p NAME). If another machine sent it, run this there, or ask the service: `bpos campaign status ID` with its campaign_id.",
    ),
    say: ({ phone }) => ({ what: t("This machine's journal has no send to {phone}.", { phone }) }),
  }),

  opt_out_not_found: (t) => ({
    why: t("Opt-outs are recorded only in the journal."),
    next: t(
      "Check the phone and its country (--country AR). `bpos campaign optout list` shows who opted out.",
    ),
    say: ({ phone }) => ({ what: t("This machine's journal has no opt-out of {phone}.", { phone }) }),
  }),

  mock_not_found: (t) => ({
    next: t("`bpos mock fault --list` shows the faults with their ids."),
    more: t("The mock has nothing with that id."),
    say: ({ said }) => ({ what: t("The mock refused: {said}.", { said }) }),
  }),
} satisfies Partial<Reasons>;

/** Reasons about the files and things that a command uses. */
export const subjectReasons = {
  ...fileReasons,
  ...headerReasons,
  ...absentReasons,
} satisfies Partial<Reasons>;
