import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { System } from "../../system.ts";

/** So long nothing may change in a list before it counts as whole. */
const wholeMs = 2_000;
/** The same of text that was seen growing and ends in the middle of a line: a cut price would be a low one. */
const midLineMs = 10_000;

/** What is read at once, however often it changes. */
const quickBytes = 4 << 20;

/** A list that is whole, as it was found. */
export interface FoundList {
  path: string;
  /** Whatever tells that it was written since. */
  state: string;
  hash: string;
  /** Epoch milliseconds, by the clock of its file system but never ahead of ours. */
  savedAt: number;
}

/** What one look found. */
export interface Look {
  /** Whole and not settled, the oldest first. */
  due: FoundList[];
  /** Whole but for a program that has them open, or that cannot be read; each is named once. */
  held: { path: string; error?: NodeJS.ErrnoException }[];
  /** How many lists may still change. */
  unsettled: number;
}

interface Seen {
  state: string;
  size: number;
  since: number;
  grew: boolean;
  read?: { hash: string; at: number; isMidLine: boolean };
  isWhole?: true;
  isSettled?: true;
  isTold?: true;
}

const isList = (name: string): boolean =>
  /^[^.~].*\.(?:csv|tsv|xlsx|json|ndjson|jsonl)$/i.test(name) && !/\.refused(?:-\d+)?\.\w+$/i.test(name);

const readState = ({ dev, ino, size, mtimeMs }: Stats): string => [dev, ino, size, mtimeMs].join(" ");

/** The files that Excel and LibreOffice keep beside a list for as long as they have it open. */
const lockFiles = (path: string): string[] =>
  [`~$${basename(path)}`, `.~lock.${basename(path)}#`].map((name) => join(dirname(path), name));

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** `isMidLine` of text alone: a workbook and JSON show by themselves that they are cut. */
async function readContent(file: string): Promise<{ hash: string; isMidLine: boolean }> {
  const hash = createHash("sha256");
  let first: string | undefined;
  let end = "";
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    first ??= chunk.toString("latin1", 0, 1);
    end = chunk.toString("latin1", chunk.length - 2);
  }
  return {
    hash: hash.digest("hex"),
    isMidLine: !end.includes("\n") && !["P", "{", "["].includes(first ?? ""),
  };
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** The lists of a file or a folder, which is read again and again: no network drive tells reliably of a change. */
export class Lists {
  readonly #system: Pick<System, "cwd" | "clock">;
  readonly #place: string;
  readonly #isFolder: boolean;
  readonly #seen = new Map<string, Seen>();

  constructor(system: Pick<System, "cwd" | "clock">, place: string, isFolder: boolean) {
    this.#system = system;
    this.#place = place;
    this.#isFolder = isFolder;
  }

  /** Throws the error of the system where the folder cannot be read. */
  async look(): Promise<Look> {
    const found: Look = { due: [], held: [], unsettled: 0 };
    const paths = new Set(await this.#list());
    for (const path of this.#seen.keys()) if (!paths.has(path)) this.#seen.delete(path);
    for (const path of paths) await this.#examine(path, found);
    found.due.sort((a, b) => a.savedAt - b.savedAt || (a.path < b.path ? -1 : 1));
    return found;
  }

  /** Nothing more is to be done with it until it is written again. */
  settle({ path, state }: FoundList): void {
    const seen = this.#seen.get(path);
    if (seen?.state === state) seen.isSettled = true;
  }

  /** Whether it still is as it was found. */
  async isAsFound({ path, state }: FoundList): Promise<boolean> {
    const now = await stat(this.#resolve(path)).catch(() => undefined);
    return now !== undefined && readState(now) === state;
  }

  #resolve(path: string): string {
    return resolve(this.#system.cwd, path);
  }

  async #list(): Promise<string[]> {
    if (this.#isFolder)
      return (await readdir(this.#resolve(this.#place)))
        .filter(isList)
        .map((name) => join(this.#place, name));
    // A program that saves may take the file away for a moment, but not its folder.
    await stat(dirname(this.#resolve(this.#place)));
    return [this.#place];
  }

  async #examine(path: string, found: Look): Promise<void> {
    const seen = this.#seen.get(path);
    try {
      const stats = await stat(this.#resolve(path));
      if (!stats.isFile()) return;
      const known = this.#note(path, seen, stats);
      if (known.isSettled) return;
      // An empty one may stay so.
      const isLeftEmpty = known.size === 0 && this.#system.clock.now() - known.since >= wholeMs;
      if (!(await this.#isWhole(path, known))) found.unsettled += Number(!isLeftEmpty);
      else if (await this.#isOpen(path)) this.#hold(known, { path }, found);
      else {
        const savedAt = Math.floor(Math.min(stats.mtimeMs, this.#system.clock.now()));
        found.due.push({ path, state: known.state, hash: known.read?.hash ?? "", savedAt });
      }
    } catch (error) {
      if (isGone(error)) this.#seen.delete(path);
      else if (seen === undefined) {
        this.#seen.set(path, { state: "", size: 0, since: this.#system.clock.now(), grew: false });
        found.unsettled += 1;
      } else this.#hold(seen, { path, error: error as NodeJS.ErrnoException }, found);
    }
  }

  #hold(seen: Seen, held: Look["held"][number], found: Look): void {
    if (!seen.isTold) found.held.push(held);
    seen.isTold = true;
  }

  #note(path: string, before: Seen | undefined, stats: Stats): Seen {
    const state = readState(stats);
    if (before?.state === state) return before;
    const grew = before !== undefined && before.size > 0 && stats.size > before.size;
    const seen = { state, size: stats.size, since: this.#system.clock.now(), grew };
    this.#seen.set(path, seen);
    return seen;
  }

  async #isWhole(path: string, seen: Seen): Promise<boolean> {
    if (seen.isWhole) return true;
    const now = this.#system.clock.now();
    // Many programs empty a file before they write it; and a large one that grows is not read at each look.
    if (seen.size === 0 || (seen.size > quickBytes && now === seen.since)) return false;
    const { read } = seen;
    const quietMs = seen.grew && read?.isMidLine ? midLineMs : wholeMs;
    if (read !== undefined && Math.abs(now - read.at) < quietMs) return false;

    const again = await readContent(this.#resolve(path));
    if (read?.hash === again.hash) seen.isWhole = true;
    else seen.read = { ...again, at: now };
    return seen.isWhole === true;
  }

  async #isOpen(path: string): Promise<boolean> {
    for (const file of lockFiles(this.#resolve(path))) if (await exists(file)) return true;
    return false;
  }
}
