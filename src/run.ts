import { CommanderError } from "commander";
import { askedFlags } from "./cli/declare-global.ts";
import { helpLook, showStart } from "./cli/help-look.ts";
import { chosenLanguage, loadTexts } from "./cli/language.ts";
import type { Runtime } from "./cli/runtime.ts";
import { forPeople, spokenTo } from "./cli/terminal.ts";
import { BposError, exitCodes } from "./errors.ts";
import { createProgram, type ProgramText } from "./program.ts";

/** Whether errors go out as JSON: asked by flag or environment, even when the flags themselves are the error. */
export function wantsJsonErrors({ asked, system }: Pick<Runtime, "asked" | "system">): boolean {
  return asked.json === true || ["json", "ndjson"].includes(asked.output ?? system.env["BPOS_OUTPUT"] ?? "");
}

/** What a command line runs in: the outside world as people are spoken to, in their language. */
export async function openRuntime(
  argv: readonly string[],
  { system, signal, main }: Pick<Runtime, "signal" | "main" | "system">,
): Promise<Runtime> {
  // Of a line that is completed, what stands in it.
  const asked = askedFlags(argv[0] === "__complete" ? argv.slice(argv.indexOf("--") + 1) : argv);
  const texts = await loadTexts(chosenLanguage(asked, system.env));
  return { system: spokenTo(system), texts, signal, asked, exitCode: exitCodes.ok, main };
}

/** Throws `usage_flag` for a zone in which no time has an ISO 8601 form: it would only be met in the middle of the work. */
function checkTimeZone({ env, clock }: Runtime["system"]): void {
  const minutes = Math.abs(new Date(clock.now()).getTimezoneOffset());
  if (minutes >= 24 * 60)
    throw new BposError("usage_flag", { problem: { kind: "time_zone", zone: env["TZ"] ?? "" } });
}

/** Runs one command line and returns its exit code. Throws what the command throws, and `usage_flag` for a wrong line. */
export async function run(argv: readonly string[], runtime: Runtime, version: string): Promise<number> {
  if (argv.length === 0) {
    await showStart(runtime);
    return exitCodes.ok;
  }
  const look = await helpLook(argv, runtime);
  const text: ProgramText = { out: "", err: "" };
  const program = createProgram(runtime, version, { text, look });
  program.hook("preAction", () => checkTimeZone(runtime.system));
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) {
      await forPeople(runtime.system.stdout, runtime.system).write(text.out);
      return exitCodes.ok;
    }
    // A group without a subcommand (`bpos orders`) answers with its help; everything else is a wrong flag.
    if (error.code === "commander.help" && !wantsJsonErrors(runtime)) {
      await runtime.system.stderr.write(text.err || text.out);
      return exitCodes.usage;
    }
    const { lineProblem } = await import("./cli/line-problem.ts");
    throw new BposError("usage_flag", { problem: lineProblem(error, text.failed ?? program) });
  }
  return runtime.exitCode;
}
