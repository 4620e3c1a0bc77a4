import type { ErrorFacts } from "../../errors.ts";
import { quoted, resumed, shellWord, timeText } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { MessageFailure } from "../problems.ts";
import type { Reasons } from "./reason.ts";

function takenBy({ ref, template, by }: ErrorFacts["ref_taken"], t: T): string {
  if (by === undefined)
    return t("The reference {ref} belongs to a send of {template}.", { ref: quoted(ref), template });
  return t(
    by === "test" ? "The reference {ref} belongs to a test." : "The reference {ref} belongs to a real send.",
    { ref: quoted(ref) },
  );
}

function repeatedWhat({ people, ref, hoursAgo }: ErrorFacts["repeat_within_day"], t: T): string {
  return hoursAgo < 1
    ? t(
        "{people, plural, one {# recipient} other {# recipients}} got this template less than an hour ago, under the reference {ref}.",
        { people, ref: quoted(ref) },
      )
    : t(
        "{people, plural, one {# recipient} other {# recipients}} got this template {hours} h ago, under the reference {ref}.",
        { people, hours: hoursAgo, ref: quoted(ref) },
      );
}

const heldWhat = ({ people, ref }: ErrorFacts["repeat_held"], t: T): string =>
  t(
    "{people, plural, one {# recipient} other {# recipients}} of this send got the template meanwhile, under the reference {ref}.",
    { people, ref: quoted(ref) },
  );

/** Says what to do about messages that failed, by the kind of failure. */
export const failureAdvice = (failure: MessageFailure, t: T): string =>
  ({
    not_on_platform: t("Ask for the current mobile number, or take it off the list."),
    not_delivered: t("Send again to those who failed (--only-failed-of), at another time of the day."),
    refused: t("A few are usual. If there are many, ask whoever runs the service before the next send."),
    params: t("Fill as many variables as the template has (--params), and try it with --test-to."),
    other: t("Ask whoever runs the service what it means."),
  })[failure];

/** Returns the service's error for recipients that a canary did not reach. */
function canaryWhy({ said = "", times }: ErrorFacts["canary_failed"], t: T): string {
  if (said === "") return t("The service gave no reason. Nobody else was messaged.");
  return times === undefined
    ? t("The service said most often: {said}. Nobody else was messaged.", { said: quoted(said) })
    : t("The service said most often (to {times}): {said}. Nobody else was messaged.", {
        times,
        said: quoted(said),
      });
}

function canaryNext({ ref, failure }: ErrorFacts["canary_failed"], t: T): string {
  const next = t(
    "See who failed: `bpos campaign status --ref {ref} --only failed`. To send the rest as it is: `bpos campaign resume {ref} --ignore-canary`. To correct the file first: send it again with --ref {ref} and without --canary.",
    { ref: shellWord(ref) },
  );
  return failure === undefined ? next : `${failureAdvice(failure, t)} ${next}`;
}

/** Reasons of a reference that was used before. */
const referenceReasons = {
  ref_taken: (t) => ({
    why: t("Under one reference each recipient is messaged once, with one template in one language."),
    next: t("Choose another reference with --ref; to settle that send, run it again as it was."),
    say: (facts) => ({ what: takenBy(facts, t) }),
  }),

  repeat_within_day: (t) => ({
    why: t("The same template to the same person within 24 hours is usually a mistake."),
    say: (facts) => ({
      what: repeatedWhat(facts, t),
      next: t(
        "To reach only the others of a corrected file, use --ref {ref}; to message everybody again, use --allow-repeat.",
        { ref: shellWord(facts.ref) },
      ),
    }),
  }),

  repeat_held: (t) => ({
    why: t("Within 24 hours that is usually a mistake, so the calls with them were not sent."),
    more: t(
      "While this send was pending, some recipients got the same template under another reference; the calls with them were held. Resume with --allow-repeat to send them anyway, or send the file again with these recipients in --exclude.",
    ),
    say: (facts) => ({
      what: heldWhat(facts, t),
      next: t(
        "To send them anyway: `bpos campaign resume {sendRef} --allow-repeat`. To reach the others: send the file again with --ref {sendRef} and these recipients in --exclude.",
        { sendRef: shellWord(facts.sendRef) },
      ),
    }),
  }),

  repeat_held_unknown: (t) => ({
    why: t("The calls with them were not sent again. The outcome of some is unknown."),
    more: t(
      "Like repeat_held, but the outcome of some held calls is unknown. Resume with --allow-repeat: a call that had arrived is not carried out again.",
    ),
    say: (facts) => ({
      what: heldWhat(facts, t),
      next: t(
        "To send them anyway: `bpos campaign resume {sendRef} --allow-repeat`; a call that had arrived is not carried out again.",
        { sendRef: shellWord(facts.sendRef) },
      ),
    }),
  }),
} satisfies Partial<Reasons>;

/** Reasons of a send that is not finished. */
const pendingReasons = {
  send_open: (t) => ({
    why: t("A request was interrupted or not answered, so there is no campaign_id."),
    more: t(
      "The send was interrupted before any call was answered, so there is no campaign_id. `bpos campaign resume` sends the same calls with the same keys: nobody is messaged twice.",
    ),
    say: ({ ref }) => ({
      what: t("No call of the send {ref} has an answer yet.", { ref: quoted(ref) }),
      next: t("{resume} settles it with the same keys: nobody is messaged twice.", { resume: resumed(ref) }),
    }),
  }),

  send_waits: (t) => ({
    why: t("--at, the hours of its recipients or a canary hold it until then."),
    say: ({ ref, until }) => ({
      what: t("The send {ref} waits until {time}: nobody was messaged yet.", {
        ref: quoted(ref),
        time: timeText(until, t),
      }),
      next: t("The bpos that waits for it sends it then; if none runs, {resume}.", { resume: resumed(ref) }),
    }),
  }),

  excluded_in_open: (t) => ({
    why: t("It may have been sent and cannot be changed any more."),
    more: t(
      "A recipient in --exclude is in a call whose outcome is unknown and which cannot be changed any more. Settle it with `bpos campaign resume`, which may message that recipient, then send the file again.",
    ),
    say: ({ ref, people }) => ({
      what: t(
        "{people, plural, one {# excluded recipient is} other {# excluded recipients are}} in a call of {ref} whose outcome is unknown.",
        { people, ref: quoted(ref) },
      ),
      next: t("{resume} settles it as it was and may message them; then send the file again.", {
        resume: resumed(ref),
      }),
    }),
  }),

  opted_out_unknown: (t) => ({
    why: t(
      "The call can no longer be changed, and sending it again could message them. It stays unknown and is not sent again.",
    ),
    more: t(
      "Somebody in a call whose outcome is unknown opted out. Its bytes cannot be changed, and sending it again could message that person, so bpos never sends it again; its other recipients are in no other call of that reference either. A reply of anybody in it that names its campaign settles it at the next `bpos campaign resume`. If it was the canary, `bpos campaign resume REF --ignore-canary` sends the rest.",
    ),
    say: ({ ref, people }) => ({
      what: t(
        "{people, plural, one {# recipient} other {# recipients}} opted out after a call of {ref} was sent whose outcome is unknown.",
        { people, ref: quoted(ref) },
      ),
      next: t(
        "`bpos campaign status --ref {ref}` shows the calls that were answered. Ask whoever runs the service whether this one arrived. If it was the canary, `bpos campaign resume {ref} --ignore-canary` sends the rest.",
        { ref: shellWord(ref) },
      ),
    }),
  }),

  canary_failed: (t) => ({
    more: t(
      "More of the recipients who were messaged first (--canary) failed than --max-failed allows. Everybody else waits in the journal: `bpos campaign resume REF` looks again, and sends the rest only with --ignore-canary.",
    ),
    say: (facts) => ({
      what: t(
        "The canary stopped the send: {failed} of {people, plural, one {# recipient} other {# recipients}} failed (limit: {limit}).",
        { failed: facts.failed, people: facts.people, limit: facts.limit },
      ),
      why: canaryWhy(facts, t),
      next: canaryNext(facts, t),
    }),
  }),
} satisfies Partial<Reasons>;

/** Reasons of campaigns: who is messaged, and when. */
export const campaignReasons = {
  ...referenceReasons,
  ...pendingReasons,

  nobody_to_test: (t) => ({
    why: t("--test-to sends what the first valid row would get, and no row is valid."),
    next: t("Correct a row (--dry-run says what is wrong), then run the command again."),
    say: () => ({ what: t("No recipient to test the message with.") }),
  }),

  test_opted_out: (t) => ({
    why: t("Nobody who opted out is messaged, not even by a test."),
    say: ({ phone }) => ({
      what: t("{phone} opted out.", { phone }),
      next: t("Use another phone, or take this one off the list: `bpos campaign optout remove {phone}`.", {
        phone: shellWord(phone),
      }),
    }),
  }),

  template_unknown: (t) => ({
    next: t("--template takes one of them; `bpos mock templates` lists them with their languages."),
    more: t(
      "The mock has no template of that name or id, so the service would refuse the send. `bpos mock templates` lists those that it has.",
    ),
    say: ({ template, known }) => ({
      what: t("The mock has no template {template}.", { template }),
      why: t("It has {known}.", { known }),
    }),
  }),

  outside_hours: (t) => ({
    more: t(
      "The profile has hours (`between`, `days`), and some recipients are outside them now. On a terminal bpos asks whether they shall wait. In a script, --between decides: the same hours let them wait, 00:00-24:00 messages everybody now.",
    ),
    say: ({ people, hours, until }) => ({
      what: t(
        "For {people, plural, one {# recipient} other {# recipients}} it is outside the hours of this profile ({hours}).",
        { people, hours },
      ),
      why: t("They would wait until {time}; on a terminal bpos asks.", { time: timeText(until, t) }),
      next: t("To let them wait, pass --between {hours}; to message everybody now, --between 00:00-24:00.", {
        hours,
      }),
    }),
  }),

  too_late: (t) => ({
    why: t("--not-after was set when the send was confirmed, and applies to `bpos campaign resume` too."),
    next: t(
      "`bpos campaign list` shows what was sent. To reach the others, send the file again with the same --ref and a later --not-after.",
    ),
    say: ({ notAfter }) => ({
      what: t("It is past {time}: the rest was not sent.", { time: timeText(notAfter, t) }),
    }),
  }),

  too_late_unknown: (t) => ({
    why: t(
      "A call was sent before that time and its outcome is unknown; settling it now could message people too late.",
    ),
    next: t(
      "Send the file again with the same --ref and a later --not-after to settle it, or ask whoever runs the service whether it arrived.",
    ),
    say: ({ notAfter }) => ({
      what: t("It is past {time}: calls without an answer were not retried.", {
        time: timeText(notAfter, t),
      }),
    }),
  }),
} satisfies Partial<Reasons>;
