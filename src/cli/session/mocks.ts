import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { worldHeader } from "../../contract/limits.ts";
import { BposError, type CallFacts, type ErrorFacts } from "../../errors.ts";
import { folders, type Machine } from "../../settings/folders.ts";
import type { System } from "../../system.ts";
import { notAddress } from "../line/flags.ts";
import { readMockWish } from "../runtime.ts";

export async function findMock(system: System, flag: string | undefined): Promise<string | undefined> {
  const asked = readMockWish(system.env);
  const named = flag ?? (typeof asked === "object" ? asked.address : undefined);
  if (named !== undefined) {
    if (!URL.canParse(named)) throw notAddress(flag === undefined ? "BPOS_MOCK" : "--url", named);
    return new URL(named).origin;
  }
  const [newest] = await livingMocks(system);
  return newest?.url;
}

export type ControlMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export async function callMock(
  url: string,
  method: ControlMethod,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const facts: CallFacts = { endpoint: `${method} ${path.replace(/\?.*/, "")}`, origin: url, attempts: 1 };
  let response: Response;
  try {
    response = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json" },
      ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(10_000),
    });
  } catch (error) {
    const { message, cause } = error as Error;
    const detail = cause instanceof Error ? cause.message : message;
    throw new BposError("unavailable", { ...facts, detail });
  }
  const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (response.ok && answer !== null) return answer;
  const said = answer?.["message"];
  const isMock = response.headers.has(worldHeader);
  const [, orderId] = /\/orders\/(\d+)$/.exec(path) ?? [];
  if (isMock && response.status === 404 && orderId !== undefined)
    throw new BposError("order_not_found", { orderId });
  if (isMock && response.status === 404 && typeof said === "string")
    throw new BposError("mock_not_found", { said });
  if (typeof said === "string" && (response.status === 400 || (isMock && response.status < 500)))
    throw new BposError("usage_flag", { problem: { kind: "mock_refused", said } });
  throw new BposError("input_refused", {
    ...facts,
    status: response.status,
    ...(typeof said === "string" ? { serviceMessage: said } : { detail: { kind: "not_a_mock" } as const }),
  });
}

const mocksFolder = (system: System): string => join(folders(system).state, "mocks");
const noteFile = (folder: string, id: string): string => join(folder, `${id}.json`);
const lockFile = (folder: string, id: string): string => join(folder, `${id}.lock`);

/** A mock works even if the state folder cannot be read or written. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function clear(folder: string, id: string): void {
  for (const file of [noteFile, lockFile]) attempt(() => rmSync(file(folder, id), { force: true }));
}

/** Registers a mock for other commands, with a lock that ends with the process. The returned function removes the entry. */
export async function announceMock(system: System, url: string): Promise<() => void> {
  const { holdFile } = await import("../../journal/locks/lock-files.ts");
  const folder = mocksFolder(system);
  const id = system.uuid();
  const lock = attempt(() => holdFile(lockFile(folder, id)));
  const note = JSON.stringify({ url, pid: system.pid, at: system.clock.now() });
  if (lock !== undefined) attempt(() => writeFileSync(noteFile(folder, id), note, { mode: 0o600 }));
  return () => {
    lock?.release();
    clear(folder, id);
  };
}

function readNote(folder: string, id: string) {
  const note = attempt(() => JSON.parse(readFileSync(noteFile(folder, id), "utf8")) as unknown);
  const { url, pid, at } = (note ?? {}) as Record<string, unknown>;
  const isWhole = typeof url === "string" && typeof pid === "number" && typeof at === "number";
  return isWhole && URL.canParse(url) ? { url, pid, at } : undefined;
}

/** The running mocks of this state folder, the newest first. Removes the entries of the others. */
export async function livingMocks(system: System): Promise<{ url: string; pid: number }[]> {
  const folder = mocksFolder(system);
  const files = attempt(() => readdirSync(folder)) ?? [];
  const ids = files.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  if (ids.length === 0) return [];
  const { isHeld } = await import("../../journal/locks/lock-files.ts");
  const living = ids.filter((id) => attempt(() => isHeld(lockFile(folder, id))) ?? false);
  for (const id of ids) if (!living.includes(id)) clear(folder, id);
  return living.flatMap((id) => readNote(folder, id) ?? []).sort((a, b) => b.at - a.at);
}

export const worldFile = (machine: Machine): string => join(folders(machine).state, "mock-world.db");

/** The mock's error for a world that cannot be read or kept: the facts of `world_unusable`, known by its name. */
type DataError = Error & ErrorFacts["world_unusable"] & { code: string };

const isDataError = (error: unknown): error is DataError =>
  error instanceof Error && error.name === "MockDataError";

export const isUnwritable = (error: unknown): boolean =>
  isDataError(error) && error.code === "MOCK_DATA_UNWRITABLE";

export function worldFailure(error: unknown): unknown {
  if (!isDataError(error)) return error;
  return new BposError("world_unusable", { file: error.file, problem: error.problem }, { cause: error });
}
