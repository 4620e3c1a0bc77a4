import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session.ts";
import type { OrderOutput } from "../../delivery/order-events.ts";
import { BposError } from "../../errors.ts";
import type { WatchScreen } from "./screen.ts";

/** The flags of `orders watch` that say where orders go. */
export interface OutputFlags {
  outDir?: string | undefined;
  exec?: string | undefined;
  execTimeout?: number | undefined;
  execChanges?: boolean | undefined;
  bell?: boolean | undefined;
  allProfiles?: boolean | undefined;
}

const execTimeoutMs = 30_000;

/** The folder of a profile: no name leads out of `--out-dir`. */
const folderName = (profile: string): string => profile.replace(/^\.+|[^\p{L}\p{N}_.-]/gu, "_");

/** Throws `usage_flag` where two profiles would write into one folder, which some systems do whatever the case. */
export function checkFolders(profiles: readonly string[]): void {
  const byFolder = new Map<string, string>();
  for (const profile of profiles) {
    const folder = folderName(profile).toLowerCase();
    const other = byFolder.get(folder);
    if (other !== undefined)
      throw new BposError("usage_flag", { problem: { kind: "folder_shared", profiles: [other, profile] } });
    byFolder.set(folder, profile);
  }
}

/** A folder of `--out-dir`, made where it is missing. Every profile has its own: order numbers are each branch's own. */
function outFolder({ system }: Runtime, flags: OutputFlags, branchName: string): string | undefined {
  if (flags.outDir === undefined) return undefined;
  const folder = resolve(system.cwd, flags.outDir);
  const own = flags.allProfiles === true ? join(folder, folderName(branchName)) : folder;
  try {
    mkdirSync(own, { recursive: true });
  } catch (error) {
    throw new BposError(
      "output_unwritable",
      { file: own, detail: (error as Error).message },
      { cause: error },
    );
  }
  return own;
}

/** Standard output: a ticket or a line of JSON for each order. */
async function stdoutOutput(
  { system }: Runtime,
  flags: OutputFlags,
  { output, branchName, screen }: { output: Session["output"]; branchName: string; screen: WatchScreen },
): Promise<OrderOutput> {
  const { orderChanged, orderTicket } = await import("../show/view.ts");
  const { toJson } = await import("../../cli/json.ts");
  const branch = flags.allProfiles === true ? { branch: branchName } : {};
  const ui = (): Session["output"]["ui"] => ({
    ...output.ui,
    now: system.clock.now(),
    width: output.ui.width === undefined ? undefined : (system.stdout.columns() ?? output.ui.width),
  });
  const lines = output.format === "ndjson";
  const print = async (text: string): Promise<void> => {
    try {
      await screen.print(text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall !== "write") throw error;
      const detail = (error as Error).message;
      throw new BposError("output_unwritable", { file: "standard output", detail }, { cause: error });
    }
  };
  return {
    name: "stdout",
    failureEnds: true,
    gone: screen.gone(),
    async give(event) {
      const { order, repeated } = event;
      await print(lines ? `${toJson(event)}\n` : orderTicket(order, ui(), { repeated, ...branch }));
      if (flags.bell === true && system.stderr.isTerminal)
        await system.stderr.write("\u0007").catch(() => undefined);
    },
    giveChange(event) {
      const { order_id, from, to, at } = event;
      return print(lines ? `${toJson(event)}\n` : orderChanged({ order_id, from, to, at, ...branch }, ui()));
    },
  };
}

/** The outputs that the flags ask for. Throws `output_unwritable`. */
export async function watchOutputs(
  runtime: Runtime,
  flags: OutputFlags,
  session: Session,
  screen: WatchScreen,
): Promise<OrderOutput[]> {
  const { execOutput, outDirOutput } = await import("../../delivery/order-outputs.ts");
  const { output, branchName } = session;
  const outputs: OrderOutput[] = [];
  const folder = outFolder(runtime, flags, branchName);
  if (folder !== undefined) outputs.push(outDirOutput(folder));
  if (flags.exec !== undefined) {
    const { execTimeout: timeoutMs = execTimeoutMs, execChanges: changes = false } = flags;
    outputs.push(execOutput({ command: flags.exec, timeoutMs, changes, run: runtime.system.run }));
  }
  // With --quiet what went well leaves no trace, as long as the orders go somewhere.
  if (outputs.length === 0 || !output.quiet)
    outputs.push(await stdoutOutput(runtime, flags, { output, branchName, screen }));
  return outputs;
}
