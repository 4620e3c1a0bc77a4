/** A value as read, in quotes, long ones cut. */
export function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
}

/** Values as read, each in quotes. */
export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(", ");
}
