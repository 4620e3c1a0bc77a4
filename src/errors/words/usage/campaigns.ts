import type { OfKind, Words } from "../../../texts/kinds.ts";
import { quoted, shellWord, timeText } from "../../../texts/phrases.ts";
import type { T } from "../../../texts/texts.ts";
import type { UsageProblem } from "../../problems.ts";
import type { UsageWords } from "./words.ts";

function neverWords({ hours, countries: all, zone }: OfKind<UsageProblem, "hours_never">, t: T): UsageWords {
  const countries = all.join(", ");
  const why = t(
    "A phone does not tell in which time zone of its country its owner is, so bpos keeps to all of them.",
  );
  return zone === null
    ? {
        what: t("It is never {hours} in {countries}: nothing was sent to these recipients.", {
          hours,
          countries,
        }),
        why,
        next: t("Choose other hours."),
      }
    : {
        what: t(
          "It is never {hours} in all time zones of {countries} at once: nothing was sent to these recipients.",
          { hours, countries },
        ),
        why,
        next: t("Choose the one that counts, for example --time-zone {zone}, or wider hours.", { zone }),
      };
}

/** Words of a wrong command line of campaigns. */
export const campaignUsage = {
  campaign_unnamed: (_, t) => ({
    what: t("No campaign specified."),
    next: t("Pass a campaign id or --ref REF; `bpos campaign list` shows both."),
  }),
  campaign_id_unusable: ({ id }, t) => ({
    what: t("{id} is not a campaign_id.", { id: quoted(id) }),
    next: t("Copy the id that the send printed; `bpos campaign list` shows it too."),
  }),
  campaign_id_is_ref: ({ ref }, t) => ({
    what: t("{ref} is a reference of this journal, not a campaign_id.", { ref: quoted(ref) }),
    next: t("Pass it with --ref: `bpos campaign status --ref {ref}`.", { ref: shellWord(ref) }),
  }),

  template_choice: (_, t) => ({
    what: t("No template specified, or two."),
    next: t("Pass either --template NAME or --template-id ID."),
  }),
  header_field_taken: ({ name }, t) => ({
    what: t("Invalid header field {name}.", { name: quoted(name) }),
    next: t("Name it with --header-field as whoever runs the service calls it, or leave it out."),
  }),
  canary_size: ({ text, people, isNobody }, t) => ({
    what: t(
      isNobody
        ? "--canary {text} of {people, plural, one {# recipient} other {# recipients}} is nobody."
        : "--canary {text} is more than there are: {people, plural, one {# recipient} other {# recipients}} would be messaged.",
      { text, people },
    ),
    next: t("Choose a number from 1 to {people} or a larger share, or leave it out.", { people }),
  }),

  hours_never: neverWords,
  hours_too_late: ({ countries, opens, notAfter }, t) => ({
    what: t("The hours of {countries} begin only at {opens}, after --not-after ({notAfter}).", {
      countries: countries.join(", "),
      opens: timeText(opens, t),
      notAfter: timeText(notAfter, t),
    }),
    next: t("Give a later --not-after or other hours, or leave out these recipients."),
  }),
} satisfies Partial<Words<UsageProblem, UsageWords>>;
