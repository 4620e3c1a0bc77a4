import { isoTimeToSecond } from "../../../cli/display/format.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import { isoWithOffset, maxInstant } from "../../../contract/limits.ts";
import type { Owed } from "../../../journal/records/orders.ts";
import type { T } from "../../../texts/texts.ts";
import { describeOutput, forgetCommand, owedFacts } from "../../owed.ts";
import { unreadText } from "../../unread.ts";
import type { WatchNotice } from "../events.ts";

/** Returns a created_at as `createdAtText` has it in ISO 8601, if it is a time that the calendar of JavaScript has. */
export const toIso = (createdAt: string): string =>
  Math.abs(Number(createdAt)) < maxInstant ? isoWithOffset(Number(createdAt)) : createdAt;

type Warning = Extract<
  WatchNotice,
  {
    event:
      | `quarantine.${string}`
      | ("journal.older" | "stations.adopted")
      | ("output.owed" | "order.quarantined" | "orders.unread" | "number.reused")
      | ("first_run.incomplete" | "state.refused");
  }
>;

/** The facts of a watch that its warnings need. */
interface Warned {
  runtime: Runtime;
  ui: Ui;
  many: boolean;
  consumer: string;
  quarantineFolder: string;
}

/** Returns the text of a notice that does not affect the watch. */
export function formatWarning(
  { runtime, many, consumer, quarantineFolder, ui }: Warned,
  branch: string,
  notice: Warning,
  why: string,
): string {
  const { t } = runtime.texts;
  switch (notice.event) {
    case "journal.older":
      return t(
        "The journal is older than what this machine did with it: it was restored, or its server failed over. Orders created until now that it does not know are delivered marked as repeated.",
      );
    case "stations.adopted":
      return t(
        "{count, plural, one {# delivery that was pending for {output}, where this watch does not print, prints where it does.} other {# deliveries that were pending for {output}, where this watch does not print, print where it does.}}",
        { count: notice.deliveries, output: describeOutput(notice.output, t) },
      );
    case "output.owed": {
      const { output } = notice;
      const command = forgetCommand(runtime, output, { consumer, ...(many && { profile: branch }) });
      return owedText(notice, command, ui, t);
    }
    case "orders.unread":
      return unreadText(notice, ui, t);
    case "quarantine.failed":
      return t("An order without a usable order_id could not be kept: {why}", { why });
    case "quarantine.full":
      return t(
        "An order that cannot be delivered was not kept: {folder} holds 1,000 files. Report them to the service and empty it.",
        { folder: quarantineFolder },
      );
    case "order.quarantined":
      return quarantinedText(notice, t);
    case "number.reused": {
      const format = (at: string): string => isoTimeToSecond(toIso(at), { texts: runtime.texts });
      return t(
        "Order {id}, created {createdAt}, has the number of an order created {before}: delivered as another order.",
        { id: notice.orderId, createdAt: format(notice.createdAt), before: format(notice.before) },
      );
    }
    case "first_run.incomplete":
      return t(
        "Orders that left pendiente before the first full scan may not have been delivered. To see them: bpos orders list --status all --all --since {since}",
        // `--since` leaves out the very instant.
        { since: toIso(String(notice.since - 1)) },
      );
    case "state.refused":
      return t("Orders in {state} cannot be listed; the watch continues without them: {why}", {
        state: notice.state,
        why,
      });
  }
}

const owedText = (owed: Owed, command: string, ui: Ui, t: T): string =>
  t(
    "{owed} {count, plural, one {waits} other {wait}} for {output}, which this run leaves out. The next run with it delivers what waits; to give it up: {command}",
    { ...owedFacts(owed, ui, t), output: describeOutput(owed.output, t), command },
  );

const quarantinedText = (
  { orderId: id, file }: Extract<WatchNotice, { event: "order.quarantined" }>,
  t: T,
): string =>
  id === undefined
    ? t("An order without a usable order_id is kept in {file}; report it to the service.", { file })
    : t(
        "Order {id} is nested too deep and was not delivered. It is kept in {file}; report it to the service.",
        { id, file },
      );
