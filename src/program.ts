import { declareListen } from "./campaigns/listen/command.ts";
import { declareList as declareCampaignList, declareResume, declareSend } from "./campaigns/send/command.ts";
import { declareStatus } from "./campaigns/status/command.ts";
import { declareCheck } from "./catalog/check/command.ts";
import { declareDelete } from "./catalog/delete/command.ts";
import { declareHistory } from "./catalog/history/command.ts";
import { declarePush } from "./catalog/push/command.ts";
import { declareHelp, newProgram } from "./cli/command-line.ts";
import { type AnyCommand, setFacts, verb } from "./cli/help.ts";
import type { Runtime } from "./cli/runtime.ts";
import { type ExitName, exitCodes } from "./errors.ts";
import { declareDoctor } from "./maintenance/doctor/command.ts";
import { declareOpenapi } from "./maintenance/openapi/command.ts";
import { declareDemo, declareMock, declareMockTalk } from "./mock/command/command.ts";
import { declareList } from "./orders/list/command.ts";
import { declareShow } from "./orders/show/command.ts";
import { declareWatch } from "./orders/watch/command.ts";
import { declareAdd, declareInit, declareProfileFile } from "./profiles/profile/command.ts";

type Declare = (parent: AnyCommand, runtime: Runtime) => unknown;

export function createProgram(runtime: Runtime, version: string) {
  const { help, helpPage } = runtime.texts;
  const program = newProgram(runtime.texts)
    .description(help.program)
    .version(version, "-V, --version", help.flags.version)
    .helpOption("-h, --help", help.flags.help);
  setFacts(program, {
    examples: Object.entries(help.programExamples),
    exits: Object.keys(exitCodes) as ExitName[],
    variables: [],
  });
  const declare = (parent: AnyCommand, ...all: Declare[]): void => {
    for (const each of all) each(parent, runtime);
  };
  program.commandsGroup(helpPage.groups.work);
  declare(verb(program, "orders", help.orders), declareList, declareShow, declareWatch);
  const catalog = verb(program, "catalog", help.catalog);
  declare(catalog, declareCheck, declarePush, declareDelete, declareHistory);
  const campaign = verb(program, "campaign", help.campaign);
  declare(campaign, declareSend, declareStatus, declareResume, declareCampaignList, declareListen);
  program.commandsGroup(helpPage.groups.setUp);
  declare(program, declareInit);
  declare(verb(program, "profile", help.profile), declareAdd, declareProfileFile);
  declare(program, declareDoctor);
  program.commandsGroup(helpPage.groups.rehearse);
  declare(program, declareDemo);
  declare(declareMock(program, runtime), declareMockTalk);
  program.commandsGroup(helpPage.groups.more);
  declare(program, declareHelp, declareOpenapi);
  return program;
}
