import { createHash } from "node:crypto";
import { campaignBody } from "../../api/client.ts";
import type { CampaignRequest, Recipient } from "../../contract/campaign.ts";
import { BposError } from "../../errors.ts";
import type { RecipientRow, RecipientsReading } from "../../input/recipients.ts";
import type {
  CallState,
  EarlierMessage,
  JournalCall,
  MachineTime,
  PlannedCall,
  SendScope,
  Sends,
  SendTemplate,
} from "../../journal/sends.ts";

export interface SendRequest {
  reading: RecipientsReading;
  /** The identity of the branch, see `branchId`. */
  branch: string;
  ref: string;
  /** Exactly one of name and id is set. */
  template: { name?: string; id?: string; language?: string };
  campaignName: string | undefined;
  headerUrl: string | undefined;
  /** Name of the body field that carries headerUrl; not shown in the specification. */
  headerField: string | undefined;
  excludedPeople: ReadonlySet<string>;
  /** People in one call, at most: with a hundred the service lists each of them in the status. */
  perCall: number;
  /** When it is too late to send what has not left, epoch milliseconds; null for never. */
  notAfter: number | null;
  /** A message to try it out: it does not count as having messaged the person. */
  isTest: boolean;
  /** Whether people may get a template again that they got within 24 hours under another reference. */
  allowRepeat: boolean;
}

/** What a send would do: calls that are pending from before, then people who are new. */
export interface SendPlan {
  /** Calls whose outcome is unknown: they leave again as they are. */
  pending: JournalCall[];
  /** Calls that are finished, and do not leave again. */
  sent: JournalCall[];
  calls: PlannedCall[];
  /** People of an earlier plan under the reference who were never messaged and are not in the file: they will not be. */
  dropped: number;
  /** People of the file whom the finished calls hold already. */
  alreadySent: number;
  /** People who would be messaged by this run: those of pending calls and the new ones. */
  planned: number;
}

const hourMs = 3_600_000;
const repeatWindowMs = 24 * hourMs;

export const machineTime = (of: {
  clock: { now(): number };
  clockAheadMs: () => number | undefined;
}): MachineTime => ({ at: of.clock.now(), aheadMs: of.clockAheadMs() });

export function templateLabel(template: { name?: string | null; id?: string | null }): string {
  return template.name ?? template.id ?? "";
}

export function templateOf({ template }: SendRequest): SendTemplate {
  return { name: template.name ?? null, id: template.id ?? null, language: template.language ?? null };
}

/** The reference of a file that was given none: its name and 8 digits of its hash, so that the same file is the same send. */
export function defaultRef(fileName: string, bytes: Uint8Array): string {
  const base = fileName.replace(/^.*[\\/]/, "").replace(/\.[^.]+$/, "");
  return `${base}-${createHash("sha256").update(bytes).digest("hex").slice(0, 8)}`;
}

function callOf(request: SendRequest, rows: readonly RecipientRow[]): PlannedCall {
  const { template } = request;
  const body: Omit<CampaignRequest, "idempotency_key"> = {
    recipients: rows.map(({ phone, params }) => ({ phone, params })),
    ...(template.name !== undefined && { template_name: template.name }),
    ...(template.id !== undefined && { template_id: template.id }),
    ...(template.language !== undefined && { template_language: template.language }),
    external_ref: request.ref,
    ...(request.campaignName !== undefined && { campaign_name: request.campaignName }),
    ...(request.headerUrl !== undefined && { header_media_url: request.headerUrl }),
  };
  // The key is made of what is sent: two terminals, or two machines, with one file make the same key.
  const key = createHash("sha256")
    .update(`${request.branch}\n${request.ref}\n${JSON.stringify(body)}`)
    .digest("hex");
  return {
    idempotency_key: key,
    body: campaignBody({ idempotency_key: key, ...body }, request.headerField),
    persons: rows.map((row) => row.person),
    lines: rows.map((row) => row.line),
  };
}

function chunksOf(request: SendRequest, rows: readonly RecipientRow[]): PlannedCall[] {
  const sorted = [...rows].sort((a, b) => (a.phone < b.phone ? -1 : 1));
  const calls: PlannedCall[] = [];
  for (let from = 0; from < sorted.length; from += request.perCall)
    calls.push(callOf(request, sorted.slice(from, from + request.perCall)));
  return calls;
}

/**
 * Throws `ref_taken` when another template, or the same one in another language, went out under the reference, or when it is that
 * of a test and this is none, or the reverse.
 */
async function checkRef(request: SendRequest, sends: Sends): Promise<void> {
  const { isTest, ref } = request;
  if (await sends.holds(request, { isTest: !isTest }))
    throw new BposError("ref_taken", {
      ref,
      ...(isTest ? { template: "a real send", by: "send" } : { template: "a test", by: "test" }),
    });
  const { name, id, language } = templateOf(request);
  const other = (await sends.templates(request)).find(
    (each) => each.name !== name || each.id !== id || each.language !== language,
  );
  if (other === undefined) return;
  const inLanguage = other.language === null ? "" : ` (${other.language})`;
  throw new BposError("ref_taken", { ref, template: templateLabel(other) + inLanguage });
}

/** What the branch sent with that template under other references within the last day, newest first. */
export function earlierMessages(
  sends: Sends,
  { template, ...scope }: SendScope & { template: SendTemplate },
  now: MachineTime,
): Promise<EarlierMessage[]> {
  return sends.messagedElsewhere(scope, template, { ...now, at: now.at - repeatWindowMs });
}

/** Who, under which reference and how long ago, for the errors that speak of it. */
export function repeatFacts(
  earlier: readonly [EarlierMessage, ...EarlierMessage[]],
  { at: now }: MachineTime,
): { people: number; ref: string; hoursAgo: number } {
  const [newest] = earlier;
  return {
    people: new Set(earlier.map(({ person }) => person)).size,
    ref: newest.ref,
    hoursAgo: Math.max(0, Math.floor((now - newest.leftAt) / hourMs)),
  };
}

/** Throws `repeat_within_day` when any of these people got the template under another reference. */
async function checkRepeat(
  request: SendRequest,
  sends: Sends,
  persons: ReadonlySet<string>,
  now: MachineTime,
): Promise<void> {
  const { branch, ref } = request;
  const scope = { branch, ref, template: templateOf(request) };
  const earlier = await earlierMessages(sends, scope, now);
  const [newest, ...others] = earlier.filter(({ person }) => persons.has(person));
  if (newest !== undefined) throw new BposError("repeat_within_day", repeatFacts([newest, ...others], now));
}

/** Throws `excluded_in_open` when somebody who must not be messaged is in a call that may have left: its bytes cannot change. */
function checkExcluded({ ref, excludedPeople }: SendRequest, states: ReadonlyMap<string, CallState>): void {
  const people = [...excludedPeople].filter((person) => states.get(person) === "attempted").length;
  if (people > 0) throw new BposError("excluded_in_open", { ref, people });
}

/**
 * What sending this would do by the journal; writes nothing. A call that never left counts
 * for nothing: its people are planned afresh. Throws `ref_taken`, `excluded_in_open` and, without `allowRepeat`, `repeat_within_day`.
 */
export async function planSend(request: SendRequest, sends: Sends, now: MachineTime): Promise<SendPlan> {
  await checkRef(request, sends);
  const { recipients } = request.reading;
  const { branch, ref } = request;
  const scope: SendScope = { branch, ref };
  const known = await sends.callsUnder(scope);
  const states = await sends.people(scope);
  checkExcluded(request, states);
  const inFile = new Set(recipients.map(({ person }) => person));
  let dropped = 0;
  for (const [person, state] of states) {
    if (state !== "planned") continue;
    states.delete(person);
    if (!inFile.has(person) && !request.excludedPeople.has(person)) dropped += 1;
  }
  const fresh = recipients.filter(({ person }) => !states.has(person));
  const pending = known.filter(({ state }) => state === "attempted");
  if (!request.allowRepeat) {
    const pendingPeople = [...states].flatMap(([person, state]) => (state === "attempted" ? [person] : []));
    await checkRepeat(request, sends, new Set([...pendingPeople, ...fresh.map(({ person }) => person)]), now);
  }
  return {
    pending,
    dropped,
    sent: known.filter(({ state }) => state === "sent"),
    calls: chunksOf(request, fresh),
    alreadySent: recipients.filter(({ person }) => states.get(person) === "sent").length,
    planned: pending.reduce((sum, { people }) => sum + people, 0) + fresh.length,
  };
}

/**
 * A send of one message, to try it out: what the first person of the file would get, to another phone and under a key of its own.
 * Every test that went out is followed by another one; one without a clear answer is settled first. Throws `nobody_to_test`.
 */
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
    reading: { ...reading, recipients: [{ ...first, ...to }], ...nobodyElse, read: 1 },
    ...{ isTest: true, allowRepeat: true },
  };
}

const nobodyElse = { invalid: [], duplicates: [], excluded: [] };

export const recipientsOf = ({ body }: Pick<PlannedCall, "body">): Recipient[] =>
  (JSON.parse(body) as CampaignRequest).recipients;

/** The first recipients as they would leave, at most `most`. */
export function firstRecipients({ pending, calls }: SendPlan, most: number): Recipient[] {
  // Each call has one recipient at least.
  return [...pending, ...calls].slice(0, most).flatMap(recipientsOf).slice(0, most);
}
