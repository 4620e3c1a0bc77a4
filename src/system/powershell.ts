import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { childEnv, windowsProgram } from "./child-env.ts";

export interface Asking {
  timeoutMs: number;
  /** When it aborts, the answer is waited for a moment longer: what was begun should be known. */
  signal: AbortSignal;
}

/** The line that was answered, or why there is none; `detail` is what the program said on standard error, or the system of its start. */
export type Answered = { line: string } | { none: "stopped" | "late" | "ended"; detail: string };

const stopGraceMs = 500;
const maxSaid = 2_000;

/** PowerShell with a script that answers each line with one. It ends with bpos, whose end it sees on its standard input. */
class Script {
  readonly #child: ChildProcess;
  #text = "";
  #said = "";
  #isEnded = false;
  #wake: () => void = () => undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(env: NodeJS.ProcessEnv, script: string) {
    const command = windowsProgram(env, "WindowsPowerShell", "v1.0", "powershell.exe");
    const encoded = Buffer.from(script, "utf16le").toString("base64");
    // Without `-InputFormat None`, which Microsoft does not document, it reads the questions itself.
    const args = [
      "-NoLogo",
      "-NoProfile",
      "-NonInteractive",
      "-InputFormat",
      "None",
      "-EncodedCommand",
      encoded,
    ];
    // A hidden window of its own: Ctrl-C in ours is not meant for it.
    this.#child = spawn(command, args, { env: childEnv(env), windowsHide: true, stdio: "pipe" });
    const { stdin, stdout, stderr } = this.#child;
    const end = (error?: Error): void => {
      if (error !== undefined) this.#said = error.message;
      this.#isEnded = true;
      this.#wake();
    };
    this.#child.once("error", end).once("close", () => end());
    stdin?.on("error", () => undefined);
    stdout?.on("data", (bytes: Buffer) => {
      this.#text += bytes.toString();
      this.#wake();
    });
    stderr?.on("data", (bytes: Buffer) => (this.#said = (this.#said + bytes.toString()).slice(-maxSaid)));
    // Nothing waits for it but who asks it.
    this.#child.unref();
    for (const stream of [stdin, stdout, stderr]) (stream as Socket | null)?.unref();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** One question after another. */
  ask(line: string, how: Asking): Promise<Answered> {
    const answered = this.#last.then(() => this.#ask(line, how));
    this.#last = answered;
    return answered;
  }

  async #ask(line: string, { timeoutMs, signal }: Asking): Promise<Answered> {
    const none = (why: "stopped" | "late" | "ended"): Answered => ({ none: why, detail: this.#said.trim() });
    if (signal.aborted) return none("stopped");
    if (this.#isEnded) return none("ended");

    const over = new AbortController();
    const late = delay(timeoutMs, "late" as const, { signal: over.signal });
    const stopped = new Promise<"stopped">((resolve) => {
      const wait = (): void => void delay(stopGraceMs).then(() => resolve("stopped"));
      signal.addEventListener("abort", wait, { once: true, signal: over.signal });
    });
    this.#child.stdin?.write(`${line}\n`);
    const first = await Promise.race([this.#line(), late, stopped]);
    over.abort();
    late.catch(() => undefined);
    if (typeof first === "object") return first;
    // Its late answer would be taken for that of the next question.
    this.#isEnded = true;
    this.#child.kill();
    return none(first);
  }

  async #line(): Promise<Answered> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end !== -1) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return { line };
      }
      if (this.#isEnded) return { none: "ended", detail: this.#said.trim() };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

const scripts = new Map<string, Script>();

/** Asks a script of our own that PowerShell runs, by its absolute path; it is started with the first question, and again once it has ended. Never rejects. */
export async function askPowerShell(
  env: NodeJS.ProcessEnv,
  script: string,
  line: string,
  how: Asking,
): Promise<Answered> {
  const key = `${env["SystemRoot"] ?? ""}\0${script}`;
  const known = scripts.get(key);
  const running = known === undefined || known.isEnded ? new Script(env, script) : known;
  scripts.set(key, running);
  return running.ask(line, how);
}
