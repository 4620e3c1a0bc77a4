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
    not_on_platform: t("Ask for the current mobile number, or remove it from the list."),
    not_delivered: t("Send again to the failed recipients (--only-failed-of) at another time of day."),
    refused: t("A few are normal. If there are many, ask whoever runs the service before the next send."),
    params: t("Fill every variable of the template (--params), and test it with --test-to."),
    other: t("Ask whoever runs the service what it means."),
  })[failure];

/** Returns the service's error for recipients that a canary did not reach. */
function canaryWhy({ said = "", times }: ErrorFacts["canary_failed"], t: T): string {
  if (said === "") return t("The service gave no reason. Nobody else was messaged.");
  return times === undefined
    ? t("Most frequent reason: {said}. Nobody else was messaged.", { said: quoted(said) })
    : t(
        "Most frequent reason ({times, plural, one {# recipient} other {# recipients}}): {said}. Nobody else was messaged.",
        {
          times,
          said: quoted(said),
        },
      );
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
    why: t("Under one reference, each recipient gets one message, with one template in one language."),
    next: t("Choose another reference with --ref. To settle that send, run it again unchanged."),
    say: (facts) => ({ what: takenBy(facts, t) }),
  }),

  repeat_within_day: (t) => ({
    why: t("The same template to the same person within 24 hours is usually a mistake."),
    say: (facts) => ({
      what: repeatedWhat(facts, t),
      next: t(
        "To message only the other recipients of a corrected file, use --ref {ref}. To message everyone again, use --allow-repeat.",
        { ref: shellWord(facts.ref) },
      ),
    }),
  }),

  repeat_held: (t) => ({
    why: t(
      "A repeat within 24 hours is usually a mistake, so the calls with these recipients were not sent.",
    ),
    more: t(
      "While this send was pending, some recipients got the same template under another reference. The calls with them were held. Resume with --allow-repeat to send them anyway, or send the file again with these recipients in --exclude.",
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
      "Like repeat_held, but the outcome of some held calls is unknown. Resume with --allow-repeat: a call that already arrived is not applied again.",
    ),
    say: (facts) => ({
      what: heldWhat(facts, t),
      next: t(
        "To send them anyway: `bpos campaign resume {sendRef} --allow-repeat`. A call that already arrived is not applied again.",
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
    why: t("The send waits for --at, for its recipients' sending hours or for the canary's result."),
    say: ({ ref, until }) => ({
      what: t("The send {ref} waits until {time}: nobody has been messaged yet.", {
        ref: quoted(ref),
        time: timeText(until, t),
      }),
      next: t("The bpos process that waits for it sends it then. If none is running, run {resume}.", {
        resume: resumed(ref),
      }),
    }),
  }),

  excluded_in_open: (t) => ({
    why: t("The call might have been sent, so it can no longer be changed."),
    more: t(
      "A recipient in --exclude is in a call with an unknown outcome, which can no longer be changed. Settle it with `bpos campaign resume`, which might message that recipient, then send the file again.",
    ),
    say: ({ ref, people }) => ({
      what: t(
        "{people, plural, one {# excluded recipient is} other {# excluded recipients are}} in a call of {ref} whose outcome is unknown.",
        { people, ref: quoted(ref) },
      ),
      next: t("Settle it with {resume}, which might message them. Then send the file again.", {
        resume: resumed(ref),
      }),
    }),
  }),

  opted_out_unknown: (t) => ({
    why: t(
      "The call can no longer be changed, and sending it again could message them. It stays unknown and is not sent again.",
    ),
    more: t(
      "A recipient in a call with an unknown outcome opted out. Sending the call again could message that person, so bpos never sends it again, and its other recipients are in no other call of that reference. A reply from any of its recipients that names the campaign settles it at the next `bpos campaign resume`. If it was the canary, `bpos campaign resume REF --ignore-canary` sends the rest.",
    ),
    say: ({ ref, people }) => ({
      what: t(
        "{people, plural, one {# recipient} other {# recipients}} opted out while the outcome of their call in {ref} was unknown.",
        { people, ref: quoted(ref) },
      ),
      next: t(
        "`bpos campaign status --ref {ref}` shows the answered calls. Ask whoever runs the service whether this one arrived. If it was the canary, `bpos campaign resume {ref} --ignore-canary` sends the rest.",
        { ref: shellWord(ref) },
      ),
    }),
  }),

  canary_failed: (t) => ({
    more: t(
      "More canary recipients failed than --max-failed allows. The other recipients wait in the journal: `bpos campaign resume REF` checks the canary again, and sends the rest only with --ignore-canary.",
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
    why: t("--test-to sends the message of the first valid row, and no row is valid."),
    next: t("Correct a row (--dry-run shows what is wrong), then run the command again."),
    say: () => ({ what: t("No recipient to test the message with.") }),
  }),

  test_opted_out: (t) => ({
    why: t("bpos messages nobody who opted out, not even as a test."),
    say: ({ phone }) => ({
      what: t("{phone} opted out.", { phone }),
      next: t("Use another phone, or remove the opt-out: `bpos campaign optout remove {phone}`.", {
        phone: shellWord(phone),
      }),
    }),
  }),

  template_unknown: (t) => ({
    next: t(
      "Pass one of its templates with --template. `bpos mock templates` lists them with their languages.",
    ),
    more: t("The mock has no template with that name or id, so the service would refuse the send."),
    say: ({ template, known }) => ({
      what: t("The mock has no template {template}.", { template }),
      why: t("It has {known}.", { known }),
    }),
  }),

  outside_hours: (t) => ({
    more: t(
      "The profile limits sending hours (`between`, `days`), and some recipients are outside them now. On a terminal bpos asks whether they should wait. In a script, pass --between: with the same hours they wait, with 00:00-24:00 everyone is messaged now.",
    ),
    say: ({ people, hours, until }) => ({
      what: t(
        "{people, plural, one {# recipient is} other {# recipients are}} outside the hours of this profile ({hours}) now.",
        { people, hours },
      ),
      why: t("They would wait until {time}. On a terminal bpos asks.", { time: timeText(until, t) }),
      next: t(
        "To let them wait, pass --between {hours}. To message everyone now, pass --between 00:00-24:00.",
        {
          hours,
        },
      ),
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
      "The outcome of a call sent before --not-after is unknown. Settling it now could message people too late.",
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
