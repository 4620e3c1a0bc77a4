import { count as formatCount, isoTimeToSecond, shown } from "../../cli/display/format.ts";
import { type Output, openOutput } from "../../cli/display/output.ts";
import { type Column, listing, listText } from "../../cli/display/table.ts";
import { title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Fields } from "../../cli/display/values.ts";
import { onlyGiven } from "../../cli/line/flags.ts";
import { type Runtime, readMockWish } from "../../cli/runtime.ts";
import { type ControlMethod, callMock, findMock, worldFailure, worldFile } from "../../cli/session/mocks.ts";
import type { OrderState } from "../../contract/limits.ts";
import { BposError, isReason } from "../../errors.ts";

/** Optional flags, with `--url` to name a mock. */
export type Flags<T = unknown> = { [Name in keyof T]?: T[Name] | undefined } & { url?: string | undefined };
export type Answer = Record<string, unknown>;

/** Runs work with the named mock, the running one, or the world that `--mock` keeps in the state folder. */
export async function withMock(
  { system, flags }: Runtime,
  { url, mustRun }: Flags<{ mustRun: true }>,
  work: (url: string) => Promise<void>,
) {
  const isEmbedded = url === undefined && readMockWish(system.env, flags.mock) === "embedded";
  const found = isEmbedded ? undefined : await findMock(system, url);
  if (found !== undefined) return work(found);
  if (mustRun) throw new BposError("usage_flag", { problem: { kind: "mock_absent" } });

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

export function ask(
  runtime: Runtime,
  flags: Flags<{ mustRun: true }>,
  [method, path, body]: readonly [ControlMethod, string, object?],
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
  const body = { count, ...onlyGiven({ branch, order: status && { status } }) };
  return ask(runtime, flags, ["POST", "orders", body], (answer, { ui }) => {
    const ids = (answer["orders"] as { order_id: number }[]).map((each) => shown(each.order_id));
    return runtime.outTexts.t("Placed {count, plural, one {# order} other {# orders}}: {ids}.", {
      count: formatCount(ids.length, ui),
      ids: ids.join(", "),
    });
  });
}

const maxReached = 5;

/** The refusal of a reply, with the phones that can reply. */
async function explainRefusal(url: string, phone: string, refusal: unknown): Promise<unknown> {
  const problem = isReason(refusal, "usage_flag") ? refusal.facts.problem : undefined;
  if (problem?.kind !== "mock_refused" || !problem.said.includes(` to ${phone}`)) return refusal;

  const { messages } = (await callMock(url, "GET", "/_mock/messages")) as { messages: Message[] };
  const own = messages.filter((message) => message.phone === phone);
  if (own.some(({ status }) => status !== "failed")) return refusal;

  const arrived = messages.filter(({ status }) => status !== "failed" && status !== "pending");
  const reached = [...new Set(arrived.map((message) => message.phone))].slice(-maxReached);
  const facts = { phone, reached, ...(own.length > 0 && ({ failed: true } as const)) };
  return new BposError("message_not_found", facts, { cause: refusal });
}

type Message = { phone: string; status: string };

/** Reports if the mock has no webhook: then nobody receives the reply. */
export function reply(runtime: Runtime, phone: string, words: string[], flags: Flags): Promise<void> {
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const text = words.join(" ");
  const { t } = runtime.outTexts;
  return withMock(runtime, flags, async (url) => {
    const given = callMock(url, "POST", "/_mock/replies", { phone, text });
    const answer = await given.catch(async (error: unknown) => {
      throw await explainRefusal(url, phone, error);
    });
    const webhook = await callMock(url, "GET", "/_mock/webhook");
    if (output.format !== "table") await output.document(answer);
    else {
      const replied = { phone: shown(phone), text: shown(text), id: shown(answer["campaign_id"]) };
      await output.data(`${t('{phone} replied "{text}" to {id}.', replied)}\n`);
    }
    if (webhook["url"] !== null) return;

    const unheard = output.texts.t(
      "Nobody received the reply: this mock has no webhook. `bpos campaign listen` prints its address; pass it to `bpos mock webhook URL`.",
    );
    await output.notice(unheard, { event: "replies.unheard" });
  });
}

export function advance(runtime: Runtime, advance_ms: number, flags: Flags): Promise<void> {
  return ask(runtime, flags, ["POST", "clock", { advance_ms }], (answer, { ui }) =>
    runtime.outTexts.t("The mock's clock is at {now}.", { now: isoTimeToSecond(answer["now"], ui) }),
  );
}

type FaultFlags = Flags<{ list: true; clear: true; remove: number }>;

export async function fault(runtime: Runtime, words: string[], flags: FaultFlags): Promise<void> {
  const { t } = runtime.outTexts;
  const { list, clear, remove } = flags;
  const wanted = [words.length > 0, list, clear, remove !== undefined].filter(Boolean);
  if (wanted.length !== 1) throw new BposError("usage_flag", { problem: { kind: "fault_unsaid" } });

  const report = (answer: Answer, { ui }: Output): string =>
    formatFaults(answer["faults"] as Answer[], ui).trimEnd();
  if (clear) return ask(runtime, flags, ["DELETE", "faults"], () => t("No active faults."));
  if (remove !== undefined) return ask(runtime, flags, ["DELETE", `faults/${remove}`], report);
  if (list) return ask(runtime, flags, ["GET", "faults"], report);
  const rule = words.join(" ");
  return ask(runtime, flags, ["POST", "faults", { rule }], () => t("Fault added: {rule}.", { rule }));
}

export function reset(runtime: Runtime, flags: Flags<{ scenario: string; seed: number }>): Promise<void> {
  const { scenario, seed } = flags;
  return ask(runtime, flags, ["POST", "reset", onlyGiven({ scenario, seed })], (answer) =>
    runtime.outTexts.t("The mock was reset: scenario {scenario}.", { scenario: shown(answer["scenario"]) }),
  );
}

function formatRule(fault: Fields): string {
  const { status, seconds, ms } = fault;
  const value = status ?? seconds ?? (ms === undefined ? undefined : `${shown(ms)}ms`);
  const effect = shown(fault["effect"]) + (value === undefined ? "" : `=${shown(value)}`);
  return `${shown(fault["method"])} ${shown(fault["path"])} ${effect}`;
}

export function formatFaults(faults: readonly Fields[], ui: Ui): string {
  const { t } = ui.texts;
  const columns: Column<Fields>[] = [
    { title: t("Id"), cell: (fault) => shown(fault["id"]), align: "right", priority: 1 },
    { title: t("Rule"), cell: formatRule, priority: 1 },
    { title: t("Times"), cell: (fault) => shown(fault["times"]), align: "right", priority: 2 },
    { title: t("Rate"), cell: (fault) => shown(fault["rate"]), align: "right", priority: 3 },
    { title: t("Fired"), cell: (fault) => shown(fault["fired"]), align: "right", priority: 1 },
  ];
  if (faults.length === 0 && ui.width !== undefined) return `${t("No active faults.")}\n`;

  const around = { head: [...title(t("Active faults"), ui), ""], foot: [] };
  return listText(listing(columns, faults, around, ui), ui);
}
