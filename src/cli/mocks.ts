import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BposError, type CallFacts } from "../errors.ts";
import type { MockDataError } from "../mock/index.ts";
import { folders, type Machine } from "../settings/folders.ts";
import type { System } from "../system.ts";
import { notAddress } from "./flags.ts";
import { askedMock } from "./runtime.ts";

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

/** Throws `unavailable`, `usage_flag` where the mock declines what it is told, and else `input_refused`. */
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
    throw new BposError("usage_flag", { problem: { kind: "mock_refused", said } });
  throw new BposError("input_refused", {
    ...facts,
    status: response.status,
    ...(typeof said === "string" ? { serviceMessage: said } : { detail: { kind: "not_a_mock" } as const }),
  });
}

const folderOf = (system: System): string => join(folders(system).state, "mocks");
const noteFile = (folder: string, id: string): string => join(folder, `${id}.json`);
const lockFile = (folder: string, id: string): string => join(folder, `${id}.lock`);

/** What a folder that cannot be read or written must not hinder; undefined where it does. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function clear(folder: string, id: string): void {
  for (const file of [noteFile(folder, id), lockFile(folder, id)])
    attempt(() => rmSync(file, { force: true }));
}

export function announceMock(system: System, url: string) {
  const folder = folderOf(system);
  const id = system.uuid();
  const isNoted = attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const note = { url, pid: system.pid, at: system.clock.now() };
    writeFileSync(noteFile(folder, id), JSON.stringify(note), { mode: 0o600 });
    return true;
  });
  let held: { release(): void } | undefined;
  return {
    /** Shows that the process lives; it takes a while, so a mock first says that it listens. */
    async hold(): Promise<void> {
      if (isNoted !== true) return;
      const { holdFile } = await import("../journal/locks.ts");
      // Without it only the mock's address tells whether it lives.
      held = attempt(() => holdFile(lockFile(folder, id)));
    },
    forget(): void {
      held?.release();
      clear(folder, id);
    },
  };
}

function readNote(folder: string, id: string) {
  const note = attempt(() => JSON.parse(readFileSync(noteFile(folder, id), "utf8")) as unknown);
  const { url, pid, at } = (note ?? {}) as Record<string, unknown>;
  const isWhole = typeof url === "string" && typeof pid === "number" && typeof at === "number";
  return isWhole && URL.canParse(url) ? { url, pid, at } : undefined;
}

/** The mocks of this state folder whose process lives, the one that was started last first; clears away the notes of the others. */
export async function livingMocks(system: System): Promise<{ url: string; pid: number }[]> {
  const folder = folderOf(system);
  const files = attempt(() => readdirSync(folder)) ?? [];
  const ids = files.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  if (ids.length === 0) return [];
  const { isHeld } = await import("../journal/locks.ts");
  const isAlive = (lock: string): boolean =>
    // It comes a moment after the note.
    attempt(() => !existsSync(lock) || isHeld(lock)) ?? false;
  const living = ids.filter((id) => isAlive(lockFile(folder, id)));
  for (const id of ids) if (!living.includes(id)) clear(folder, id);
  return living.flatMap((id) => readNote(folder, id) ?? []).sort((a, b) => b.at - a.at);
}

export const worldFile = (machine: Machine): string => join(folders(machine).state, "mock-world.db");

// By name: to import the class would load the mock with every command.
const isDataError = (error: unknown): error is MockDataError =>
  error instanceof Error && error.name === "MockDataError";

export const isUnwritable = (error: unknown): boolean =>
  isDataError(error) && error.code === "MOCK_DATA_UNWRITABLE";

export function worldFailure(error: unknown): unknown {
  if (!isDataError(error)) return error;
  return new BposError("world_unusable", { file: error.file, problem: error.problem }, { cause: error });
}
