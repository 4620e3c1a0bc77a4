import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareDoctor(program: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Check settings, key, network, clock, journal and disk, with a remedy for each fault"),
    examples: {
      "bpos doctor": t("what works, what does not, and the remedy"),
      "bpos doctor -p centro": t("the same for one profile"),
      "bpos doctor --json": t("for a script; the exit code is that of the first row that fails"),
      "bpos doctor -q || mail -s 'bpos' me@example.com": t("for cron: silent when all is well"),
    },
  };

  return verb(program, "doctor", words, {
    exits: ["ok", "usage", "denied", "unavailable", "config", "not_found", "interrupted"],
    variables: [
      "BPOS_API_KEY",
      "BPOS_BASE_URL",
      "BPOS_CAMPAIGNS_URL",
      "BPOS_PROFILE",
      "BPOS_JOURNAL",
      "BPOS_MOCK",
      "BPOS_HOME",
    ],
  });
}
