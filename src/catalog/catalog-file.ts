import { openGiven } from "../cli/files.ts";
import { given, needsFlag } from "../cli/flags.ts";
import { visible } from "../cli/format.ts";
import { mayAsk, type Output } from "../cli/output.ts";
import { startProgress } from "../cli/progress.ts";
import type { Runtime } from "../cli/runtime.ts";
import type { CatalogAction } from "../contract/catalog.ts";
import { BposError, isReason } from "../errors.ts";
import type { CatalogOptions, CatalogReading } from "../input/catalog.ts";
import type { InputFile } from "../input/file.ts";
import type { Settings } from "../settings/settings.ts";
import type { CheckFlags } from "./check/command.ts";

/** The flags that say how a catalog file is read. */
type ReadingFlags = Pick<CheckFlags, "format" | "delimiter" | "encoding"> &
  Partial<Pick<CheckFlags, "decimal" | "map" | "onDuplicate" | "saveMap">>;

/** Where a file is read for: what is said on the way, and the profile that keeps a mapping. */
interface ReadingContext {
  output: Output;
  settings: Pick<Settings, "profile" | "map">;
  action?: CatalogAction;
}

type FieldMap = Readonly<Record<string, string>>;

/** Asks which column holds the codes; undefined where that is not what is missing. */
async function askForCodes(runtime: Runtime, error: unknown): Promise<string | undefined> {
  if (!isReason(error, "input_unusable")) return undefined;
  const { problem } = error.facts;
  if (problem.kind !== "column_missing") return undefined;
  const headers = problem.headers.filter((header) => header !== "");
  if (headers.length === 0) return undefined;
  const { system, signal, texts } = runtime;
  const how = { signal, words: texts.questions };
  return headers[await system.prompts.choose(texts.notices.askCodes, headers.map(visible), how)];
}

/** Reads with what is known of the columns, and on a terminal asks for the codes where they are not found. */
async function readAsking(
  runtime: Runtime,
  file: InputFile,
  { options, mayBeAsked, output }: { options: CatalogOptions; mayBeAsked: boolean; output: Output },
): Promise<{ reading: CatalogReading; map: FieldMap | undefined; wasAsked: boolean }> {
  const { readCatalog } = await import("../input/catalog.ts");
  const read = (how: CatalogOptions): Promise<CatalogReading> => {
    const bar = startProgress(runtime.system, output, runtime.texts.notices.reading(file.name));
    const watch = { signal: runtime.signal, onProgress: (rows: number) => bar.update(rows, undefined) };
    return readCatalog(file, how, watch).finally(bar.clear);
  };
  try {
    return { reading: await read(options), map: options.map, wasAsked: false };
  } catch (error) {
    const codigo = mayBeAsked ? await askForCodes(runtime, error) : undefined;
    if (codigo === undefined) throw error;
    const map = { ...options.map, codigo };
    return { reading: await read({ ...options, map }), map, wasAsked: true };
  }
}

/** How the mapping that was asked for is said next time; --map cannot carry every header. */
function howToKeep({ texts }: Runtime, map: FieldMap, profile: string | undefined): string {
  const isSayable = Object.values(map).every((header) => !/[,="'`$\\!]/.test(header));
  const pairs = Object.entries(map).map((pair) => pair.join("="));
  return texts.notices.mapNextTime(isSayable ? pairs.join(",") : undefined, profile);
}

function profileForMap({ profile }: ReadingContext["settings"]): string {
  if (profile !== undefined) return profile;
  throw new BposError("usage_flag", { problem: { kind: "needs_flag", flag: "--save-map", other: "-p" } });
}

/**
 * Reads the catalog file that a command was given, by its flags and the mapping that the profile keeps; with
 * `--save-map` the profile keeps the one of this file. Throws `input_unreadable`, `input_unusable`, `usage_flag` and
 * `output_unwritable`.
 */
export async function readGivenCatalog(
  runtime: Runtime,
  path: string,
  flags: ReadingFlags,
  { output, settings, action }: ReadingContext,
): Promise<CatalogReading> {
  const { system } = runtime;
  const keepIn = flags.saveMap === true ? profileForMap(settings) : undefined;
  const { format, delimiter, encoding, decimal, map: mapFlag, onDuplicate } = flags;
  const asGiven = {
    format,
    delimiter,
    encoding,
    decimal,
    map: mapFlag,
    onDuplicate,
    keptMap: settings.map,
    action,
  };
  const file = await openGiven(system, path, output, flags);
  system.preferLittleMemory("reading");
  // Once standard input was the file, nobody can answer on it.
  const mayBeAsked = path !== "-" && mayAsk(runtime);
  const { reading, map, wasAsked } = await readAsking(runtime, file, {
    options: given(asGiven),
    mayBeAsked,
    output,
  });
  if (wasAsked) await output.notice(runtime.texts.notices.mapUsed(reading.mapping.fields));
  if (keepIn === undefined) {
    if (wasAsked && map !== undefined) await output.notice(howToKeep(runtime, map, settings.profile));
    return reading;
  }
  if (map === undefined) throw needsFlag("--save-map", "--map");
  const { mergedMap } = await import("../input/columns.ts");
  const merged = mergedMap(settings.map ?? {}, map);
  const { editKnown } = await import("../cli/profiles.ts");
  await editKnown(system, keepIn, ({ profiles }) => {
    profiles[keepIn] = { ...profiles[keepIn], map: merged };
  });
  await output.notice(runtime.texts.notices.mapKept(keepIn));
  return reading;
}
