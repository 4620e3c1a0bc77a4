import { age, wholeSeconds } from "../../../cli/display/format.ts";
import { isoWithOffset } from "../../../contract/limits.ts";
import type { OutageReports } from "../../../delivery/outage.ts";
import { detailWords } from "../../../errors/words/details.ts";
import type { Watching } from "../watching.ts";

/** Returns the reports of an outage of the journal: nothing is polled or delivered meanwhile, as in an outage of the service. */
export function journalOutageReports({
  runtime,
  screen,
  emit,
  health,
}: Pick<Watching, "runtime" | "screen" | "emit" | "health">): OutageReports {
  const { clock } = runtime.system;
  const { t } = runtime.texts;
  return {
    began({ detail }) {
      const since = isoWithOffset(clock.now());
      for (const branch of health.loseJournal())
        emit("watch.outage", { branch, since, reason: "journal_unreadable" });
      const down = t(
        "The journal cannot be reached ({detail}). bpos keeps trying; until then, orders wait and nothing is delivered.",
        { detail: detailWords(detail, t) },
      );
      return screen.report("journal.down", down);
    },
    ended(afterMs) {
      const after_s = wholeSeconds(afterMs);
      for (const branch of health.regainJournal()) emit("watch.recovered", { branch, after_s });
      const back = t("The journal is available again after {time}.", { time: age(afterMs) });
      return screen.report("journal.recovered", back, { after_s });
    },
  };
}
