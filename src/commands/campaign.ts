import type { Command } from "commander";
import { declareList } from "./campaign-list.ts";
import { declareListen } from "./campaign-listen.ts";
import { declareResume } from "./campaign-resume.ts";
import { declareSend } from "./campaign-send.ts";
import { declareStatus } from "./campaign-status.ts";
import { addExamples } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";

/** Declares `bpos campaign …`. */
export function declareCampaign(program: Command, runtime: Runtime): void {
  const words = runtime.texts.help.campaign;
  const campaign = addExamples(
    program.command("campaign").description(words.description),
    words.examples,
    runtime.texts,
  );
  declareSend(campaign, runtime);
  declareStatus(campaign, runtime);
  declareResume(campaign, runtime);
  declareList(campaign, runtime);
  declareListen(campaign, runtime);
}
