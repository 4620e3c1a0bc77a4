import type { ValueProblem } from "../../src/errors/problems.ts";
import { each } from "./error-kinds.ts";

/** Every problem of a value. */
export const values = each<ValueProblem>({
  empty: {},
  not_address: { text: "x" },
  not_choice: { choices: ["csv", "json", ","], similar: null },
  not_clock: {},
  not_country: { text: "x" },
  not_consumer: {},
  not_duration: { text: "x", similar: null },
  not_forward_address: {},
  not_instant: { text: "x" },
  not_instant_to_come: { text: "x" },
  not_jq: { text: ".x |", detail: "EACCES: /srv/bpos" },
  not_number: {},
  not_printer: { text: "COM3", isWindows: true },
  not_pair: { text: "x" },
  not_phone: { problem: { kind: "phone_area_missing", country: "AR", text: "155555" } },
  not_language: { similar: "es_AR" },
  not_percentage: { text: "x", similar: null },
  not_share: { text: "x" },
  ...{ hours_empty: { text: "x" }, not_days: { text: "x" }, not_hours: { text: "x" } },
  ...{ not_pace: { text: "x" }, pace_too_low: { text: "x" }, not_time_zone: { text: "x", similar: null } },
  not_state: { text: "x", similar: null, states: ["pendiente", "listo"] },
  not_whole: { text: "x", min: 1, max: 20 },
  status_missing: {},
  too_short: { min: "2d" },
  zero: {},
});
