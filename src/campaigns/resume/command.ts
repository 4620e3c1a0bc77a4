import {
  argument,
  type FlagsOf,
  flag,
  fromJournal,
  lockWaitFlag,
  onFailureFlag,
  whole,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareResume(campaign: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.campaign.resume;
  return verb(campaign, "resume", words, {
    exits: exits.unguarded,
    sends: true,
    variables: variables.campaigns,
  })
    .addArgument(argument("[send]", words.send, fromJournal("ref")))
    .optionsGroup(runtime.texts.helpPage.groups.safety)
    .addOption(flag("--allow-repeat", words.allowRepeat))
    .addOption(flag("--ignore-canary", words.ignoreCanary))
    .addOption(lockWaitFlag(runtime.texts))
    .optionsGroup(runtime.texts.helpPage.groups.sending)
    .addOption(flag("--in-flight <n>", words.inFlight, whole(1, 8)))
    .optionsGroup(runtime.texts.helpPage.groups.output)
    .addOption(onFailureFlag(runtime.texts));
}

export type ResumeFlags = FlagsOf<typeof declareResume>;
