import { type InputFile, unusable } from "./file.ts";
import { lineEnd, nextLine } from "./lines.ts";

/** How a delimited file is written, and where its header begins. */
export interface Dialect {
  delimiter: string;
  /** Byte offset of the first line that is not the `sep=` line. */
  start: number;
}

/** The delimiters that are found by themselves. */
export const candidates: readonly string[] = [";", ",", "\t", "|"];
const spelledOut: Readonly<Record<string, string>> = { tab: "\t", "\\t": "\t" };

function checked(file: Pick<InputFile, "name">, given: string): string {
  const delimiter = spelledOut[given] ?? given;
  if (delimiter.length !== 1 || /["\r\n\p{L}\p{N}]/u.test(delimiter)) {
    throw unusable(file, { kind: "delimiter_unusable", delimiter: given });
  }
  return delimiter;
}

/** The candidate that the header line holds most often outside quotes. */
function mostFrequent(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const counts = candidates.map((each) => bare.split(each).length);
  return candidates[counts.indexOf(Math.max(...counts))] ?? ";";
}

/**
 * Finds the delimiter: `given` by the person, else named by a first line such as `sep=;`, else read off the header.
 *
 * @throws BposError input_unusable
 */
export function findDialect(file: Pick<InputFile, "name">, utf8: Buffer, given?: string): Dialect {
  const end = lineEnd(utf8);
  const second = nextLine(utf8, 0, end);
  const named = /^sep=(.)\s*$/i.exec(
    utf8.toString("utf8", 0, Math.min(second, 16)).replace(/[\r\n]+$/, ""),
  )?.[1];
  const start = named === undefined ? 0 : second;
  if (given !== undefined) return { delimiter: checked(file, given), start };
  if (named !== undefined) return { delimiter: checked(file, named), start };
  let from = start;
  let header = "";
  while (header.trim() === "" && from < utf8.length) {
    const next = nextLine(utf8, from, end);
    header = utf8.toString("utf8", from, next);
    from = next;
  }
  return { delimiter: mostFrequent(header), start };
}
