import type { ErrorFacts } from "../../errors.ts";
import { quoted } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { Reasons } from "./reason.ts";

function priceChangeWhat(
  { count, limit, prices: [worst] }: ErrorFacts["price_change_too_large"],
  t: T,
): string {
  if (worst === undefined)
    return t(
      "{count, plural, one {# known price} other {# known prices}} would change by more than {limit}.",
      { count, limit },
    );
  return t(
    "{count, plural, one {# known price} other {# known prices}} would change by more than {limit}, {count, plural, one {that} other {most of all that}} of {codigo} from {before} to {after}.",
    { count, limit, codigo: worst.codigo, before: worst.old_price, after: worst.new_price },
  );
}

/** Reasons that hold a push before anything is sent. */
const heldReasons = {
  rows_unreadable: (t) => ({
    why: t(
      "--deactivate-missing deactivates products that are not in the file, and such a row may be one of them.",
    ),
    next: t("Correct those rows (`bpos catalog check` names them), or push without --deactivate-missing."),
    say: ({ rows }) => ({
      what: t("{rows, plural, one {# row has} other {# rows have}} no readable code.", { rows }),
    }),
  }),

  too_many_missing: (t) => ({
    more: t(
      "More products would be deactivated than --max-deactivate allows (20% without it). For a push with --deactivate-missing this usually means a truncated export; for an undo, that the push put many products on sale. Nothing was sent; --max-deactivate N or a share such as 50% allows more.",
    ),
    say: ({ missing, known, limit, isUndo }) =>
      isUndo
        ? {
            what: t(
              "It would deactivate {missing} of the {known} products that the service has, and at most {limit} may be deactivated.",
              { missing, known, limit },
            ),
            why: t("That push put them on sale."),
            next: t("If that is meant, allow more with --max-deactivate N or a share such as 50%."),
          }
        : {
            what: t(
              "{missing} of the {known} products that the service has {missing, plural, one {is} other {are}} not in the file, and at most {limit} may be deactivated.",
              { missing, known, limit },
            ),
            why: t("This usually means a truncated export."),
            next: t(
              "Check that the file is complete. If it is, allow more with --max-deactivate N or a share such as 50%.",
            ),
          },
  }),

  price_change_too_large: (t) => ({
    why: t("This usually means a wrong decimal sign, column or unit."),
    next: t(
      "Check those rows. If the prices are right, push with a higher --max-price-change or without it.",
    ),
    say: (facts) => ({ what: priceChangeWhat(facts, t) }),
  }),
} satisfies Partial<Reasons>;

/** Reasons that prevent a push, or an undo. */
export const catalogReasons = {
  ...heldReasons,

  clock_ahead: (t) => ({
    more: t(
      "A price stamped with a future time would override every later one until then. Set this machine's clock, preferably by network time. Only if the service's clock is wrong, push with --force.",
    ),
    say: ({ aheadMs, stamped }) => {
      const what = t("This machine's clock is {minutes} minutes ahead of the service's.", {
        minutes: Math.round(aheadMs / 60_000),
      });
      if (stamped === undefined)
        return {
          what,
          why: t("A price stamped with a future time overrides every later one until then."),
          next: t(
            "Set this machine's clock. If the service's clock is wrong, run the command again with --force.",
          ),
        };
      return {
        what,
        why: t(
          "The service sent its time only with its first answer. That batch carries the stamp {stamped}; no other was sent.",
          { stamped },
        ),
        next: t(
          "Set this machine's clock and push the file again from here: until that time other machines' prices for those products count as stale.",
        ),
      };
    },
  }),

  push_not_found: (t) => ({
    next: t(
      "`bpos catalog history --fields push_id,at,file` lists them; -p NAME chooses the branch. If another machine pushed, undo it there.",
    ),
    more: t(
      "A push is recorded only in the journal of the machine that pushed. No push of this branch has that id, or the ids of several begin with it.",
    ),
    say: ({ push }) =>
      push === undefined
        ? {
            what: t("This machine's journal has no push to undo."),
            why: t("Only the journal records pushes, and it has none of this branch."),
          }
        : {
            what: t("This machine's journal has no push {push}.", { push: quoted(push) }),
            why: t(
              "Only the journal records pushes. No push of this branch has this id, or the ids of several begin with it.",
            ),
          },
  }),

  push_not_kept: (t) => ({
    why: t(
      "It keeps that of the last 50 pushes of a branch, and of pushes of more than 5,000 products only after --changed-only was used.",
    ),
    next: t("Push the earlier list again."),
    say: ({ push }) => ({
      what: t("This journal does not know what the products were before push {push}.", {
        push: quoted(push),
      }),
    }),
  }),
} satisfies Partial<Reasons>;
