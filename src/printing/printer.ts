import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { PrinterAddress } from "../contract/addresses.ts";
import { BposError, type PrinterProblem } from "../errors.ts";
import type { System } from "../system.ts";
import { writeToDevice } from "./device.ts";
import type { PrinterLanguage } from "./paper.ts";

const defaultLimits = {
  connect: 5_000,
  /** For a state before it gets anything, of a printer that may have none to tell. */
  ask: 250,
  /** Until it took all. */
  take: 30_000,
  /** For its state afterwards, of a printer that tells it. */
  tell: 10_000,
  /** For its state or its close afterwards, of one that tells nothing; three times as long while that is not known. */
  answer: 5_000,
  /** For a close that nobody asked for, and for its close after its state. */
  close: 500,
  /** For a reset, of one that hung up by itself. */
  reset: 1_000,
};

export interface PrinterOptions {
  address: PrinterAddress;
  language: PrinterLanguage;
  system: Pick<System, "run" | "cwd" | "platform">;
  limits?: Partial<typeof defaultLimits>;
}

/** Why it was not printed; `maybe` if part of it may be on paper. */
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

/** The state that a printer told, and how many questions it has answered. */
type Told = { state: State; answers: number };

/**
 * Epson's reference of ESC/POS: DLE EOT 2 and 4 ask why it is offline, and for its paper. It may also tell by itself (automatic status back),
 * which answers nothing: it does so only when something changes.
 */
function escposState(bytes: Uint8Array): Told {
  let answers = 0;
  let state: State = "ready";
  for (let n = 0; n < bytes.length; n++) {
    const [byte = 0, , paper = 0] = bytes.subarray(n);
    if ((byte & 0x93) === 0x10) {
      if ((byte & 0x20) !== 0) state = "cover_open";
      else if ((paper & 0x0c) !== 0) state = "paper_out";
      n += 3;
      continue;
    }
    if ((byte & 0x93) !== 0x12) continue;
    if ((byte & 0x20) !== 0) state = "paper_out";
    // Both bits of it say that the paper is near its end.
    else if ((byte & 0x0c) === 0x04) state = "cover_open";
    answers += 1;
  }
  return { state, answers: Math.floor(answers / 2) };
}

/** Star's specification of StarPRNT: ESC ACK SOH asks for what it otherwise tells by itself. The first byte says how long it is. */
function starState(bytes: Uint8Array): Told {
  let answers = 0;
  let state: State = "ready";
  for (let n = 0; n + 5 < bytes.length; answers++) {
    const [length = 0, , printer = 0, , , paper = 0] = bytes.subarray(n);
    if ((printer & 0x20) !== 0) state = "cover_open";
    else if ((paper & 0x08) !== 0) state = "paper_out";
    n += Math.max(6, ((length >> 2) & 8) | ((length >> 1) & 7));
  }
  return { state, answers };
}

/** A query that a printer answers immediately, even while busy, and the meaning of its answers. */
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

  constructor(to: { host: string; port: number }, { signal }: Pick<Job, "signal">) {
    this.#signal = signal;
    // Its side stays open after ours has ended: it still has to say how it went.
    this.socket = connect({ ...to, allowHalfOpen: true, noDelay: true, keepAlive: true });
    // A printer that is switched off sends nothing more: this is noticed within 11 s.
    this.socket.setKeepAlive(true, 1_000);
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
    this.socket.on("connect", () => this.#wake());
  }

  send(bytes: Uint8Array): void {
    this.socket.write(bytes, () => this.#wake());
  }

  /** True if a printer that hung up by itself resets the connection within this time: only a write finds out. */
  async resets(probe: Uint8Array, ms: number): Promise<boolean> {
    await delay(ms, undefined, { signal: this.#signal }).catch(() => undefined);
    return new Promise((resolve) => {
      this.socket.write(probe, (error) => resolve(error instanceof Error));
    });
  }

  /** Resolves with whichever came first. */
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

const failed = (kind: "reset" | "stalled" | "silent" | "busy", maybe: boolean): Failed => ({
  problem: { kind },
  maybe,
});
const unreachable = (detail: string): Failed => ({ problem: { kind: "unreachable", detail }, maybe: false });
const readMessage = (error: unknown): string => (error as Error).message;

/**
 * How a printer shows that it is there: it tells its state, or only hangs up when bpos does. One that did so once and now
 * does not has another till to serve, or is off: the system takes what is sent to it all the same. `mute` does neither.
 */
interface Habit {
  is?: "telling" | "closing" | "mute";
}

type Ended = "stopped" | Failed | undefined;

async function printTo(connection: Connection, job: Job, habit: Habit): Promise<Ended | "unbegun"> {
  const { bytes, language, limits } = job;
  const { socket } = connection;
  const { question, read } = states[language];
  const bad = (maybe: boolean): Failed | undefined => {
    const { state: kind } = read(connection.received);
    return kind === "ready" ? undefined : { problem: { kind }, maybe };
  };
  const hasTold = (answers: number) => () =>
    read(connection.received).answers >= answers || bad(true) !== undefined;
  const connected = await connection.until(() => !socket.connecting, limits.connect);
  if (connected === "stopped") return "unbegun";
  if (connected !== "done")
    return unreachable(connected instanceof Error ? readMessage(connected) : "time-out");
  // A printer without paper keeps what it gets and prints it later, and again if it gets it again.
  connection.send(question);
  const asked = await connection.until(hasTold(1), habit.is === "telling" ? limits.answer : limits.ask);
  if (asked instanceof Error || asked === "closed") return failed("reset", false);
  const before = bad(false);
  if (before !== undefined || asked === "stopped") return before ?? "unbegun";
  if (asked === "done") habit.is = "telling";
  else if (habit.is === "telling") return failed("busy", false);

  connection.received = Buffer.alloc(0);
  connection.send(bytes);
  connection.send(question);
  const taken = await connection.until(() => socket.writableLength === 0, limits.take);
  if (taken === "stopped") return taken;
  if (taken === "late") return failed("stalled", true);
  // A printer that closes the connection early prints only a part.
  if (taken !== "done") return failed("reset", true);
  const ended =
    asked === "done"
      ? await telling(connection, hasTold(1), limits)
      : await untelling({ connection, hasTold, question, limits }, habit);
  return ended ?? bad(true);
}

/** One that told its state has a receipt when it tells it again: that the system took it, or a close, proves nothing. */
async function telling(
  connection: Connection,
  hasTold: () => boolean,
  { tell, close }: Job["limits"],
): Promise<Ended> {
  const told = await connection.until(hasTold, tell);
  if (told === "stopped") return told;
  if (told instanceof Error) return failed("reset", true);
  return told === "done" ? goodbye(connection, close) : failed("silent", true);
}

/** Whatever state it reported: a printer that resets the connection now has not printed it. */
async function goodbye(connection: Connection, ms: number): Promise<Ended> {
  connection.socket.end();
  const end = await connection.until(() => false, ms);
  return end instanceof Error ? failed("reset", true) : undefined;
}

interface Untold {
  connection: Connection;
  hasTold: (answers: number) => () => boolean;
  question: Uint8Array;
  limits: Job["limits"];
}

async function untelling({ connection, question, limits, ...untold }: Untold, habit: Habit): Promise<Ended> {
  // A late answer to the first query says nothing about the receipt.
  const [hasSpoken, hasTold] = [untold.hasTold(1), untold.hasTold(2)];
  // Its side first: once both have ended, a reset is no longer visible.
  let end = await connection.until(hasTold, limits.close);
  if (end === "closed" && (await connection.resets(question, limits.reset))) return failed("reset", true);
  const isKnown = habit.is === "mute";
  if (end === "late") {
    connection.socket.end();
    end = await connection.until(hasTold, limits.answer * (isKnown ? 1 : 3));
  }
  if (end === "stopped") return end;
  if (end instanceof Error) return failed("reset", true);
  if (end !== "done" && hasSpoken()) habit.is = "telling";
  if (habit.is === "telling" || (end === "late" && habit.is === "closing")) return failed("silent", true);
  habit.is = end === "done" ? "telling" : end === "closed" ? "closing" : "mute";
  return end === "done" ? goodbye(connection, limits.close) : undefined;
}

/** A connection a receipt, so that several tills and programs can share a printer. */
async function overTcp(address: { host: string; port: number }, job: Job, habit: Habit) {
  const connection = new Connection(address, job);
  try {
    return await printTo(connection, job, habit);
  } finally {
    connection.socket.destroy();
  }
}

async function toQueue(queue: string, { bytes, limits, signal }: Job, run: System["run"]) {
  // A queue name has only letters, digits and a few signs, which no shell interprets.
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

function printOver(address: PrinterAddress, system: PrinterOptions["system"], job: Job, habit: Habit) {
  if (address.kind === "tcp") return overTcp(address, job, habit);
  if (address.kind === "lp") return toQueue(address.queue, job, system.run);
  const { bytes, limits, signal } = job;
  return writeToDevice(address.path, { bytes, signal, takeMs: limits.take }, system);
}

/** A receipt printer, which gets one receipt at a time. */
export class Printer {
  readonly #options: PrinterOptions;
  readonly #habit: Habit = {};
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
    const end = await printOver(address, system, job, this.#habit);
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
