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

export function declareList(orders: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.orders.list;
  return verb(orders, "list", words, {
    exits: exits.ask,
    variables: variables.orders,
    fields,
    isPaged: true,
  })
    .alias("ls")
    .optionsGroup(runtime.texts.helpPage.groups.which)
    .addOption(flag("--status <states>", words.status, states))
    .addOption(flag("--since <time>", words.since, time))
    .addOption(flag("--limit <n>", words.limit, whole(1)))
    .addOption(flag("--all", words.all))
    .addOption(flag("--page <n>", words.page, whole(1)));
}

export type ListFlags = FlagsOf<typeof declareList>;
