import { exclusive } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { BposError } from "../../errors.ts";
import { pushGiven } from "../push/prepare.ts";
import type { DeleteFlags } from "./command.ts";

function emptyCode(): BposError {
  const argument = { argument: "codes", command: "bpos catalog delete", text: "" };
  return new BposError("usage_flag", {
    problem: { kind: "argument_value", ...argument, problem: { kind: "empty" } },
  });
}

/** Deactivates products: those named, or those of a file. */
export async function remove(
  runtime: Runtime,
  named: readonly string[],
  { file, ...flags }: DeleteFlags,
): Promise<void> {
  // As for a push, a lone - is standard input.
  const isInput = named.length === 1 && named[0] === "-" && file === undefined;
  const codes = isInput ? [] : named;
  const path = isInput ? "-" : file;

  if (codes.length > 0 && path !== undefined) throw exclusive("<codes>", "--file");
  if (codes.length === 0 && path === undefined)
    throw new BposError("usage_flag", { problem: { kind: "codes_missing" } });
  if (codes.some((code) => code.trim() === "")) throw emptyCode();
  await pushGiven(runtime, { action: "delete", path, codes }, flags);
}
