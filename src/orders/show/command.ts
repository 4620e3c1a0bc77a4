import { type AnyCommand, exits, variables, verb } from "../../cli/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareShow(orders: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.orders.show;
  return verb(orders, "show", words, { exits: exits.ask, variables: variables.orders, isPaged: true })
    .argument("<id>", words.id)
    .action(async (id) => {
      const { show } = await import("../list/list.ts");
      await show(runtime, id);
    });
}
