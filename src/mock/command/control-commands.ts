import * as z from "zod";
import { chosenObjects, fieldsShape } from "../../cli/fields.ts";
import { duration, parseArgument, parseFlags, whole } from "../../cli/flag-values.ts";
import { type GlobalFlags, globalShape } from "../../cli/global-flags.ts";
import { callMock, findMock } from "../../cli/mock-control.ts";
import { askedMock } from "../../cli/mock-variable.ts";
import { type Output, openOutput } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { worldFailure, worldFile } from "../../cli/world-file.ts";
import { orderStates } from "../../contract/order-states.ts";
import { BposError } from "../../errors.ts";

const talkShape = { ...globalShape, url: z.string().optional() };
const plainFlags = z.strictObject(talkShape);
const orderFlags = z.strictObject({
  ...talkShape,
  count: whole(1, 10_000).optional(),
  branch: z.string().optional(),
  status: z.enum(orderStates).optional(),
});
const faultFlags = z.strictObject({
  ...talkShape,
  list: z.boolean().optional(),
  clear: z.boolean().optional(),
});
const resetFlags = z.strictObject({
  ...talkShape,
  scenario: z.string().optional(),
  seed: whole(0).optional(),
});
const logFlags = z.strictObject({
  ...talkShape,
  ...fieldsShape,
  follow: z.boolean().optional(),
  limit: whole(1, 1000).optional(),
});

const followEveryMs = 500;

type Call = (
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
) => Promise<Record<string, unknown>>;

/**
 * Runs `work` with the control API of the mock that is meant: the one named, the one that runs, or, when none does or
 * `--mock` asks for it, the world that `--mock` keeps in the state folder.
 */
async function withMock(
  runtime: Runtime,
  flags: GlobalFlags & { url?: string | undefined },
  work: (call: Call, output: Output) => Promise<void>,
): Promise<void> {
  const { system } = runtime;
  const output = openOutput(runtime, flags, ["table", "json", "ndjson"]);
  const isEmbedded = flags.url === undefined && askedMock(system.env, flags.mock) === "embedded";
  const found = isEmbedded ? undefined : await findMock(system, flags.url);
  if (found !== undefined) {
    await work((method, path, body) => callMock(found, method, path, body), output);
    return;
  }
  const { startMock } = await import("../index.ts");
  const now = (): number => system.clock.now();
  const mock = await startMock({ data: worldFile(system), now }).catch((error: unknown) => {
    throw worldFailure(error);
  });
  try {
    await work((method, path, body) => callMock(mock.baseUrl, method, path, body), output);
  } finally {
    await mock.close();
  }
}

/** Writes the control API's answer: its document, or a sentence for a person. */
async function say(output: Output, answer: unknown, sentence: () => string): Promise<void> {
  if (output.format === "table") await output.data(`${sentence()}\n`);
  else await output.document(answer);
}

/** Runs `bpos mock order`: raw flags in, output and `runtime.exitCode` out. */
export async function order(runtime: Runtime, raw: unknown): Promise<void> {
  const flags = parseFlags(orderFlags, raw);
  const { count = 1, branch, status } = flags;
  await withMock(runtime, flags, async (call, output) => {
    const { count: counted, shown } = await import("../../cli/format.ts");
    const body = {
      count,
      ...(branch !== undefined && { branch }),
      ...(status !== undefined && { order: { status } }),
    };
    const answer = await call("POST", "/_mock/orders", body);
    const orders = answer["orders"] as { order_id: number }[];
    await say(output, answer, () =>
      runtime.texts.mock.placed(
        counted(orders.length, output.ui),
        orders.map((each) => shown(each.order_id)).join(", "),
      ),
    );
  });
}

/** Runs `bpos mock reply`: raw flags in, output and `runtime.exitCode` out. */
export async function reply(
  runtime: Runtime,
  phone: string,
  words: readonly string[],
  raw: unknown,
): Promise<void> {
  await withMock(runtime, parseFlags(plainFlags, raw), async (call, output) => {
    const { shown } = await import("../../cli/format.ts");
    const text = words.join(" ");
    const answer = await call("POST", "/_mock/replies", { phone, text });
    await say(output, answer, () =>
      runtime.texts.mock.replied(shown(phone), shown(text), shown(answer["campaign_id"])),
    );
  });
}

/** Runs `bpos mock advance`: raw flags in, output and `runtime.exitCode` out. */
export async function advance(runtime: Runtime, by: string, raw: unknown): Promise<void> {
  const advance_ms = parseArgument(duration, by, { argument: "duration", command: "bpos mock advance" });
  await withMock(runtime, parseFlags(plainFlags, raw), async (call, output) => {
    const { shown } = await import("../../cli/format.ts");
    const answer = await call("POST", "/_mock/clock", { advance_ms });
    await say(output, answer, () => runtime.texts.mock.advanced(shown(answer["now"])));
  });
}

/** Runs `bpos mock fault`: raw flags in, output and `runtime.exitCode` out. */
export async function fault(runtime: Runtime, words: readonly string[], raw: unknown): Promise<void> {
  const flags = parseFlags(faultFlags, raw);
  const asked = [words.length > 0, flags.list === true, flags.clear === true].filter(Boolean).length;
  if (asked !== 1) {
    throw new BposError("usage_flag", { problem: { kind: "fault_unsaid" } });
  }
  await withMock(runtime, flags, async (call, output) => {
    const { faultsReport } = await import("./view.ts");
    const rule = words.join(" ");
    if (flags.clear === true)
      await say(output, await call("DELETE", "/_mock/faults"), () => runtime.texts.mock.faultsCleared);
    else if (flags.list === true) {
      const answer = await call("GET", "/_mock/faults");
      const faults = answer["faults"] as Record<string, unknown>[];
      await say(output, answer, () => faultsReport(faults, output.ui).trimEnd());
    } else
      await say(output, await call("POST", "/_mock/faults", { rule }), () =>
        runtime.texts.mock.faultAdded(rule),
      );
  });
}

/** Runs `bpos mock reset`: raw flags in, output and `runtime.exitCode` out. */
export async function reset(runtime: Runtime, raw: unknown): Promise<void> {
  const flags = parseFlags(resetFlags, raw);
  const { scenario, seed } = flags;
  await withMock(runtime, flags, async (call, output) => {
    const { shown } = await import("../../cli/format.ts");
    const body = { ...(scenario !== undefined && { scenario }), ...(seed !== undefined && { seed }) };
    const answer = await call("POST", "/_mock/reset", body);
    await say(output, answer, () => runtime.texts.mock.reset(shown(answer["scenario"])));
  });
}

/** Runs `bpos mock log`: raw flags in, output and `runtime.exitCode` out. */
export async function log(runtime: Runtime, raw: unknown): Promise<void> {
  const flags = parseFlags(logFlags, raw);
  const { system, signal } = runtime;
  await withMock(runtime, flags, async (call, output) => {
    const { requestFields, requestLine } = await import("./view.ts");
    const { toJson } = await import("../../cli/json.ts");
    let seen = 0;
    let limit = flags.limit ?? 100;
    do {
      const answer = await call("GET", `/_mock/requests?limit=${limit}`);
      const rows = answer["requests"] as (Record<string, unknown> & { id: number })[];
      // A reset starts the count again.
      if ((rows.at(-1)?.id ?? 0) < seen) seen = 0;
      const fresh = rows.filter((row) => row.id > seen);
      seen = rows.at(-1)?.id ?? seen;
      limit = 1000;
      const { fields } = flags;
      const { format } = output;
      const requests = await chosenObjects(requestFields, fresh, { fields, format });
      if (format === "json" && flags.follow !== true) await output.document({ ...answer, requests });
      else if (format !== "table") await output.data(requests.map((row) => `${toJson(row)}\n`).join(""));
      else await output.data(fresh.map((row) => requestLine(row, output.ui, fields)).join(""));
      if (flags.follow === true) await system.clock.sleep(followEveryMs, signal);
    } while (flags.follow === true && !signal.aborted);
    if (signal.aborted) throw new BposError("interrupted", { during: "watch" });
  });
}
