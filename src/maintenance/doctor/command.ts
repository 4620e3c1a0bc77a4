import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareDoctor(program: AnyCommand, runtime: Runtime) {
  return verb(program, "doctor", runtime.texts.help.doctor, {
    exits: ["ok", "usage", "denied", "unavailable", "config", "interrupted"],
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
