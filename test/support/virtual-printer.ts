import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type Language, type PrintedReceipt, printed } from "./printed.ts";
import { listening } from "./server.ts";

/** How a printer behaves; it may be changed between receipts. */
export interface PrinterMode {
  /** Its own status; without paper or open it prints nothing, and keeps what it gets. */
  state: "ready" | "paper_out" | "cover_open";
  /** It accepts everything, answers nothing and keeps the connection open. */
  silent: boolean;
  /** Milliseconds that it takes to read each part, and so before it says that it is ready. */
  slowMs: number;
  /** It resets a connection when it has read so many bytes. */
  resetAfter: number;
  /** It prints so many bytes of a connection, closes its side, and resets it 0.3 s later. */
  diesAfter: number;
  /** Once it has printed as much it says nothing more on that connection, not even goodbye. */
  mutedAfter: number;
  /** It prints for another till: what is sent to it waits in its system's queue. */
  busy: boolean;
}

const never = Number.POSITIVE_INFINITY;
const usual: PrinterMode = {
  ...{ state: "ready", silent: false, slowMs: 0, resetAfter: never, diesAfter: never, mutedAfter: never },
  busy: false,
};
const deathMs = 300;

/** Real-time questions and their answers, as printers give them. */
const questions: Readonly<
  Record<Language, readonly [question: string, answer: (state: PrinterMode["state"]) => number[]][]>
> = {
  escpos: [
    ["\x10\x04\x02", (state) => [{ ready: 0x12, paper_out: 0x32, cover_open: 0x16 }[state]]],
    ["\x10\x04\x04", (state) => [state === "paper_out" ? 0x72 : 0x12]],
  ],
  star: [
    [
      "\x1b\x06\x01",
      (state) => [
        0x23,
        0x86,
        state === "cover_open" ? 0x28 : state === "paper_out" ? 0x08 : 0,
        0,
        0,
        state === "paper_out" ? 0x08 : 0,
        0,
        0,
        0,
      ],
    ],
  ],
};

/** A receipt printer on a free port of this machine, with the paper that has come out of it. */
export class VirtualPrinter {
  mode: PrinterMode;
  readonly language: Language;
  readonly columns: number;
  port = 0;
  connections = 0;
  /** Bytes of each connection, without the questions. */
  readonly jobs: Buffer[] = [];
  /** Bytes on paper, and those that wait for paper. */
  #paper = Buffer.alloc(0);
  #kept = Buffer.alloc(0);
  #changed: (() => void)[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(mode: Partial<PrinterMode>, { language, columns }: { language: Language; columns: number }) {
    this.mode = { ...usual, ...mode };
    this.language = language;
    this.columns = columns;
  }

  get url(): string {
    return `tcp://127.0.0.1:${this.port}`;
  }

  /** Receipts that have come out of it, one for each cut. */
  get receipts(): PrintedReceipt[] {
    return printed(this.#paper, this.language, this.columns);
  }

  /** Somebody fixes it, and the printer prints what it kept. */
  repair(mode: Partial<PrinterMode> = {}): void {
    this.mode = { ...usual, ...mode };
    this.#print(this.#kept);
    this.#tell();
    this.#kept = Buffer.alloc(0);
  }

  /** Resolves once so many receipts were cut. */
  async printed(receipts: number): Promise<PrintedReceipt[]> {
    for (;;) {
      const cut = this.receipts.filter(({ acts }) => acts.includes("cut"));
      if (cut.length >= receipts) return cut;
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  /** Somebody switches it off and on. Data that it has not read is gone. */
  switchOff(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Resolves once so many connections were made. */
  async connected(connections: number): Promise<void> {
    while (this.connections < connections) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  #tell(): void {
    for (const resolve of this.#changed.splice(0)) resolve();
  }

  #print(bytes: Buffer): void {
    this.#paper = Buffer.concat([this.#paper, bytes]);
    this.#tell();
  }

  /** The bytes without its questions, each of which it answers. */
  #answer(bytes: Buffer, socket: Socket, isMuted: boolean): Buffer {
    let text = bytes.toString("latin1");
    for (const [question, answer] of questions[this.language]) {
      const times = text.split(question).length - 1;
      text = text.replaceAll(question, "");
      for (let n = 0; n < times && !isMuted; n++) socket.write(Uint8Array.from(answer(this.mode.state)));
    }
    return Buffer.from(text, "latin1");
  }

  async #read(socket: Socket, job: number): Promise<void> {
    let read = 0;
    while (this.mode.busy) await new Promise<void>((resolve) => this.#changed.push(resolve));
    for await (const part of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const { resetAfter, diesAfter, mutedAfter, silent, slowMs } = this.mode;
      if (slowMs > 0) await new Promise((resolve) => setTimeout(resolve, slowMs));
      const taken = part.subarray(0, Math.max(0, Math.min(resetAfter, diesAfter) - read));
      read += part.length;
      const bytes = this.#answer(taken, socket, silent || read > mutedAfter);
      this.jobs[job] = Buffer.concat([this.jobs[job] ?? Buffer.alloc(0), bytes]);
      if (this.mode.state === "ready") this.#print(bytes);
      else this.#kept = Buffer.concat([this.#kept, bytes]);
      if (read >= resetAfter) return void socket.resetAndDestroy();
      if (read >= diesAfter) {
        socket.end();
        setTimeout(() => socket.resetAndDestroy(), deathMs);
        return;
      }
    }
    if (!this.mode.silent && read <= this.mode.mutedAfter) socket.end();
  }

  async start(): Promise<this> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.connections += 1;
      this.#tell();
      // Whoever prints may be killed at any time.
      socket.on("error", () => undefined);
      this.#read(socket, this.connections - 1).catch(() => socket.destroy());
      this.#sockets.add(socket);
    });
    onTestFinished(() => {
      for (const socket of this.#sockets) socket.destroy();
    });
    this.port = await listening(server);
    return this;
  }
}

/** Starts a printer that is there until the test ends. */
export const virtualPrinter = (
  mode: Partial<PrinterMode> = {},
  { language = "escpos", columns = 48 }: { language?: Language; columns?: number } = {},
): Promise<VirtualPrinter> => new VirtualPrinter(mode, { language, columns }).start();
