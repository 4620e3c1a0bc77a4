import { access, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { BposError, isReason } from "../../errors.ts";
import { isWorkbook } from "../../input/files/decode.ts";
import { type FileState, type InputFile, isSameState, unreadable, unusable } from "../../input/files/file.ts";
import { fileName } from "../../texts/phrases.ts";
import type { Output } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";
import { openGiven } from "./named-files.ts";

/** How long a file must be unchanged before it counts as complete, in milliseconds. */
const quietMs = 10_000;
/** The same where missing rows do harm: a list can be cut between two lines. */
export const wholeListMs = 2_000;

const maxWaitMs = 60_000;
const sayAfterMs = 1_000;
const lookEveryMs = 250;

/** A file dated later than this has a wrong date: a file server can be in another time zone. */
const maxAheadMs = 86_400_000;

export interface GivenRows {
  path: string;
  encoding?: string | undefined;
  /** The file must not have changed for this long, in milliseconds, whatever it looks like. */
  settledMs?: number | undefined;
}

/** True if a file ends as a complete one does: a text with a line end, JSON with a bracket. */
function endsWhole(file: InputFile): boolean {
  if (isWorkbook(file)) return true;
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  const isJson = /^[^!-~]*[[{]/.test(bytes.toString("latin1", 0, 64));
  // In UTF-16 half of each character is NUL; DOS wrote 0x1a at the end of a text.
  const end = bytes.toString("latin1", Math.max(0, bytes.length - 64)).replace(/[\0\x1a]+$/, "");
  return isJson ? /[\]}]\s*$/.test(end) : /[\r\n]$/.test(end);
}

/** True for the error of a document that was cut. */
const isCut = (error: unknown): boolean =>
  isReason(error, "input_unusable") && ["json_broken", "workbook_broken"].includes(error.facts.problem.kind);

/** Says which program has the file open: Excel and LibreOffice leave a file of their own beside it. */
async function sayOpenElsewhere(target: string, name: string, output: Output): Promise<void> {
  const file = basename(target);
  for (const lock of [`~$${file}`, `.~lock.${file}#`]) {
    const isThere = await access(join(dirname(target), lock)).then(
      () => true,
      () => false,
    );
    const { t } = output.texts;
    const open = t("Note: {file} is open in a spreadsheet program ({lock}). Unsaved changes are not read.", {
      file: fileName(name, t),
      lock,
    });
    if (isThere) await output.notice(open);
  }
}

/** Waits for one file that another program writes. */
class Patience {
  readonly #runtime: Runtime;
  readonly #output: Output;
  readonly #target: string;
  readonly #startedAt: number;
  #said = false;
  /** The state in which it stayed for long enough. */
  #settled: FileState | undefined;

  constructor(runtime: Runtime, output: Output, target: string) {
    this.#runtime = runtime;
    this.#output = output;
    this.#target = target;
    this.#startedAt = runtime.system.clock.now();
  }

  /** True if the file changed so recently that it may not be complete. */
  isFresh({ state }: InputFile, forMs: number): boolean {
    if (state === undefined || (this.#settled && isSameState(this.#settled, state))) return false;
    const age = this.#runtime.system.clock.now() - state.mtimeMs;
    return age < forMs && age > -maxAheadMs;
  }

  /** Resolves once the file did not change for that long. Throws `input_unusable` after a minute, `interrupted` on Ctrl-C. */
  async wait({ name, state: found }: InputFile, forMs: number): Promise<void> {
    const { clock } = this.#runtime.system;
    let state = found;
    // For a file from a machine whose clock is ahead, this machine's clock counts.
    let changedAt = Math.min(found?.mtimeMs ?? 0, clock.now());
    while (clock.now() - changedAt < forMs) {
      const waited = clock.now() - this.#startedAt;
      if (waited >= maxWaitMs) throw unusable({ name }, { kind: "still_written" });
      if (waited >= sayAfterMs) await this.#say(name, forMs);
      await this.#pause(Math.min(lookEveryMs, forMs - (clock.now() - changedAt)));

      const now = await stat(this.#target).catch((error: unknown) => {
        throw unreadable(name, error);
      });
      if (state === undefined || !isSameState(state, now)) changedAt = clock.now();
      state = now;
    }
    this.#settled = state;
  }

  async #say(name: string, forMs: number): Promise<void> {
    if (this.#said) return;
    this.#said = true;
    const { t } = this.#output.texts;
    await this.#output.notice(
      t("{file} is still being written. Waiting for {seconds} s without changes …", {
        file: fileName(name, t),
        seconds: forMs / 1000,
      }),
    );
  }

  async #pause(ms: number): Promise<void> {
    const { system, signal } = this.#runtime;
    await system.clock.sleep(ms, signal);
    if (signal.aborted) throw new BposError("interrupted", { during: "work" });
  }
}

/**
 * Reads the rows of a file by `read`, and waits for a file that is still being written: a text without a last line end or a document
 * that is cut, if it changed in the last 10 s; any file that changed within `settledMs`. A stream is read as it comes.
 * Throws `input_unusable` after a minute.
 */
export async function readGivenRows<T>(
  runtime: Runtime,
  { path, encoding, settledMs = 0 }: GivenRows,
  output: Output,
  read: (file: InputFile) => Promise<T>,
): Promise<T> {
  const { system } = runtime;
  const target = resolve(system.cwd, path);
  const patience = new Patience(runtime, output, target);
  for (;;) {
    const file = await openGiven(system, path, output, { encoding });
    const forMs = endsWhole(file) ? settledMs : quietMs;
    if (patience.isFresh(file, forMs)) {
      await patience.wait(file, forMs);
      continue;
    }
    try {
      const found = await read(file);
      if (file.state !== undefined) await sayOpenElsewhere(target, file.name, output);
      return found;
    } catch (error) {
      if (!isCut(error) || !patience.isFresh(file, quietMs)) throw error;
      await patience.wait(file, quietMs);
    }
  }
}
