import { visible } from "../cli/display/format.ts";
import { mayAsk, type Output } from "../cli/display/output.ts";
import { startProgress } from "../cli/display/progress.ts";
import { readGivenRows, wholeListMs } from "../cli/files/given-rows.ts";
import { noticeWords } from "../cli/files/notices.ts";
import { needsFlag, onlyGiven } from "../cli/line/flags.ts";
import { questionWords } from "../cli/line/questions.ts";
import type { Runtime } from "../cli/runtime.ts";
import { editKnown } from "../cli/session/profiles.ts";
import type { Session } from "../cli/session/session.ts";
import type { CatalogAction } from "../contract/catalog.ts";
import { isReason } from "../errors.ts";
import { type CatalogReading, readCatalog } from "../input/catalog.ts";
import { mergedMap } from "../input/columns/catalog-columns.ts";
import type { InputFile } from "../input/files/file.ts";
import { fileName } from "../texts/phrases.ts";
import type { T } from "../texts/texts.ts";
import type { ReadingFlags } from "./flags.ts";

async function askForCodes({ system, signal, texts }: Runtime, error: unknown): Promise<string | undefined> {
  if (!isReason(error, "input_unusable") || error.facts.problem.kind !== "column_missing") return undefined;
  const headers = error.facts.problem.headers.filter((header) => header !== "");
  if (headers.length === 0) return undefined;
  const how = { signal, words: questionWords(texts.t) };
  const question = texts.t("Which column contains the product code (codigo)?");
  return headers[await system.prompts.choose(question, headers.map(visible), how)];
}

interface GivenFile {
  path: string;
  file: InputFile;
  flags: ReadingFlags;
  around: Around;
}

type Around = Pick<Session, "output" | "settings"> & { action?: CatalogAction };
type FieldMap = NonNullable<ReadingFlags["map"]>;

function readWith(
  { system, signal, texts }: Runtime,
  { file, flags, around: { output, settings, action } }: GivenFile,
  map: FieldMap | undefined,
): Promise<CatalogReading> {
  const options = {
    format: flags.format,
    sheet: flags.sheet,
    headerRow: flags.headerRow,
    locale: settings.locale,
    delimiter: flags.delimiter,
    encoding: flags.encoding,
    decimal: flags.decimal,
    map,
    onDuplicate: flags.onDuplicate,
    keptMap: settings.map,
    action,
  };
  const reading = texts.t("Reading {file}", { file: fileName(file.name, texts.t) });
  const bar = startProgress(system, output, reading);
  const watch = { signal, onProgress: (rows: number) => bar.update(rows, undefined) };
  return readCatalog(file, onlyGiven(options), watch).finally(bar.clear);
}

/** Names the columns that the fields were taken from. */
function mapUsedText(fields: Readonly<Record<string, string | null>>, t: T): string {
  const columns = Object.entries(fields).flatMap(([field, header]) =>
    header === null ? [] : [t('{field} from "{header}"', { field, header })],
  );
  return t("Columns used: {columns}.", { columns: columns.join(", ") });
}

/** Says how to skip the question next time; `pairs` is the mapping, if a flag can carry it. */
function nextTimeText(pairs: string | undefined, profile: string | undefined, t: T): string {
  if (pairs === undefined)
    return profile === undefined
      ? t("To skip this question next time, choose a profile with -p and add --save-map.")
      : t('To skip this question next time, add --save-map to save the mapping in the profile "{profile}".', {
          profile,
        });
  return profile === undefined
    ? t(
        'To skip this question next time, pass --map "{pairs}", or choose a profile with -p and add --save-map.',
        {
          pairs,
        },
      )
    : t(
        'To skip this question next time, pass --map "{pairs}", or add --save-map to save the mapping in the profile "{profile}".',
        { pairs, profile },
      );
}

/** Reads a file after asking which column contains the codes, and says how to skip the question next time. */
async function readByAsking(
  runtime: Runtime,
  given: GivenFile,
  error: unknown,
): Promise<{ reading: CatalogReading; map: FieldMap }> {
  // If standard input is the file, nobody can answer questions on it.
  const codigo = given.path !== "-" && mayAsk(runtime) ? await askForCodes(runtime, error) : undefined;
  if (codigo === undefined) throw error;
  const { flags, around } = given;
  const { t } = runtime.texts;
  const map = { ...flags.map, codigo };
  const reading = await readWith(runtime, given, map);
  await around.output.notice(mapUsedText(reading.mapping.fields, t));
  if (flags.saveMap === true) return { reading, map };

  // --map cannot carry every header.
  const isSayable = Object.values(map).every((header) => !/[,="'`$\\!]/.test(header));
  const pairs = Object.entries(map).map((pair) => pair.join("="));
  const text = isSayable ? pairs.join(",") : undefined;
  await around.output.notice(nextTimeText(text, around.settings.profile, t));
  return { reading, map };
}

/** Saves the mapping of columns in the profile, for the next file. */
async function saveMap(
  { system, texts }: Runtime,
  { output, settings }: Around,
  profile: string,
  map: FieldMap | undefined,
): Promise<void> {
  if (map === undefined) throw needsFlag("--save-map", "--map");
  const merged = mergedMap(settings.map ?? {}, map);
  await editKnown(system, profile, ({ profiles }) => {
    profiles[profile] = { ...profiles[profile], map: merged };
  });
  await output.notice(texts.t('The column mapping was saved in the profile "{profile}".', { profile }));
}

/** In bytes. A smaller file would save little memory, and code loaded afterwards is compiled again. */
const bigFile = 4_000_000;

export async function readGivenCatalog(
  runtime: Runtime,
  path: string,
  flags: ReadingFlags,
  around: Around,
): Promise<CatalogReading & Pick<InputFile, "state">> {
  const { system } = runtime;
  const { profile } = around.settings;
  if (flags.saveMap === true && profile === undefined) throw needsFlag("--save-map", "-p");

  // A list that was cut between two lines would deactivate the rest.
  const settledMs = flags.deactivateMissing === true ? wholeListMs : undefined;
  const rows = { path, encoding: flags.encoding, settledMs };
  const { reading, map, state } = await readGivenRows(runtime, rows, around.output, async (file) => {
    if (file.bytes.length > bigFile) system.preferLittleMemory("reading");
    const given = { path, file, flags, around };
    const found = await readWith(runtime, given, flags.map).then(
      (read) => ({ reading: read, map: flags.map }),
      (error: unknown) => readByAsking(runtime, given, error),
    );
    return { ...found, state: file.state };
  });
  if (flags.saveMap === true && profile !== undefined) await saveMap(runtime, around, profile, map);
  return Object.assign(reading, state && { state });
}

export async function sayNotices(output: Output, { collapsed, notices }: CatalogReading): Promise<void> {
  const resolved = notices.find((notice) => notice.kind === "duplicates_resolved");
  const exact = collapsed - (resolved?.dropped ?? 0);
  const repeated = output.texts.t(
    "Note: {count, plural, one {# row is an exact copy of an earlier one and is sent once.} other {# rows are exact copies of earlier ones and are sent once.}}",
    { count: exact },
  );
  if (exact > 0) await output.notice(repeated);
  for (const notice of notices) await output.notice(noticeWords(notice, output.texts.t));
}
