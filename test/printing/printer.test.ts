import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { printerAddress } from "../../src/contract/addresses.ts";
import { Printer, type PrinterOptions } from "../../src/printing/printer.ts";
import { runCommand } from "../../src/system.ts";
import { temporaryFolder } from "../support/run.ts";
import { listening } from "../support/server.ts";
import { virtualPrinter } from "../support/virtual-printer.ts";

const never = new AbortController().signal;
const bytes = Buffer.from("\u001b@PEDIDO 17\n\u001dV\u0001", "latin1");

type Printing = Partial<PrinterOptions> & { data?: Uint8Array; signal?: AbortSignal; cwd?: string };

/** A printer, with time limits that a busy machine keeps. */
function openPrinter(url: string, { cwd = "/", ...more }: Printing) {
  const limits = { connect: 5_000, ask: 2_000, take: 5_000, answer: 5_000, close: 100, ...more.limits };
  const system = { run: runCommand, cwd, platform: process.platform };
  const address = printerAddress(url);
  if (address === undefined) throw new Error(url);
  return new Printer({ address, language: "escpos", system, ...more, limits });
}

const print = (url: string, { data = bytes, signal = never, ...options }: Printing = {}) =>
  openPrinter(url, options).print(data, signal);

/** Prints a receipt after another on one printer. */
function printing(url: string, limits: NonNullable<PrinterOptions["limits"]>) {
  const printer = openPrinter(url, { limits });
  return () => printer.print(bytes, never);
}

/** For what takes too long, however long it is given. */
const hasty = { ask: 100, take: 200, answer: 400 };
const soon = { timeout: 10_000, interval: 5 };
/** Reads what a FIFO that is open without waiting holds, at most a megabyte; returns how much that was. */
function readAll(reader: number): number {
  try {
    return readSync(reader, Buffer.alloc(1_000_000));
  } catch {
    return 0;
  }
}

const failedWith = (kind: string, maybe: boolean) => ({
  reason: "printer_failed",
  facts: { maybe, problem: { kind } },
});

describe("an address", () => {
  it.each([
    ["tcp://192.168.1.50", { kind: "tcp", host: "192.168.1.50", port: 9100 }],
    ["TCP://cocina.local:9101/", { kind: "tcp", host: "cocina.local", port: 9101 }],
    ["tcp://[fe80::1]:9100", { kind: "tcp", host: "fe80::1", port: 9100 }],
    ["file:/dev/usb/lp0", { kind: "file", path: "/dev/usb/lp0" }],
    ["file:///dev/usb/lp0", { kind: "file", path: "/dev/usb/lp0" }],
    ["file:rehearsal.bin", { kind: "file", path: "rehearsal.bin" }],
    ["lp:kitchen_1", { kind: "lp", queue: "kitchen_1" }],
    ["file:\\\\localhost\\Caja ñ 80", { kind: "file", path: "\\\\localhost\\Caja ñ 80" }],
    ["file:\\\\.\\COM3", { kind: "file", path: "\\\\.\\COM3" }],
  ])("%s", (text, address) => expect(printerAddress(text)).toMatchObject(address));

  it.each([
    ...[
      "",
      "192.168.1.50",
      "tcp:192.168.1.50",
      "tcp://",
      "tcp://host:0x1",
      "tcp://host:99999",
      "tcp://host/path",
    ],
    ...["tcp://user@host", "file:", "lp:", "lp:a b", "lp:$(id)", "lp:-d", "win:EPSON", "http://host"],
  ])("%j is none", (text) => expect(printerAddress(text)).toBeUndefined());
});

describe("over TCP", () => {
  it.each(["escpos", "star"] as const)(
    "prints once, whatever the printer answers, in %s",
    async (language) => {
      for (const mode of [{}, { silent: true }, { slowMs: 50 }]) {
        const printer = await virtualPrinter(mode, { language });
        const limits = mode.silent ? hasty : {};
        expect(await print(printer.url, { language, limits })).toBeUndefined();
        expect(printer.jobs).toEqual([bytes]);
      }
    },
  );

  it.each(["paper_out", "cover_open"] as const)("sends nothing to a printer that says %s", async (state) => {
    for (const language of ["escpos", "star"] as const) {
      const printer = await virtualPrinter({ state }, { language });
      expect(await print(printer.url, { language })).toMatchObject(failedWith(state, false));
      expect(printer.jobs.map(({ length }) => length)).toEqual([0]);
    }
  });

  it("knows that paper ran out while it printed, and that a part may be on paper", async () => {
    const printer = await virtualPrinter({ slowMs: 60 });
    const data = Buffer.alloc(200_000, "x\n");
    const printing = print(printer.url, { data });
    await vi.waitFor(() => expect(printer.jobs[0]?.length).toBeGreaterThan(0), soon);
    printer.mode.state = "paper_out";
    expect(await printing).toMatchObject(failedWith("paper_out", true));
  });

  it("tells a printer that hangs up before from one that hangs up in the middle", async () => {
    const data = Buffer.alloc(200_000, "x\n");
    for (const [resetAfter, maybe] of [
      [1, false],
      [300, true],
    ] as const) {
      // biome-ignore format: pairs
      const printer = await virtualPrinter({ resetAfter });
      expect(await print(printer.url, { data })).toMatchObject(failedWith("reset", maybe));
    }
  });

  it.each(["escpos", "star"] as const)(
    "does not believe one that takes a part, closes its side and resets later, in %s",
    async (language) => {
      const data = Buffer.alloc(537, "x\n");
      for (const silent of [false, true]) {
        const printer = await virtualPrinter({ diesAfter: 100, silent }, { language });
        const outcome = await print(printer.url, { data, language, limits: { ask: 100 } });
        expect(outcome).toMatchObject(failedWith(silent ? "reset" : "silent", true));
        expect(printer.jobs[0]?.length).toBeLessThan(100);
      }
    },
  );

  it.each(["escpos", "star"] as const)(
    "does not believe one that told its state before and does not afterwards, in %s",
    async (language) => {
      const printer = await virtualPrinter({ mutedAfter: 10 }, { language });
      const outcome = await print(printer.url, { language, limits: { tell: 300 } });
      expect(outcome).toMatchObject(failedWith("silent", true));
    },
  );

  it("sends nothing to one that used to tell its state while another till prints on it", async () => {
    const printer = await virtualPrinter();
    const print = printing(printer.url, hasty);
    expect(await print()).toBeUndefined();
    printer.mode.busy = true;
    expect(await print()).toMatchObject(failedWith("busy", false));
    printer.switchOff();
    printer.repair();
    expect(await print()).toBeUndefined();
    expect(printer.jobs.filter((job) => job.length > 0)).toEqual([bytes, bytes]);
  });

  it("knows that one that was switched off may not have what waited in its queue", async () => {
    const printer = await virtualPrinter({ busy: true });
    const outcome = print(printer.url, { limits: hasty });
    // Longer than one is waited for that is known to say nothing.
    setTimeout(() => printer.switchOff(), hasty.ask + hasty.answer + 200);
    expect(await outcome).toMatchObject(failedWith("reset", true));
    expect(printer.receipts).toEqual([]);
  });

  it("believes one that comes to the receipt late, and not its late answer to the first question", async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.once("data", () => setTimeout(() => socket.write(Uint8Array.of(0x12, 0x12)), 80));
      socket.resume().on("end", () => socket.end());
    });
    const url = `tcp://127.0.0.1:${await listening(server)}`;
    expect(await print(url, { limits: { ask: 30 } })).toMatchObject(failedWith("silent", true));
    const well = await virtualPrinter({ busy: true });
    setTimeout(() => well.repair(), 200);
    expect(await print(well.url, { limits: { ask: 50 } })).toBeUndefined();
    expect(well.jobs).toEqual([bytes]);
  });

  it("expects a goodbye of one that always said it", async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => void socket.resume());
    let says = true;
    server.on("connection", (socket: Socket) => socket.on("end", () => says && socket.end()));
    const print = printing(`tcp://127.0.0.1:${await listening(server)}`, hasty);
    expect(await print()).toBeUndefined();
    says = false;
    expect(await print()).toMatchObject(failedWith("silent", true));
  });

  it("does not take an early goodbye for a receipt", async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      // After the question, which is a part of its own.
      socket.once("data", () => socket.once("data", () => socket.pause().end()));
    });
    const data = Buffer.alloc(20_000_000, "x\n");
    const url = `tcp://127.0.0.1:${await listening(server)}`;
    expect(await print(url, { data })).toMatchObject(failedWith("reset", true));
  });

  it("gives up one that takes no more", async () => {
    const printer = await virtualPrinter({ slowMs: 60_000, silent: true });
    const data = Buffer.alloc(20_000_000, "x\n");
    expect(await print(printer.url, { data, limits: hasty })).toMatchObject(failedWith("stalled", true));
  });

  it("says what it could not reach", async () => {
    const { url } = await virtualPrinter();
    expect(await print("tcp://127.0.0.1:1")).toMatchObject(failedWith("unreachable", false));
    expect(await print("tcp://no-such-printer.invalid")).toMatchObject(failedWith("unreachable", false));
    const stop = new AbortController();
    const stopped = print(url, { signal: stop.signal });
    stop.abort();
    expect(await stopped).toBe("unbegun");
  });

  it("stopped while it prints, does not know", async () => {
    const printer = await virtualPrinter({ slowMs: 60_000, silent: true });
    const stop = new AbortController();
    // Once it had its time to say how it is.
    void printer.connected(1).then(() => setTimeout(() => stop.abort(), 300));
    expect(await print(printer.url, { signal: stop.signal, limits: { ask: 100 } })).toBe("stopped");
  });
});

describe("a file or device", () => {
  it("gets one receipt after the other", async () => {
    const cwd = temporaryFolder();
    expect(await print("file:out.bin", { cwd })).toBeUndefined();
    expect(await print("file:out.bin", { cwd })).toBeUndefined();
    expect(readFileSync(join(cwd, "out.bin"))).toEqual(Buffer.concat([bytes, bytes]));
    expect(await print("file:/dev/null")).toBeUndefined();
  });

  it("that is not there, full or a folder is said, and no device is made", async () => {
    expect(await print("file:/dev/bpos-no-printer")).toMatchObject(failedWith("file", false));
    expect(existsSync("/dev/bpos-no-printer")).toBe(false);
    expect(await print("file:/dev/full")).toMatchObject(failedWith("file", false));
    expect(await print(`file:${temporaryFolder()}`)).toMatchObject(failedWith("file", false));
    const share = String.raw`file:\\localhost\EPSON`;
    expect(await print(share, { cwd: temporaryFolder() })).toMatchObject(failedWith("file", false));
  });

  it("that is a FIFO is not waited for without a reader", async () => {
    const fifo = join(temporaryFolder(), "fifo");
    execFileSync("mkfifo", [fifo]);
    expect(await print(`file:${fifo}`)).toMatchObject(failedWith("file", false));
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      expect(await print(`file:${fifo}`)).toBeUndefined();
      const read = Buffer.alloc(100);
      expect(read.subarray(0, readSync(reader, read))).toEqual(bytes);
      // Nobody reads any more than fits.
      const data = Buffer.alloc(1_000_000);
      expect(await print(`file:${fifo}`, { data, limits: hasty })).toMatchObject(failedWith("stalled", true));
      // Ctrl-C does not wait for whoever might read on.
      const stop = new AbortController();
      while (readAll(reader) > 0);
      const printing = print(`file:${fifo}`, { data, signal: stop.signal, limits: { take: 60_000 } });
      await expect.poll(() => readAll(reader)).toBeGreaterThan(0);
      stop.abort();
      expect(await printing).toBe("stopped");
    } finally {
      closeSync(reader);
    }
  });
});

describe("a queue of lp", () => {
  /** A system whose `lp` is this script, or none. */
  function withLp(script?: string) {
    const folder = temporaryFolder();
    const file = join(folder, "lp");
    if (script !== undefined) {
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    }
    const PATH = script === undefined ? folder : `${folder}:/usr/bin:/bin`;
    const run: typeof runCommand = (command, how) => runCommand(command, { ...how, env: { PATH } });
    return { folder, system: { cwd: "/", run, platform: process.platform } };
  }

  it("gets the bytes as they are", async () => {
    const { folder, system } = withLp('cat > "$(dirname "$0")/got"; echo "$@" > "$(dirname "$0")/how"');
    expect(await print("lp:kitchen", { system })).toBeUndefined();
    expect(readFileSync(join(folder, "got"))).toEqual(bytes);
    expect(readFileSync(join(folder, "how"), "utf8")).toBe("-d kitchen -o raw\n");
  });

  it("that refuses, is not there or takes too long is said", async () => {
    const refuses = withLp('echo "lp: The printer or class does not exist." >&2; exit 1');
    expect(await print("lp:nope", refuses)).toMatchObject({
      facts: { maybe: false, problem: { kind: "lp", detail: "lp: The printer or class does not exist." } },
    });
    expect(await print("lp:kitchen", withLp())).toMatchObject(failedWith("lp_missing", false));
    const sleeps = { ...withLp("sleep 9"), limits: hasty };
    expect(await print("lp:kitchen", sleeps)).toMatchObject(failedWith("lp", true));
  });
});
