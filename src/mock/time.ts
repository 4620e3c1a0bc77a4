import * as z from "zod";

const dateTime = z.iso.datetime({ offset: true });

/** The last instant that the mock can tell, in epoch milliseconds: beyond it years have five digits. */
export const lastInstant = Date.UTC(9998, 11, 31);

/** The epoch milliseconds of an RFC 3339 date-time with seconds and an offset; null for anything else. */
export function parseInstant(text: string): number | null {
  return dateTime.safeParse(text).success ? Date.parse(text) : null;
}

/**
 * The same of a date-time that is known to be one, with what its fraction says below a millisecond, to a quarter of a
 * microsecond: who writes microseconds means them where two events are compared.
 */
export function exactInstant(text: string): number {
  const [, below = ""] = /\.\d{3}(\d+)/.exec(text) ?? [];
  return Date.parse(text) + Number(`0.${below}`);
}

const storeOffsetMs = -3 * 60 * 60 * 1000;

/** ISO 8601 with milliseconds and the stores' offset, -03:00. */
export function formatInstant(epochMs: number): string {
  return new Date(epochMs + storeOffsetMs).toISOString().replace("Z", "-03:00");
}
