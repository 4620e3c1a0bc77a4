import { declareFind } from "./campaigns/find/command.ts";
import { declareList as declareSends } from "./campaigns/list/command.ts";
import { declareListen } from "./campaigns/listen/command.ts";
import {
  declareAdd as declareOptoutAdd,
  declareExport as declareOptoutExport,
  declareImport as declareOptoutImport,
  declareList as declareOptoutList,
  declareRemove as declareOptoutRemove,
  declareReview as declareOptoutReview,
  declareOptouts,
} from "./campaigns/optout/command.ts";
import { declareResume } from "./campaigns/resume/command.ts";
import { declareSend } from "./campaigns/send/command.ts";
import { declareStatus } from "./campaigns/status/command.ts";
import { declareCheck } from "./catalog/check/command.ts";
import { declareDelete } from "./catalog/delete/command.ts";
import { declareDiff } from "./catalog/diff/command.ts";
import { declareHistory } from "./catalog/history/command.ts";
import { declarePush } from "./catalog/push/command.ts";
import { declareUndo } from "./catalog/undo/command.ts";
import { declareCandidates, declareCompletion, declareHelp } from "./cli/line/command-line.ts";
import { newProgram } from "./cli/line/global-flags.ts";
import { type AnyCommand, runs, setFacts, verb } from "./cli/line/help.ts";
import type { Runtime } from "./cli/runtime.ts";
import { type ExitName, exitCodes } from "./errors.ts";
import { declareDoctor } from "./maintenance/doctor/command.ts";
import {
  declareJournalAccept,
  declareJournalCopy,
  declareJournalPrune,
  declareJournalStatus,
} from "./maintenance/journal/command.ts";
import { declareOpenapi, printOpenapi } from "./maintenance/openapi/command.ts";
import { declarePrinterStations, declarePrinterTest } from "./maintenance/printer/command.ts";
import { declareSchema } from "./maintenance/schema/command.ts";
import { declareStatus as declareOperations } from "./maintenance/status/command.ts";
import { declareMocks, declareTour } from "./mock/mock.ts";
import { declareForget } from "./orders/forget/command.ts";
import { declareList } from "./orders/list/command.ts";
import { declarePreview } from "./orders/preview/command.ts";
import { declareShow } from "./orders/show/command.ts";
import { declareWatch } from "./orders/watch/command.ts";
import { declareInit } from "./profiles/init/command.ts";
import {
  declareAdd,
  declareProfileList,
  declareProfileShow,
  declareRemove,
  declareRename,
  declareUse,
} from "./profiles/profile/command.ts";
import {
  declareStationAdd,
  declareStationList,
  declareStationRemove,
  declareStations,
} from "./profiles/station/command.ts";
import type { T } from "./texts/texts.ts";

const profiles = (): Promise<typeof import("./profiles/profile/profile.ts")> =>
  import("./profiles/profile/profile.ts");

const optoutVerbs = [
  runs(declareOptoutAdd, async () => (await import("./campaigns/optout/optout.ts")).add),
  runs(declareOptoutRemove, async () => (await import("./campaigns/optout/optout.ts")).remove),
  runs(declareOptoutList, async () => (await import("./campaigns/optout/optout.ts")).list),
  runs(declareOptoutImport, async () => (await import("./campaigns/optout/optout.ts")).importList),
  runs(declareOptoutExport, async () => (await import("./campaigns/optout/optout.ts")).exportList),
  runs(declareOptoutReview, async () => (await import("./campaigns/optout/optout.ts")).review),
];

function declareOptout(campaign: AnyCommand, runtime: Runtime): AnyCommand {
  const optout = declareOptouts(campaign, runtime);
  for (const declare of optoutVerbs) declare(optout, runtime);
  return optout;
}
const stationVerbs = [
  runs(declareStationAdd, async () => (await import("./profiles/station/station.ts")).add),
  runs(declareStationList, async () => (await import("./profiles/station/station.ts")).list),
  runs(declareStationRemove, async () => (await import("./profiles/station/station.ts")).remove),
];

function declareStation(profile: AnyCommand, runtime: Runtime): AnyCommand {
  const station = declareStations(profile, runtime);
  for (const declare of stationVerbs) declare(station, runtime);
  return station;
}

/** Every verb: what declares it, and the function that runs it. */
const groups = {
  orders: [
    runs(declareList, async () => (await import("./orders/list/list.ts")).list),
    runs(declareShow, async () => (await import("./orders/show/show.ts")).show),
    runs(declareWatch, async () => (await import("./orders/watch/watch.ts")).watch),
    runs(declareForget, async () => (await import("./orders/forget/forget.ts")).forget),
  ],
  catalog: [
    runs(declareCheck, async () => (await import("./catalog/check/check.ts")).check),
    runs(declarePush, async () => (await import("./catalog/push/push.ts")).push),
    runs(declareDiff, async () => (await import("./catalog/diff/diff.ts")).diff),
    runs(declareDelete, async () => (await import("./catalog/delete/delete.ts")).remove),
    runs(declareUndo, async () => (await import("./catalog/undo/undo.ts")).undo),
    runs(declareHistory, async () => (await import("./catalog/history/history.ts")).history),
  ],
  campaign: [
    runs(declareSend, async () => (await import("./campaigns/send/send.ts")).send),
    runs(declareStatus, async () => {
      const { status } = await import("./campaigns/status/status.ts");
      return (runtime, ids, flags) =>
        status(runtime, ids, flags, async (phone) =>
          (await import("./campaigns/find/find.ts")).find(runtime, phone, {}),
        );
    }),
    runs(declareFind, async () => (await import("./campaigns/find/find.ts")).find),
    runs(declareResume, async () => (await import("./campaigns/resume/resume.ts")).resume),
    runs(declareSends, async () => (await import("./campaigns/list/list.ts")).list),
    runs(declareListen, async () => (await import("./campaigns/listen/listen.ts")).listen),
    declareOptout,
  ],
  profile: [
    runs(declareAdd, async () => (await import("./profiles/profile/add.ts")).add),
    runs(declareProfileList, async () => (await profiles()).list),
    runs(declareUse, async () => (await profiles()).use),
    runs(declareProfileShow, async () => (await profiles()).show),
    declareStation,
    runs(declareRename, async () => (await profiles()).rename),
    runs(declareRemove, async () => (await profiles()).remove),
  ],
  printer: [
    runs(declarePrinterTest, async () => (await import("./maintenance/printer/test-printer.ts")).testPrinter),
    runs(
      declarePrinterStations,
      async () => (await import("./maintenance/printer/stations.ts")).showStations,
    ),
    runs(declarePreview, async () => (await import("./orders/preview/preview.ts")).preview),
  ],
  journal: [
    runs(declareJournalStatus, async () => (await import("./maintenance/journal/status.ts")).status),
    runs(declareJournalCopy, async () => (await import("./maintenance/journal/copy.ts")).copy),
    runs(declareJournalPrune, async () => (await import("./maintenance/journal/prune.ts")).prune),
    runs(declareJournalAccept, async () => (await import("./maintenance/journal/accept.ts")).acceptRestore),
  ],
};

const init = runs(declareInit, async () => (await import("./profiles/init/init.ts")).init);
const doctor = runs(declareDoctor, async () => (await import("./maintenance/doctor/doctor.ts")).doctor);
const operations = runs(
  declareOperations,
  async () => (await import("./maintenance/status/status.ts")).showStatus,
);
const openapi = runs(declareOpenapi, () => Promise.resolve(printOpenapi));

/** Tools that the mock's page gets from outside the mock; most mocks never draw a receipt. */
const pageTools: Parameters<typeof declareMocks>[2] = {
  drawReceipt: async (...given) => (await import("./orders/preview/picture.ts")).drawOrder(...given),
};

const isGroup = (name: string): name is keyof typeof groups => Object.hasOwn(groups, name);

/** Verbs about all other verbs, which need the program. */
function declareGuides(program: AnyCommand, runtime: Runtime): void {
  declareHelp(program, runtime).action(async (words) => {
    const { showHelp } = await import("./cli/line/help-topics.ts");
    await showHelp(runtime, program, words);
  });
  declareSchema(program, runtime).action(async (words, flags) => {
    const { printSchema } = await import("./maintenance/schema/schema.ts");
    const { loadSchemas } = await import("./schemas.ts");
    await printSchema(runtime, await loadSchemas(), words, flags);
  });
  declareCompletion(program, runtime).action(async (shell) => {
    const { printScript } = await import("./cli/line/completion.ts");
    await printScript(runtime, shell);
  });
  declareCandidates(program).action(async ([shell = "", ...words]) => {
    const { printCandidates } = await import("./cli/line/completion.ts");
    await printCandidates(runtime, program, shell, words);
  });
}

const programExamples = (t: T): [line: string, what: string][] => [
  ["bpos demo", t("a guided tour, without setup")],
  ["bpos --mock orders list", t("rehearse a command against the embedded mock")],
  ["bpos orders watch -o ndjson", t("deliver each new order to your program")],
  ["bpos catalog push prices.csv", t("push a price list, with a report of rejected rows")],
  ["bpos campaign send customers.csv --template pedido_listo", t("message customers")],
];

/** The help of each group: groups have no file. */
const groupWords = (t: T) => ({
  orders: {
    description: t("List, show and watch orders"),
    examples: { "bpos orders list": t("orders in state pendiente") },
  },
  catalog: {
    description: t("Check and push products"),
    examples: { "bpos catalog check prices.csv": t("see what would be sent and what is wrong") },
  },
  campaign: {
    description: t("Send campaigns and track them"),
    examples: { "bpos campaign send customers.csv --template pedido_listo": t("asks before sending") },
  },
  profile: {
    description: t("Manage profiles: the key and addresses of each branch"),
    examples: { "bpos profile list": t("all profiles, and which one is the default") },
  },
  printer: {
    description: t("Test receipt printers and preview receipts"),
    examples: {
      "bpos printer test tcp://192.168.1.50": t("a test receipt"),
      "bpos printer preview": t("a receipt on the screen"),
    },
  },
  journal: {
    description: t("Manage the journal: show its contents, move it to PostgreSQL, remove personal data"),
    examples: { "bpos journal status": t("engine, size, contents and locks") },
  },
});

/** All commands. Of a line that begins with the name of a group, `first`, that group alone: to declare all takes as long as a small answer. */
export function createProgram(runtime: Runtime, version: string, first = "") {
  const { t } = runtime.texts;
  const program = newProgram(t)
    .description(t("Orders, catalogs and campaigns of a point of sale, from the command line."))
    .version(version, "-V, --version", t("print the version"))
    .helpOption("-h, --help", t("show all help; -h shows a short form"));
  const exits = Object.keys(exitCodes) as ExitName[];
  const common = [
    ...["orders", "catalog", "campaign", "status", "init", "profile", "printer"],
    ...["doctor", "journal", "demo", "mock"],
  ];
  setFacts(program, { examples: programExamples(t), exits, variables: [], common });

  const words = groupWords(t);
  const declareGroups = (...names: (keyof typeof groups)[]): void => {
    for (const name of names) {
      const group = verb(program, name, words[name]);
      for (const declare of groups[name]) declare(group, runtime);
    }
  };
  if (isGroup(first)) declareGroups(first);
  if (first === "mock") declareMocks(program, runtime, pageTools);
  if (program.commands.length > 0) return program;

  program.commandsGroup(t("Work:"));
  declareGroups("orders", "catalog", "campaign");
  operations(program, runtime);

  program.commandsGroup(t("Setup:"));
  init(program, runtime);
  declareGroups("profile", "printer");
  doctor(program, runtime);
  declareGroups("journal");

  program.commandsGroup(t("Rehearsal:"));
  declareTour(program, runtime);
  declareMocks(program, runtime, pageTools);

  program.commandsGroup(t("More: // commands"));
  declareGuides(program, runtime);
  openapi(program, runtime);
  return program;
}
