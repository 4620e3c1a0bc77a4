/** A value as read, in quotes, long ones cut. */
export function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
}

/** Values as read, each in quotes. */
export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(", ");
}

/** A text in which accents that stand apart and what has no width are seen: `A1\u200b`. */
export function unhidden(text: string): string {
  return text.replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, (sign) =>
    Array.from(
      { length: sign.length },
      (_, n) => `\\u${sign.charCodeAt(n).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
