import { type AnyCommand, runs } from "../cli/line/help.ts";
import type { EmbeddedMock, Runtime } from "../cli/runtime.ts";
import {
  declareAdvance,
  declareClock,
  declareDemo,
  declareExport,
  declareFault,
  declareImport,
  declareLog,
  declareMock,
  declareOrder,
  declareReply,
  declareReset,
  declareSetState,
  declareTemplates,
  declareWebhook,
} from "./command/command.ts";
import type { PageTools } from "./core/shop/orders.ts";

// The mock's only entrance for the rest of bpos. It declares commands; everything else is loaded on use.

const talk = (): Promise<typeof import("./command/control-commands.ts")> =>
  import("./command/control-commands.ts");
const world = (): Promise<typeof import("./command/world-commands.ts")> =>
  import("./command/world-commands.ts");

/** Every verb of `bpos mock`: what declares it, and the function that runs it. */
const verbs = [
  runs(declareOrder, async () => (await talk()).order),
  runs(declareReply, async () => (await talk()).reply),
  runs(declareAdvance, async () => (await talk()).advance),
  runs(declareFault, async () => (await talk()).fault),
  runs(declareReset, async () => (await talk()).reset),
  runs(declareLog, async () => (await import("./command/requests.ts")).log),
  runs(declareSetState, async () => (await world()).setState),
  runs(declareTemplates, async () => (await world()).templates),
  runs(declareClock, async () => (await world()).clock),
  runs(declareWebhook, async () => (await world()).webhook),
  runs(declareExport, async () => (await world()).exportWorld),
  runs(declareImport, async () => (await world()).importWorld),
];

/** Declares `bpos mock` and its verbs. `tools` are what its page has from outside the mock. */
export function declareMocks(program: AnyCommand, runtime: Runtime, tools: PageTools): void {
  const declare = runs(declareMock, async () => {
    const { run } = await import("./command/run.ts");
    return (runtime, flags) => run(runtime, flags, tools);
  });
  const mock = declare(program, runtime);
  for (const declareVerb of verbs) declareVerb(mock, runtime);
}

/** Declares `bpos demo`. */
export const declareTour = runs(declareDemo, async () => (await import("./command/demo.ts")).demo);

/** Starts a mock inside this process. Rejects as `startMock` of the package `bpos/mock` does. */
export async function startMock(options: Parameters<Runtime["startMock"]>[0]): Promise<EmbeddedMock> {
  const mock = await import("./index.ts");
  return mock.startMock(options);
}

/** Returns the JSON forms of `bpos mock` and of its verbs, by command. */
export const loadForms = async () => (await import("./command/schema.ts")).forms;
