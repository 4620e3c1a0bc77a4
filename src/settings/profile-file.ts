import { readFileSync } from "node:fs";
import * as z from "zod";
import { similarTo } from "../errors/similar.ts";
import { BposError } from "../errors.ts";
import { refuseOpen } from "./access.ts";
import { configFile, type Machine } from "./folders.ts";

const profileSchema = z.looseObject({
  api_key: z.string().optional(),
  /** A shell line whose standard output is the key. */
  key_command: z.string().optional(),
  base_url: z.string().optional(),
  campaigns_base_url: z.string().optional(),
  store_id: z.union([z.string(), z.number()]).optional(),
  country: z.string().optional(),
  currency: z.string().optional(),
  locale: z.string().optional(),
  header_field: z.string().optional(),
  sandbox: z.boolean().optional(),
  /** How the columns of this branch's catalog files are called: field to header. */
  map: z.record(z.string(), z.string()).optional(),
});

const fileSchema = z.looseObject({
  default: z.string().optional(),
  profiles: z.record(z.string(), profileSchema).default({}),
});

/** One branch: its key, its two addresses and how its money and phones are written. */
export type Profile = z.infer<typeof profileSchema>;
/** A name in a profile that nothing reads. */
export interface UnknownKey {
  key: string;
  similar: string | null;
}

/** The file of profiles. */
export type ProfileFile = z.infer<typeof fileSchema>;

/** The text of a file of profiles, without a byte order mark; undefined where there is none. Throws `config_unreadable`. */
export function profileText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new BposError("config_unreadable", { file, detail: message }, { cause: error });
  }
}

/** What the text of a file of profiles says. Throws `config_unreadable`. */
export function parseProfiles(file: string, text: string): ProfileFile {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the text, and the text holds keys.
    const cause = (error as Error).name;
    throw new BposError("config_unreadable", { file, detail: { kind: "not_json" } }, { cause });
  }
  const parsed = fileSchema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const type = issue?.code === "invalid_type" ? issue.expected.replace("record", "object") : "text";
    const detail = { kind: "wrong_type" as const, path: issue?.path.join(".") ?? "", type };
    throw new BposError("config_unreadable", { file, detail });
  }
  return parsed.data;
}

/**
 * Reads the profile file of this machine; a missing one has no profiles. Throws `config_unreadable`, and `config_open`
 * where others may read it.
 *
 * @example
 * const { profiles } = readProfiles(system);
 */
export function readProfiles(machine: Machine): ProfileFile {
  const file = configFile(machine);
  const text = profileText(file);
  if (text === undefined) return { profiles: {} };
  refuseOpen(file, machine.platform);
  return parseProfiles(file, text);
}

/** What stands in a profile under names that nothing reads, each with the name that was probably meant. */
export function unknownKeys(profile: Profile): UnknownKey[] {
  const known = Object.keys(profileSchema.shape);
  return Object.keys(profile)
    .filter((key) => !known.includes(key))
    .map((key) => ({ key, similar: similarTo(key, known) }));
}

/** A profile by its name, whatever names objects know by themselves. */
export function profileOf<T>(profiles: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}
