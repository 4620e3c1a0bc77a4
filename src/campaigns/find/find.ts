import pMap from "p-map";
import type { Client } from "../../api/client.ts";
import { toNumber, toText } from "../../api/json.ts";
import { writeList } from "../../cli/display/fields.ts";
import { count } from "../../cli/display/format.ts";
import { startProgress } from "../../cli/display/progress.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { fields, list } from "../../cli/display/values.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import type { CampaignStatus } from "../../contract/campaign.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, isReason } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import type { PersonCall } from "../../journal/records/sends.ts";
import { sentTime } from "../machine-time.ts";
import { digits, type Home, notPhone, personFinder, readRecipient, readTypedPhone } from "../person.ts";
import { readReplies } from "../replies.ts";
import { leftOutByPhone, toCampaign } from "../send-report.ts";
import { openCanary } from "../sending/calls.ts";
import { findHeldCalls } from "../sending/repeats.ts";
import { readSchedule, Timetable } from "../sending/schedule.ts";
import { renderTemplate } from "../template.ts";
import type { FindFlags } from "./command.ts";
import type { NoStatus } from "./no-status.ts";
import { type FoundSend, foundFields, foundTable, refusedJson, withLeftOut } from "./view.ts";

/** Shows the sends to a person. Throws `person_not_found` and, after the output, the failure that prevented reading a status. */
export async function find(
  runtime: Runtime,
  words: readonly string[],
  { country }: FindFlags,
): Promise<void> {
  // People write a phone with spaces, and without quotation marks.
  const typed = words.join(" ");
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { client, output, settings, openJournal } = session;
    const phone = readTypedPhone(typed, country ?? settings.country, settings.areaCode);
    const { journal, branch } = await openJournal();
    const person = await findRecipient(phone, journal, branch);
    const { sends, others } = await readSendsTo(journal, branch, person, settings);
    const refused = {
      optOuts: await journal.optOuts.of(person),
      leftOut: await journal.sends.leftOutOf(branch, person),
    };
    if (sends.length + refused.optOuts.length + refused.leftOut.length === 0)
      throw new BposError("person_not_found", { phone: person });

    const ids = [...new Set(sends.flatMap(({ call }) => call.campaign_id ?? []))];
    const bar = startProgress(runtime.system, output, output.texts.t("Reading campaigns"));
    const { found, failure, mismatches } = await readEach(client, ids, runtime.signal).finally(bar.clear);
    const hasOptedOut = refused.optOuts.some((each) => each.removed_at == null);
    const clock = runtime.system.clock;
    const rows: FoundSend[] = [];
    for (const send of sends) {
      const at = sentTime(send.call.at, send.call, session);
      const call = { ...send.call, at };
      const { template_text: text, state } = call;
      const message = text === null ? null : renderTemplate(text, send.params);
      let told = readStatus(call, found.get(call.campaign_id ?? ""), person);
      if (state === "planned")
        told = noStatus(
          hasOptedOut ? { kind: "opted_out" } : await explainPlanned(call, branch, { journal, clock }),
        );
      rows.push({ ...send, call, message, ...told });
    }

    const { fields } = runtime.flags;
    // JSON lists them with the sends, a terminal in a separate table.
    const isBeside =
      output.format === "json" ||
      (output.format === "table" && output.ui.width !== undefined && fields === undefined);
    const all = isBeside ? rows : withLeftOut(rows, refused);
    await writeList(output, foundFields, all, {
      fields,
      document: (sends) => ({ phone: person, ...refusedJson(refused), sends }),
      view: (ui) => foundTable(person, { rows: all, refused }, ui, fields),
    });

    if (others > 0) await output.notice(othersText(others, output.errorUi));
    await output.mismatches(mismatches);
    if (failure !== undefined) throw failure;
  });
}

/** Returns the person whose phone was typed. A phone without its area code matches if exactly one recipient's phone ends with it. Throws `usage_flag`. */
async function findRecipient(
  { text, read }: ReturnType<typeof readTypedPhone>,
  { sends }: Journal,
  branch: string,
): Promise<string> {
  if (read.ok) return read.person;
  const digits = /^[\d\s().-]+$/.test(text) ? text.replace(/\D/g, "").replace(/^0?15(?=\d{6,8}$)/, "") : "";
  const [person, ...others] = digits.length < 6 ? [] : await sends.peopleEndingWith(branch, digits);
  if (person !== undefined && others.length === 0) return person;

  throw notPhone("bpos campaign find", text, read.problem);
}

/** The campaigns as they are now, and why the service could not report the rest. */
async function readEach(client: Client, ids: readonly string[], signal: AbortSignal) {
  const found = new Map<string, CampaignStatus | BposError>();
  const mismatches: string[] = [];
  const stop = new AbortController();
  const failures: BposError[] = [];
  const readOne = async (id: string): Promise<void> => {
    if (failures.length > 0) return;
    try {
      const answer = await client.readCampaign(id, { signal: AbortSignal.any([signal, stop.signal]) });
      found.set(id, answer.body);
      mismatches.push(...answer.mismatches);
    } catch (error) {
      if (signal.aborted || !(error instanceof BposError)) throw error;
      // It answers, but no longer knows this campaign.
      if (isReason(error, "campaign_not_found") || isReason(error, "input_refused")) found.set(id, error);
      else {
        failures.push(error);
        stop.abort();
      }
    }
  };
  await pMap(ids, readOne, { concurrency: 8 });
  return { found, failure: failures[0], mismatches };
}

const noStatus = (why: NoStatus) => ({ recipient: {}, status: null, error: null, why });

function readStatus(call: PersonCall, campaign: CampaignStatus | BposError | undefined, person: string) {
  if (call.campaign_id === null) return noStatus({ kind: "unconfirmed" });
  if (campaign === undefined) return noStatus({ kind: "not_asked" });
  if (campaign instanceof BposError) {
    const { serviceMessage } = campaign.facts as { serviceMessage?: string };
    return noStatus({ kind: "service", message: serviceMessage ?? campaign.message });
  }
  const listed = list(campaign.recipients);
  const recipient = personFinder(listed, (each) => each["phone"])(person);
  if (recipient !== undefined)
    return {
      recipient,
      status: toText(recipient["status"]),
      error: toText(recipient["error_message"]) || null,
    };

  const { phone } = readRecipient(call, person);
  const { errors } = toCampaign({ ...call, idempotency_key: "" }, call.answer).recipients;
  const leftOut = leftOutByPhone(errors).get(digits(phone));
  if (leftOut !== undefined) return noStatus({ kind: "service", message: leftOut });
  const all = toNumber(fields(campaign.counts)["total_recipients"]) ?? null;
  return noStatus({ kind: "not_listed", listed: listed.length, all });
}

const waits = { at: "waits_start", hours: "waits_hours", pace: "waits_pace" } as const;

/** Returns why a planned call has not left yet, as `resume` would find it now. */
async function explainPlanned(
  { send_id: id, n, ref, isTest }: PersonCall,
  branch: string,
  { journal, clock }: { journal: Journal; clock: { now(): number } },
): Promise<NoStatus> {
  const { sends } = journal;
  const scope = { branch, ref };
  const calls = await sends.callsUnder(scope);
  const own = calls.find((call) => call.send_id === id && call.n === n);
  const [send] = await sends.named(branch, id);
  if (own === undefined || send === undefined) return { kind: "planned" };

  const now = clock.now();
  const { not_after: end } = own;
  if (end !== null && end <= now) return { kind: "too_late", until: isoWithOffset(end) };

  const tools = { journal, clock, clockAheadMs: () => undefined };
  const held = isTest ? undefined : await findHeldCalls({ ...scope, template: send.template }, [own], tools);
  if (held?.calls.has(`${id} ${n}`)) return { kind: "held", ref: held.failure.facts.ref };
  if (own.is_canary === 0 && openCanary(calls).length > 0) return { kind: "canary" };

  const timetable = new Timetable(readSchedule(own.schedule));
  for (const call of calls) if (call.attempted_at !== null) timetable.left(call, call.attempted_at);
  const [whole = own] = await sends.whole([own]);
  const due = timetable.due(whole, now);
  if (due === undefined || due.at <= now) return { kind: "planned" };
  return { kind: waits[due.reason], until: isoWithOffset(due.at) };
}

/** Finds each send to a person with its replies, newest first; `others` is how many replies name none of them. */
async function readSendsTo(journal: Journal, branch: string, person: string, home: Home) {
  const calls = await journal.sends.callsTo(branch, person);
  const replies = await readReplies(journal, [person], home);
  const belongsTo = (call: PersonCall, reply: (typeof replies)[number]): boolean =>
    reply.campaign_id === null ? reply.external_ref === call.ref : reply.campaign_id === call.campaign_id;
  const sends = calls.map((call) => ({
    call,
    ...readRecipient(call, person),
    replies: replies.filter((reply) => belongsTo(call, reply)),
  }));
  const others = replies.filter((reply) => !calls.some((call) => belongsTo(call, reply))).length;
  return { sends, others };
}

/** Says that the replies of this person name none of the sends. */
const othersText = (others: number, ui: Ui): string =>
  ui.texts.t(
    "{count, plural, one {# more reply from this phone names} other {# more replies from this phone name}} none of these sends.",
    { count: count(others, ui) },
  );
