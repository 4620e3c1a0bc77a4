import { parseJson, toNumber, toText } from "../api/json.ts";
import { isoWithOffset } from "../contract/limits.ts";
import type { WaitReason } from "../errors/problems.ts";
import { type BposError, exitCodes, exitNames } from "../errors.ts";
import type { LeftOutRow } from "../input/recipients.ts";
import type { JournalCall, KeptCall } from "../journal/records/sends.ts";
import { leftOutJson } from "./left-out-rows.ts";
import type { SendJson } from "./send-schema.ts";

/** A call with its answer; `people` is how many recipients it has. */
export type SentCampaign = SendJson["campaigns"][number] & { people: number };

type Counts = SendJson["recipients"];

/** The recipients of a file that failed in an earlier send, and why the others are left out. */
export type OnlyFailed = NonNullable<SendJson["only_failed_of"]>;

/** The report of a send while it runs: its JSON with the rows and the answers that it is made of. */
export interface SendReport
  extends Pick<
    SendJson,
    "send_id" | "template" | "external_ref" | "outcome" | "dry_run" | "errors_file" | "only_failed_of"
  > {
  /** `duplicates` are rows of the file; those of the service are in `campaigns`. */
  recipients: { [Name in keyof Counts]: NonNullable<Counts[Name]> };
  campaigns: SentCampaign[];
  invalid: LeftOutRow[];
  duplicates: LeftOutRow[];
  excluded: LeftOutRow[];
  /** The phone of a test; for the screen only, as `unsent` is. */
  testTo?: string;
  unsent?: { calls: number; people: number };
  /** Only where recipients wait; epoch milliseconds. */
  waiting?: { people: number; until: number; reason: WaitReason };
}

export interface SendResult {
  report: SendReport;
  failure?: BposError | undefined;
  sentAt: number | undefined;
  /** The calls that went out now. */
  wentOut: JournalCall[];
  mismatches: string[];
}

export function toReport(
  known: Pick<SendReport, "send_id" | "template" | "external_ref"> & Partial<SendReport>,
  recipients: Partial<SendReport["recipients"]>,
): SendReport {
  const left = { duplicates: 0, invalid: 0, excluded: 0, opted_out: 0, already_sent: 0 };
  const none = { read: 0, planned: 0, added: 0, ...left };
  return {
    campaigns: [],
    invalid: [],
    duplicates: [],
    excluded: [],
    outcome: "nothing",
    dry_run: false,
    ...known,
    recipients: { ...none, errors: [], ...recipients },
  };
}

/** Returns a call with its answer as the journal keeps it, whatever that holds. A call without an answer may have gone out. */
export function toCampaign(
  call: Pick<KeptCall, "idempotency_key" | "people">,
  text: string | null,
): SentCampaign {
  const answer = text === null ? { status: "unknown" } : (parseJson(text) as Record<string, unknown>);
  const { added, duplicates, errors } = (answer["recipients"] ?? {}) as Record<string, unknown>;
  return {
    campaign_id: toText(answer["campaign_id"]),
    idempotency_key: call.idempotency_key,
    status: toText(answer["status"]),
    campaign_name: toText(answer["campaign_name"]),
    replayed: answer["replayed"] === true,
    recipients: {
      added: toNumber(added) ?? 0,
      duplicates: toNumber(duplicates) ?? 0,
      errors: [errors].flat().flatMap((each) => toText(each) ?? []),
    },
    people: call.people,
  };
}

/** Returns the errors of an answer that name a phone, by its digits: the service left these recipients out. */
export const leftOutByPhone = (errors: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    errors.flatMap((error) => (error.match(/\d{6,}/g) ?? []).map((digits) => [digits, error] as const)),
  );

/** Returns how many recipients of a call its answer does not account for; a service may answer with negative counts. */
function countUnaccounted({ people, recipients: { added, duplicates, errors } }: SentCampaign): number {
  const accounted = Math.max(0, added) + Math.max(0, duplicates) + errors.length;
  return Math.max(0, people - accounted);
}

/** Returns how many recipients no answer accounts for, and the answers without a confirmation; undefined where there are none. */
export function findDoubts(campaigns: readonly SentCampaign[]) {
  const answered = campaigns.filter(({ campaign_id }) => campaign_id !== null);
  const unaccounted = answered.reduce((sum, call) => sum + countUnaccounted(call), 0);
  const unconfirmed = answered.filter(({ status }) => status !== "sent");
  if (unaccounted === 0 && unconfirmed.length === 0) return undefined;

  const people = answered.reduce((sum, call) => sum + call.people, 0);
  return { unaccounted, people, unconfirmed };
}

export function sendExitCode({ report, failure }: Pick<SendResult, "report" | "failure">): number {
  if (failure) return exitCodes[exitNames[failure.reason]];
  const { outcome, invalid, recipients } = report;
  const isPartial = outcome === "partial" || invalid.length > 0 || recipients.errors.length > 0;
  return isPartial ? exitCodes.partial : exitCodes.ok;
}

/** Returns a call as reports have it. */
export const campaignJson = ({ people: _, ...call }: SentCampaign): SendJson["campaigns"][number] => call;

export const waitingJson = ({
  people,
  until,
  reason,
}: NonNullable<SendReport["waiting"]>): NonNullable<SendJson["waiting"]> => ({
  recipients: people,
  until: isoWithOffset(until),
  for: reason,
});

export function sendReportJson(report: SendReport): SendJson {
  const { send_id, template, external_ref, recipients, outcome, dry_run } = report;
  const { testTo, errors_file, waiting, only_failed_of } = report;
  return {
    send_id,
    template,
    external_ref,
    recipients,
    campaigns: report.campaigns.map(campaignJson),
    invalid: leftOutJson(report.invalid),
    // In `recipients` the same names are counts.
    duplicate_rows: leftOutJson(report.duplicates),
    excluded_rows: leftOutJson(report.excluded),
    outcome,
    dry_run,
    ...(waiting !== undefined && { waiting: waitingJson(waiting) }),
    ...(testTo !== undefined && { test: true as const }),
    ...(errors_file !== undefined && { errors_file }),
    ...(only_failed_of !== undefined && { only_failed_of }),
  };
}
