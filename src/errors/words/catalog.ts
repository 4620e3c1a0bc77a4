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
    "{count, plural, one {# known price} other {# known prices}} would change by more than {limit}{count, plural, one {:} other {, most of all}} {codigo} from {before} to {after}.",
    { count, limit, codigo: worst.codigo, before: worst.old_price, after: worst.new_price },
  );
}

/** Reasons that hold a push before anything is sent. */
const heldReasons = {
  rows_unreadable: (t) => ({
    why: t(
      "--deactivate-missing deactivates products that are not in the file. A row without a readable code might be one of them.",
    ),
    next: t("Correct those rows (`bpos catalog check` lists them), or push without --deactivate-missing."),
    say: ({ rows }) => ({
      what: t("{rows, plural, one {# row has} other {# rows have}} no readable code.", { rows }),
    }),
  }),

  too_many_missing: (t) => ({
    more: t(
      "More products would be deactivated than --max-deactivate allows (default 20%). With --deactivate-missing this usually means a truncated export, and for an undo that the push put many products on sale. Nothing was sent. To allow more, pass --max-deactivate N or a percentage such as 50%.",
    ),
    say: ({ missing, known, limit, isUndo }) =>
      isUndo
        ? {
            what: t(
              "This would deactivate {missing} of the {known} products in the service (limit: {limit}).",
              { missing, known, limit },
            ),
            why: t("That push put them on sale."),
            next: t("If this is intended, allow more with --max-deactivate N or a percentage such as 50%."),
          }
        : {
            what: t(
              "{missing} of the {known} products in the service {missing, plural, one {is} other {are}} not in the file (limit for deactivation: {limit}).",
              { missing, known, limit },
            ),
            why: t("This usually means a truncated export."),
            next: t(
              "Check that the file is complete. If it is, allow more with --max-deactivate N or a percentage such as 50%.",
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
      "A price with a future timestamp overrides every later price until that time. Set this machine's clock, preferably from a time server. Only if the service's clock is wrong, push with --force.",
    ),
    say: ({ aheadMs, stamped }) => {
      const what = t("This machine's clock is {minutes} minutes ahead of the service's.", {
        minutes: Math.round(aheadMs / 60_000),
      });
      if (stamped === undefined)
        return {
          what,
          why: t("A price with a future timestamp overrides every later price until that time."),
          next: t(
            "Set this machine's clock. If the service's clock is wrong, run the command again with --force.",
          ),
        };
      return {
        what,
        why: t(
          "The service sent its time only with its first answer. That batch has the timestamp {stamped}, and no other batch was sent.",
          { stamped },
        ),
        next: t(
          "Set this machine's clock and push the file again from here. Until that time, the service treats prices from other machines for those products as stale.",
        ),
      };
    },
  }),

  push_not_found: (t) => ({
    next: t(
      "`bpos catalog history --fields push_id,at,file` lists them, and -p NAME selects the branch. A push from another machine can only be undone on that machine.",
    ),
    more: t(
      "A push is recorded only on the machine that made it. No push of this branch has that id, or several ids begin with it.",
    ),
    say: ({ push }) =>
      push === undefined
        ? {
            what: t("This machine's journal has no push to undo."),
            why: t("Pushes are recorded only in the journal, and it has none of this branch."),
          }
        : {
            what: t("This machine's journal has no push {push}.", { push: quoted(push) }),
            why: t(
              "Pushes are recorded only in the journal. No push of this branch has this id, or several ids begin with it.",
            ),
          },
  }),

  push_not_kept: (t) => ({
    why: t(
      "The journal keeps the earlier state of products for the last 50 pushes of a branch. For pushes of more than 5,000 products it does so only after --changed-only was used.",
    ),
    next: t("Push the earlier list again."),
    say: ({ push }) => ({
      what: t("The journal does not have the state of the products before push {push}.", {
        push: quoted(push),
      }),
    }),
  }),
} satisfies Partial<Reasons>;
