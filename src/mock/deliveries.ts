import type { countNames, RecipientStatus } from "../contract/campaign.ts";
import { draw } from "./random.ts";
import { formatInstant } from "./time.ts";

/** When a message reaches each state, in milliseconds after its campaign was created; Infinity is never. */
export interface Timeline {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly responded: number;
  readonly failed: number;
  readonly error: string;
}

const never = Infinity;
const onItsWay: Timeline = {
  sent: never,
  delivered: never,
  read: never,
  responded: never,
  failed: never,
  error: "",
};

/** The phones whose last four digits decide what becomes of a message, for rehearsing what rarely happens. */
const magic: Readonly<Record<string, Timeline>> = {
  "0000": { ...onItsWay, failed: 1_000, error: "This phone is not on the messaging platform." },
  "0001": onItsWay,
  "0002": { ...onItsWay, sent: 1_000, delivered: 3_000 },
  "0003": { ...onItsWay, sent: 500, delivered: 1_000, read: 2_000, responded: 4_000 },
  "0004": { ...onItsWay, sent: 1_000, failed: 15_000, error: "The message could not be delivered." },
};

/** What becomes of a message to a phone: of the magic phones as their digits say, of the others by the seed. */
export function timelineOf(seed: number, campaignId: string, phone: string): Timeline {
  const known = magic[phone.slice(-4)];
  if (known) return known;
  const from = draw(seed, "delivery", campaignId, phone);
  const fate = from.fraction();
  const sent = from.int(500, 3_000);
  if (fate < 0.02) return { ...onItsWay, failed: sent, error: "The platform refused the message." };
  const delivered = sent + from.int(500, 8_000);
  const read = delivered + from.int(5_000, 240_000);
  const responded = fate < 0.12 ? read + from.int(5_000, 300_000) : never;
  return { ...onItsWay, sent, delivered, read, responded };
}

/** The timeline of somebody who replied `elapsed` ms after the send: all was reached by then, and nothing fails later. */
export function repliedBy(timeline: Timeline, elapsed: number): Timeline {
  return {
    ...onItsWay,
    sent: Math.min(timeline.sent, elapsed),
    delivered: Math.min(timeline.delivered, elapsed),
    read: Math.min(timeline.read, elapsed),
    responded: Math.min(timeline.responded, elapsed),
  };
}

type State = "pending" | "sent" | "failed" | "delivered" | "read" | "responded";

function stateAt(timeline: Timeline, elapsed: number): State {
  if (timeline.failed <= elapsed) return "failed";
  if (timeline.responded <= elapsed) return "responded";
  if (timeline.read <= elapsed) return "read";
  if (timeline.delivered <= elapsed) return "delivered";
  return timeline.sent <= elapsed ? "sent" : "pending";
}

/** A recipient (`spec.md` 4.4) `elapsed` milliseconds after its campaign was created at `createdAt`. */
export function recipientAt(
  phone: string,
  timeline: Timeline,
  createdAt: number,
  elapsed: number,
): RecipientStatus {
  const time = (after: number): string => (after <= elapsed ? formatInstant(createdAt + after) : "");
  return {
    phone,
    status: stateAt(timeline, elapsed),
    sent_at: time(timeline.sent),
    delivered_at: time(timeline.delivered),
    read_at: time(timeline.read),
    responded_at: time(timeline.responded),
    error_message: timeline.failed <= elapsed ? timeline.error : "",
  };
}

/** How many got how far: sent, delivered, read and responded count everyone who got there and did not fail later. */
export function countsAt(
  timelines: readonly Timeline[],
  elapsed: number,
): Record<(typeof countNames)[number], number> {
  const reached = { pending: 0, sent: 0, failed: 0, delivered: 0, read: 0, responded: 0 };
  for (const timeline of timelines) reached[stateAt(timeline, elapsed)]++;
  const read = reached.read + reached.responded;
  const delivered = reached.delivered + read;
  return {
    total_recipients: timelines.length,
    pending: reached.pending,
    sent: reached.sent + delivered,
    failed: reached.failed,
    delivered,
    read,
    responded: reached.responded,
  };
}
