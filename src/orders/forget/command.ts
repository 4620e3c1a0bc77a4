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
        description: t("Give up the orders that an output of orders watch has not received; asks first"),
        examples: {
          "bpos orders forget --output printer": t("orders that wait for a printer that is gone"),
          "bpos orders forget --output exec --consumer erp --yes": t(
            "without a question, of another consumer",
          ),
        },
      },
      { exits: exits.recall, variables: variables.orders },
    )
      // The global flag of this name takes its value: here it never is a format.
      .addOption(flag("--output <name>", t("the output, by the name of its flag (or stdout)"), orderOutput))
      .addOption(
        flag("--consumer <name>", t('consumer whose orders to give up (default "default")'), consumerName),
      )
      .addOption(flag("-y, --yes", t("do not ask")))
  );
}

export type ForgetFlags = FlagsOf<typeof declareForget>;
