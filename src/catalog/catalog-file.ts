import { visible } from "../cli/display/format.ts";
import { mayAsk, type Output } from "../cli/display/output.ts";
import { startProgress } from "../cli/display/progress.ts";
import { openGiven } from "../cli/files/named-files.ts";
import { needsFlag, onlyGiven } from "../cli/line/flags.ts";
import type { Runtime } from "../cli/runtime.ts";
import { editKnown } from "../cli/session/profiles.ts";
import type { Session } from "../cli/session/session.ts";
import type { CatalogAction } from "../contract/catalog.ts";
import { isReason } from "../errors.ts";
import { type CatalogReading, readCatalog } from "../input/catalog.ts";
import { mergedMap } from "../input/columns.ts";
import type { PushFlags } from "./push/command.ts";

async function askForCodes({ system, signal, texts }: Runtime, error: unknown): Promise<string | undefined> {
  if (!isReason(error, "input_unusable") || error.facts.problem.kind !== "column_missing") return undefined;
  const headers = error.facts.problem.headers.filter((header) => header !== "");
  if (headers.length === 0) return undefined;
  const how = { signal, words: texts.questions };
  return headers[await system.prompts.choose(texts.notices.askCodes, headers.map(visible), how)];
}

export async function readGivenCatalog(
  runtime: Runtime,
  path: string,
  flags: PushFlags,
  { output, settings, action }: Pick<Session, "output" | "settings"> & { action?: CatalogAction },
): Promise<CatalogReading> {
  const { system, signal, texts } = runtime;
  const { format, sheet, headerRow, delimiter, encoding, decimal, map: mapFlag, onDuplicate } = flags;
  const { profile, map: keptMap, locale } = settings;
  if (flags.saveMap === true && profile === undefined) throw needsFlag("--save-map", "-p");
  const file = await openGiven(system, path, output, flags);
  system.preferLittleMemory("reading");
  let map = mapFlag;
  const read = (): Promise<CatalogReading> => {
    const options = {
      format,
      sheet,
      headerRow,
      locale,
      delimiter,
      encoding,
      decimal,
      map,
      onDuplicate,
      keptMap,
      action,
    };
    const bar = startProgress(system, output, texts.notices.reading(file.name));
    const watch = { signal, onProgress: (rows: number) => bar.update(rows, undefined) };
    return readCatalog(file, onlyGiven(options), watch).finally(bar.clear);
  };
  const reading = await read().catch(async (error: unknown) => {
    // Once standard input was the file, nobody can answer on it.
    const codigo = path !== "-" && mayAsk(runtime) ? await askForCodes(runtime, error) : undefined;
    if (codigo === undefined) throw error;
    map = { ...mapFlag, codigo };
    const found = await read();
    await output.notice(texts.notices.mapUsed(found.mapping.fields));
    if (flags.saveMap !== true) {
      // --map cannot carry every header.
      const isSayable = Object.values(map).every((header) => !/[,="'`$\\!]/.test(header));
      const pairs = Object.entries(map).map((pair) => pair.join("="));
      await output.notice(texts.notices.mapNextTime(isSayable ? pairs.join(",") : undefined, profile));
    }
    return found;
  });
  if (flags.saveMap === true && profile !== undefined) {
    if (map === undefined) throw needsFlag("--save-map", "--map");
    const merged = mergedMap(keptMap ?? {}, map);
    await editKnown(system, profile, ({ profiles }) => {
      profiles[profile] = { ...profiles[profile], map: merged };
    });
    await output.notice(texts.notices.mapKept(profile));
  }
  return reading;
}

export async function sayNotices(output: Output, { collapsed, notices }: CatalogReading): Promise<void> {
  const resolved = notices.find((notice) => notice.kind === "duplicates_resolved");
  const exact = collapsed - (resolved?.dropped ?? 0);
  if (exact > 0) await output.notice(output.texts.notices.collapsed(exact));
  for (const notice of notices) await output.notice(output.texts.rows.notice(notice));
}
