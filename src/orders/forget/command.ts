import { type FlagsOf, flag, orderOutput } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { consumerName } from "../watch/command.ts";

export function declareForget(orders: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.orders.forget;
  return (
    verb(orders, "forget", words, { exits: exits.recall, variables: variables.orders })
      // The global flag of this name takes its value: here it never is a format.
      .addOption(flag("--output <name>", words.output, orderOutput))
      .addOption(flag("--consumer <name>", words.consumer, consumerName))
      .addOption(flag("-y, --yes", words.yes))
  );
}

export type ForgetFlags = FlagsOf<typeof declareForget>;
