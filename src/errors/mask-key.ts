/** Whether a text looks like a key of a service: by its prefix, or by letters and digits as nobody would name anything. */
export function looksLikeKey(text: string): boolean {
  const isMixed = (run: string): boolean => (run.match(/\d+/g) ?? []).length > 2;
  return /^\s*(?:bpk|sk|pk)_/i.test(text) || (text.match(/[a-z\d]{20,}/gi) ?? []).some(isMixed);
}

/** A key of which only the fixed prefix and the last four characters are left: `bpk_…3f9a` (`spec.md` 5). */
export function maskedKey(key: string): string {
  const prefix = /^[a-z]{1,8}_/i.exec(key)?.[0] ?? "";
  // Four characters of a short secret are too much of it.
  const end = key.length - prefix.length < 10 ? "" : key.slice(-4);
  return `${prefix}…${end}`;
}
