import { shown } from "../cli/display/format.ts";
import type { Ui } from "../cli/display/ui.ts";
import type { OptOut } from "../journal/records/opt-outs.ts";
import type { T } from "../texts/texts.ts";

export function chooseTone(name: unknown, { theme }: Ui): (text: string) => string {
  if (name === "failed") return theme.bad;
  if (name === "delivered" || name === "read" || name === "responded") return theme.good;
  return name === "pending" ? theme.dim : (text) => text;
}

/** The words for the service's counts; a Map, since it may name one `__proto__` or `constructor`. */
const countWords: ReadonlyMap<unknown, (t: T) => string> = new Map([
  ["total_recipients", (t: T) => t("All")],
  ["pending", (t: T) => t("Pending")],
  ["sent", (t: T) => t("Sent")],
  ["failed", (t: T) => t("Failed")],
  ["delivered", (t: T) => t("Delivered")],
  ["read", (t: T) => t("Read")],
  ["responded", (t: T) => t("Responded")],
]);

/** Names a count; one without words is shown as the service calls it. */
export const countName = (name: string, { texts }: Pick<Ui, "texts">): string =>
  countWords.get(name)?.(texts.t) ?? name;

export const statusName = (status: unknown, { texts }: Pick<Ui, "texts">): string =>
  countWords.get(status)?.(texts.t).toLowerCase() ?? shown(status);

/** Says how a person got on the list. */
export const sourceWords = (source: OptOut["source"], t: T): string =>
  ({ reply: t("reply"), added: t("added"), import: t("import") })[source];
