import { checkOutputFile, checkStandardInput } from "../../cli/files.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import type { Settings } from "../../settings/settings.ts";
import { readGivenCatalog } from "../catalog-file.ts";
import { type PushWork, sayNotices, sendForm, sendPush, showPush } from "../push/send.ts";
import type { DeleteFlags } from "./command.ts";

async function readFile(
  runtime: Runtime,
  path: string,
  flags: DeleteFlags,
  { output, settings }: Session,
): Promise<CatalogReading> {
  const reading = await readGivenCatalog(runtime, path, flags, { output, settings, action: "delete" });
  await sayNotices(output, reading);
  return reading;
}

/** The codes of the command line as what is pushed, each once. */
async function workOf(
  codes: readonly string[],
  flags: DeleteFlags,
  source: { file: string | undefined; reading: CatalogReading | undefined; settings: Settings },
): Promise<PushWork> {
  const { file, reading, settings } = source;
  const { itemList } = await import("../push/push-plan.ts");
  const items = reading?.items ?? itemList([...new Set(codes)].map((codigo) => ({ codigo })));
  const request = {
    items,
    file: file ?? null,
    rejected: reading?.rejected ?? [],
    read: reading?.read ?? codes.length,
    unchanged: 0,
    action: "delete",
    inFlight: 1,
    ...sendForm(flags, settings),
  } as const;
  const { rejectedSheet, sheetOf } = await import("../../input/rejected-sheet.ts");
  const sheet = reading === undefined ? sheetOf(["codigo"]) : rejectedSheet(reading);
  return { request, sheet };
}

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
  const file = isInput ? "-" : flags.file;
  checkNamed(codes, file);
  if (file !== undefined) checkStandardInput(runtime, file);
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async (session) => {
    if (flags.rejected !== undefined)
      await checkOutputFile(runtime.system, {
        flag: "--rejected",
        file: flags.rejected,
        input: file,
        isRejected: true,
      });
    const reading = file === undefined ? undefined : await readFile(runtime, file, flags, session);
    const { settings } = session;
    const work = await workOf(codes, flags, { file, reading, settings });
    if (!work.request.dryRun) {
      await sendPush(runtime, session, work, flags);
      return;
    }
    if (work.request.rejected.length > 0) runtime.exitCode = exitCodes.partial;
    await showPush(runtime, session, work, flags);
  });
}
