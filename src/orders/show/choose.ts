import { orderIdText } from "../../api/pages.ts";
import { createdTime, shown } from "../../cli/display/format.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { askValue } from "../../cli/line/ask.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Order } from "../../contract/order.ts";
import { customerName } from "./view.ts";

type Pages = AsyncIterable<{ response: { orders: readonly Order[] } }>;

/** The id of one of these orders, or another, as the person answers. */
export async function chooseOrder(runtime: Runtime, pages: Pages, ui: Ui): Promise<string> {
  const values: { value: string; note: string }[] = [];
  for await (const { response } of pages)
    for (const order of response.orders) {
      const about = [createdTime(order, ui), customerName(order, ui.texts), shown(order.status)];
      const value = orderIdText(order);
      if (value !== undefined) values.push({ value, note: about.join(" · ") });
    }
  return askValue(runtime, ui.texts.notices.askOrder, { values });
}
