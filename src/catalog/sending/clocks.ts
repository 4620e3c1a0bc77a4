import { compareClocks, tooFarAheadMs, worthSayingMs } from "../../api/ask.ts";
import { dateTime } from "../../cli/display/format.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import type { T } from "../../texts/texts.ts";

/** An older answer is requested again: the service can go down or recover during a long wait for the lock. */
const freshMs = 5_000;

function clockSkewText(aheadMs: number, t: T): string {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return t(
    aheadMs > 0
      ? "Warning: this machine's clock is {minutes} minutes ahead of the service's. Set the clock: the time of a push decides which price is used."
      : "Warning: this machine's clock is {minutes} minutes behind the service's. Set the clock: the time of a push decides which price is used.",
    { minutes },
  );
}

export async function warnOfClocks(
  { texts: { t } }: Runtime,
  { output, now }: Pick<Session, "output" | "now">,
  aheadMs: number | undefined,
  stamp: number,
): Promise<void> {
  if (aheadMs === undefined)
    await output.warning(
      t(
        "Warning: the service does not send its time, so bpos cannot check this machine's clock. To be safe, it sends the first batch alone.",
      ),
    );
  else if (Math.abs(aheadMs) >= worthSayingMs) await output.notice(clockSkewText(aheadMs, t));

  const stampAheadMs = stamp - now();
  if (stampAheadMs > tooFarAheadMs)
    await output.warning(
      t(
        "Warning: the last push of this branch has a timestamp {hours} h ahead of this machine's clock ({stamp}). This push uses a later one, so until then prices from other machines count as stale.",
        { hours: Math.round(stampAheadMs / tooFarAheadMs), stamp: dateTime(stamp, output.ui) },
      ),
    );
}

type AskTheTime = () => Promise<number | undefined>;

/** Returns a question for the number of milliseconds that this machine's clock is ahead of the service's. It throws `clock_ahead` unless forced. */
export const timeAsker =
  ({ signal }: Runtime, session: Session, force: boolean): AskTheTime =>
  () => {
    // A mock's clock is set by the rehearsal; `doctor` reports the difference.
    const aheadMs = (): number | undefined =>
      session.mockOrigin() === undefined ? session.clockAheadMs() : 0;
    return compareClocks(session.client, aheadMs, { force, signal });
  };

/** Asks immediately if something will certainly be sent, so the answer arrives while the journal opens. */
export function askAhead({ clock }: Runtime["system"], ask: AskTheTime, isSentNow: boolean): AskTheTime {
  const began = clock.now();
  const asked = isSentNow ? ask() : undefined;
  // It can fail before it is awaited, and Node crashes on an unhandled rejection.
  asked?.catch(() => undefined);
  return () => {
    const isFresh = clock.now() - began < freshMs;
    return isFresh && asked !== undefined ? asked : ask();
  };
}
