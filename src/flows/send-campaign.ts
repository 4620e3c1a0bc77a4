import type { RowProblem } from "../input/problems.ts";

/** How a send ended; see "JSON shapes" in the contract of the command line. */
export type SendOutcome = "sent" | "replayed" | "partial" | "refused" | "unknown" | "nothing";

/** A recipient that was left out because its row cannot be used. */
export interface InvalidRecipient {
  line: number;
  phone: string | null;
  problem: RowProblem;
  cells: readonly string[];
}

/** One call of a send: a campaign that the service created. */
export interface SentCampaign {
  campaign_id: string | null;
  idempotency_key: string;
  status: string | null;
  campaign_name: string | null;
  replayed: boolean;
  recipients: { added: number; duplicates: number; errors: string[] };
}

/** What came of a send, in the words of the command line's JSON. */
export interface SendReport {
  send_id: string;
  template: string;
  external_ref: string;
  recipients: {
    read: number;
    planned: number;
    added: number;
    duplicates: number;
    invalid: number;
    excluded: number;
    already_sent: number;
    errors: string[];
  };
  campaigns: SentCampaign[];
  invalid: InvalidRecipient[];
  outcome: SendOutcome;
  dry_run: boolean;
}
