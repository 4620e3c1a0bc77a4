import type { Words } from "../../../texts/kinds.ts";
import { quoted } from "../../../texts/phrases.ts";
import type { UsageProblem } from "../../problems.ts";
import { guessing, type UsageWords } from "./words.ts";

/** Words of a wrong command line of a mock. */
export const mockUsage = {
  mock_absent: (_, t) => ({
    what: t("No mock is running."),
    why: t("The world of --mock runs for one command at a time: it posts no replies."),
    next: t("Start one with `bpos mock`, or name it with --url."),
  }),
  mock_refused: ({ said }, t) => ({
    what: t("The mock refused: {said}.", { said }),
    next: t("`bpos mock --help` shows flags and examples."),
  }),
  fault_unsaid: (_, t) => ({
    what: t("No rule specified, or more than one action requested."),
    next: t("Write a rule such as `bpos mock fault 'POST /campaigns status=502 times=2'`."),
  }),

  scenario_broken: ({ file, said }, t) => ({
    what: t("Scenario {file}: {said}.", { file, said }),
    next: t("Correct the file, or name a ready-made scenario; `bpos mock --help` shows their names."),
  }),
  scenario_unknown: ({ text, names, similar }, t) => ({
    what: guessing(t("Unknown scenario {text}.", { text: quoted(text) }), similar, t),
    why: t("It is neither a file nor one of {names}.", { names: names.join(", ") }),
    next: t("Choose one of these, or name a file of your own with its folder, such as ./my-world.json."),
  }),
} satisfies Partial<Words<UsageProblem, UsageWords>>;
