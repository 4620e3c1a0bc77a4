import { constants, readFileSync } from "node:fs";
import { access, mkdir, open, realpath, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { parse, stringify } from "lossless-json";
import * as z from "zod";
import { looksLikeKey, maskedKey } from "../errors/mask-key.ts";
import { similarTo } from "../errors/problems.ts";
import { BposError, isReason } from "../errors.ts";
import { rename } from "../rename.ts";
import { configFile, type Machine } from "./folders.ts";
import { followLinks, refuseOpen } from "./rights.ts";

const profileSchema = z.looseObject({
  api_key: z.string().optional(),
  /** A shell line whose standard output is the key. */
  key_command: z.string().optional(),
  base_url: z.string().optional(),
  campaigns_base_url: z.string().optional(),
  /** Files in PEM form with which this side shows who it is. */
  client_cert: z.string().optional(),
  client_key: z.string().optional(),
  store_id: z.union([z.string(), z.number()]).optional(),
  country: z.string().optional(),
  area_code: z.union([z.string(), z.number()]).optional(),
  currency: z.string().optional(),
  locale: z.string().optional(),
  header_field: z.string().optional(),
  sandbox: z.boolean().optional(),
  /** The receipt printer of this branch; what its values may be is said where it is used. */
  printer: z.string().optional(),
  paper: z.number().optional(),
  printer_language: z.string().optional(),
  drawer: z.union([z.boolean(), z.string()]).optional(),
  beep: z.boolean().optional(),
  /** A file that says what a receipt looks like. */
  layout: z.string().optional(),
  /** Printers by the categories that they print; what its values may be is said where it is used. */
  stations: z.unknown().optional(),
  /** When people may be messaged, in the words of the flags of `campaign send`; time zones with commas. */
  between: z.string().optional(),
  days: z.string().optional(),
  time_zone: z.string().optional(),
  /** The headers of this branch's catalog files, by field. */
  map: z.record(z.string(), z.string()).optional(),
});

const fileSchema = z.looseObject({
  default: z.string().optional(),
  /** The address of a PostgreSQL database, for all profiles. */
  journal: z.string().optional(),
  /** Once a day a line about a newer version, on a terminal. */
  profiles: z.record(z.string(), profileSchema).default({}),
});

export type Profile = z.infer<typeof profileSchema>;
export type ProfileFile = z.infer<typeof fileSchema>;

function profileText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new BposError("config_unreadable", { file, detail: message }, { cause: error });
  }
}

function parseProfiles(file: string, text: string): ProfileFile {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the text, and the text holds keys.
    const cause = (error as Error).name;
    throw new BposError("config_unreadable", { file, detail: { kind: "not_json" } }, { cause });
  }
  const parsed = fileSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const type = issue?.code === "invalid_type" ? issue.expected.replace("record", "object") : "text";
  const detail = { kind: "wrong_type" as const, path: issue?.path.join(".") ?? "", type };
  throw new BposError("config_unreadable", { file, detail });
}

export type InspectedProfiles = ReturnType<typeof inspectProfiles>;

/** Reads the profiles. A problem is returned, not thrown, and a file that others can access is read anyway. */
export function inspectProfiles(machine: Machine) {
  const file = configFile(machine);
  let content: ProfileFile | undefined;
  try {
    const text = profileText(file);
    if (text === undefined)
      return { file, exists: false, content: { profiles: {} } as ProfileFile, error: undefined };
    content = parseProfiles(file, text);
    refuseOpen(file, machine);
    return { file, exists: true, content, error: undefined };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    const known = isReason(error, "config_open") ? content : undefined;
    return { file, exists: true, content: known, error: error };
  }
}

export function readProfiles(machine: Machine): ProfileFile {
  const { content = { profiles: {} }, error } = inspectProfiles(machine);
  if (error !== undefined) throw error;
  return content;
}

export function unknownKeys(profile: Profile): { key: string; similar: string | null }[] {
  // One that is here by mistake is refused where the journal is looked for.
  const known = [...Object.keys(profileSchema.shape), "journal"];
  return Object.keys(profile)
    .filter((key) => !known.includes(key))
    .map((key) => ({ key, similar: similarTo(key, known) }));
}

/** A mistake that would give this machine a separate journal. */
export function misplacedJournal(content: ProfileFile) {
  const [profile] = Object.entries(content.profiles).find(([, each]) => Object.hasOwn(each, "journal")) ?? [];
  if (profile !== undefined) return { kind: "in_profile", profile } as const;
  const known = Object.keys(fileSchema.shape);
  const key = Object.keys(content).find((each) => !known.includes(each) && similarTo(each, ["journal"]));
  return key === undefined ? undefined : ({ kind: "key_misspelt", key } as const);
}

export function missingProfile(machine: Machine, name: string, profiles: object) {
  const known = Object.keys(profiles);
  const shown = looksLikeKey(name) ? maskedKey(name) : name;
  return { name: shown, similar: similarTo(name, known), known, file: configFile(machine) };
}

/** A profile by its name, even if it is the name of an inherited property. */
export const findProfile = <T>(profiles: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

/** The file as stored, including settings unknown to bpos and numbers as written. */
export type StoredFile = { default?: string; profiles: Record<string, Record<string, unknown>> };

function unwritable(file: string, error: unknown): BposError {
  const detail = (error as Error).message;
  return new BposError("output_unwritable", { file, detail, isOwn: true }, { cause: error });
}

export async function prepareFolder(machine: Machine): Promise<void> {
  const file = configFile(machine);
  const folder = dirname(file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
  refuseOpen(file, machine);
}

/** The file behind a link, which is written in its place; it need not be there. */
const findTarget = (file: string): Promise<string> =>
  realpath(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return followLinks(file).at(-1) ?? file;
  });

function readStored(target: string): StoredFile {
  const text = profileText(target) ?? "{}";
  parseProfiles(target, text);
  const stored = parse(text, undefined, {
    // When it is read, the last one wins. When it is written again, the other would be lost silently.
    onDuplicateKey: ({ key: listKey }) => {
      const detail = { kind: "json_list_twice", listKey } as const;
      throw new BposError("config_unreadable", { file: target, detail });
    },
  }) as Partial<StoredFile>;
  return Object.assign(stored, { profiles: stored.profiles ?? {} });
}

/** Replaces the file atomically under a lock: readers see the old file or the new one, and after a failure it is unchanged. */
export async function changeProfiles<T>(
  machine: Machine,
  change: (content: StoredFile) => T,
  { unique, hold }: { unique: string; hold: (file: string) => { release(): void } },
): Promise<T> {
  const file = configFile(machine);
  await prepareFolder(machine);
  let temporary: string | undefined;
  let lock: { release(): void } | undefined;
  try {
    const target = await findTarget(file);
    // Opened before the lock is: a folder that cannot be written is said in the words of the system.
    const handle = await open(`${target}.${unique}`, "wx", 0o600);
    temporary = `${target}.${unique}`;
    let result: T;
    try {
      lock = hold(`${target}.lock`);
      const content = readStored(target);
      result = change(content);
      await handle.writeFile(`${stringify(content, null, 2) ?? ""}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
    temporary = undefined;
    return result;
  } catch (error) {
    throw error instanceof BposError ? error : unwritable(file, error);
  } finally {
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined);
    lock?.release();
  }
}
