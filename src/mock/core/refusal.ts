import type * as z from "zod";
import { serviceCodes } from "../../contract/endpoints.ts";
import type { WorldProblem } from "../../errors/problems.ts";

/** A request that the mock refuses: thrown inside, answered with the error body of `docs/reference/service.md` 7. */
export class MockRefusal extends Error {
  override readonly name = "MockRefusal";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }

  toBody(): string {
    const denied = this.status === 403;
    // Such a call can be sent again: a client that reads the code must not take it for its own mistake.
    const unavailable = this.status >= 500 || this.status === 429;
    const other = unavailable ? "ERROR_CODE_UNAVAILABLE" : serviceCodes.inputError;
    return JSON.stringify({
      code: denied ? serviceCodes.accessDenied : other,
      message: this.message,
      payload: denied ? "" : { campaign_id: null, external_ref: null },
    });
  }
}

export const badInput = (message: string): MockRefusal => new MockRefusal(400, message);

export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: "invalid input" };
  throw badInput(path.length === 0 ? message : `${path.join(".")}: ${message}`);
}

/** Why a world file cannot be used: its content, or the system's permissions. */
export type MockDataCode = "MOCK_DATA_REFUSED" | "MOCK_DATA_UNWRITABLE";

/** A world file cannot be used; the message is one sentence without a full stop. Nothing was written to the file. */
export class MockDataError extends Error {
  override readonly name = "MockDataError";
  readonly code: MockDataCode;
  readonly file: string;
  readonly problem: WorldProblem;

  constructor(file: string, problem: WorldProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = problem.kind === "unwritable" ? "MOCK_DATA_UNWRITABLE" : "MOCK_DATA_REFUSED";
    this.file = file;
    this.problem = problem;
  }
}
