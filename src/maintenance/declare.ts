import type { Command } from "commander";
import { describe } from "../cli/help-text.ts";
import type { Runtime } from "../cli/runtime.ts";

/** Declares `bpos doctor`. */
export function declareDoctor(program: Command, runtime: Runtime): void {
  describe(program.command("doctor"), runtime.texts.help.doctor, {
    exits: ["ok", "usage", "denied", "unavailable", "config", "interrupted"],
    variables: [
      "BPOS_API_KEY",
      "BPOS_BASE_URL",
      "BPOS_CAMPAIGNS_URL",
      "BPOS_PROFILE",
      "BPOS_MOCK",
      "BPOS_HOME",
    ],
  }).action(async (_options, command: Command) => {
    const { doctor } = await import("./doctor/command.ts");
    await doctor(runtime, command.optsWithGlobals());
  });
}
