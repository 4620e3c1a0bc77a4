import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { folders } from "../config/folders.ts";
import { BposError, type CallFacts } from "../errors.ts";
import type { System } from "../system.ts";
import { notAddress } from "./flag-values.ts";
import { askedMock } from "./mock-variable.ts";

/** The file in the state folder that says where a mock runs. */
const runningFile = (system: System): string => join(folders(system).state, "mock-running.json");

/** Writes down where this mock runs, for `bpos mock order` and its like; a folder that cannot be written is no hindrance. */
export async function announceMock(system: System, url: string): Promise<() => void> {
  const file = runningFile(system);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify({ url, pid: system.pid }), { mode: 0o600 });
  } catch {
    return () => undefined;
  }
  return () => {
    // A mock that was started later has put its own address there.
    if (announcedMock(system)?.url === url) rmSync(file, { force: true });
  };
}

/** The mock that was started last and not stopped, as far as is known. */
export function announcedMock(system: System): { url: string; pid: number } | undefined {
  try {
    const { url, pid } = JSON.parse(readFileSync(runningFile(system), "utf8")) as Record<string, unknown>;
    return typeof url === "string" && typeof pid === "number" ? { url, pid } : undefined;
  } catch {
    return undefined;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/_mock/clock`, { signal: AbortSignal.timeout(2_000) });
    // Whatever the mock thinks of this request, it is a mock that answers.
    return response.headers.get("content-type")?.startsWith("application/json") ?? false;
  } catch {
    return false;
  }
}

/** The running mock that a command means: by flag, by BPOS_MOCK, or the one of this state folder; undefined when none runs. */
export async function findMock(system: System, flag: string | undefined): Promise<string | undefined> {
  const asked = askedMock(system.env);
  const named = flag ?? (typeof asked === "object" ? asked.address : undefined);
  if (named !== undefined) {
    if (!URL.canParse(named)) throw notAddress(flag === undefined ? "BPOS_MOCK" : "--url", named);
    return new URL(named).origin;
  }
  const announced = announcedMock(system);
  return announced !== undefined && (await answers(announced.url)) ? announced.url : undefined;
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
