import type { Words } from "../../../texts/kinds.ts";
import { quoted, shellWord } from "../../../texts/phrases.ts";
import type { T } from "../../../texts/texts.ts";
import type { StationFault, UsageProblem } from "../../problems.ts";
import { knownStations } from "../profiles.ts";
import type { UsageWords } from "./words.ts";

/** Why an entry of a profile is no station. */
const faults: Readonly<Record<StationFault, (t: T) => string>> = {
  not_list: (t) => t("stations must be a list of stations."),
  not_object: (t) => t("A station is an object with name, printer, categories, everything and copies."),
  name: (t) => t("Its name has 1 to 32 letters, digits, dots, - or _, and starts with a letter or a digit."),
  name_twice: (t) => t("Another station has this name, or one that differs only in case or accents."),
  key: (t) => t("A station has only name, printer, categories, everything and copies."),
  printer_absent: (t) => t("It has no printer."),
  printer: (t) => t("A printer is tcp://192.168.1.50:9100, file:/dev/usb/lp0 or lp:QUEUE."),
  categories: (t) => t("categories must be a list of names."),
  everything: (t) => t("everything must be true or false."),
  nothing: (t) => t("It prints nothing: it has no categories, and everything is not true."),
  copies: (t) => t("copies must be a whole number from 1 to 9."),
};

/** Words of wrong printers and stations, on the command line or in a profile. */
export const printerUsage = {
  printer_absent: ({ profile }, t) => {
    const what = t("No printer specified.");
    if (profile === null)
      return {
        what,
        why: t("No profile is selected."),
        next: t(
          "Pass it, for example --printer tcp://192.168.1.50:9100, or save it: `bpos profile add NAME --update --printer URL`.",
        ),
      };
    return {
      what,
      why: t("The profile {profile} has none.", { profile: quoted(profile) }),
      next: t(
        "Pass it, for example --printer tcp://192.168.1.50:9100, or save it: `bpos profile add {profile} --update --printer URL`.",
        { profile: shellWord(profile) },
      ),
    };
  },

  station: ({ place, text, fault }, t) => ({
    what:
      text === ""
        ? t("Invalid station {place}.", { place })
        : t("Invalid station {place}: {text}.", { place, text: quoted(text) }),
    why: faults[fault](t),
    next: t("Correct it in the profile, or with `bpos profile station add` and `remove`."),
  }),
  station_unknown: ({ file, line, name, known, similar }, t) => ({
    what: t("{file}, line {line}: The station {name} does not exist.", { file, line, name: quoted(name) }),
    why: knownStations({ known, similar }, t),
    next: t("`bpos profile station list` shows its stations."),
  }),
} satisfies Partial<Words<UsageProblem, UsageWords>>;
