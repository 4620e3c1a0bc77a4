/** Why the file of a world cannot be used: what is in it, or what the system lets us do with it. */
export type MockDataCode = "MOCK_DATA_REFUSED" | "MOCK_DATA_UNWRITABLE";

/** The file of a world cannot be used; its message is one sentence without a full stop. Nothing was written to it. */
export class MockDataError extends Error {
  readonly code: MockDataCode;
  readonly file: string;

  constructor(code: MockDataCode, file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MockDataError";
    this.code = code;
    this.file = file;
  }
}
