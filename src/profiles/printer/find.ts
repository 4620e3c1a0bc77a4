import type { Runtime } from "../../cli/runtime.ts";
import { printerAddress } from "../../contract/addresses.ts";
import { listCups } from "../../delivery/cups.ts";
import { listSpooler, type QueueState } from "../../delivery/spooler.ts";
import { BposError, type PrinterProblem } from "../../errors.ts";
import { errorWords } from "../../i18n/shapes.ts";
import type { ProfileFile } from "../../settings/profile-file.ts";
import type { System } from "../../system.ts";

export interface FoundPrinter {
  /** Its address, for `--printer`. */
  printer: string;
  /** What it is connected to, as the system's print service says it. */
  port: string | null;
  driver: string | null;
  state: QueueState | null;
  default: boolean;
  profiles: string[];
}

type Queues = Omit<FoundPrinter, "profiles">[] | { problem: PrinterProblem };

async function findQueues(system: System, signal: AbortSignal): Promise<Queues> {
  if (system.platform !== "win32") {
    const queues = await listCups(system, signal);
    if (!Array.isArray(queues)) return queues;
    const usable = queues.filter(({ name }) => printerAddress(`lp:${name}`) !== undefined);
    return usable.map(({ name, isDefault, ...queue }) => ({
      ...queue,
      printer: `lp:${name}`,
      driver: null,
      default: isDefault,
    }));
  }
  const printers = await listSpooler({ askPowerShell: system.askPowerShell, signal });
  if (printers === "stopped" || "problem" in printers) return printers === "stopped" ? [] : printers;
  return printers.map(({ name, port, driver, state, isDefault }) => ({
    printer: `win:${name}`,
    port,
    driver,
    state,
    default: isDefault,
  }));
}

/** The printers of this machine's print service, and those that profiles name; `problem` is why that service does not say, in `words`. */
export async function findPrinters({ system, signal, texts }: Runtime, { profiles }: ProfileFile) {
  const queues = await findQueues(system, signal);
  if (signal.aborted) throw new BposError("interrupted", { during: "reading" });
  const found = new Map<string, FoundPrinter>();
  if (Array.isArray(queues)) for (const queue of queues) found.set(queue.printer, { ...queue, profiles: [] });
  for (const [name, { printer: text }] of Object.entries(profiles)) {
    if (text === undefined) continue;
    const printer = printerAddress(text)?.url ?? text;
    const known = found.get(printer) ?? {
      printer,
      port: null,
      driver: null,
      state: null,
      default: false,
      profiles: [],
    };
    known.profiles.push(name);
    found.set(printer, known);
  }
  const printers = [...found.values()];
  if (Array.isArray(queues)) return { printers };
  const facts = {
    printer: system.platform === "win32" ? "Windows" : "CUPS",
    problem: queues.problem,
    maybe: false,
  };
  const { what, next } = errorWords(texts.errors, "printer_failed", facts);
  return { printers, problem: queues.problem, words: `${what} ${next}` };
}
