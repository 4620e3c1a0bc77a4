import { serviceCodes } from "../contract/problem.ts";

/** A request that the mock refuses: thrown inside, answered with the error body of `spec.md` section 7. */
export class MockRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "MockRefusal";
    this.status = status;
    this.headers = headers;
  }

  /** The error body as JSON text. */
  toBody(): string {
    const denied = this.status === 403;
    // Such a call may be sent again: a client that goes by the code must not take it for its own mistake.
    const unavailable = this.status >= 500 || this.status === 429;
    return JSON.stringify({
      code: denied
        ? serviceCodes.accessDenied
        : unavailable
          ? "ERROR_CODE_UNAVAILABLE"
          : serviceCodes.inputError,
      message: this.message,
      payload: denied ? "" : { campaign_id: null, external_ref: null },
    });
  }
}

/** Refused input: 400. */
export function badInput(message: string): MockRefusal {
  return new MockRefusal(400, message);
}
