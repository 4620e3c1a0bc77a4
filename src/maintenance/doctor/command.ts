import { type AnyCommand, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareDoctor(program: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.doctor;
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
