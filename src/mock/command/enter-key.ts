import type { System } from "../../system.ts";

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
