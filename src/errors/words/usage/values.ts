import { type OfKind, sayKind, type Words } from "../../../texts/kinds.ts";
import { quoted } from "../../../texts/phrases.ts";
import type { T } from "../../../texts/texts.ts";
import type { ValueProblem } from "../../problems.ts";
import { rowProblemWords } from "../rows.ts";

function printerRule({ text, isWindows }: OfKind<ValueProblem, "not_printer">, t: T): string {
  if (!isWindows)
    return t(
      "A printer is tcp://192.168.1.50:9100 (network), file:/dev/usb/lp0 (USB on Linux), file:/dev/ttyUSB0 (serial port) or lp:QUEUE (`lpstat -p` lists the queues of this machine).",
    );
  const [, serial] = /^(COM\d+):?$/i.exec(text.trim()) ?? [];
  return serial === undefined
    ? t(
        "On Windows a printer is tcp://192.168.1.50:9100 (network), file:\\\\localhost\\NAME (shared, with its share name) or file:\\\\.\\COM3 (serial port).",
      )
    : t("On Windows a serial port is file:\\\\.\\{serial}.", { serial: serial.toUpperCase() });
}

/** Makes a part of a sentence a sentence. */
const capitalised = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);

/** A choice that is a sign is hard to see without quotes. */
const choiceText = (choice: string): string => (/\w/.test(choice) ? choice : quoted(choice));

const rules: Words<ValueProblem> = {
  empty: (_, t) => t("It must not be empty."),
  not_address: (_, t) => t("It takes an address such as https://pos.example.com."),
  not_choice: ({ choices }, t) =>
    t("Choose one of {choices}.", { choices: choices.map(choiceText).join(", ") }),
  not_consumer: (_, t) => t("It takes 1 to 64 letters, digits, dots, - or _."),
  not_clock: (_, t) => t("It takes a time with seconds and an offset, such as 2026-01-01T12:00:00-03:00."),
  not_days: (_, t) => t("It takes days such as mon-sat or mon,wed,fri."),
  not_duration: (_, t) => t("It takes a duration such as 90s, 2m or 1h30m."),
  not_hours: (_, t) => t("It takes hours such as 09:00-21:00; 21:00-02:00 goes over midnight."),
  hours_empty: (_, t) => t("The start and the end are the same. The whole day is 00:00-24:00."),
  not_instant: (_, t) =>
    t("It takes a time such as 2026-01-31T08:00:00-03:00, 31/1/2026, 2h (ago), today or yesterday."),
  not_instant_to_come: (_, t) =>
    t("It takes a time such as 2026-01-01T15:00, 31/1/2026, 15:00 or 2h (from now)."),
  not_time_zone: (_, t) => t("It takes the name of a time zone such as America/Sao_Paulo."),

  not_country: (_, t) => t("It takes the two letters of a country, such as AR."),
  not_forward_address: (_, t) =>
    t("It takes an http:// or https:// address without a user name or password."),
  not_jq: ({ detail }, t) => t("It is not a valid jq program: {detail}.", { detail }),
  not_language: (_, t) => t("It takes a language and a country such as es_AR."),
  not_number: (_, t) => t("It takes a number such as 60."),
  not_pace: (_, t) => t("It takes recipients per hour, minute or second, such as 300/h, 10/min or 2/s."),
  not_pair: ({ text }, t) => t("{text} is not a pair such as codigo=SKU.", { text: quoted(text) }),
  not_percentage: (_, t) => t("It takes a whole percentage from 1% to 1000%, such as 50%."),
  not_phone: ({ problem }, t) => t("{problem}.", { problem: capitalised(rowProblemWords(problem, t)) }),
  not_printer: printerRule,
  not_share: (_, t) => t("It takes a share such as 20%, or a whole number."),
  not_state: ({ states }, t) =>
    t("The states are {states}; all means any of them.", { states: states.join(", ") }),
  not_whole: ({ min, max }, t) =>
    max === null
      ? t("It takes a whole number from {min}.", { min })
      : t("It takes a whole number from {min} to {max}.", { min, max }),
  pace_too_low: (_, t) => t("It must be 1/h or more."),
  status_missing: (_, t) => t("It takes one or more statuses, for example failed."),
  too_short: ({ min }, t) => t("It must be {min} or more.", { min }),
  zero: (_, t) => t("It must be longer than 0 s."),
};

/** Says what a value must be. */
export const valueRule = (problem: ValueProblem, t: T): string => sayKind(rules, problem, t);
