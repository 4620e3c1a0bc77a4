import type { ExecEnd } from "../../errors.ts";
import { type Count, plural } from "../phrases.ts";
import { execEnd } from "./call-errors.ts";

/** What a watched price list came to. */
type ListCounts = Record<"accepted" | "unchanged" | "rejected" | "deactivated", Count>;

/** What `bpos catalog watch` says. */
export const lists = {
  watching: (place: string, branch: string) =>
    `Watching ${place} for ${branch}: a price list is pushed when it is saved. Ctrl-C stops.`,
  /** One line for each list. */
  pushed: (file: string, { accepted, unchanged, rejected, deactivated }: ListCounts) =>
    [
      `${file}: ${accepted.shown} accepted`,
      `${unchanged.shown} unchanged`,
      ...(deactivated.n === 0 ? [] : [`${deactivated.shown} deactivated`]),
      ...(rejected.n === 0 ? [] : [`${rejected.shown} rejected`]),
    ].join(", "),
  refused: (file: string, why: string, report: string | null) =>
    `${file} was not pushed. ${why}${report === null ? "" : ` What is wrong is in ${report}.`} Correct ${file} and save it again; if it is right as it is, push it with \`bpos catalog push\`.`,
  rejectedRows: (file: string, rows: Count, report: string | null) =>
    `${file}: ${plural(rows, "row was", "rows were")} rejected${report === null ? "." : `, and ${rows.n === 1 ? "is" : "are"} in ${report}.`} Correct ${file} and save it again.`,
  stale: (file: string) =>
    `${file}: the service had newer changes and ignored it. Check the clock of this machine and of the one that pushed before.`,
  open: (file: string) => `${file} is open in another program; it is pushed once it is closed there.`,
  unreadable: (why: string) => `${why} It is pushed once it can be read.`,
  missing: (file: string) => `${file} does not exist yet; it is pushed once it is saved.`,
  outage: (why: string) => `No list can be pushed: ${why} Retrying.`,
  recovered: (after: string) => `Lists can be pushed again, after ${after}.`,
  stopping: (file: string) => `Stopping after the push of ${file}.`,
  execFailed: (end: ExecEnd, file: string, lastLine: string) =>
    `The command of --exec ${execEnd(end)} for ${file}${lastLine === "" ? "." : `: ${lastLine}`}`,
  unprinted: (why: string) => `Standard output cannot be written: ${why}. The watch continues.`,
  /** Of a desktop notification. */
  note: (file: string) => `Price list: ${file}`,
  /** Why a product is in the file of what was refused. */
  reasons: {
    price: (from: string, to: string, change: string | null) =>
      `the price would change from ${from} to ${to}${change === null ? "" : ` (${change})`}`,
    missing: "no longer in the list: it would be deactivated",
    older: "changed at the service after this list was saved",
  },
};
