/** Shell operators, which end a word. A file follows `<` and `>`, a command follows the others. */
const signs = new Set(["\n", ";", "&", "|", "(", ")", "<", ">"]);
const blanks = new Set([" ", "\t", "\r"]);
const isAssignment = (word: string): boolean => /^[\p{L}_][\p{L}\p{N}_]*\+?=/u.test(word);

/** Returns where a quote or `$(…)` that begins at `at` ends; the end of the line where it is not closed. */
function skipGroup(line: string, at: number): number {
  const isCall = line.startsWith("$(", at);
  const close = isCall ? ")" : line[at];
  for (let next = at + (isCall ? 2 : 1); next < line.length; next++) {
    const sign = line[next] ?? "";
    if (sign === close) return next;
    if (close === "'") continue;
    if (sign === "\\") next++;
    else if (line.startsWith("$(", next) || (isCall && `"'\``.includes(sign))) next = skipGroup(line, next);
  }
  return line.length;
}

/** The words of a shell line and the signs between them, as they are written. */
function readWords(line: string): string[] {
  const words: string[] = [];
  let begin = 0;
  const end = (at: number): void => {
    if (at > begin) words.push(line.slice(begin, at));
    begin = at + 1;
  };
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? "";
    if (`"'\``.includes(sign) || line.startsWith("$(", at)) at = skipGroup(line, at);
    // Otherwise it belongs to a Windows path.
    else if (sign === "\\" && /[\s"'\\]/.test(line[at + 1] ?? "")) at++;
    else if (blanks.has(sign) || signs.has(sign)) {
      end(at);
      if (signs.has(sign)) words.push(sign);
    }
  }
  end(line.length);
  return words;
}

const unquote = (word: string): string => word.replace(/\\(?=[\s"'\\])|["'`]/g, "");

function findProgram(line: string): string | undefined {
  let before = "";
  for (const word of readWords(line)) {
    const isFile = before === "<" || before === ">";
    const isDigits = /^\d+$/.test(word);
    if (!signs.has(word) && !isFile && !isDigits && !isAssignment(word)) return unquote(word);
    before = word;
  }
  return undefined;
}

/** The name of the program that a shell line starts: its first word that is no assignment, without folders; `…` where that looks like no name. */
export function programName(line: string): string {
  const name = findProgram(line)?.split(/[/\\]/).at(-1) ?? "";
  return /^[$%]?[\p{L}\p{N}_.+@ -]{1,64}%?$/u.test(name) ? name : "…";
}

const maxShort = 7;
/** File names are kept: the message is about them. An address might contain a secret. */
const isPath = (word: string): boolean => /^(?:\.{0,2}\/|~\/|[a-z]:\\)/i.test(word);

/** Returns the output of a program or its shell without those words of its command line that have eight characters or more and are not paths: they might be secrets. */
export function withoutLine(line: string, text: string): string {
  const program = findProgram(line) ?? "";
  const words = new Set(line.split(/[\s"'`;&|()<>=]+/));
  const hidden = [...words].filter((word) => word.length > maxShort && word !== program && !isPath(word));
  // A longer one may begin with a shorter one.
  hidden.sort((a, b) => b.length - a.length);
  return hidden.reduce((rest, word) => rest.replaceAll(word, "…"), text);
}
