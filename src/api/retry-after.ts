/**
 * Milliseconds to wait according to a Retry-After header, relative to `now` (epoch milliseconds); undefined when
 * the header is absent or is neither whole seconds nor an HTTP date.
 *
 * @example
 * retryAfterMs("120", 0); // 120_000
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // Date.parse reads almost anything, so only what begins as an HTTP date does is handed to it.
  if (!/^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/.test(value)) return undefined;
  // The oldest of the three forms carries no zone and means GMT.
  const at = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
