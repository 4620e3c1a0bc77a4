/** The languages that people are spoken to in. */
export const languages = ["en", "es"] as const;

/** A language of the catalogue of texts. */
export type Language = (typeof languages)[number];

const isLanguage = (name: string): name is Language => (languages as readonly string[]).includes(name);

/**
 * The language that a locale such as `es_AR.UTF-8` means; undefined for one that means none of ours.
 *
 * @example
 * languageOf("es_AR.UTF-8"); // "es"
 */
export function languageOf(locale: string): Language | undefined {
  const [name = ""] = locale.toLowerCase().split(/[_.@-]/, 1);
  return isLanguage(name) ? name : undefined;
}
