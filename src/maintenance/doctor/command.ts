import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareDoctor(program: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Check settings, key, network, clock, journal and disk, and say how to fix each problem"),
    examples: {
      "bpos doctor": t("what works, what does not, and how to fix it"),
      "bpos doctor -p centro": t("the same for one profile"),
      "bpos doctor --json": t("for a script; the exit code is that of the first failed row"),
      "bpos doctor -q || mail -s 'bpos' me@example.com": t("for cron: silent if all is well"),
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
