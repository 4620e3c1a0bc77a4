import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";

/** How often a socket is looked at. */
const lookMs = 500;

/** What Node keeps to itself: a handle that waits for an event on any descriptor, whichever way it was opened. */
interface TcpWrap {
  TCP: new (type: number) => { open: (fd: number) => number };
  constants: { SOCKET: number };
}

/**
 * A pipe is waited for as if it could be read: that fails when its last reader is gone, and not before. It is opened once
 * more, because the event loop knows a descriptor by one handle only.
 */
function onPipeClosed(fd: number, closed: () => void): () => void {
  const { binding } = process as unknown as { binding: (name: "tcp_wrap") => TcpWrap };
  const { TCP, constants: types } = binding("tcp_wrap");
  const handle = new TCP(types.SOCKET);
  handle.open(openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
  const watcher = new Socket({ handle, readable: true, writable: false } as object);
  watcher.on("error", closed).resume().unref();
  return () =>
    void watcher
      .off("error", closed)
      .on("error", () => undefined)
      .destroy();
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
  }, lookMs).unref();
  return () => clearInterval(timer);
}

/**
 * Calls `closed` once nobody can read a pipe or a socket any more; returns a function that stops waiting for it. Where
 * the system offers no way to know, the next write tells.
 */
export function onReaderGone(fd: number, closed: () => void): () => void {
  try {
    if (process.platform !== "win32")
      return fstatSync(fd).isSocket() ? onSocketClosed(fd, closed) : onPipeClosed(fd, closed);
  } catch (error) {
    // A named pipe without a reader.
    if ((error as NodeJS.ErrnoException).code === "ENXIO") setImmediate(closed);
  }
  return () => undefined;
}
