import { readFileSync } from "node:fs";
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
