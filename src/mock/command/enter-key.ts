import { stripVTControlCharacters } from "node:util";
import { textWidth } from "../../cli/display/text.ts";
import type { OutStream, System } from "../../system.ts";

/** Waits for the Enter key on standard input. */
export interface EnterKey {
  /** Resolves at the next Enter, at the end of the input, or when the signal aborts. */
  pressed(): Promise<void>;
  /** Releases the input, which would keep the process alive. */
  release(): Promise<void>;
}

export function openEnterKey(stdin: System["stdin"], signal: AbortSignal): EnterKey {
  const chunks = stdin[Symbol.asyncIterator]();
  const aborted = new Promise<"over">((resolve) => {
    signal.addEventListener("abort", () => resolve("over"), { once: true });
  });
  let lines = 0;
  const read = async (): Promise<"over" | undefined> => {
    const next = await chunks.next();
    if (next.done) return "over";
    lines += next.value.filter((byte) => byte === 0x0a).length;
    return undefined;
  };

  return {
    async pressed() {
      while (lines === 0) {
        if (signal.aborted) return;

        // At Ctrl-C standard input is closed under the reader.
        const reading = read().catch(() => "over" as const);
        if ((await Promise.race([aborted, reading])) === "over") return;
      }
      lines -= 1;
    },
    async release() {
      if (!signal.aborted) await chunks.return?.();
    },
  };
}

/** The two streams of a terminal, which wait for Enter where a line would scroll away the first one after `turn`. */
export interface Pages {
  stdout: OutStream;
  stderr: OutStream;
  turn(): void;
}

const upAndClear = "\u001b[A\r\u001b[2K";

export function openPages(
  { stdout, stderr }: Pick<System, "stdout" | "stderr">,
  enter: EnterKey,
  hint: string,
): Pages {
  let used = 0;
  let last: Promise<void> = Promise.resolve();
  const countRows = (line: string): number =>
    Math.max(1, Math.ceil(textWidth(stripVTControlCharacters(line.trimEnd())) / (stdout.columns() ?? 80)));

  const writeLines = async (stream: OutStream, text: string): Promise<void> => {
    const maxRows = (stdout.rows() ?? Number.POSITIVE_INFINITY) - 1;
    let page = "";
    for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
      const rows = line.endsWith("\n") ? countRows(line) : 0;
      if (used + rows > maxRows) {
        await stream.write(page);
        await stdout.write(hint);
        await enter.pressed();
        // Enter has moved the cursor off the hint.
        await stdout.write(upAndClear);
        [page, used] = ["", 0];
      }
      page += line;
      used += rows;
    }
    if (page !== "") await stream.write(page);
  };
  const paged = (stream: OutStream): OutStream => ({
    ...stream,
    write(text) {
      const written = last.then(() => writeLines(stream, text));
      // The writer gets the error.
      last = written.catch(() => undefined);
      return written;
    },
  });
  return {
    stdout: paged(stdout),
    stderr: paged(stderr),
    turn() {
      used = 0;
    },
  };
}
