import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PrinterProblem } from "../errors.ts";
import type { System } from "../system.ts";

type Place = Pick<System, "cwd" | "platform">;

/** Returns the path that the receipt is written to, and the flags to open it with. */
function findTarget(path: string, { cwd, platform }: Place) {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK, O_TRUNC } = constants;
  const isWindows = platform === "win32";
  const [, host = "", name = ""] = /^[\\/]{2}([^\\/.?][^\\/]*)[\\/]([^\\/]+)[\\/]?$/.exec(path) ?? [];
  // A printer that Windows shares, since a file would be below the share. `copy /b` opens it like this. Of any other spelling Node
  // makes one with a backslash at its end, where Windows finds nothing.
  if (isWindows && name !== "")
    return { path: `\\\\?\\UNC\\${host}\\${name}`, flags: O_WRONLY | O_CREAT | O_TRUNC, isShared: true };
  if (isWindows && /^[\\/]{2}\.[\\/]/.test(path)) return { path, flags: O_WRONLY, isShared: false };
  // Devices are never created: an unplugged printer has none, and outside Windows a share does not exist.
  const create = !isWindows && /^(?:\/dev\/(?!shm\/)|\\\\)/.test(path) ? 0 : O_CREAT;
  // Without O_NONBLOCK a FIFO that nobody reads, or a printer without paper, would be waited for.
  return { path: resolve(cwd, path), flags: O_WRONLY | O_APPEND | O_NONBLOCK | create, isShared: false };
}

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? "");

const failed = (error: unknown, maybe: boolean): { problem: PrinterProblem; maybe: boolean } => ({
  problem: { kind: "file", detail: (error as Error).message },
  maybe,
});

interface Receipt {
  bytes: Uint8Array;
  signal: AbortSignal;
  takeMs: number;
}

/** Writes to a device, to a shared Windows printer, or to a file, to which each receipt is appended. */
export async function writeToDevice(path: string, { bytes, signal, takeMs }: Receipt, place: Place) {
  const target = findTarget(path, place);
  const handle = await open(target.path, target.flags, 0o600).catch((error: unknown) => failed(error, false));
  if ("problem" in handle) return handle;
  const late = AbortSignal.timeout(takeMs);
  let written = 0;
  try {
    while (written < bytes.length) {
      if (signal.aborted) return written === 0 ? "unbegun" : "stopped";
      if (late.aborted) return { problem: { kind: "stalled" } satisfies PrinterProblem, maybe: true };
      const { bytesWritten } = await handle.write(bytes, written).catch((error: unknown) => {
        if (hasCode(error, "EAGAIN")) return { bytesWritten: 0 };
        throw error;
      });
      written += bytesWritten;
      if (bytesWritten === 0) await delay(50);
    }
    // Devices, FIFOs and shares that cannot be synced have taken the bytes all the same.
    await handle.sync().catch((error: unknown) => {
      if (!hasCode(error, "EINVAL", "ENOTSUP", "EROFS", "EPERM", "EISDIR", "ENOSYS")) throw error;
    });
    // A shared printer begins to print here.
    await handle.close();
    return undefined;
  } catch (error) {
    // Nobody knows how much of a failed write another machine has got.
    return failed(error, written > 0 || target.isShared);
  } finally {
    await handle.close().catch(() => undefined);
  }
}
