import { type FlagsOf, flag, orderOutput } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { consumerName } from "../consumer.ts";

export function declareForget(orders: AnyCommand, { texts: { t } }: Runtime) {
  return (
    verb(
      orders,
      "forget",
      {
        description: t("Discard the orders pending for an output of orders watch (asks first)"),
        examples: {
          "bpos orders forget --output printer": t("orders pending for a printer you no longer have"),
          "bpos orders forget --output exec --consumer erp --yes": t(
            "another consumer, without confirmation",
          ),
        },
      },
      { exits: exits.recall, variables: variables.orders },
    )
      // The global --output is a format; here the flag names an output.
      .addOption(
        flag(
          "--output <name>",
          t("discard orders for this output: the name of its flag, such as printer, or stdout"),
          orderOutput,
        ),
      )
      .addOption(
        flag("--consumer <name>", t('consumer to discard orders for (default "default")'), consumerName),
      )
      .addOption(flag("-y, --yes", t("do not ask")))
  );
}

export type ForgetFlags = FlagsOf<typeof declareForget>;
