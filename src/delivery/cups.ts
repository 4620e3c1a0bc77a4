import type { PrinterProblem } from "../errors.ts";
import type { System } from "../system.ts";

export interface CupsQueue {
  name: string;
  /** Where it prints to, as CUPS writes it, such as `usb://EPSON/TM-T20`. */
  port: string | null;
  state: "ready" | "paused";
  isDefault: boolean;
}

const timeoutMs = 10_000;

/** What `lpstat -d -p -v` of CUPS says in the language of its programmers. */
function readQueues(text: string): CupsQueue[] {
  const ports = new Map(
    [...text.matchAll(/^device for (\S+): (.*)$/gm)].map(([, name, port = ""]) => [name, port]),
  );
  const usual = /^system default destination: (\S+)$/m.exec(text)?.[1];
  return [...text.matchAll(/^printer (\S+) (.*)$/gm)].map(([, name = "", said = ""]) => ({
    name,
    port: ports.get(name) ?? null,
    state: said.startsWith("disabled") ? "paused" : "ready",
    isDefault: name === usual,
  }));
}

/** The queues of CUPS on this machine, or why it does not say. */
export async function listCups(
  { run }: Pick<System, "run">,
  signal: AbortSignal,
): Promise<CupsQueue[] | { problem: PrinterProblem }> {
  const said = { data: "", error: "" };
  const onOutput = (bytes: Buffer, isError: boolean): void => {
    said[isError ? "error" : "data"] += bytes.toString();
  };
  const end = await run("lpstat -d -p -v", { env: { LC_ALL: "C" }, timeoutMs, signal, onOutput, input: "" });
  if (end.code === 127 || end.failure !== undefined) return { problem: { kind: "lp_missing" } };
  if (end.code === 0 || said.error.includes("No destinations added")) return readQueues(said.data);
  const [detail = ""] = said.error.trim().split("\n");
  return { problem: { kind: "cups", detail: end.timedOut ? "time-out" : detail } };
}
