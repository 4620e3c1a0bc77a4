import { mkdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { answerText } from "../../../api/json.ts";
import { toJson } from "../../../cli/display/json.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import type { Session } from "../../../cli/session/session.ts";
import type { Order } from "../../../contract/order.ts";
import {
  type ExecOptions,
  envWord,
  execOutput,
  fileStem,
  stdoutOutput,
  unwritable,
  wasCut,
  writeOrderFile,
} from "../../../delivery/outputs.ts";
import { BposError, isReason } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import type { Printers } from "../../../printing/printing.ts";
import { orderChanged, orderTicket } from "../../ticket.ts";
import type { WatchFlags } from "../command.ts";
import type { Notifications } from "../screen/alerts.ts";
import { orderLine } from "../screen/compact.ts";
import type { WatchScreen } from "../screen/screen.ts";
import { type OrderDelivery, type OrderOutput, readId } from "./order-output.ts";
import { printerOutput } from "./printer.ts";

const defaultExecTimeoutMs = 30_000;

const toLine = (order: Order): string => `${answerText(order)}\n`;

/** Writes each order to a file. @param folder its real path, without links. */
export function outDirOutput(folder: string, files: Journal["orderFiles"]): OrderOutput {
  return {
    name: "out-dir",
    changes: "none",
    async deliver({ event, order, orderKey: key, branchId: branch }) {
      const isRepeated = event.event === "order.new" && event.repeated;
      try {
        const file = { orderId: readId(order), text: toLine(order), key, branch, isRepeated };
        await writeOrderFile(folder, file, files);
        return undefined;
      } catch (error) {
        if (error instanceof BposError) return error;
        throw error;
      }
    },
  };
}

function toEnvironment({ event, order }: OrderDelivery): Record<string, string> {
  const common = {
    BPOS_ORDER_ID: readId(order),
    BPOS_EVENT: event.event,
    BPOS_BRANCH: envWord(event.branch),
  };
  if (event.event === "order.new") return { ...common, BPOS_REPEATED: String(event.repeated) };
  return {
    ...common,
    BPOS_REPEATED: "false",
    BPOS_FROM: envWord(event.from),
    BPOS_TO: envWord(event.to),
    BPOS_CHANGES: (event.changes ?? []).join(","),
  };
}

export function orderExecOutput(options: ExecOptions, takesChanges: boolean): OrderOutput {
  const output = execOutput<OrderDelivery, BposError>(
    options,
    (item) => ({ input: toLine(item.order), env: toEnvironment(item) }),
    {
      of: (failure, { order }) => new BposError("exec_failed", { ...failure, orderId: readId(order) }),
      mayHave: (error) => isReason(error, "exec_failed") && wasCut(error.facts),
    },
  );
  return { ...output, changes: takesChanges ? "all" : "none" };
}

/** Returns the folder of a profile in `--out-dir`; no name can escape it. */
function folderName(profile: string): string {
  // Windows drops trailing dots, so `norte.` would be the folder of `norte`.
  const name = profile.replace(/^\.+|\.+$|[^\p{L}\p{N}_.-]/gu, "_");
  const [stem = "", ...rest] = name.split(".");
  return [fileStem(stem), ...rest].join(".");
}

/** Throws `usage_flag` if two profiles would write into one folder; some systems treat names that differ only in case as one. */
export function checkFolders(profiles: readonly string[]): void {
  const folders = new Map<string, string>();
  for (const profile of profiles) {
    const folder = folderName(profile).toLowerCase();
    const other = folders.get(folder) ?? profile;
    if (other !== profile)
      throw new BposError("usage_flag", { problem: { kind: "folder_shared", profiles: [other, profile] } });
    folders.set(folder, profile);
  }
}

function openStdoutOutput(
  { system }: Runtime,
  { output, branchName }: Session,
  screen: WatchScreen,
  { compact, allProfiles }: WatchFlags,
): OrderOutput {
  const branch = allProfiles === true ? branchName : undefined;
  const formatEvent = ({ event, order }: OrderDelivery): string => {
    if (output.format === "ndjson") return `${toJson(event)}\n`;
    const width = output.ui.width === undefined ? undefined : (system.stdout.columns() ?? output.ui.width);
    const ui = { ...output.ui, width };
    if (compact === true) return orderLine(order, ui, { ...event, branch });
    if (event.event === "order.changed") return orderChanged(event, order, ui, branch);
    return orderTicket(order, ui, event.repeated, branch);
  };
  const print = async (item: OrderDelivery): Promise<void> => {
    const isNew = item.event.event === "order.new";
    const isEdit = item.event.event === "order.changed" && item.event.changes !== undefined;
    // The board shows waiting orders and their next state, not orders that left pendiente before a poll listed them there.
    const isOnBoard = screen.isCompact && !(isNew && item.order.status !== "pendiente");
    if (isOnBoard && isEdit) screen.edited(branchName, item.orderKey);
    if (!isOnBoard) await screen.print(formatEvent(item));
    if (isNew || isEdit) await screen.ring();
  };
  const printed = stdoutOutput(screen.gone(), print, (error) => unwritable("standard output", error));
  return { ...printed, changes: "all", failureEnds: true };
}

function notifyOutput(notifications: Notifications, { output, branchName }: Session): OrderOutput {
  return {
    name: "notify",
    changes: "none",
    deliver({ order }) {
      notifications.add(order, branchName, output.ui);
      return Promise.resolve(undefined);
    },
  };
}

/** Whether standard output shows the orders: not with --quiet, unless no other output receives them. Notifications do not count: nobody may see them. */
export const showsOrders = ({ outDir, exec, printer }: WatchFlags, quiet: boolean): boolean =>
  !quiet || [outDir, exec, printer].every((each) => each === undefined);

/** Makes the folder if there is none, and returns its real path, without links. */
function makeFolder(cwd: string, outDir: string, profile: string | undefined): string {
  // One per profile: order numbers are unique only within a branch.
  const folder = resolve(cwd, outDir, profile === undefined ? "" : folderName(profile));
  try {
    mkdirSync(folder, { recursive: true });
    return realpathSync(folder);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

interface Consumers {
  screen: WatchScreen;
  printers: Printers | undefined;
  journal: Journal;
}

/** Returns the outputs that the flags name, in the sequence in which they receive an order. Throws `output_unwritable` for the folder. */
export function openOutputs(
  runtime: Runtime,
  flags: WatchFlags,
  session: Session,
  { screen, printers, journal }: Consumers,
): OrderOutput[] {
  const { outDir, exec, execTimeout: timeoutMs = defaultExecTimeoutMs, execChanges = false } = flags;
  const { cwd, run } = runtime.system;
  const outputs: OrderOutput[] = [];
  if (outDir !== undefined) {
    const folder = makeFolder(cwd, outDir, flags.allProfiles === true ? session.branchName : undefined);
    outputs.push(outDirOutput(folder, journal.orderFiles));
  }
  if (exec !== undefined) {
    const options = { command: exec, outputNumber: outputs.length + 1, timeoutMs, run };
    outputs.push(orderExecOutput(options, execChanges));
  }
  for (const printer of printers?.get(session)?.printers ?? [])
    outputs.push(printerOutput(printer, runtime.system, journal.check));
  if (screen.notifications !== undefined) outputs.push(notifyOutput(screen.notifications, session));
  if (showsOrders(flags, session.output.quiet))
    outputs.push(openStdoutOutput(runtime, session, screen, flags));
  return outputs;
}
