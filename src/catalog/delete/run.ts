import { checkOutputFile, checkStandardInput } from "../../cli/files.ts";
import { rejectedSheet, sheetOf } from "../../cli/rejected-file.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { readGivenCatalog, sayNotices } from "../catalog-file.ts";
import { itemList, sendForm } from "../push/plan.ts";
import { type PushWork, sendPush, showPush } from "../push/send.ts";
import type { DeleteFlags } from "./command.ts";

function checkNamed(codes: readonly string[], file: string | undefined): void {
  if (codes.length > 0 && file !== undefined) {
    throw new BposError("usage_flag", { problem: { kind: "exclusive", flags: ["<codes>", "--file"] } });
  }
  if (codes.length === 0 && file === undefined) {
    throw new BposError("usage_flag", { problem: { kind: "codes_missing" } });
  }
  if (codes.some((code) => code.trim() === "")) {
    const given = { argument: "codes", command: "bpos catalog delete", text: "" };
    throw new BposError("usage_flag", {
      problem: { kind: "argument_value", ...given, problem: { kind: "empty" } },
    });
  }
}

/** Runs `bpos catalog delete`. */
export async function remove(runtime: Runtime, named: readonly string[], flags: DeleteFlags): Promise<void> {
  // A lone - is standard input, as for a push.
  const isInput = named.length === 1 && named[0] === "-" && flags.file === undefined;
  const codes = isInput ? [] : named;
  const path = isInput ? "-" : flags.file;
  checkNamed(codes, path);
  if (path !== undefined) checkStandardInput(runtime, path);
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { output, settings } = session;
    if (flags.rejected !== undefined) {
      const wanted = { flag: "--rejected", file: flags.rejected, input: path, isRejected: true } as const;
      await checkOutputFile(runtime.system, wanted);
    }
    const reading =
      path === undefined
        ? undefined
        : await readGivenCatalog(runtime, path, flags, { output, settings, action: "delete" });
    if (reading !== undefined) await sayNotices(output, reading);
    const request = {
      items: reading?.items ?? itemList([...new Set(codes)].map((codigo) => ({ codigo }))),
      file: path ?? null,
      rejected: reading?.rejected ?? [],
      read: reading?.read ?? codes.length,
      unchanged: 0,
      action: "delete",
      inFlight: 1,
      ...sendForm(flags, settings),
    } as const;
    const sheet = reading === undefined ? sheetOf(["codigo"]) : rejectedSheet(reading);
    const work: PushWork = { request, sheet };
    if (!request.dryRun) return sendPush(runtime, session, work, flags);
    if (request.rejected.length > 0) runtime.exitCode = exitCodes.partial;
    await showPush(runtime, session, work, flags);
  });
}
