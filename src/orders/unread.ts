import { number } from "../cli/display/format.ts";
import type { Ui } from "../cli/display/ui.ts";
import type { T } from "../texts/texts.ts";

/** A state of which the service counts more orders than its pages contain. */
export interface Unread {
  state: string;
  read: number;
  total: number;
}

/** Returns the sentence that reports it. */
export function unreadText({ state, read, total }: Unread, ui: Ui, t: T): string {
  return t(
    "The service counts {total} orders in {state}, but its pages contain only {read}. The others cannot be read. If this persists, report it to the service.",
    { state, read: number(read, ui), total: number(total, ui) },
  );
}
