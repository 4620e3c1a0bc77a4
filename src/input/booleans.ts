const yes = new Set(["verdadero", "verdadeiro", "true", "si", "sí", "sim", "yes", "s", "y", "x", "1"]);
const no = new Set(["falso", "false", "no", "não", "nao", "n", "0"]);

/** Reads the words for yes and no that Spanish, Portuguese and English exports use; null for anything else. */
export function parseBoolean(text: string): boolean | null {
  if (yes.has(text)) return true;
  if (no.has(text)) return false;
  const word = text.normalize("NFC").toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : null;
}
