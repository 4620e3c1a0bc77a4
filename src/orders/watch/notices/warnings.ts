import { isoTimeToSecond } from "../../../cli/display/format.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import { isoWithOffset, maxInstant } from "../../../contract/limits.ts";
import type { Owed } from "../../../journal/records/orders.ts";
import type { T } from "../../../texts/texts.ts";
import { describeOutput, forgetCommand, owedFacts } from "../../owed.ts";
import { unreadText } from "../../unread.ts";
import type { WatchNotice } from "../events.ts";

/** Returns a created_at as `createdAtText` in ISO 8601, if JavaScript can represent that time. */
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
        "The journal is older than this machine's last write to it: it was restored, or its server failed over. Orders created until now that are missing from it are delivered marked as repeated.",
      );
    case "stations.adopted":
      return t(
        "{count, plural, one {# delivery} other {# deliveries}} pending for {output} will print on the printers of this watch: it does not use {output}.",
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
      return t("Could not save an order without a valid order_id: {why}", { why });
    case "quarantine.full":
      return t(
        "An undeliverable order was not saved: {folder} already holds 1,000 files. Report them to the service and empty the folder.",
        { folder: quarantineFolder },
      );
    case "order.quarantined":
      return quarantinedText(notice, t);
    case "number.reused": {
      const format = (at: string): string => isoTimeToSecond(toIso(at), { texts: runtime.texts });
      return t(
        "Order {id}, created {createdAt}, has the same number as an order created {before}. It is delivered as a separate order.",
        { id: notice.orderId, createdAt: format(notice.createdAt), before: format(notice.before) },
      );
    }
    case "first_run.incomplete":
      return t(
        "Orders that left pendiente before the first full scan might not have been delivered. To see them: bpos orders list --status all --all --since {since}",
        // `--since` excludes that instant.
        { since: toIso(String(notice.since - 1)) },
      );
    case "state.refused":
      return t("Cannot list orders in {state}; the watch continues without them: {why}", {
        state: notice.state,
        why,
      });
  }
}

const owedText = (owed: Owed, command: string, ui: Ui, t: T): string =>
  t(
    "{owed} {count, plural, one {is} other {are}} pending for {output}, which this run does not use. The next run that uses it delivers {count, plural, one {it} other {them}}. To discard {count, plural, one {it} other {them}}: {command}",
    { ...owedFacts(owed, ui, t), output: describeOutput(owed.output, t), command },
  );

const quarantinedText = (
  { orderId: id, file }: Extract<WatchNotice, { event: "order.quarantined" }>,
  t: T,
): string =>
  id === undefined
    ? t("An order without a valid order_id was saved in {file}. Report it to the service.", { file })
    : t(
        "Order {id} is nested too deeply and was not delivered. It was saved in {file}. Report it to the service.",
        { id, file },
      );
