import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PrinterAddress } from "../contract/addresses.ts";
import { BposError, type PrinterProblem } from "../errors.ts";
import type { System } from "../system.ts";

export type PrinterLanguage = "escpos" | "star";

/** Milliseconds: until it is connected, for a state before it gets anything, until it took all, for its state or its close after that, and for its close after its state. */
const defaultLimits = { connect: 5_000, ask: 250, take: 30_000, answer: 5_000, close: 500 };

export interface PrinterOptions {
  address: PrinterAddress;
  language: PrinterLanguage;
  system: Pick<System, "run" | "cwd">;
  limits?: Partial<typeof defaultLimits>;
}

/** Why it was not printed; `maybe` where a part of it may be on paper. */
interface Failed {
  problem: PrinterProblem;
  maybe: boolean;
}

type Job = Readonly<{
  bytes: Uint8Array;
  language: PrinterLanguage;
  limits: typeof defaultLimits;
  signal: AbortSignal;
}>;

type State = "cover_open" | "paper_out" | "ready";

/** Epson's reference of ESC/POS: DLE EOT 2 and 4 ask why it is offline, and for its paper; it may also tell by itself (automatic status back). */
function escposState(bytes: Uint8Array): State | undefined {
  let answers = 0;
  for (let n = 0; n < bytes.length; n++) {
    const [byte = 0, , paper = 0] = bytes.subarray(n);
    const isAutomatic = (byte & 0x93) === 0x10;
    if (isAutomatic && (byte & 0x20) !== 0) return "cover_open";
    if (isAutomatic && (paper & 0x0c) !== 0) return "paper_out";
    if (isAutomatic && bytes.length >= n + 4) answers += 2;
    if (isAutomatic) n += 3;
    if ((byte & 0x93) !== 0x12) continue;
    if ((byte & 0x20) !== 0) return "paper_out";
    // Both bits of it say that the paper is near its end.
    if ((byte & 0x0c) === 0x04) return "cover_open";
    answers += 1;
  }
  return answers >= 2 ? "ready" : undefined;
}

/** Star's specification of StarPRNT: ESC ACK SOH asks for what it otherwise tells by itself. */
function starState([, , printer, , , paper]: Uint8Array): State | undefined {
  if (printer === undefined || paper === undefined) return undefined;
  if ((printer & 0x20) !== 0) return "cover_open";
  return (paper & 0x08) !== 0 ? "paper_out" : "ready";
}

/** A question that a printer answers at once, whatever else it has to do, and what its answer says once it is all there. */
const states = {
  escpos: { question: Uint8Array.of(0x10, 0x04, 2, 0x10, 0x04, 4), read: escposState },
  star: { question: Uint8Array.of(0x1b, 0x06, 0x01), read: starState },
};

/** A connection to a printer, which is waited for one thing at a time. */
class Connection {
  readonly socket: Socket;
  readonly #signal: AbortSignal;
  received = Buffer.alloc(0);
  #error: Error | undefined;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(to: { host: string; port: number }, signal: AbortSignal) {
    this.#signal = signal;
    // Its side stays open after ours has ended: it still has to say how it went.
    this.socket = connect({ ...to, allowHalfOpen: true, noDelay: true });
    this.socket.on("data", (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]).subarray(-64);
      this.#wake();
    });
    this.socket.on("error", (error) => {
      this.#error = error;
      this.#wake();
    });
    this.socket.on("end", () => {
      this.#isClosed = true;
      this.#wake();
    });
    for (const event of ["connect", "finish"]) this.socket.on(event, () => this.#wake());
  }

  /** Resolves to what came first. */
  async until(isDone: () => boolean, ms: number): Promise<"done" | "closed" | "late" | "stopped" | Error> {
    const late = new AbortController();
    const wake = (): void => this.#wake();
    // Not AbortSignal.timeout: below AbortSignal.any it may be collected before its time, and never fires.
    const timer = setTimeout(() => {
      late.abort();
      wake();
    }, ms);
    this.#signal.addEventListener("abort", wake);
    try {
      for (;;) {
        if (this.#error !== undefined) return this.#error;
        if (isDone()) return "done";
        if (this.#isClosed) return "closed";
        if (this.#signal.aborted) return "stopped";
        if (late.signal.aborted) return "late";
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", wake);
    }
  }
}

const failed = (kind: "reset" | "stalled", maybe: boolean): Failed => ({ problem: { kind }, maybe });
const unreachable = (detail: string): Failed => ({ problem: { kind: "unreachable", detail }, maybe: false });
const messageOf = (error: unknown): string => (error as Error).message;

async function printTo(connection: Connection, { bytes, language, limits }: Job) {
  const { socket } = connection;
  const { question, read } = states[language];
  const state = (): State | undefined => read(connection.received);
  const bad = (maybe: boolean): Failed | undefined => {
    const kind = state();
    return kind === undefined || kind === "ready" ? undefined : { problem: { kind }, maybe };
  };
  const connected = await connection.until(() => !socket.connecting, limits.connect);
  if (connected === "stopped") return "unbegun" as const;
  if (connected !== "done")
    return unreachable(connected instanceof Error ? messageOf(connected) : "time-out");
  // What a printer without paper gets it prints later, and then again when it gets it again.
  socket.write(question);
  const asked = await connection.until(() => state() !== undefined, limits.ask);
  if (asked instanceof Error || asked === "closed") return failed("reset", false);
  const before = bad(false);
  if (before !== undefined || asked === "stopped") return before ?? "unbegun";
  connection.received = Buffer.alloc(0);
  socket.write(bytes);
  socket.end(question);
  const taken = await connection.until(() => socket.writableFinished, limits.take);
  if (taken === "late") return failed("stalled", true);
  // One that says goodbye before it has everything prints only a part.
  if (taken === "closed") return failed("reset", true);
  let end = taken === "done" ? await connection.until(() => state() !== undefined, limits.answer) : taken;
  // Whatever it says of itself: one that hangs up now has not printed it.
  if (end === "done" && state() === "ready") end = await connection.until(() => false, limits.close);
  if (end === "stopped") return end;
  return end instanceof Error ? failed("reset", true) : bad(true);
}

/** A connection a receipt, so that several tills and programs can share a printer. */
async function overTcp(address: { host: string; port: number }, job: Job) {
  const connection = new Connection(address, job.signal);
  try {
    return await printTo(connection, job);
  } finally {
    connection.socket.destroy();
  }
}

const fileFailed = (error: unknown, maybe: boolean): Failed => ({
  problem: { kind: "file", detail: messageOf(error) },
  maybe,
});

/** A device, or a file to which each receipt is added. None is made in /dev: a printer that is unplugged has none there. */
async function toFile(path: string, { bytes, limits, signal }: Job) {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  const create = /^\/dev\/(?!shm\/)/.test(path) ? 0 : O_CREAT;
  // Without O_NONBLOCK a FIFO that nobody reads, or a printer without paper, would be waited for.
  const handle = await open(path, O_WRONLY | O_APPEND | O_NONBLOCK | create, 0o600).catch((error: unknown) =>
    fileFailed(error, false),
  );
  if ("problem" in handle) return handle;
  const late = AbortSignal.timeout(limits.take);
  let written = 0;
  try {
    while (written < bytes.length) {
      if (signal.aborted) return written === 0 ? "unbegun" : "stopped";
      if (late.aborted) return failed("stalled", true);
      try {
        written += (await handle.write(bytes, written)).bytesWritten;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
        await delay(50);
      }
    }
    // Devices and FIFOs cannot be synced.
    await handle.sync().catch((error: unknown) => {
      if (!["EINVAL", "ENOTSUP", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    });
    return undefined;
  } catch (error) {
    return fileFailed(error, written > 0);
  } finally {
    await handle.close();
  }
}

async function toQueue(queue: string, { bytes, limits, signal }: Job, run: System["run"]) {
  // A queue's name is of letters, digits and a few signs: no shell reads anything into it.
  const command = `lp -d ${queue} -o raw`;
  const end = await run(command, { input: bytes, timeoutMs: limits.take, signal });
  if (end.code === 0 && !end.timedOut) return undefined;
  if (end.stopped) return "stopped" as const;
  // A shell ends with 127 where there is no such program.
  const isMissing = end.code === 127 || end.failure !== undefined;
  const detail = end.timedOut ? "time-out" : end.output.trim();
  const problem: PrinterProblem = isMissing ? { kind: "lp_missing" } : { kind: "lp", detail };
  return { problem, maybe: end.timedOut };
}

const printOver = (address: PrinterAddress, cwd: string, job: Job, run: System["run"]) => {
  if (address.kind === "tcp") return overTcp(address, job);
  return address.kind === "lp" ? toQueue(address.queue, job, run) : toFile(resolve(cwd, address.path), job);
};

/** A printer of receipts, which gets one at a time. */
export class Printer {
  readonly #options: PrinterOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  /** Resolves to why it was not printed; what `check` throws when it is its turn keeps it from that. Stopped by `signal`, `stopped` means that it may be on paper, `unbegun` that it is not. */
  print(
    bytes: Uint8Array,
    signal: AbortSignal,
    check?: () => Promise<void>,
  ): Promise<PrinterFailure | "stopped" | "unbegun" | undefined> {
    const printed = this.#last.then(() => this.#print(bytes, signal, check));
    this.#last = printed.catch(() => undefined);
    return printed;
  }

  async #print(bytes: Uint8Array, signal: AbortSignal, check?: () => Promise<void>) {
    const { address, language, system, limits } = this.#options;
    if (signal.aborted) return "unbegun";
    await check?.();
    const job = { bytes, language, limits: { ...defaultLimits, ...limits }, signal };
    const end = await printOver(address, system.cwd, job, system.run);
    return typeof end === "object" ? new BposError("printer_failed", { printer: address.url, ...end }) : end;
  }
}

export type PrinterFailure = BposError<"printer_failed">;

/** Prints once, for a person who waits for it. Throws `printer_failed` and `interrupted`. */
export async function printNow(
  options: PrinterOptions,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const failure = await new Printer(options).print(bytes, signal);
  if (failure === "stopped" || failure === "unbegun")
    throw new BposError("interrupted", { during: "printing" });
  if (failure !== undefined) throw failure;
}
