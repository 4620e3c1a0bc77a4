import type { Detail } from "../errors/problems.ts";

/** Why a database cannot be used, for people. */
export const databaseTrouble = (error: unknown): Detail =>
  error instanceof Error ? error.message : String(error);
