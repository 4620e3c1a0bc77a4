import { type Count, plural } from "../plural.ts";

/** The status of one or more campaigns. */
export const campaign = {
  title: (id: string) => `Campaign ${id}`,
  several: (count: Count) => plural(count, "campaign", "campaigns"),
  labels: { name: "Name", ref: "Reference", status: "Status" },
  counts: { what: "Count", people: "People", share: "Share", bar: "" },
  /** Names of the service's counts; one that is not here is shown as the service calls it. */
  names: {
    total_recipients: "All",
    pending: "Pending",
    sent: "Sent",
    failed: "Failed",
    delivered: "Delivered",
    read: "Read",
    responded: "Responded",
  },
  noCounts: "The service gave no counts.",
  list: { id: "Campaign", status: "Status", name: "Name" },
  columns: {
    phone: "Phone",
    line: "Line",
    status: "Status",
    message: "Error",
    sent: "Sent",
    delivered: "Delivered",
    read: "Read",
    responded: "Responded",
    campaign: "Campaign",
  },
  noRecipients: "No recipients to show.",
  hidden: (count: Count) =>
    `${plural(count, "recipient is", "recipients are")} counted but not listed: the service lists at most 100 of a campaign. --track-all on the next send makes calls of 100, so that every one is listed.`,
};
