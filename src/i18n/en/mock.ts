import { type Count, plural } from "../plural.ts";

/** What `bpos mock order|reply|advance|fault|reset|log` say. */
export const mock = {
  placed: (count: Count, ids: string) => `Placed ${plural(count, "order", "orders")}: ${ids}.`,
  replied: (phone: string, text: string, campaignId: string) =>
    `${phone} replied "${text}" to ${campaignId}.`,
  advanced: (now: string) => `The mock's clock says ${now}.`,
  reset: (scenario: string) => `The mock starts again: scenario ${scenario}.`,
  faultAdded: (rule: string) => `Armed: ${rule}.`,
  faultsCleared: "No faults are armed.",
  faultsTitle: "Armed faults",
  faults: { rule: "Rule", times: "Times", rate: "Rate", fired: "Fired" },
};
