import { type FlagsOf, flag, states, time, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

const fields = [
  "order_id",
  "created_at",
  "created_at_iso",
  "status",
  "delivery_type",
  "delivery_address",
  "domicilio",
  "cliente",
  "pago",
  "costo_envio",
  "total",
  "lineas",
] as const;

export function declareList(orders: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("List orders by state, oldest first"),
    examples: {
      "bpos orders list": t("orders in state pendiente"),
      "bpos orders list --status all --since today --all --json": t("all of today's orders, for a script"),
    },
  };

  return verb(orders, "list", words, {
    exits: exits.ask,
    variables: variables.orders,
    fields,
    isPaged: true,
  })
    .alias("ls")
    .optionsGroup(t("Selection:"))
    .addOption(flag("--status <states>", t("one or more states, or all (default pendiente)"), states))
    .addOption(
      flag(
        "--since <time>",
        t(
          "only orders created after this time: 2h (ago), today, yesterday, 31/1/2026 (day first) or 2026-01-31T08:00:00-03:00",
        ),
        time,
      ),
    )
    .addOption(flag("--limit <n>", t("maximum number of orders"), whole(1)))
    .addOption(flag("--all", t("every page")))
    .addOption(flag("--page <n>", t("page number, 20 orders each"), whole(1)));
}

export type ListFlags = FlagsOf<typeof declareList>;
