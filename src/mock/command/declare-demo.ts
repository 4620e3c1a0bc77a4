import type { Command } from "commander";
import { describe } from "../../cli/help-text.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** Declares `bpos demo`. */
export function declareDemo(program: Command, runtime: Runtime): void {
  describe(program.command("demo"), runtime.texts.help.demo).action(async (_options, command: Command) => {
    const { demo } = await import("./demo.ts");
    await demo(runtime, command.optsWithGlobals());
  });
}
