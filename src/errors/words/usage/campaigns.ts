import type { OfKind, Words } from "../../../texts/kinds.ts";
import { quoted, shellWord, timeText } from "../../../texts/phrases.ts";
import type { T } from "../../../texts/texts.ts";
import type { UsageProblem } from "../../problems.ts";
import type { UsageWords } from "./words.ts";

function neverWords({ hours, countries: all, zone }: OfKind<UsageProblem, "hours_never">, t: T): UsageWords {
  const countries = all.join(", ");
  const why = t("A phone does not show the time zone within its country, so bpos respects all of them.");
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
          "It is never {hours} in all time zones of {countries} at the same time: nothing was sent to these recipients.",
          { hours, countries },
        ),
        why,
        next: t("Choose a time zone, for example --time-zone {zone}, or wider hours.", { zone }),
      };
}

/** Words of a wrong command line of campaigns. */
export const campaignUsage = {
  campaign_unnamed: (_, t) => ({
    what: t("No campaign specified."),
    next: t("Pass a campaign id or --ref REF. `bpos campaign list` shows both."),
  }),
  campaign_id_unusable: ({ id }, t) => ({
    what: t("{id} is not a campaign_id.", { id: quoted(id) }),
    next: t("Copy the id that the send printed. `bpos campaign list` shows it too."),
  }),
  campaign_id_is_ref: ({ ref }, t) => ({
    what: t("{ref} is a reference of this journal, not a campaign_id.", { ref: quoted(ref) }),
    next: t("Pass it with --ref: `bpos campaign status --ref {ref}`.", { ref: shellWord(ref) }),
  }),

  template_choice: (_, t) => ({
    what: t("Pass exactly one of --template and --template-id."),
    next: t("See `bpos campaign send --help`."),
  }),
  header_field_taken: ({ name }, t) => ({
    what: t("Invalid header field {name}.", { name: quoted(name) }),
    next: t(
      "Pass the field name that the service uses, or leave out --header-field. Whoever runs the service knows the name.",
    ),
  }),
  canary_size: ({ text, people, isNobody }, t) => ({
    what: t(
      isNobody
        ? "--canary {text} of {people, plural, one {# recipient} other {# recipients}} selects nobody."
        : "--canary {text} is too many for {people, plural, one {# recipient} other {# recipients}}.",
      { text, people },
    ),
    next: t("Choose a number from 1 to {people} or a larger percentage, or leave it out.", { people }),
  }),

  hours_never: neverWords,
  hours_too_late: ({ countries, opens, notAfter }, t) => ({
    what: t("The hours in {countries} start at {opens}, after --not-after ({notAfter}).", {
      countries: countries.join(", "),
      opens: timeText(opens, t),
      notAfter: timeText(notAfter, t),
    }),
    next: t("Pass a later --not-after or other hours, or leave out these recipients."),
  }),
} satisfies Partial<Words<UsageProblem, UsageWords>>;
