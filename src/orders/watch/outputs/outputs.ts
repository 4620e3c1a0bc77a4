import { mkdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { answerText, parseJson } from "../../../api/json.ts";
import { madeAt, usableOrderId } from "../../../api/pages.ts";
import { toJson } from "../../../cli/display/json.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import type { Session } from "../../../cli/session/session.ts";
import { isoWithOffset } from "../../../contract/limits.ts";
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
import { Deliveries } from "../../../delivery/queue.ts";
import { BposError, isReason } from "../../../errors.ts";
import { isJournalAway } from "../../../journal/engine/engine.ts";
import type { Journal, Transaction } from "../../../journal/journal.ts";
import type { WatchMemory } from "../../../journal/records/orders.ts";
import { gather, type Printers, stationOutput } from "../../../printing/printing.ts";
import { orderChanged, orderTicket } from "../../ticket.ts";
import type { WatchFlags } from "../command.ts";
import type { OrderChanged, OrderDelivery, OrderNew, OrderOutput, WatchContext } from "../polling/context.ts";
import { dayMs } from "../polling/service-times.ts";
import type { Notifications } from "../screen/alerts.ts";
import { orderLine } from "../screen/compact.ts";
import type { WatchScreen } from "../screen/screen.ts";
import { printerOutput } from "./printer.ts";

const defaultExecTimeoutMs = 30_000;

const readId = (order: Order): string => usableOrderId(order) ?? "";
const toLine = (order: Order): string => `${answerText(order)}\n`;

/** @param folder as the system names it: it may have other names, by links. */
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

/** No name can lead out of `--out-dir`. */
function folderName(profile: string): string {
  // Windows leaves out dots at the end, so that `norte.` would be the folder of `norte`.
  const name = profile.replace(/^\.+|\.+$|[^\p{L}\p{N}_.-]/gu, "_");
  const [stem = "", ...rest] = name.split(".");
  return [fileStem(stem), ...rest].join(".");
}

/** Throws `usage_flag` where two profiles would write into one folder; some systems treat names that differ only in case as one. */
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

function openPrintedOutput(
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

/** With --quiet, success prints nothing, as long as the orders go to an output: nobody may see a notification. */
export const printsOrders = ({ outDir, exec, printer }: WatchFlags, quiet: boolean): boolean =>
  !quiet || [outDir, exec, printer].every((each) => each === undefined);

/** The real name of `--out-dir`, which may be a link, made where there is none. */
function makeFolder(cwd: string, outDir: string, profile: string | undefined): string {
  // Every profile has its own: order numbers are each branch's own.
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

/** The outputs that the flags name, in the sequence in which they are offered an order. */
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
  if (printsOrders(flags, session.output.quiet))
    outputs.push(openPrintedOutput(runtime, session, screen, flags));
  return outputs;
}

export type OrderDeliveries = Deliveries<OrderDelivery, BposError, OrderOutput>;

/** An order without a creation time counts as a day old. */
const wasThere = (order: Order, at: number | null, serviceNow: number): boolean =>
  at !== null && (madeAt(order) ?? serviceNow - dayMs) <= at;

/** Records the intent of a delivery, with which station prints what of it; also detects a restored journal. */
async function beginDelivery(watchId: number, n: number, output: string, context: WatchContext) {
  const { journal, branch, serviceNow, worldNow, tell, stations } = context;
  const found = { isOlder: false };
  const older = async (tx: Transaction): Promise<void> => {
    found.isOlder = true;
    await tx.orders.setOlder(watchId, serviceNow());
  };
  const begin = async (tx: Transaction) => {
    const begun = await tx.orders.begin(n, output);
    if (begun === undefined) return undefined;
    if (stations?.outputs.includes(output) !== true) return { ...begun, parts: undefined };
    const parts = await stations.parts(tx, n, { ...begun, output });
    if (parts.some(({ station }) => stationOutput(station) === output)) return { ...begun, parts };
    await tx.orderParts.leave(n, output);
    return undefined;
  };
  const begun = await journal.step(begin, { older });
  if (found.isOlder) await tell({ event: "journal.older" });
  if (begun === undefined) return undefined;

  const { orderKey, body, from, edited, wasBegun, olderAt, parts } = begun;
  const order = parseJson(body) as Order;
  const at = isoWithOffset(worldNow());
  const repeated = wasBegun || wasThere(order, olderAt, serviceNow());
  const event: OrderNew | OrderChanged =
    from === null
      ? { event: "order.new", at, branch, order, repeated }
      : {
          event: "order.changed",
          at,
          branch,
          order_id: order.order_id,
          from,
          to: order.status,
          ...(edited.length > 0 && { changes: edited, order }),
        };
  return { item: { event, order, orderKey, repeated, ...(parts && { parts }) }, wasBegun };
}

/** Marks a change as delivered for an output that takes no changes. */
function skipUnwanted(output: OrderOutput): OrderOutput {
  return {
    ...output,
    deliver: async (item, stop) =>
      item.event.event === "order.new" || output.changes !== "none" ? output.deliver(item, stop) : undefined,
  };
}

interface Failed {
  item: OrderDelivery;
  output: OrderOutput;
  failure: BposError;
  againMs: number;
  isDown: boolean;
}

async function tellFailed(
  { item: { order }, output, failure: error, againMs, isDown }: Failed,
  { tell }: WatchContext,
): Promise<"hung" | undefined> {
  if (output.failureEnds === true) throw error;
  if (isDown && isReason(error, "printer_failed")) {
    const maxPauseMs = output.retry?.backoff(error).maxMs ?? againMs;
    await tell({ event: "printer.failed", output: output.name, error, againMs, maxPauseMs });
    return undefined;
  }
  await tell({ event: "output.failed", output: output.name, orderId: readId(order), againMs, error });
  return isReason(error, "exec_failed") && error.facts.timedOutMs !== null ? "hung" : undefined;
}

async function tellDelivered(
  { name: output }: OrderOutput,
  { event, order }: OrderDelivery,
  { tell, serviceNow }: WatchContext,
): Promise<void> {
  const createdAt = madeAt(order);
  const afterMs = createdAt === undefined ? undefined : serviceNow() - createdAt;
  await tell({ event: "output.delivered", output, isNew: event.event === "order.new", afterMs });
}

/** Whether the last run had the same outputs. */
function isKnown({ outputs: before }: WatchMemory, outputs: readonly OrderOutput[]): boolean {
  const changes = new Map(before.map((each) => [each.name, each.changes]));
  return before.length === outputs.length && outputs.every((each) => changes.get(each.name) === each.changes);
}

/** `docs/guarantees.md`, Orders, 5: a failed delivery is retried at the next poll, then with backoff. */
export async function openDeliveries(memory: WatchMemory, context: WatchContext): Promise<OrderDeliveries> {
  const { watchId } = memory;
  const { outputs, stations, clock, tell, journal, outage, intervalMs, once, signal } = context;
  const { orders } = journal;
  // Deliveries after the service turned out to be another one belong to the first one.
  const branchId = context.branchId();
  const isSame = stations === undefined && !memory.hasEvents && isKnown(memory, outputs);
  const isSingle = !isSame && outputs.some(({ name }) => name === "printer");
  const adopted = isSingle ? await gather(journal, watchId) : await stations?.adopt(journal, watchId);
  if (!isSame) await orders.join(watchId, outputs);
  if (stations !== undefined) await journal.orderParts.complete(watchId, stations.outputs);
  for (const [output, deliveries] of adopted ?? [])
    await tell({ event: "stations.adopted", output, deliveries });

  const deliveries: OrderDeliveries = new Deliveries<OrderDelivery, BposError, OrderOutput>({
    outputs: outputs.map(skipUnwanted),
    isIdle: !memory.hasEvents,
    outbox: {
      next: (output, after) => orders.next(watchId, output, after),
      async begin(output, n) {
        const begun = await beginDelivery(watchId, n, output, context);
        return begun && { ...begun, item: { ...begun.item, branchId } };
      },
      delivered: (output, event) => orders.delivered(event, output),
      notDelivered: (output, event) => orders.notDelivered(event, output),
    },
    onDelivered: (item, output) => tellDelivered(output, item, context),
    onFailed: (failed) => tellFailed(failed, context),
    onRecovered: ({ name: output }) => tell({ event: "output.works", output }),
    async onUnfinished({ event, order }, { name: output }) {
      if (event.event === "order.new")
        await tell({ event: "order.unfinished", output, orderId: readId(order) });
    },
    async onError(error) {
      if (once || !isJournalAway(error)) throw error;
      // Whoever holds the journal releases it, and the next poll retries.
      if (error.trouble === "busy") return;
      await outage.wait(error, journal.check, deliveries.ended);
      deliveries.wake();
    },
    now: () => clock.now(),
    firstBackoffMs: intervalMs,
    // Polls may come a little sooner than the interval says.
    toleranceMs: intervalMs * 0.15,
    signal,
  });
  return deliveries;
}
