import { checkStandardInput } from "../../cli/files/named-files.ts";
import { newSheet } from "../../cli/files/rejected-rows.ts";
import { exclusive } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import { toCodeItems } from "../item-list.ts";
import { dryRunExitCode } from "../sending/exit-code.ts";
import { checkRejectedFile, prepareFile, pushNeeds, requestOptions } from "../sending/prepare.ts";
import { previewPush } from "../sending/preview.ts";
import type { PreparedPush } from "../sending/request.ts";
import { sendPush } from "../sending/send-push.ts";
import type { DeleteFlags } from "./command.ts";

/** The products to deactivate: those named, or those of a file. */
type Chosen = { codes: readonly string[]; path?: undefined } | { codes?: undefined; path: string };

/** Deactivates products: reads which, then shows what would be sent (`--dry-run`), or sends it. */
export async function remove(runtime: Runtime, named: readonly string[], flags: DeleteFlags): Promise<void> {
  const chosen = choose(named, flags);
  if (chosen.path !== undefined) checkStandardInput(runtime, chosen.path);

  await withSession(runtime, pushNeeds, async (session) => {
    await checkRejectedFile(runtime, chosen.path, flags);
    const prepared = await prepare(runtime, session, chosen, flags);

    if (flags.dryRun === true) {
      runtime.exitCode = dryRunExitCode(prepared.request);
      return previewPush(runtime, session, prepared);
    }
    await sendPush(runtime, session, prepared);
  });
}

/** Throws `usage_flag` unless it is either codes or a file. */
function choose(named: readonly string[], { file }: DeleteFlags): Chosen {
  // As for a push, a lone - is standard input.
  const isInput = named.length === 1 && named[0] === "-" && file === undefined;
  const codes = isInput ? [] : named;
  const path = isInput ? "-" : file;

  if (codes.length > 0 && path !== undefined) throw exclusive("<codes>", "--file");
  if (codes.some((code) => code.trim() === "")) throw emptyCode();
  if (path !== undefined) return { path };
  if (codes.length === 0) throw new BposError("usage_flag", { problem: { kind: "codes_missing" } });
  return { codes };
}

function emptyCode(): BposError {
  const argument = { argument: "codes", command: "bpos catalog delete", text: "" };
  return new BposError("usage_flag", {
    problem: { kind: "argument_value", ...argument, problem: { kind: "empty" } },
  });
}

async function prepare(
  runtime: Runtime,
  session: Session,
  chosen: Chosen,
  { file: _, ...flags }: DeleteFlags,
): Promise<PreparedPush> {
  const { codes, path } = chosen;
  if (path !== undefined) {
    const prepareAgain = (): Promise<PreparedPush> => prepare(runtime, session, chosen, flags);
    return prepareFile(runtime, session, { action: "delete", path, flags, needsPrices: false, prepareAgain });
  }
  const request = {
    ...requestOptions(flags, session.settings),
    action: "delete" as const,
    file: null,
    items: toCodeItems([...new Set(codes)]),
    rejected: [],
    read: codes.length,
  };
  return { request, flags, sheet: newSheet(["codigo"], "codigo"), plan: undefined, source: undefined };
}
