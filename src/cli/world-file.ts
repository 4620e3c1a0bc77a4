import { join } from "node:path";
import { BposError } from "../errors.ts";
import { MockDataError } from "../mock/data-error.ts";
import { folders, type Machine } from "../settings/folders.ts";

/** The file in the state folder that keeps the world of `--mock`. */
export const worldFile = (machine: Machine): string => join(folders(machine).state, "mock-world.db");

/** Whether a mock could not start because its file cannot be written, whatever is in it. */
export const isUnwritable = (error: unknown): boolean =>
  error instanceof MockDataError && error.code === "MOCK_DATA_UNWRITABLE";

/** What a failure to start a mock means to a command: `world_unusable` when it is the file of its world. */
export function worldFailure(error: unknown): unknown {
  if (!(error instanceof MockDataError)) return error;
  return new BposError("world_unusable", { file: error.file, problem: error.problem }, { cause: error });
}
