import type { Command } from "commander";
import { describe } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";

/** Declares `bpos help`, `bpos completion` and what the completion scripts ask. */
export function declareHelp(program: Command, runtime: Runtime): void {
  const { help, completion } = runtime.texts.helpPage;
  describe(program.command("help"), help)
    .argument("[words...]", help.words)
    .action(async (words: string[], _options, command: Command) => {
      const { showHelp } = await import("./help.ts");
      await showHelp(runtime, program, words, command.optsWithGlobals());
    });
  describe(program.command("completion"), completion)
    .argument("<shell>", completion.shell)
    .action(async (shell: string) => {
      const { printCompletion } = await import("./completion.ts");
      await printCompletion(runtime, shell);
    });
  // Below it nothing is a flag, and nothing is wrong: whoever presses Tab wants no message.
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async ([shell = "", ...words]: string[]) => {
      const { printCandidates } = await import("./complete.ts");
      await printCandidates(runtime, program, shell, words);
    });
}
