import type { ErrorTexts } from "../error-words.ts";
import { ended, resumed, times } from "../phrases.ts";
import { shellWord } from "../shell-word.ts";
import { headerProblemWords, headerUnreachableWords } from "./header.ts";

const heldWords = ({ people, ref }: { people: number; ref: string }): string =>
  `${times(people, "person", "people")} of this send got the template meanwhile under the reference "${ref}".`;

/** What stops a campaign. */
export const campaignErrors: Pick<
  ErrorTexts,
  | "ref_taken"
  | "repeat_within_day"
  | "nobody_to_test"
  | "send_open"
  | "too_late"
  | "too_late_unknown"
  | "repeat_held"
  | "repeat_held_unknown"
  | "excluded_in_open"
  | "journal_write_failed"
  | "header_unusable"
  | "header_unreachable"
  | "send_not_found"
  | "expected_other_count"
> = {
  ref_taken: ({ ref, template, by }) => ({
    what: `The reference "${ref}" is taken.`,
    why: `${by === undefined ? `A send of ${template}` : by === "test" ? "A test" : "A real send"} went out under it, or may have. Nothing was sent.`,
    next: "Choose another reference with --ref for another template or language; to settle that send, run it again as it was.",
  }),
  repeat_within_day: ({ people, ref, hoursAgo }) => ({
    what: `${times(people, "person", "people")} got this template already, ${hoursAgo < 1 ? "less than an hour" : `${hoursAgo} h`} ago, under the reference "${ref}".`,
    why: "The same template to the same person within 24 hours is mostly a mistake. Nothing was sent.",
    next: `To reach only the others of a corrected file, use --ref ${shellWord(ref)}; to send it again to everybody, use --allow-repeat.`,
  }),
  nobody_to_test: () => ({
    what: "There is no recipient whose message could be tried out.",
    why: "--test-to sends what the first usable row of the file would get, and no row is usable. Nothing was sent.",
    next: "Correct a row of the file, then run the command again.",
  }),
  send_open: ({ ref }) => ({
    what: `No call of the send "${ref}" has a clear answer yet.`,
    why: "A request was interrupted or not answered, so there is no campaign_id to ask for.",
    next: `${resumed(ref)} settles it with the same keys: nobody is messaged twice.`,
  }),
  too_late: ({ notAfter }) => ({
    what: `It is later than ${notAfter}: what had not gone out by then was not sent.`,
    why: "--not-after said so when the send was confirmed, and it holds for `bpos campaign resume` too.",
    next: "`bpos campaign list` shows what went out. To reach the others after all, send the file again with the same --ref and a later --not-after.",
  }),
  too_late_unknown: ({ notAfter }) => ({
    what: `It is later than ${notAfter}: what has no clear answer was not tried again.`,
    why: "A call left before that, and nobody knows whether it arrived; to settle it now could message people too late.",
    next: "Send the file again with the same --ref and a later --not-after to settle it, or ask the people who run the service whether it arrived.",
  }),
  repeat_held: (facts) => ({
    what: heldWords(facts),
    why: "Within 24 hours that is mostly a mistake, so the calls with these people were not sent.",
    next: `To send them all the same: \`bpos campaign resume ${shellWord(facts.sendRef)} --allow-repeat\`. To reach the others: send the file again with --ref ${shellWord(facts.sendRef)} and these people in --exclude.`,
  }),
  repeat_held_unknown: (facts) => ({
    what: heldWords(facts),
    why: "The calls with these people were not sent again. Some of them had left before, and nobody knows whether they arrived.",
    next: `To send them all the same: \`bpos campaign resume ${shellWord(facts.sendRef)} --allow-repeat\`; a call that had arrived is not carried out again.`,
  }),
  excluded_in_open: ({ ref, people }) => ({
    what: `${times(people, "excluded person is", "excluded people are")} in a call of "${ref}" that has no clear answer.`,
    why: "It may have left, and what it says cannot be changed any more. Nothing was sent now.",
    next: `${resumed(ref)} settles it as it was, and may message them; then send the file again.`,
  }),
  journal_write_failed: ({ work, detail, ref }) => ({
    what: "The journal could not be written, so sending stopped.",
    why: `${ended(detail)} The report says what had been sent until then; the journal does not hold all of it.`,
    next:
      work === "push"
        ? "Free space on the disk, then run the same command again with the same file or codes: it continues where the journal ends, and nothing is applied twice."
        : `Free space on the disk, then run ${resumed(ref)}: it uses the same keys, so nobody is messaged twice.`,
  }),
  header_unusable: ({ url, redirectedTo, problem }) => {
    const { why, next } = headerProblemWords(problem);
    return {
      what: `The header file ${url} cannot be used.`,
      why: `${redirectedTo === undefined ? "" : `It redirects to ${redirectedTo}. `}${why} Nothing was sent.`,
      next,
    };
  },
  header_unreachable: ({ url, redirectedTo, problem }) => {
    const { why, next } = headerUnreachableWords(problem);
    return {
      what: `The header file ${url} could not be fetched to check it.`,
      why: `${redirectedTo === undefined ? "" : `It redirects to ${redirectedTo}. `}${ended(why)} Nothing was sent.`,
      next: `${next} The file may be right all the same: --no-preflight sends without fetching it.`,
    };
  },
  send_not_found: ({ ref }) => ({
    what: `There is no send "${ref}".`,
    why: "No campaign with this reference was sent from this machine with this key.",
    next: "Check the reference and the branch (-p NAME), or ask with a campaign_id: `bpos campaign status ID`.",
  }),
  expected_other_count: ({ expected, actual }) => ({
    what: `${times(actual, "person", "people")} would be messaged, not ${expected}.`,
    why: "More or fewer people than --expect names, or than were agreed to, are never messaged. Nothing was sent.",
    next: "Look at the plan with --dry-run; if it is right, run the command again, with the right number behind --expect.",
  }),
};
