import { visible } from "./format.ts";
import type { Ui } from "./ui.ts";
import { wrap } from "./width.ts";

/** A quiet remark below a report, wrapped to the terminal. */
export function note(text: string, ui: Ui): string[] {
  return paragraph(text, ui).map((each) => ui.theme.dim(each));
}

/** A sentence wrapped to the terminal, one line in a pipe; safe whatever it holds. */
export function paragraph(text: string, ui: Pick<Ui, "width">): string[] {
  const safe = visible(text);
  return ui.width === undefined ? [safe] : wrap(safe, ui.width);
}

/** What stands above a part of a report. */
export function heading(text: string, ui: Ui): string[] {
  return paragraph(text, ui).map((each) => ui.theme.heading(each));
}

/** The first lines of a report: what it is, and MOCK or SANDBOX before it when it is not live. */
export function title(text: string, ui: Ui): string[] {
  const [first = "", ...more] = paragraph(ui.badge === null ? text : `${ui.badge} · ${text}`, ui);
  const rest = ui.badge !== null && first.startsWith(ui.badge) ? first.slice(ui.badge.length) : first;
  const badge = rest === first ? "" : ui.theme.warn(ui.theme.strong(ui.badge ?? ""));
  return [badge + ui.theme.heading(rest), ...more.map((each) => ui.theme.heading(each))];
}
