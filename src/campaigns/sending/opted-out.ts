import type { Client } from "../../api/client.ts";
import { toNumber, toText } from "../../api/json.ts";
import { list } from "../../cli/display/values.ts";
import type { CampaignRequest } from "../../contract/campaign.ts";
import { BposError } from "../../errors.ts";
import { toPerson } from "../../input/phone.ts";
import type { Journal } from "../../journal/journal.ts";
import type { OptedOut } from "../../journal/records/opt-outs.ts";
import type { JournalCall, SendScope, Sends, SendTemplate } from "../../journal/records/sends.ts";
import { readReplies } from "../replies.ts";
import { type SendReport, toCampaign } from "../send-report.ts";
import { templateLabel } from "../template.ts";
import { callKey } from "./calls.ts";

/** Somebody in a call opted out before it left. */
export class OptedOutMeanwhile extends Error {
  override readonly name = "OptedOutMeanwhile";
  override readonly message = "a recipient opted out";
}

/** Finds the people of a call who have opted out by now; reads the list again only after a change. */
export class OptOutCheck {
  readonly #journal: Pick<Journal, "optOuts" | "sends">;
  /** The list as it was last read; of `clean` nobody is on it. */
  #known: { version: number; list: OptedOut; clean: WeakSet<JournalCall> } | undefined;

  constructor(journal: Pick<Journal, "optOuts" | "sends">) {
    this.#journal = journal;
  }

  async find(call: JournalCall): Promise<string[]> {
    const { optOuts, sends } = this.#journal;
    // Before the list itself: what is added in between is read twice, and never missed.
    const version = await optOuts.version();
    // Another call may ask meanwhile: each goes by what it read itself.
    const known =
      this.#known?.version === version
        ? this.#known
        : { version, list: await optOuts.all(), clean: new WeakSet<JournalCall>() };
    this.#known = known;
    const { list, clean } = known;
    if (list.size === 0 || clean.has(call)) return [];
    const found = (await sends.personsIn(call)).filter((person) => list.has(person));
    if (found.length === 0) clean.add(call);
    return found;
  }
}

/** A call without some of its recipients, under a new key; undefined if nobody is left. Only for a call that never left. */
function withoutPeople(
  { body, lines, people }: JournalCall,
  { branch, ref }: SendScope,
  gone: readonly string[],
) {
  const { idempotency_key: _, ...request } = JSON.parse(body) as CampaignRequest;
  const stays = request.recipients.map(({ phone }) => !gone.includes(toPerson(phone) ?? ""));
  const recipients = request.recipients.filter((_recipient, at) => stays[at]);
  if (recipients.length !== people - gone.length)
    throw new BposError("bug", { detail: `${gone.length} recipients are not in the body of their call` });
  if (recipients.length === 0) return undefined;

  const rest = { ...request, recipients };
  const key = callKey({ branch, ref }, JSON.stringify(rest));
  const kept = (JSON.parse(lines ?? "[]") as number[]).filter((_line, at) => stays[at]);
  return {
    idempotency_key: key,
    body: JSON.stringify({ idempotency_key: key, ...rest }),
    lines: JSON.stringify(kept),
    people: recipients.length,
  };
}

type Means = { journal: Journal; client: Pick<Client, "readCampaign">; signal: AbortSignal };

/** Reads a campaign as the answer to a call; undefined unless the service has it under that reference, for people of that call alone. */
async function readAsAnswer(
  id: string,
  call: JournalCall,
  { ref }: SendScope,
  { journal, client, signal }: Means,
) {
  const { body } = await client.readCampaign(id, { signal });
  const persons = new Set(await journal.sends.personsIn(call));
  const listed = list(body.recipients).map(({ phone }) => toPerson(toText(phone) ?? "") ?? "");
  const added = toNumber(body.counts?.total_recipients) ?? 0;
  const isSame = listed.length > 0 && listed.every((person) => persons.has(person)) && added <= call.people;
  if (!isSame || toText(body.external_ref) !== ref) return undefined;
  const { campaign_id, campaign_name, status } = body;
  const recipients = { added, duplicates: 0, errors: [] };
  return JSON.stringify({ campaign_id, campaign_name, status, replayed: true, recipients });
}

/**
 * Settles a call whose outcome is unknown without sending it again: a reply of somebody in it names its campaign, and the service confirms it.
 * Returns the answer, or undefined where no reply does, or the service does not.
 */
async function settleByReply(
  call: JournalCall,
  scope: SendScope,
  means: Means & { clock: { now(): number } },
): Promise<string | undefined> {
  const { sends } = means.journal;
  const replies = await readReplies(means.journal, await sends.personsIn(call));
  const known = (await sends.callsUnder(scope)).map(({ campaign_id }) => campaign_id);
  const ids = replies.flatMap(({ campaign_id: id, external_ref: ref }) =>
    id === null || ref !== scope.ref || known.includes(id) ? [] : [id],
  );
  for (const id of new Set(ids)) {
    const answer = await readAsAnswer(id, call, scope, means).catch((error: unknown) => {
      if (means.signal.aborted || !(error instanceof BposError)) throw error;
      return undefined;
    });
    if (answer === undefined) continue;
    const at = means.clock.now();
    await sends.answered(call, { campaign_id: id, answer, at });
    Object.assign(call, { state: "sent", campaign_id: id, answer, answered_at: at });
    return answer;
  }
  return undefined;
}

/** The effect on a call of the opt-outs since it was planned; an `unchanged` or `shortened` call is still to be sent. */
export type OptOutEffect = "unchanged" | "shortened" | "emptied" | "settled";

/**
 * Takes people who opted out after the plan was made out of a call that never left. One that may have left is settled by a reply to it.
 * Throws `opted_out_unknown` where none settles it: its bytes cannot change, and nobody may send it to these people.
 */
export async function leaveOutOptedOut(
  call: JournalCall,
  scope: SendScope & { template: SendTemplate },
  { recipients, campaigns }: SendReport,
  means: Parameters<typeof settleByReply>[2] & { optOuts: OptOutCheck },
): Promise<OptOutEffect> {
  const { journal, clock, optOuts } = means;
  const gone = await optOuts.find(call);
  if (gone.length === 0) return "unchanged";
  if (call.state !== "planned") {
    const answer = await settleByReply(call, scope, means);
    if (answer === undefined)
      throw new BposError("opted_out_unknown", { ref: scope.ref, people: gone.length });
    campaigns.push(toCampaign(call, answer));
    return "settled";
  }

  const rest = withoutPeople(call, scope, gone);
  const about = { at: clock.now(), template: templateLabel(scope.template) };
  await journal.transaction(async ({ sends }) => {
    await sends.shorten(call, gone, rest);
    await sends.leaveOut(
      scope,
      about,
      gone.map((person) => ({ person, reason: "opted_out" })),
    );
  });
  recipients.planned -= gone.length;
  recipients.opted_out += gone.length;
  Object.assign(call, rest ?? { people: 0 });
  return rest === undefined ? "emptied" : "shortened";
}

/** Sorts the calls whose outcome is unknown: `pending` leave again with the same bytes; those with the people of `stuck` never, since somebody in them opted out. */
export async function sortUnknown(calls: readonly JournalCall[], list: OptedOut, sends: Sends) {
  const pending: JournalCall[] = [];
  const stuck = new Set<string>();
  for (const call of calls.filter(({ state }) => state === "attempted")) {
    const people = list.size === 0 ? [] : await sends.personsIn(call);
    if (people.some((person) => list.has(person))) for (const person of people) stuck.add(person);
    else pending.push(call);
  }
  return { pending, stuck };
}
