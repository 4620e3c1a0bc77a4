import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { main } from "../../src/main.ts";
import { page } from "../../src/system/programs.ts";
import type { TextQuestion } from "../../src/system/prompts.ts";
import {
  ClosedPipeError,
  type OutStream,
  realClock,
  runCommand,
  type System,
  showNote,
} from "../../src/system.ts";
import { journals } from "./journals.ts";
import { checkJson } from "./json-schema.ts";

/** A command's output, and how it ended. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** How the outside world of a run differs from a pipe without anything set. */
export interface World {
  env?: Record<string, string>;
  stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Width of a terminal on all three streams; absent in a pipe. */
  terminal?: number;
  /** Standard output goes into a pipe all the same. */
  piped?: true;
  /** Height of that terminal (default 24). */
  rows?: number;
  /** The person's answers, question by question; a question without an answer fails the run. */
  answers?: (boolean | string)[];
  /** Whoever answers otherwise than by `answers`. */
  prompts?: Partial<System["prompts"]>;
  clock?: Pick<System["clock"], "now" | "sleep">;
  cwd?: string;
  uuid?: System["uuid"];
  random?: System["random"];
  nodeVersion?: string;
  platform?: System["platform"];
  /** Called when the command opens an address in a browser; returns whether that works. Without it, it does not. */
  onOpen?: (url: string) => boolean;
  /** The processes that are known to listen, by their ports. */
  listeners?: Record<number, number>;
  /** Nobody reads standard error: every write to it fails. */
  stderrClosed?: boolean;
  /** Called before the command begins, with the means to stop it. */
  onStart?: (stop: () => void) => void;
  /** Called with everything written to standard output so far; may stop the command by `stop`. */
  onOutput?: (text: string, stop: () => void) => unknown;
  /** Called with everything written to standard error so far. */
  onError?: (text: string) => void;
}

/** The repository's root folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));
/** The path of a file in fixtures/. */
export const fixture = (name: string): string => join(root, "fixtures", name);

/** A new folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bpos-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function bytesOf(text: NonNullable<World["stdin"]>): AsyncIterable<Uint8Array> {
  if (typeof text === "object" && Symbol.asyncIterator in text) return text;
  return Readable.from([typeof text === "string" ? Buffer.from(text) : text]);
}

/** The properties of a stream that is read at once, and is no file. */
export const readStream = {
  isMidLine: () => false,
  isBehind: () => false,
  watch: () => () => undefined,
} satisfies Partial<OutStream>;

/** A function that runs `main` in a fake System; all runs of one shell share a home. */
export function shell(base: World = {}): (argv: string[], world?: World) => Promise<Run> {
  const home = temporaryFolder();
  return async (argv, own = {}) => {
    const given = { BPOS_HOME: home, ...base.env, ...own.env };
    const world = { ...base, ...own, env: { ...journals.envOf(given.BPOS_HOME), ...given } };
    const written = { stdout: "", stderr: "" };
    const handlers = new Set<(name: "SIGINT") => void>();
    const stop = (): void => {
      for (const handler of [...handlers]) handler("SIGINT");
    };
    const work = { steps: 0, running: 0 };
    /** Resolves when no command runs any more and nothing is written. */
    const idle = async (): Promise<void> => {
      for (let before = -1; before !== work.steps + journals.steps || work.running + journals.running > 0; ) {
        before = work.steps + journals.steps;
        for (let n = 0; n < 3; n++) await turn();
      }
    };
    const { clock: told } = world;
    const timers = new Map<() => void, number>();
    const clock: System["clock"] | undefined = told && {
      now: () => told.now(),
      // Outputs work beside the polls: a clock that stands still until it is slept on waits for them.
      async sleep(ms, signal) {
        await idle();
        await told.sleep(ms, signal);
        for (const [ring, dueAt] of timers) if (dueAt <= told.now() && timers.delete(ring)) ring();
      },
      later(ms, work) {
        const ring = (): void => work();
        timers.set(ring, told.now() + ms);
        return () => timers.delete(ring);
      },
    };
    const stream = (name: "stdout" | "stderr"): OutStream => ({
      isTerminal: world.terminal !== undefined && !(name === "stdout" && world.piped),
      columns: () => world.terminal,
      rows: () => (world.terminal === undefined ? undefined : (world.rows ?? 24)),
      write(text) {
        if (name === "stderr" && world.stderrClosed) return Promise.reject(new ClosedPipeError());
        written[name] += text;
        work.steps += 1;
        if (name === "stdout") world.onOutput?.(written.stdout, stop);
        else world.onError?.(written.stderr);
        return Promise.resolve();
      },
      ...readStream,
    });
    const answers = [...(world.answers ?? [])];
    /** As a terminal does: an answer that cannot be taken is objected to, and the next one is asked for. */
    const typed = (question: string, { initial, check }: Partial<TextQuestion>): Promise<string> => {
      for (;;) {
        const answer = answers.shift();
        if (typeof answer !== "string")
          return Promise.reject(new Error(`nobody expected the question: ${question}`));
        const text = answer === "" ? (initial ?? "") : answer;
        const objection = check?.(text);
        written.stderr += `? ${question}\n${objection === undefined ? "" : `> ${objection}\n`}`;
        if (objection === undefined) return Promise.resolve(text);
      }
    };
    const system: System = {
      env: world.env,
      cwd: world.cwd ?? home,
      homedir: home,
      platform: world.platform ?? "linux",
      nodeVersion: world.nodeVersion ?? process.versions.node,
      pid: 4711,
      uid: process.geteuid?.(),
      host: "caja-1",
      stdin: Object.assign(bytesOf(world.stdin ?? ""), { isTerminal: world.terminal !== undefined }),
      stdout: stream("stdout"),
      stderr: stream("stderr"),
      clock: clock ?? realClock,
      random: world.random ?? Math.random,
      uuid: world.uuid ?? (() => crypto.randomUUID()),
      prompts: {
        confirm(question) {
          const answer = answers.shift();
          if (typeof answer !== "boolean")
            return Promise.reject(new Error(`nobody expected the question: ${question}`));
          return Promise.resolve(answer);
        },
        choose(question, choices) {
          const index = choices.indexOf(String(answers.shift()));
          if (index < 0)
            return Promise.reject(new Error(`nobody expected the question: ${question} ${choices.join()}`));
          return Promise.resolve(index);
        },
        text: (question, how) => typed(question, how),
        secret: (question, how) => typed(question, how),
        ...world.prompts,
      },
      async run(...how) {
        work.running += 1;
        const end = await runCommand(...how);
        work.running -= 1;
        work.steps += 1;
        return end;
      },
      page,
      openUrl: (url) => Promise.resolve(world.onOpen?.(url) ?? false),
      async notify(note, signal) {
        work.running += 1;
        const end = await showNote(note, signal, system);
        work.running -= 1;
        work.steps += 1;
        return end;
      },
      findListener: (port) => Promise.resolve(world.listeners?.[port]),
      preferLittleMemory: () => undefined,
      onSignal(handler) {
        handlers.add(handler);
        return () => handlers.delete(handler);
      },
    };
    world.onStart?.(stop);
    const code = await main(argv, system);
    if (answers.length > 0) throw new Error(`${answers.length} expected question(s) were not asked`);
    checkJson(argv, world.env, written);
    return { code, ...written };
  };
}
