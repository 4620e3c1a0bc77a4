import { chosenObjects, type Fields, type FieldsOf } from "../../cli/fields.ts";
import { given } from "../../cli/flags.ts";
import { ABSENT, count as counted, shown } from "../../cli/format.ts";
import { toJson } from "../../cli/json.ts";
import { callMock, findMock, worldFailure, worldFile } from "../../cli/mocks.ts";
import { type Output, openOutput, type Ui } from "../../cli/output.ts";
import { askedMock, type Runtime } from "../../cli/runtime.ts";
import { type Column, table } from "../../cli/table.ts";
import { title } from "../../cli/text.ts";
import type { OrderState } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";

/** Optional flags, with `--url`, by which a mock is named. */
type Flags<T = unknown> = { [Name in keyof T]?: T[Name] | undefined } & { url?: string | undefined };
type Answer = Record<string, unknown>;
const followEveryMs = 500;

/** With the mock that is named, or that runs, or else the world that `--mock` keeps in the state folder. */
async function withMock({ system, flags }: Runtime, { url }: Flags, work: (url: string) => Promise<void>) {
  const isEmbedded = url === undefined && askedMock(system.env, flags.mock) === "embedded";
  const found = isEmbedded ? undefined : await findMock(system, url);
  if (found !== undefined) return work(found);
  const { startMock } = await import("../index.ts");
  const options = { data: worldFile(system), now: () => system.clock.now() };
  const mock = await startMock(options).catch((error: unknown) => {
    throw worldFailure(error);
  });
  try {
    await work(mock.baseUrl);
  } finally {
    await mock.close();
  }
}

function ask(
  runtime: Runtime,
  flags: Flags,
  [method, path, body]: ["GET" | "POST" | "DELETE", string, object?],
  sentence: (answer: Answer, output: Output) => string,
): Promise<void> {
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  return withMock(runtime, flags, async (url) => {
    const answer = await callMock(url, method, `/_mock/${path}`, body);
    if (output.format === "table") await output.data(`${sentence(answer, output)}\n`);
    else await output.document(answer);
  });
}

type OrderFlags = Flags<{ count: number; branch: string; status: OrderState }>;

export function order(runtime: Runtime, flags: OrderFlags): Promise<void> {
  const { count = 1, branch, status } = flags;
  const body = { count, ...given({ branch, order: status && { status } }) };
  return ask(runtime, flags, ["POST", "orders", body], (answer, { ui }) => {
    const ids = (answer["orders"] as { order_id: number }[]).map((each) => shown(each.order_id));
    return runtime.texts.mock.placed(counted(ids.length, ui), ids.join(", "));
  });
}

export function reply(runtime: Runtime, phone: string, words: string[], flags: Flags): Promise<void> {
  const text = words.join(" ");
  return ask(runtime, flags, ["POST", "replies", { phone, text }], (answer) =>
    runtime.texts.mock.replied(shown(phone), shown(text), shown(answer["campaign_id"])),
  );
}

export function advance(runtime: Runtime, advance_ms: number, flags: Flags): Promise<void> {
  return ask(runtime, flags, ["POST", "clock", { advance_ms }], (answer) =>
    runtime.texts.mock.advanced(shown(answer["now"])),
  );
}

type FaultFlags = Flags<{ list: true; clear: true }>;

export async function fault(runtime: Runtime, words: string[], flags: FaultFlags): Promise<void> {
  const texts = runtime.texts.mock;
  const { list, clear } = flags;
  if ([words.length > 0, list, clear].filter(Boolean).length !== 1)
    throw new BposError("usage_flag", { problem: { kind: "fault_unsaid" } });
  if (clear) return ask(runtime, flags, ["DELETE", "faults"], () => texts.faultsCleared);
  if (list)
    return ask(runtime, flags, ["GET", "faults"], (answer, { ui }) =>
      faultsReport(answer["faults"] as Answer[], ui).trimEnd(),
    );
  const rule = words.join(" ");
  return ask(runtime, flags, ["POST", "faults", { rule }], () => texts.faultAdded(rule));
}

export function reset(runtime: Runtime, flags: Flags<{ scenario: string; seed: number }>): Promise<void> {
  const { scenario, seed } = flags;
  return ask(runtime, flags, ["POST", "reset", given({ scenario, seed })], (answer) =>
    runtime.texts.mock.reset(shown(answer["scenario"])),
  );
}

export async function log(runtime: Runtime, flags: Flags<{ follow: true; limit: number }>): Promise<void> {
  const { system, signal } = runtime;
  const { fields } = runtime.flags;
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const { format, ui } = output;
  await withMock(runtime, flags, async (url) => {
    let seen = 0;
    let limit = flags.limit ?? 100;
    do {
      const answer = await callMock(url, "GET", `/_mock/requests?limit=${limit}`);
      const rows = answer["requests"] as (Answer & { id: number })[];
      // A reset starts the count again.
      if ((rows.at(-1)?.id ?? 0) < seen) seen = 0;
      const fresh = rows.filter((row) => row.id > seen);
      seen = rows.at(-1)?.id ?? seen;
      limit = 1000;
      const requests = chosenObjects(requestFields, fresh, { fields, format });
      if (format === "json" && !flags.follow) await output.document({ ...answer, requests });
      else if (format !== "table") await output.data(requests.map((row) => `${toJson(row)}\n`).join(""));
      else await output.data(fresh.map((row) => requestLine(row, ui, fields)).join(""));
      if (flags.follow) await system.clock.sleep(followEveryMs, signal);
    } while (flags.follow && !signal.aborted);
    if (signal.aborted) throw new BposError("interrupted", { during: "watch" });
  });
}

function ruleOf(fault: Fields): string {
  const { status, seconds, ms } = fault;
  const value = status ?? seconds ?? (ms === undefined ? undefined : `${shown(ms)}ms`);
  const effect = shown(fault["effect"]) + (value === undefined ? "" : `=${shown(value)}`);
  return `${shown(fault["method"])} ${shown(fault["path"])} ${effect}`;
}

export function faultsReport(faults: readonly Fields[], ui: Ui): string {
  const words = ui.texts.mock;
  if (faults.length === 0) return `${words.faultsCleared}\n`;
  const columns: Column<Fields>[] = [
    { title: words.faults.rule, cell: ruleOf, priority: 1 },
    { title: words.faults.times, cell: (fault) => shown(fault["times"]), align: "right", priority: 2 },
    { title: words.faults.rate, cell: (fault) => shown(fault["rate"]), align: "right", priority: 3 },
    { title: words.faults.fired, cell: (fault) => shown(fault["fired"]), align: "right", priority: 1 },
  ];
  return `${title(words.faultsTitle, ui).join("\n")}\n\n${table(columns, faults, ui)}`;
}

export const requestFields: FieldsOf<Fields> = {
  object: (row) => row,
  example: {
    ...{ id: null, at: null, method: null, path: null, query: null, status: null, ms: null, key: null },
    ...{ event_id: null, idempotency_key: null, fault: null, direction: null, reply_id: null, error: null },
  },
  columns: [],
};

export function requestLine(row: Fields, ui: Ui, chosen?: readonly string[]): string {
  if (chosen !== undefined) return `${chosen.map((name) => shown(row[name])).join("  ")}\n`;
  const { theme } = ui;
  const status = Number(row["status"]);
  const tone = status >= 500 || status === 0 ? theme.bad : status >= 400 ? theme.warn : theme.good;
  const own = row["event_id"] ?? row["idempotency_key"];
  const parts = [
    theme.dim(shown(row["at"])),
    shown(row["method"]),
    shown(row["path"]) + (row["query"] ? `?${shown(row["query"])}` : ""),
    tone(shown(row["status"])),
    `${shown(row["ms"])} ms`,
    ...(row["fault"] ? [theme.warn(`[${shown(row["fault"])}]`)] : []),
    ...[own, row["key"]].flatMap((each) => (each ? [theme.dim(shown(each))] : [])),
  ];
  return `${parts.filter((part) => part !== ABSENT).join("  ")}\n`;
}
