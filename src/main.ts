import { readFileSync } from "node:fs";
import { BposError, exitCodes, exitNameOf } from "./errors.ts";
import { ClosedPipeError, type System } from "./system.ts";

function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Whether errors go out as JSON: asked by flag or environment, even when the flags themselves are the error. */
function wantsJsonErrors(argv: readonly string[], env: System["env"]): boolean {
  const line = argv.join(" ");
  if (argv.includes("--json")) return true;
  const flag = /(?:^| )(?:-o ?|--output[ =])(\w+)/.exec(line)?.[1];
  return ["json", "ndjson"].includes(flag ?? env["BPOS_OUTPUT"] ?? "");
}

/** What an error of a library means to the command line; anything that is not known is a defect of ours. */
function toBposError(error: unknown): BposError {
  if (error instanceof BposError) return error as BposError;
  const { name, message } = error as Error;
  // The person pressed Ctrl-C at a question.
  if (name === "ExitPromptError") return new BposError("interrupted", {});
  return new BposError("bug", { detail: message }, { cause: error });
}

async function report(error: BposError, argv: readonly string[], system: System): Promise<number> {
  const { errorJson, errorText } = await import("./view/error.ts");
  const { toJson } = await import("./view/json.ts");
  const { uiFor } = await import("./commands/output.ts");
  const ui = uiFor(system.stderr, system, { color: !argv.includes("--no-color") });
  const stack = error.reason === "bug" && argv.some((word) => word === "--verbose" || word === "-v");
  const json = wantsJsonErrors(argv, system.env);
  await system.stderr.write(
    json ? `${toJson(errorJson(error))}\n` : errorText(stack ? error.cause : error, ui, { stack }),
  );
  return exitCodes[exitNameOf[error.reason]];
}

async function run(argv: readonly string[], system: System, signal: AbortSignal): Promise<number> {
  const { createProgram } = await import("./program.ts");
  const { CommanderError } = await import("commander");
  const text = { out: "", err: "" };
  const runtime = { system, signal, exitCode: exitCodes.ok as number, main };
  const program = createProgram(runtime, version(), text);
  try {
    await program.parseAsync(argv.length === 0 ? ["--help"] : [...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) {
      await system.stdout.write(text.out);
      return exitCodes.ok;
    }
    // A group without a subcommand (`bpos orders`) answers with its help; everything else is a wrong flag.
    if (error.code === "commander.help") {
      await system.stderr.write(text.err || text.out);
      return exitCodes.usage;
    }
    throw new BposError("usage_flag", { detail: text.err.trim().replace(/^error: /, "") || error.message });
  }
  return runtime.exitCode;
}

/**
 * Runs one command line in a System and returns its exit code; writes data to its standard output and everything
 * else to its standard error. The only place that catches every error.
 *
 * @example
 * process.exitCode = await main(["orders", "list", "--json"], realSystem());
 */
export async function main(argv: readonly string[], system: System): Promise<number> {
  const stop = new AbortController();
  const off = system.onSignal(() => stop.abort());
  try {
    if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
      await system.stdout.write(`${version()}\n`);
      return exitCodes.ok;
    }
    return await run(argv, system, stop.signal);
  } catch (error) {
    // `| head` has read enough: there is nobody to tell anything.
    if (error instanceof ClosedPipeError) return exitCodes.ok;
    try {
      return await report(toBposError(error), argv, system);
    } catch (unwritable) {
      if (unwritable instanceof ClosedPipeError) return exitCodes[exitNameOf[toBposError(error).reason]];
      throw unwritable;
    }
  } finally {
    off();
  }
}
