/** How long a request may take to come, milliseconds. */
export interface Timeouts {
  readonly headers: number;
  /** Headers and body. */
  readonly request: number;
}
