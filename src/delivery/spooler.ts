import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import type { PrinterProblem } from "../errors.ts";
import type { System } from "../system.ts";

/**
 * The spooler of Windows by its own functions, for PowerShell 5.1, which every Windows has: it compiles the C# (version 5) when it starts.
 * One line of JSON is a question, one its answer, both in ASCII: neither end knows the code page of the other.
 */
const program = String.raw`$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$broken = $null
try {
Add-Type -TypeDefinition @'
using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Text;
public static class BposSpooler {
  [StructLayout(LayoutKind.Sequential, CharSet = CharSet.Unicode)]
  public struct Document { public string Name, File, Type; }
  [StructLayout(LayoutKind.Sequential, CharSet = CharSet.Unicode)]
  public struct Printer {
    public string Server, Name, Share, Port, Driver, Comment, Location;
    public IntPtr Mode;
    public string Separator, Processor, Type, Parameters;
    public IntPtr Security;
    public uint Attributes, Priority, DefaultPriority, Start, Until, Status, Jobs, Speed;
  }
  [StructLayout(LayoutKind.Sequential)]
  public struct Job { public uint Id; public IntPtr Printer, Machine, User, Document, Type, Text; public uint Status; }
  const string Dll = "winspool.drv";
  [DllImport(Dll, CharSet = CharSet.Unicode, SetLastError = true)] static extern bool OpenPrinter(string name, out IntPtr printer, IntPtr defaults);
  [DllImport(Dll, SetLastError = true)] static extern bool ClosePrinter(IntPtr printer);
  [DllImport(Dll, CharSet = CharSet.Unicode, SetLastError = true)] static extern uint StartDocPrinter(IntPtr printer, uint level, ref Document document);
  [DllImport(Dll, SetLastError = true)] static extern bool StartPagePrinter(IntPtr printer);
  [DllImport(Dll, SetLastError = true)] static extern bool WritePrinter(IntPtr printer, byte[] bytes, int count, out int written);
  [DllImport(Dll, SetLastError = true)] static extern bool EndPagePrinter(IntPtr printer);
  [DllImport(Dll, SetLastError = true)] static extern bool EndDocPrinter(IntPtr printer);
  [DllImport(Dll, SetLastError = true)] static extern bool AbortPrinter(IntPtr printer);
  [DllImport(Dll, CharSet = CharSet.Unicode, SetLastError = true)] static extern bool GetPrinter(IntPtr printer, uint level, IntPtr buffer, int size, out int needed);
  [DllImport(Dll, CharSet = CharSet.Unicode, SetLastError = true)] static extern bool EnumPrinters(uint flags, string server, uint level, IntPtr buffer, int size, out int needed, out int count);
  [DllImport(Dll, CharSet = CharSet.Unicode, SetLastError = true)] static extern bool GetJob(IntPtr printer, uint job, uint level, IntPtr buffer, int size, out int needed);
  [DllImport(Dll, CharSet = CharSet.Unicode, SetLastError = true)] static extern bool SetJob(IntPtr printer, uint job, uint level, IntPtr info, uint command);
  [DllImport(Dll, CharSet = CharSet.Unicode, SetLastError = true)] static extern bool GetDefaultPrinter(StringBuilder name, ref int size);
  delegate bool Filler(IntPtr buffer, int size, out int needed);
  public static bool HasBegun;
  static void Check(bool isDone) { if (!isDone) throw new Win32Exception(); }
  static T Open<T>(string name, Func<IntPtr, T> work) {
    IntPtr printer;
    Check(OpenPrinter(name, out printer, IntPtr.Zero));
    try { return work(printer); } finally { ClosePrinter(printer); }
  }
  static T Read<T>(Filler fill, Func<IntPtr, T> read) {
    for (int size = 0, needed = 0; ; size = needed) {
      IntPtr buffer = Marshal.AllocHGlobal(size + 1);
      try {
        if (fill(buffer, size, out needed)) return read(buffer);
        if (Marshal.GetLastWin32Error() != 122) throw new Win32Exception();
      } finally { Marshal.FreeHGlobal(buffer); }
    }
  }
  static T ToStruct<T>(IntPtr buffer) { return (T)Marshal.PtrToStructure(buffer, typeof(T)); }
  public static Printer[] List() {
    int count = 0;
    return Read((IntPtr buffer, int size, out int needed) => EnumPrinters(6, null, 2, buffer, size, out needed, out count), buffer => {
      var all = new Printer[count];
      for (int n = 0; n < count; n++) all[n] = ToStruct<Printer>(new IntPtr(buffer.ToInt64() + n * Marshal.SizeOf(typeof(Printer))));
      return all;
    });
  }
  public static string Default() {
    var name = new StringBuilder(1024);
    int size = name.Capacity;
    return GetDefaultPrinter(name, ref size) ? name.ToString() : "";
  }
  public static Printer State(string name) {
    return Open(name, printer => Read((IntPtr buffer, int size, out int needed) => GetPrinter(printer, 2, buffer, size, out needed), ToStruct<Printer>));
  }
  public static uint Print(string name, string title, byte[] bytes) {
    HasBegun = false;
    return Open(name, printer => {
      var document = new Document { Name = title, Type = "RAW" };
      uint job = StartDocPrinter(printer, 1, ref document);
      Check(job != 0);
      try {
        Check(StartPagePrinter(printer));
        for (int done = 0, written = 0; done < bytes.Length; done += written) {
          var rest = new byte[bytes.Length - done];
          Array.Copy(bytes, done, rest, 0, rest.Length);
          Check(WritePrinter(printer, rest, rest.Length, out written));
          if (written <= 0) throw new Win32Exception(29);
          HasBegun = true;
        }
        Check(EndPagePrinter(printer));
        Check(EndDocPrinter(printer));
      } catch { AbortPrinter(printer); throw; }
      return job;
    });
  }
  public static uint Status(string name, uint job) {
    return Open(name, printer => Read((IntPtr buffer, int size, out int needed) => GetJob(printer, job, 1, buffer, size, out needed), ToStruct<Job>)).Status;
  }
  public static void Cancel(string name, uint job) {
    Open(name, printer => { Check(SetJob(printer, job, 0, IntPtr.Zero, 5)); return true; });
  }
}
'@
} catch { $broken = $_.ToString() }
$ascii = { param($sign) '\u{0:x4}' -f [int][char]$sign.Value }
while ($null -ne ($line = [Console]::In.ReadLine())) {
  try {
    if ($broken) { throw $broken }
    $ask = ConvertFrom-Json $line
    $answer = switch ($ask.do) {
      'list' {
        $all = @([BposSpooler]::List() | ForEach-Object { @{ name = $_.Name; port = $_.Port; driver = $_.Driver; attributes = $_.Attributes; status = $_.Status } })
        @{ printers = $all; default = [BposSpooler]::Default() }
      }
      'state' { $one = [BposSpooler]::State($ask.printer); @{ attributes = $one.Attributes; status = $one.Status } }
      'print' { @{ job = [BposSpooler]::Print($ask.printer, $ask.title, [Convert]::FromBase64String($ask.bytes)) } }
      'job' { @{ status = [BposSpooler]::Status($ask.printer, $ask.job) } }
      'cancel' { [BposSpooler]::Cancel($ask.printer, $ask.job); @{} }
    }
  } catch {
    $cause = $_.Exception
    while ($cause.InnerException) { $cause = $cause.InnerException }
    $code = if ($cause -is [ComponentModel.Win32Exception]) { $cause.NativeErrorCode } else { 0 }
    $begun = if ($broken) { $false } else { [BposSpooler]::HasBegun }
    $answer = @{ code = $code; message = $cause.Message; begun = $begun }
  }
  $json = ConvertTo-Json $answer -Compress -Depth 4
  [Console]::Out.WriteLine([regex]::Replace($json, '[^ -~]', $ascii))
}`;

const refusal = z.object({ code: z.number(), message: z.string(), begun: z.boolean() });
const shown = { attributes: z.number(), status: z.number() };
const textOrNull = z.string().nullable();
const answers = {
  list: z.object({
    printers: z.array(z.object({ ...shown, name: z.string(), port: textOrNull, driver: textOrNull })),
    default: z.string(),
  }),
  state: z.object(shown),
  print: z.object({ job: z.number() }),
  job: z.object({ status: z.number() }),
  cancel: z.object({}),
};
type Answers = { [K in keyof typeof answers]: z.infer<(typeof answers)[K]> };

interface Spooler {
  askPowerShell: System["askPowerShell"];
  signal: AbortSignal;
}

/** Why Windows did not do it; `code` is its own, `begun` that the printer may have got a part. */
interface Refused {
  problem: PrinterProblem;
  code?: number;
  begun: boolean;
}

/** Of the service that is stopped, disabled, or gone meanwhile. */
const spoolerStopped = [1058, 1062, 1068, 1717, 1722, 1726, 1727, 1753];
const noSuchPrinter = 1801;
const noSuchJob = 87;
/** PowerShell starts within a second or two, and compiles; on an old machine that scans each file it takes many. */
const startMs = 60_000;

const isRefused = (answer: object | "stopped"): answer is Refused | "stopped" =>
  answer === "stopped" || "problem" in answer;

async function ask<K extends keyof Answers>(
  { askPowerShell, signal }: Spooler,
  kind: K,
  facts: { printer?: string; title?: string; bytes?: string; job?: number },
  timeoutMs = startMs,
): Promise<Answers[K] | Refused | "stopped"> {
  const question = JSON.stringify({ do: kind, ...facts }).replace(
    /[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const answered = await askPowerShell(program, question, { timeoutMs, signal });
  if ("none" in answered) {
    if (answered.none === "stopped") return "stopped";
    const isStalled = answered.none === "late" && kind === "print";
    const detail = answered.none === "late" ? "time-out" : answered.detail;
    return { problem: isStalled ? { kind: "stalled" } : { kind: "powershell", detail }, begun: true };
  }
  const json = parseJson(answered.line);
  const answer = answers[kind].safeParse(json);
  if (answer.success) return answer.data as Answers[K];
  const refused = refusal.safeParse(json);
  if (!refused.success) return { problem: { kind: "powershell", detail: answered.line }, begun: true };
  const { code, message, begun } = refused.data;
  if (code === 0) return { problem: { kind: "powershell", detail: message }, begun };
  if (spoolerStopped.includes(code)) return { problem: { kind: "spooler_stopped" }, code, begun };
  return { problem: { kind: "spooler", detail: message }, code, begun };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export type QueueState = "ready" | "paused" | "offline" | "paper_out" | "cover_open" | "faulty";

const anyOf = (status: number, ...bits: number[]): boolean => bits.some((bit) => (status & bit) !== 0);

/** PRINTER_STATUS_… and PRINTER_ATTRIBUTE_WORK_OFFLINE of Microsoft's winspool.h. */
function printerState({ status, attributes }: Answers["state"]): QueueState {
  if (anyOf(status, 0x1)) return "paused";
  if (anyOf(status, 0x80) || anyOf(attributes, 0x400)) return "offline";
  if (anyOf(status, 0x10, 0x40)) return "paper_out";
  if (anyOf(status, 0x400000)) return "cover_open";
  return anyOf(status, 0x2, 0x8, 0x1000, 0x100000) ? "faulty" : "ready";
}

/** JOB_STATUS_… of a job that waits for a person. */
function jobState(status: number): QueueState {
  if (anyOf(status, 0x40)) return "paper_out";
  if (anyOf(status, 0x20)) return "offline";
  if (anyOf(status, 0x1)) return "paused";
  return anyOf(status, 0x2, 0x200, 0x400) ? "faulty" : "ready";
}

const isPrinted = (status: number): boolean => anyOf(status, 0x80, 0x1000);

/** The printers that Windows knows, or why it does not say. */
export async function listSpooler(spooler: Spooler) {
  const list = await ask(spooler, "list", {});
  if (isRefused(list)) return list;
  return list.printers.map((printer) => ({
    ...printer,
    state: printerState(printer),
    isDefault: printer.name === list.default,
  }));
}

async function explain(refused: Refused, spooler: Spooler): Promise<PrinterProblem> {
  if (refused.code !== noSuchPrinter) return refused.problem;
  const printers = await listSpooler(spooler);
  if (!Array.isArray(printers)) return refused.problem;
  return { kind: "not_installed", names: printers.map(({ name }) => name) };
}

interface SpoolerJob {
  bytes: Uint8Array;
  signal: AbortSignal;
  limits: { take: number; tell: number };
}

const pollMs = 250;

type Ended = "stopped" | { problem: PrinterProblem; maybe: boolean } | undefined;

/** Until the job has left the queue. One that waits for paper is taken back: bpos prints it again, and says that it waits. */
async function followJob(
  spooler: Spooler,
  named: { printer: string; job: number },
  limits: SpoolerJob["limits"],
) {
  for (let waited = 0; ; waited += pollMs) {
    const job = await ask(spooler, "job", named);
    if (job === "stopped") return job;
    if ("problem" in job) return job.code === noSuchJob ? undefined : { problem: job.problem, maybe: true };
    if (isPrinted(job.status)) return undefined;
    const state = jobState(job.status);
    if (waited >= (state === "ready" ? limits.take : limits.tell)) {
      await ask(spooler, "cancel", named);
      const problem: PrinterProblem = { kind: state === "ready" ? "stalled" : state };
      return { problem, maybe: true };
    }
    await delay(pollMs, undefined, { signal: spooler.signal }).catch(() => undefined);
  }
}

/** Prints by the spooler of Windows as it is, without its driver. */
export async function printBySpooler(
  printer: string,
  { bytes, signal, limits }: SpoolerJob,
  { askPowerShell }: Pick<System, "askPowerShell">,
): Promise<Ended | "unbegun"> {
  const spooler = { askPowerShell, signal };
  const before = await ask(spooler, "state", { printer });
  if (before === "stopped" || signal.aborted) return "unbegun";
  if ("problem" in before) return { problem: await explain(before, spooler), maybe: false };
  const state = printerState(before);
  if (state !== "ready") return { problem: { kind: state }, maybe: false };

  const receipt = { printer, title: "bpos", bytes: Buffer.from(bytes).toString("base64") };
  const sent = await ask(spooler, "print", receipt, limits.take);
  if (sent === "stopped") return sent;
  if ("problem" in sent) return { problem: await explain(sent, spooler), maybe: sent.begun };
  return followJob(spooler, { printer, job: sent.job }, limits);
}
