import { BposError, type CallFacts } from "../errors.ts";
import type { System } from "../system.ts";
import { notAddress } from "./flags.ts";
import { livingMocks } from "./mock-notes.ts";
import { askedMock } from "./mock-variable.ts";

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/_mock/clock`, { signal: AbortSignal.timeout(2_000) });
    // Whatever the mock thinks of this request, it is a mock that answers.
    return response.headers.get("content-type")?.startsWith("application/json") ?? false;
  } catch {
    return false;
  }
}

/** The running mock that a command means: by flag, by BPOS_MOCK, or the newest of this state folder; undefined when none runs. */
export async function findMock(system: System, flag: string | undefined): Promise<string | undefined> {
  const asked = askedMock(system.env);
  const named = flag ?? (typeof asked === "object" ? asked.address : undefined);
  if (named !== undefined) {
    if (!URL.canParse(named)) throw notAddress(flag === undefined ? "BPOS_MOCK" : "--url", named);
    return new URL(named).origin;
  }
  for (const { url } of await livingMocks(system)) if (await answers(url)) return url;
  return undefined;
}

/**
 * A call to the control API of a mock. Throws `unavailable` when it does not answer, `usage_flag` when it declines what
 * it is told, `input_refused` when it refuses otherwise.
 */
export async function callMock(
  url: string,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const facts: CallFacts = { endpoint: `${method} ${path.replace(/\?.*/, "")}`, origin: url, attempts: 1 };
  let response: Response;
  try {
    response = await fetch(url + path, {
      method,
      ...(method !== "GET" && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body ?? {}),
      }),
      signal: AbortSignal.timeout(10_000),
    });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new BposError("unavailable", {
      ...facts,
      detail: cause instanceof Error ? cause.message : message,
    });
  }
  const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (response.ok && answer !== null) return answer;
  const said = answer?.["message"];
  if (response.status === 400 && typeof said === "string")
    throw new BposError("usage_flag", { problem: { kind: "mock_declined", said } });
  throw new BposError("input_refused", {
    ...facts,
    status: response.status,
    ...(typeof said === "string" ? { serviceMessage: said } : { detail: { kind: "not_a_mock" } as const }),
  });
}
