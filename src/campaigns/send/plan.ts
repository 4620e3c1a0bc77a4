import { createHash } from "node:crypto";
import { campaignBodyOf } from "../../api/client.ts";
import type { CampaignRequest, Recipient } from "../../contract/campaign.ts";
import { limits } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import { findCountries } from "../../input/phone.ts";
import type { RecipientRow, RecipientsReading } from "../../input/recipients.ts";
import type { Journal } from "../../journal/journal.ts";
import type {
  JournalCall,
  LeftOut,
  MachineTime,
  PlannedCall,
  SendScope,
  Sends,
  SendTemplate,
} from "../../journal/records/sends.ts";
import { type OnlyFailed, type SendReport, toReport } from "../send-report.ts";
import { callKey, openCanary } from "../sending/calls.ts";
import { sortUnknown } from "../sending/opted-out.ts";
import { earlierMessages, repeatFacts } from "../sending/repeats.ts";
import { countOf, peopleAtOnce, type Schedule, type ShareOrCount } from "../sending/schedule.ts";
import { templateLabel } from "../template.ts";

export interface SendRequest extends SendScope {
  reading: RecipientsReading;
  template: SendTemplate;
  campaignName: string | undefined;
  headerUrl: string | undefined;
  headerField: string | undefined;
  excludedPeople: ReadonlySet<string>;
  /** People in one call, at most: with a hundred the service lists each of them in the status. */
  perCall: number;
  /** When it is too late to send what has not left, epoch milliseconds; null for never. */
  notAfter: number | null;
  /** The times at which calls may leave. */
  schedule: Schedule;
  /** The share or number of people who are messaged first. */
  canary?: ShareOrCount | undefined;
  isTest: boolean;
  allowRepeat: boolean;
  /** The template's text, if known: support may ask for it later. */
  templateText?: string | undefined;
  /** Recipients known not to have received an earlier message, by campaign. */
  failed?: ReadonlyMap<string, ReadonlySet<string>>;
  /** The counts of `--only-failed-of`. */
  onlyFailed?: OnlyFailed | undefined;
  /** People that the journal records as left out, besides those who opted out. */
  leftOut?: readonly LeftOut[];
}

export type SendPlan = Awaited<ReturnType<typeof planSend>>;

export function defaultRef(fileName: string, bytes: Uint8Array): string {
  const base = fileName.replace(/^.*[\\/]/, "").replace(/\.[^.]+$/, "");
  const hash = createHash("sha256").update(bytes).digest("hex");
  return `${base}-${hash.slice(0, 8)}`;
}

export function* personsOf(rows: readonly RecipientRow[]): Generator<string> {
  for (const { person } of rows) yield person;
}

/** Draws the people of `fresh` who are messaged first, always the same; `left` are the calls under the reference that left. Throws `usage_flag`. */
export function canaryPeople(
  { canary: size, ref }: { canary?: ShareOrCount | undefined; ref: string },
  fresh: readonly RecipientRow[],
  left: readonly Pick<JournalCall, "people" | "is_canary" | "state">[],
): ReadonlySet<string> {
  const open = openCanary(left);
  // A reference has one canary: other calls left after it.
  const isOver = open.length === 0 && left.some(({ is_canary }) => is_canary === 1);
  if (size === undefined || fresh.length === 0 || isOver) return new Set();
  const before = open.reduce((sum, { people }) => sum + people, 0);
  const people = before + fresh.length;
  const wanted = countOf(size, people);
  if (wanted === 0 || wanted > people) {
    const text = "count" in size ? String(size.count) : `${Math.round(size.share * 100)}%`;
    throw new BposError("usage_flag", {
      problem: { kind: "canary_size", text, people, isNobody: wanted === 0 },
    });
  }

  const drawn = fresh.map(({ person }) => {
    return { person, lot: createHash("sha256").update(`${ref}\n${person}`).digest("hex") };
  });
  drawn.sort((a, b) => (a.lot < b.lot ? -1 : 1));
  return new Set(drawn.slice(0, Math.max(0, wanted - before)).map(({ person }) => person));
}

/** A call whose body is built when the journal records it. */
interface CallToBe {
  rows: readonly RecipientRow[];
  people: number;
  isCanary: boolean;
}

function writeCall(request: SendRequest, { rows, isCanary }: CallToBe): PlannedCall {
  const { name, id, language } = request.template;
  const recipients = `[${rows.map(({ phone, params }) => `{"phone":"${phone}","params":${params}}`).join()}]`;
  const rest = {
    ...(name !== null && { template_name: name }),
    ...(id !== null && { template_id: id }),
    ...(language !== null && { template_language: language }),
    external_ref: request.ref,
    ...(request.campaignName !== undefined && { campaign_name: request.campaignName }),
    ...(request.headerUrl !== undefined && { header_media_url: request.headerUrl }),
  };
  const key = callKey(request, '{"recipients":', recipients, `,${JSON.stringify(rest).slice(1)}`);
  return {
    idempotency_key: key,
    body: campaignBodyOf({ idempotency_key: key, ...rest }, recipients, request.headerField),
    persons: rows.map((row) => row.person),
    lines: rows.map((row) => row.line),
    isCanary,
  };
}

/** The calls that a plan adds, as they are written down. */
export function* writeCalls(
  request: SendRequest,
  { calls }: Pick<SendPlan, "calls">,
): Generator<PlannedCall> {
  for (const call of calls) yield writeCall(request, call);
}

/** People whose hours differ are in different calls. */
function groupByCountry(rows: readonly RecipientRow[]): RecipientRow[][] {
  const groups = new Map<string, RecipientRow[]>();
  for (const row of rows) {
    const country = findCountries(row.phone).join();
    const group = groups.get(country);
    if (group === undefined) groups.set(country, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

const sortings = new WeakMap<readonly RecipientRow[], RecipientRow[]>();

/** Rows are planned twice, and sorting a million takes seconds. */
function sortedByPhone(rows: readonly RecipientRow[]): RecipientRow[] {
  const sorted = sortings.get(rows) ?? [...rows].sort((a, b) => (a.phone < b.phone ? -1 : 1));
  sortings.set(rows, sorted);
  return sorted;
}

/** Plans the calls, those of the canary first. */
function planCalls(
  request: SendRequest,
  rows: readonly RecipientRow[],
  canary: ReadonlySet<string>,
): CallToBe[] {
  const { perCall, schedule } = request;
  const atOnce = schedule.pace === undefined ? perCall : peopleAtOnce(schedule.pace, perCall);
  // The service lists no more than so many, and the errors of a canary are wanted.
  const size = (isCanary: boolean): number =>
    isCanary ? Math.min(atOnce, limits.recipientsReturned) : atOnce;
  const sorted = sortedByPhone(rows);
  const calls: CallToBe[] = [];
  for (const isCanary of canary.size === 0 ? [false] : [true, false]) {
    const part = canary.size === 0 ? sorted : sorted.filter(({ person }) => canary.has(person) === isCanary);
    for (const group of schedule.hours === undefined ? [part] : groupByCountry(part))
      for (let from = 0; from < group.length; from += size(isCanary)) {
        const rows = group.slice(from, from + size(isCanary));
        calls.push({ rows, people: rows.length, isCanary });
      }
  }
  return calls;
}

async function checkRef(request: SendRequest, sends: Sends): Promise<void> {
  const { isTest, ref } = request;
  if (await sends.holds(request, { isTest: !isTest })) {
    const other = isTest
      ? ({ template: "a real send", by: "send" } as const)
      : ({ template: "a test", by: "test" } as const);
    throw new BposError("ref_taken", { ref, ...other });
  }

  const { name, id, language } = request.template;
  const other = (await sends.templates(request)).find(
    (each) => each.name !== name || each.id !== id || each.language !== language,
  );
  if (other === undefined) return;

  const inLanguage = other.language === null ? "" : ` (${other.language})`;
  throw new BposError("ref_taken", { ref, template: templateLabel(other) + inLanguage });
}

/** Checks that nobody who would be messaged got the template within 24 hours. Throws `repeat_within_day`. */
async function refuseRepeats(
  request: SendRequest,
  sends: Sends,
  now: MachineTime,
  { fresh, isPending }: { fresh: readonly RecipientRow[]; isPending: (person: string) => boolean },
): Promise<void> {
  const asked = personsOf(request.reading.recipients);
  const earlier = await earlierMessages(sends, request, now, asked);
  if (earlier.length === 0) return;
  const freshPeople = new Set(fresh.map(({ person }) => person));
  const isMeant = (person: string): boolean => isPending(person) || freshPeople.has(person);
  const received = earlier.filter(
    ({ campaignId, person }) => request.failed?.get(campaignId ?? "")?.has(person) !== true,
  );
  const facts = repeatFacts(received, isMeant, now);
  if (facts) throw new BposError("repeat_within_day", facts);
}

/**
 * Writes nothing. The people of a call that never left are planned afresh. Throws `ref_taken`, `excluded_in_open`, `repeat_within_day`,
 * `test_opted_out`, and `usage_flag` for a canary that is no part.
 */
export async function planSend(
  request: SendRequest,
  { sends, optOuts }: Pick<Journal, "sends" | "optOuts">,
  now: MachineTime,
) {
  await checkRef(request, sends);
  const { ref, excludedPeople } = request;
  const { recipients } = request.reading;
  const known = await sends.callsUnder(request);
  const states = await sends.people(request, personsOf(recipients));

  const list = await optOuts.all();
  const optedOut = new Set<string>();
  if (list.size > 0) for (const { person } of recipients) if (list.has(person)) optedOut.add(person);
  if (request.isTest && optedOut.size > 0)
    throw new BposError("test_opted_out", { phone: recipients[0]?.phone ?? "" });

  const { pending, stuck } = await sortUnknown(known, list, sends);
  const isPending = (person: string): boolean => states.get(person) === "attempted" && !stuck.has(person);
  const excluded = [...excludedPeople].filter(isPending);
  if (excluded.length > 0) throw new BposError("excluded_in_open", { ref, people: excluded.length });

  const unsent = [...states].filter(([, state]) => state === "planned");
  const inFile = new Set(unsent.length > 0 ? personsOf(recipients) : []);
  let dropped = 0;
  for (const [person] of unsent) {
    states.delete(person);
    if (!inFile.has(person) && !excludedPeople.has(person) && !list.has(person)) dropped += 1;
  }

  const isNew = states.size === 0 && optedOut.size === 0;
  const fresh = isNew
    ? recipients
    : recipients.filter(({ person }) => !states.has(person) && !optedOut.has(person));
  if (!request.allowRepeat) await refuseRepeats(request, sends, now, { fresh, isPending });

  const left = known.filter(({ state }) => state !== "planned");
  const canary = canaryPeople(request, fresh, left);
  return {
    /** Calls whose outcome is unknown and in which nobody opted out: they leave again as they are. */
    pending: await sends.whole(pending),
    /** People of an earlier plan under the reference who were never messaged and are not in the file: they will not be. */
    dropped,
    sent: known.filter(({ state }) => state === "sent"),
    calls: planCalls(request, fresh, canary),
    canary: canary.size,
    alreadySent: recipients.filter(({ person }) => states.get(person) === "sent").length,
    planned: pending.reduce((sum, { people }) => sum + people, 0) + fresh.length,
    optedOut: [...optedOut].filter((person) => states.get(person) !== "sent"),
  };
}

/** Returns the request of a test: the first person's message, to another phone. A test whose outcome is unknown is settled first. Throws `nobody_to_test`. */
export async function testRequest(
  request: SendRequest,
  sends: Sends,
  to: Pick<RecipientRow, "phone" | "person">,
): Promise<SendRequest> {
  const { reading, branch } = request;
  const [first] = reading.recipients;
  if (first === undefined) throw new BposError("nobody_to_test", {});

  const prefix = `${request.ref}-test-`;
  let n = (await sends.testsSent(branch, prefix)) + 1;
  while (await sends.holds({ branch, ref: `${prefix}${n}` }, { isTest: false })) n += 1;

  return {
    ...request,
    ref: `${prefix}${n}`,
    reading: {
      ...reading,
      recipients: [{ ...first, ...to }],
      invalid: [],
      duplicates: [],
      excluded: [],
      read: 1,
    },
    // A test waits for nothing.
    schedule: {},
    canary: undefined,
    onlyFailed: undefined,
    isTest: true,
    allowRepeat: true,
  };
}

/** Up to three recipients of a call. */
export function firstRecipients(call: CallToBe | JournalCall): Recipient[] {
  if ("body" in call) return (JSON.parse(call.body) as CampaignRequest).recipients.slice(0, 3);
  return call.rows
    .slice(0, 3)
    .map(({ phone, params }) => ({ phone, params: JSON.parse(params) as string[] }));
}

export function newSendReport(
  { ref, template, isTest, reading, onlyFailed }: SendRequest,
  { planned, alreadySent, optedOut }: SendPlan,
  sendId: string,
  dryRun: boolean,
): SendReport {
  const { read, recipients, invalid, duplicates, excluded } = reading;
  const [first] = recipients;
  const known = {
    send_id: sendId,
    template: templateLabel(template),
    external_ref: ref,
    invalid,
    duplicates,
    excluded,
    dry_run: dryRun,
    only_failed_of: onlyFailed,
    ...(isTest && first !== undefined && { testTo: first.phone }),
  };
  return toReport(known, {
    read,
    planned,
    already_sent: alreadySent,
    duplicates: duplicates.length,
    invalid: invalid.length,
    excluded: excluded.length,
    opted_out: optedOut.length,
  });
}
