import type { WorldProblem } from "../errors/world-problem.ts";

/** Why the file of a world cannot be used: what is in it, or what the system lets us do with it. */
export type MockDataCode = "MOCK_DATA_REFUSED" | "MOCK_DATA_UNWRITABLE";

/** The file of a world cannot be used; its message is one sentence without a full stop. Nothing was written to it. */
export class MockDataError extends Error {
  readonly code: MockDataCode;
  readonly file: string;
  readonly problem: WorldProblem;

  constructor(file: string, problem: WorldProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MockDataError";
    this.code = problem.kind === "unwritable" ? "MOCK_DATA_UNWRITABLE" : "MOCK_DATA_REFUSED";
    this.file = file;
    this.problem = problem;
  }
}
