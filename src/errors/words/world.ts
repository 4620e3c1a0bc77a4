import { type Advice, sayKind, type Words } from "../../texts/kinds.ts";
import type { T } from "../../texts/texts.ts";
import type { WorldProblem } from "../problems.ts";

const elsewhere = (t: T): string => t("Choose another file, or move this one away to start a new world.");

/** The settings of a world, by their flags. */
const beginnings: Readonly<Record<string, (t: T) => string>> = {
  scenario: (t) => t("scenario // another one"),
  seed: (t) => t("seed // another one"),
  clock: (t) => t("clock // another one"),
  speed: (t) => t("speed // another one"),
};

const words: Words<WorldProblem, Advice> = {
  not_a_file: (_, t) => ({ what: t("not a regular file"), next: t("Choose a file.") }),
  not_sqlite: (_, t) => ({ what: t("not an SQLite file, left as it is"), next: elsewhere(t) }),
  other_program: (_, t) => ({
    what: t("another program's database, left as it is"),
    next: t("Choose another file."),
  }),
  newer: (_, t) => ({
    what: t("written by a newer bpos"),
    next: t("Update bpos, choose another file, or move this one away to start a new world."),
  }),
  outdated: (_, t) => ({
    what: t("written by an older bpos, in a format that this one does not read"),
    next: elsewhere(t),
  }),
  busy: (_, t) => ({
    what: t("another process has been writing to it for 10 s"),
    next: t("Stop that process, or choose another file."),
  }),
  damaged: ({ said }, t) => ({ what: t("damaged ({said})", { said }), next: elsewhere(t) }),
  unwritable: ({ said }, t) => ({
    what: t("cannot be written ({said})", { said }),
    next: t(
      "Check permissions and free space, or choose another file. BPOS_HOME sets the folder of the --mock world.",
    ),
  }),
  other_world: ({ of }, t) => ({
    what: t("a world with another {beginning}", {
      beginning: of.map((name) => beginnings[name]?.(t) ?? name).join(` ${t("and")} `),
    }),
    next: t("Leave that flag out, empty the world with `bpos mock reset`, or choose another file."),
  }),
};

/** Says what is wrong with the file of the mock's world, as part of a sentence, and what to do next. */
export const worldWords = (problem: WorldProblem, t: T): Advice => sayKind(words, problem, t);
