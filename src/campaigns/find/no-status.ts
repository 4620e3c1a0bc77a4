import { sayKind, type Words } from "../../texts/kinds.ts";
import type { T } from "../../texts/texts.ts";

/** The reason why the status of a message to one person is not known. */
export type NoStatus =
  | { kind: "planned" | "unconfirmed" | "not_asked" | "opted_out" | "canary" }
  | { kind: "waits_start" | "waits_hours" | "waits_pace" | "too_late"; until: string }
  | { kind: "held"; ref: string }
  | { kind: "not_listed"; listed: number; all: number | null }
  | { kind: "service"; message: string };

const short: Words<NoStatus> = {
  planned: (_, t) => t("not sent"),
  opted_out: (_, t) => t("left out"),
  canary: (_, t) => t("waiting"),
  waits_start: (_, t) => t("waiting"),
  waits_hours: (_, t) => t("waiting"),
  waits_pace: (_, t) => t("waiting"),
  held: (_, t) => t("held"),
  too_late: (_, t) => t("too late"),
  unconfirmed: (_, t) => t("unknown"),
  not_asked: (_, t) => t("not read"),
  not_listed: (_, t) => t("not shown"),
  service: (_, t) => t("none"),
};

/** Returns the text shown where a recipient has no status. */
export const noStatusWord = (why: NoStatus, t: T): string => sayKind(short, why, t);

const long: Words<NoStatus> = {
  planned: (_, t) => t("planned, not sent: bpos campaign resume"),
  opted_out: (_, t) => t("opted out before the message was sent: it will not be sent"),
  canary: (_, t) => t("planned, not sent: the canary has not passed"),
  waits_start: ({ until }, t) => t("waiting for the start time, {until}", { until }),
  waits_hours: ({ until }, t) => t("outside the hours, waiting until {until}", { until }),
  waits_pace: ({ until }, t) => t("waiting for --pace, until {until} or later", { until }),
  held: ({ ref }, t) => t("held: someone in the same call received this template under {ref}", { ref }),
  too_late: ({ until }, t) => t("not sent by --not-after, {until}", { until }),
  unconfirmed: (_, t) => t("outcome unknown until bpos campaign resume"),
  not_asked: (_, t) => t("the service did not report the status"),
  not_listed: ({ listed, all }, t) =>
    all === null
      ? t("the service lists {listed} of its recipients, but not this one", { listed })
      : t("the service lists {listed} of {all} recipients, but not this one", { listed, all }),
  service: ({ message }) => message,
};

export const noStatusText = (why: NoStatus, t: T): string => sayKind(long, why, t);
