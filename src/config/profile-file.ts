import { readFileSync } from "node:fs";
import { open, readFile, realpath, rename, rm } from "node:fs/promises";
import { parse, stringify } from "lossless-json";
import * as z from "zod";
import { BposError } from "../errors.ts";

const profileSchema = z.looseObject({
  api_key: z.string().optional(),
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
/** The file of profiles. */
export type ProfileFile = z.infer<typeof fileSchema>;

/**
 * Reads the profile file; a missing one has no profiles. Throws `config_unreadable`.
 *
 * @example
 * const { profiles } = readProfiles("/home/ana/.config/bpos/config.json");
 */
export function readProfiles(file: string): ProfileFile {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { profiles: {} };
    throw new BposError("config_unreadable", { file, detail: message }, { cause: error });
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the text, and the text holds keys.
    throw new BposError(
      "config_unreadable",
      { file, detail: "it is not JSON" },
      { cause: (error as Error).name },
    );
  }
  const parsed = fileSchema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const detail = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "unknown shape"}`;
    throw new BposError("config_unreadable", { file, detail });
  }
  return parsed.data;
}

/**
 * Keeps a mapping of columns in a profile; everything else in the file stays as it is. Whoever reads it meanwhile sees
 * the old file or the new one. Throws `output_unwritable`.
 *
 * @param unique names the temporary file beside it.
 */
export async function keepMap(
  file: string,
  { profile, map }: { profile: string; map: Readonly<Record<string, string>> },
  unique: string,
): Promise<void> {
  let temporary: string | undefined;
  try {
    // A link is followed, so that it is not replaced by a file.
    const target = await realpath(file);
    const content = parse(await readFile(target, "utf8")) as { profiles: Record<string, object> };
    content.profiles[profile] = { ...content.profiles[profile], map };
    temporary = `${target}.${unique}`;
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(`${stringify(content, null, 2) ?? ""}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined);
    // A parser's message would quote the text, and the text holds keys.
    const detail = error instanceof SyntaxError ? "it is not JSON" : (error as Error).message;
    throw new BposError("output_unwritable", { file, detail }, { cause: (error as Error).name });
  }
}
