import { errorJson, errorText } from "./cli/display/error-text.ts";
import { toJson } from "./cli/display/json.ts";
import { uiFor } from "./cli/display/ui.ts";
import { type GuardedSystem, guardSystem, type Runtime } from "./cli/runtime.ts";
import type { Detail } from "./errors/problems.ts";
import { BposError, type ErrorFacts, exitCodes, exitNames, isMemoryShort } from "./errors.ts";
import { openRuntime, run, wantsJsonErrors } from "./run-line.ts";
import { ClosedPipeError, realSystem, type System } from "./system.ts";
import type { T } from "./texts/texts.ts";
import { version } from "./version.ts";

/** The properties that an error of Node, or of the journal, may have. */
type Thrown = NodeJS.ErrnoException & { detail?: Detail; facts?: ErrorFacts["lock_lost"] };

function toBposError(error: unknown): BposError {
  if (error instanceof BposError) return error;
  const { name, message, syscall, detail = message, facts } = error as Thrown;
  if (syscall === "write")
    return new BposError("output_unwritable", { file: "standard output", detail: message });
  if (name === "ExitPromptError" || name === "AbortPromptError")
    return new BposError("interrupted", { during: "question" });
  if (facts !== undefined) return new BposError("lock_lost", facts, { cause: error });
  if (name === "JournalError" || name === "SqliteError")
    return new BposError("journal_unreadable", { file: "of this branch", detail });
  if (isMemoryShort(error)) return new BposError("memory_short", { detail: message }, { cause: error });
  return new BposError("bug", { detail: message }, { cause: error });
}

async function report(error: BposError, runtime: Runtime): Promise<void> {
  const { system, plain, flags, sends = false } = runtime;
  const { stderr, log } = system;
  if (log !== undefined) {
    const { message, ...facts } = errorJson(error, runtime).error;
    await log("error", String(message), { ...facts, event: "error" });
  } else if (wantsJsonErrors(runtime)) await plain.stderr.write(`${toJson(errorJson(error, runtime))}\n`);
  else {
    const stack = error.reason === "bug" && flags.verbose !== undefined;
    const text = errorText(stack ? error.cause : error, uiFor(stderr, runtime), { stack, sends });
    await stderr.write(text);
  }
}

/** Says that the files of bpos are gone; `said` is in English, null after a stop. */
const goneText = (said: string | null, t: T): string =>
  said === null
    ? t(
        "bpos: Stopped. Its program files are gone, probably replaced by an update, so it cannot show details. Start it again.",
      )
    : t(
        "bpos: {said} Its program files are gone, probably replaced by an update, so it cannot show details. Start it again.",
        { said },
      );

/** An update of bpos may have removed the texts of errors. */
function reportGone({ system: { log, stderr }, texts }: Runtime, message: string | null): Promise<void> {
  const text = goneText(message, texts.t);
  return log === undefined ? stderr.write(`${text}\n`) : log("error", text);
}

/** Runs one command line and returns its exit code; the only place that catches every error. */
export async function main(argv: readonly string[], outside: System): Promise<number> {
  const system = guardSystem(outside);
  const stop = new AbortController();
  const off = system.onSignal(() => stop.abort());
  const opened: { runtime?: Runtime } = {};
  try {
    const exitCode = await runLine(argv, system, stop.signal, opened);
    await opened.runtime?.onFailure?.(exitCode);
    return exitCode;
  } finally {
    off();
  }
}

async function runLine(
  argv: readonly string[],
  system: GuardedSystem,
  signal: AbortSignal,
  opened: { runtime?: Runtime },
): Promise<number> {
  try {
    if (argv.length === 1 && ["--version", "-V", "-v"].includes(argv[0] ?? "")) {
      await system.stdout.write(`${version}\n`);
      return exitCodes.ok;
    }
    opened.runtime = openRuntime(argv, { system, signal, main });
    return await run(argv, opened.runtime);
  } catch (error) {
    // `| head` has read enough: there is nobody to tell anything. What the command came to still counts.
    if (error instanceof ClosedPipeError)
      return signal.aborted ? exitCodes.interrupted : (opened.runtime?.exitCode ?? exitCodes.ok);
    const said = toBposError(error);
    // After Ctrl-C, input that ends in the middle counts as interrupted.
    const isStop = signal.aborted && said.reason === "input_unreadable";
    const known = isStop ? new BposError("interrupted", { during: "question" }) : said;
    // A wrong line can contain a key meant for another command.
    system.hide(system.env["BPOS_API_KEY"]?.trim() ?? "");
    const { runtime } = opened;
    const isStopped = known.reason === "interrupted";
    if (runtime !== undefined)
      await report(known, runtime)
        .catch(() => reportGone(runtime, isStopped ? null : known.message))
        .catch(() => undefined);
    return exitCodes[exitNames[known.reason]];
  }
}

/** The same with the real system. */
export const runMain = (argv: readonly string[]): Promise<number> => main(argv, realSystem());
