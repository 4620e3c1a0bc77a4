import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { isatty } from "node:tty";

/** Thrown by `OutStream.write` when the reader of a pipe is gone; main ends quietly with 0. */
export class ClosedPipeError extends Error {
  constructor() {
    super("the reader of this pipe is gone");
    this.name = "ClosedPipeError";
  }
}

export interface OutStream {
  readonly isTerminal: boolean;
  columns(): number | undefined;
  rows(): number | undefined;
  /** Resolves when every byte is written, on standard error after a second at the latest. Throws ClosedPipeError, or the system's error. */
  write(text: string): Promise<void>;
  /** True for a regular file that does not end in a newline: what is written next would continue its last line. */
  isMidLine(): boolean;
  isBehind(): boolean;
  /** Calls `stalled` once, when a write takes long, and `closed` as soon as nobody reads. Returns a function that ends it. */
  watch(on: { stalled: () => void; closed: (error: Error) => void }): () => void;
}

export type StandardStream = { out: OutStream; abandon(): void };

/** A write to standard output that takes this long is stalled; one to standard error holds its writer up no longer than this. */
const stalledMs = 3_000;
const errorMs = 1_000;
const maxUnread = 1 << 20;

const isClosedPipe = ({ code = "" }: NodeJS.ErrnoException): boolean =>
  ["EPIPE", "EIO", "ECONNRESET", "ECANCELED", "ERR_STREAM_DESTROYED"].includes(code);

function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    const written = writeSync(fd, bytes, at);
    if (written === 0) throw Object.assign(new Error("nothing was written"), { syscall: "write" });
    at += written;
  }
}

/** True if a file's last byte is not a newline, or cannot be read: an empty line does less harm than two in one. */
function lacksNewline(fd: number): boolean {
  const stat = fstatSync(fd);
  if (!stat.isFile() || stat.size === 0) return false;
  try {
    const reader = openSync(`/dev/fd/${fd}`, "r");
    const last = Buffer.alloc(1);
    const isRead = readSync(reader, last, 0, 1, stat.size - 1) === 1;
    closeSync(reader);
    return isRead && last.toString() !== "\n";
  } catch {
    return true;
  }
}

/** A regular file or a device: written in one go, whatever `process.stdout` makes of a write that is cut short. */
function fileStream(fd: 1 | 2): StandardStream {
  let midLine: boolean | undefined;
  const out: OutStream = {
    isTerminal: false,
    columns: () => undefined,
    rows: () => undefined,
    write: (text) =>
      new Promise((resolve) => {
        midLine = undefined;
        writeWhole(fd, Buffer.from(text));
        midLine = !text.endsWith("\n");
        resolve();
      }),
    isMidLine: () => (midLine ??= lacksNewline(fd)),
    isBehind: () => false,
    watch: () => () => undefined,
  };
  return { out, abandon: () => undefined };
}

/** Internals of Node: its terminals block, and its standard streams cannot be closed. */
type Handle = { setBlocking?: (blocking: boolean) => number; close: () => void };

/** True if libuv has opened the terminal anew: its settings are then not those of the shell. */
function isOwnTerminal(fd: 1 | 2): boolean {
  if (process.platform === "win32") return false;
  try {
    const path = process.platform === "linux" ? readlinkSync(`/proc/self/fd/${fd}`) : "/dev/tty";
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NOCTTY));
    return true;
  } catch {
    return false;
  }
}

/** Internals of Node: a handle that waits for an event on any descriptor, however it was opened. */
interface TcpWrap {
  TCP: new (type: number) => { open: (fd: number) => number };
  constants: { SOCKET: number };
}

/** A pipe is waited for as if it could be read: that fails when its last reader is gone. Opened anew: the event loop knows a descriptor by one handle. */
function onPipeClosed(fd: number, closed: () => void): () => void {
  const { binding } = process as typeof process & { binding: (name: "tcp_wrap") => TcpWrap };
  const { TCP, constants: types } = binding("tcp_wrap");
  const handle = new TCP(types.SOCKET);
  handle.open(openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
  const watcher = new Socket({ handle, readable: true, writable: false } as object);
  watcher.on("error", closed).resume().unref();
  return () => {
    watcher.off("error", closed).on("error", () => undefined);
    watcher.destroy();
  };
}

/** Reading a socket would take what is meant for standard input, which may be the same one. To write nothing takes nothing. */
function onSocketClosed(fd: number, closed: () => void): () => void {
  const timer = setInterval(() => {
    try {
      writeSync(fd, Buffer.alloc(0));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EPIPE") return;
      clearInterval(timer);
      closed();
    }
  }, 500).unref();
  return () => clearInterval(timer);
}

/** Returns a function that stops waiting. Where the system offers no way to know, the next write tells. */
function onReaderGone(fd: number, closed: () => void): () => void {
  try {
    if (process.platform !== "win32")
      return fstatSync(fd).isSocket() ? onSocketClosed(fd, closed) : onPipeClosed(fd, closed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENXIO") setImmediate(closed);
  }
  return () => undefined;
}

function liveStream(fd: 1 | 2): StandardStream {
  const stream = fd === 1 ? process.stdout : process.stderr;
  const { _handle: handle } = stream as { _handle?: Handle | null };
  const isTerminal = isatty(fd);
  let isAbandoned = false;
  let onStalled: (() => void) | undefined;
  // Every failure also reaches the callback of the write that met it; this keeps it from ending the process.
  stream.on("error", () => undefined);
  // Ctrl-S would stop this process, signals included, and not only its output.
  if (isTerminal && isOwnTerminal(fd)) handle?.setBlocking?.(false);
  const stall = (): void => {
    onStalled?.();
    onStalled = undefined;
  };

  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isAbandoned) throw new ClosedPipeError();
      const late = fd === 1 ? setTimeout(stall, stalledMs) : setTimeout(resolve, errorMs);
      late.unref();
      stream.write(text, (error) => {
        clearTimeout(late);
        if (isAbandoned || (error && isClosedPipe(error))) reject(new ClosedPipeError());
        else if (error) reject(error);
        else resolve();
      });
    });

  const out: OutStream = {
    isTerminal,
    columns: () => (isTerminal ? stream.columns || undefined : undefined),
    rows: () => (isTerminal ? stream.rows || undefined : undefined),
    write: (text) => (fd === 2 && stream.writableLength > maxUnread ? Promise.resolve() : write(text)),
    isMidLine: () => false,
    isBehind: () => stream.writableLength > 0,
    watch({ stalled, closed }) {
      onStalled = stalled;
      const stop = isTerminal ? undefined : onReaderGone(fd, () => closed(new ClosedPipeError()));
      return () => {
        onStalled = undefined;
        stop?.();
      };
    },
  };
  return {
    out,
    abandon() {
      if (isAbandoned || stream.writableLength === 0) return;
      isAbandoned = true;
      handle?.close();
    },
  };
}

/** A regular file or a device. On Windows there may be none: what is started without a console has no standard streams, and Node puts something in their place. */
function isFile(fd: 1 | 2): boolean {
  try {
    const stat = fstatSync(fd);
    return !stat.isFIFO() && !stat.isSocket();
  } catch {
    return false;
  }
}

export function standardStream(fd: 1 | 2): StandardStream {
  return isatty(fd) || !isFile(fd) ? liveStream(fd) : fileStream(fd);
}
