import { argument, oneOf, shells } from "./flags.ts";
import { type AnyCommand, verb } from "./help-text.ts";
import type { Runtime } from "./runtime.ts";

/** Declares `bpos help`, `bpos completion` and what the completion scripts ask. */
export function declareHelp(program: AnyCommand, runtime: Runtime): void {
  const { help, completion } = runtime.texts.helpPage;
  verb(program, "help", help)
    .argument("[words...]", help.words)
    .action(async (words) => {
      const { showHelp } = await import("./help.ts");
      await showHelp(runtime, program, words);
    });
  verb(program, "completion", completion)
    .addArgument(argument("<shell>", completion.shell, oneOf(...shells), "bpos completion"))
    .action(async (shell) => {
      const { printCompletion } = await import("./completion.ts");
      await printCompletion(runtime, shell);
    });
  // Below it nothing is a flag, and nothing is wrong: whoever presses Tab wants no message.
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async ([shell = "", ...words]) => {
      const { printCandidates } = await import("./complete.ts");
      await printCandidates(runtime, program, shell, words);
    });
}
