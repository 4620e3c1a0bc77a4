import { type AnyCommand, exits, verb } from "../../cli/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** Declares `bpos init`. */
export function declareInit(program: AnyCommand, runtime: Runtime): void {
  const facts = { exits: exits.file, variables: ["BPOS_HOME"] };
  verb(program, "init", runtime.texts.help.init, facts).action(async () => {
    const { init } = await import("./run.ts");
    await init(runtime);
  });
}
