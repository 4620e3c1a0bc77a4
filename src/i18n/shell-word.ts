/** A text as one word of a command that a person copies to a shell. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_.,:/@%+-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
