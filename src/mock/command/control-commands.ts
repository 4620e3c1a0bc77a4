import { chosenObjects } from "../../cli/fields.ts";
import { callMock, findMock, worldFailure, worldFile } from "../../cli/mocks.ts";
import { type Output, openOutput } from "../../cli/output.ts";
import { askedMock, type Runtime } from "../../cli/runtime.ts";
import type { OrderState } from "../../contract/order-states.ts";
import { BposError } from "../../errors.ts";

/** The flag by which a mock is named. */
interface Named {
  url?: string | undefined;
}

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
  { url }: Named,
  work: (call: Call, output: Output) => Promise<void>,
): Promise<void> {
  const { system, flags } = runtime;
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const isEmbedded = url === undefined && askedMock(system.env, flags.mock) === "embedded";
  const found = isEmbedded ? undefined : await findMock(system, url);
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

/** Runs `bpos mock order`. */
export async function order(
  runtime: Runtime,
  flags: Named & {
    count?: number | undefined;
    branch?: string | undefined;
    status?: OrderState | undefined;
  },
): Promise<void> {
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

/** Runs `bpos mock reply`. */
export async function reply(
  runtime: Runtime,
  phone: string,
  words: readonly string[],
  flags: Named,
): Promise<void> {
  await withMock(runtime, flags, async (call, output) => {
    const { shown } = await import("../../cli/format.ts");
    const text = words.join(" ");
    const answer = await call("POST", "/_mock/replies", { phone, text });
    await say(output, answer, () =>
      runtime.texts.mock.replied(shown(phone), shown(text), shown(answer["campaign_id"])),
    );
  });
}

/** Runs `bpos mock advance`. */
export async function advance(runtime: Runtime, advance_ms: number, flags: Named): Promise<void> {
  await withMock(runtime, flags, async (call, output) => {
    const { shown } = await import("../../cli/format.ts");
    const answer = await call("POST", "/_mock/clock", { advance_ms });
    await say(output, answer, () => runtime.texts.mock.advanced(shown(answer["now"])));
  });
}

/** Runs `bpos mock fault`. */
export async function fault(
  runtime: Runtime,
  words: readonly string[],
  flags: Named & { list?: true | undefined; clear?: true | undefined },
): Promise<void> {
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

/** Runs `bpos mock reset`. */
export async function reset(
  runtime: Runtime,
  flags: Named & { scenario?: string | undefined; seed?: number | undefined },
): Promise<void> {
  const { scenario, seed } = flags;
  await withMock(runtime, flags, async (call, output) => {
    const { shown } = await import("../../cli/format.ts");
    const body = { ...(scenario !== undefined && { scenario }), ...(seed !== undefined && { seed }) };
    const answer = await call("POST", "/_mock/reset", body);
    await say(output, answer, () => runtime.texts.mock.reset(shown(answer["scenario"])));
  });
}

/** Runs `bpos mock log`. */
export async function log(
  runtime: Runtime,
  flags: Named & { follow?: true | undefined; limit?: number | undefined },
): Promise<void> {
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
      const { fields } = runtime.flags;
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
