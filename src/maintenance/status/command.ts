import { type FlagsOf, flag, timeLimit } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

const fields = ["branch", "watch", "outputs", "unfinished_sends", "last_push", "waiting_replies"] as const;

export function declareStatus(program: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.status;
  return verb(program, "status", words, {
    exits: exits.check,
    variables: ["BPOS_JOURNAL", "BPOS_PROFILE", "BPOS_HOME", "BPOS_MOCK"],
    fields,
    isPaged: true,
  })
    .addOption(flag("--max-age <duration>", words.maxAge, timeLimit))
    .addOption(flag("--watch", words.watch));
}

export type StatusFlags = FlagsOf<typeof declareStatus>;
