import type { Client } from "../../api/client.ts";
import { toNumber, toText } from "../../api/json.ts";
import { list } from "../../cli/display/fields.ts";
import { BposError } from "../../errors.ts";
import { toPerson } from "../../input/phone.ts";
import type { Journal } from "../../journal/journal.ts";
import type { JournalCall, SendScope } from "../../journal/sends.ts";
import { readReplies } from "../find/person.ts";

type Means = { journal: Journal; client: Pick<Client, "readCampaign">; signal: AbortSignal };

/** The campaign of that id as an answer to the call: undefined unless the service has it under that reference, for people of that call alone. */
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
export async function settleByReply(
  call: JournalCall,
  scope: SendScope,
  people: readonly string[],
  means: Means & { clock: { now(): number } },
): Promise<string | undefined> {
  const { sends } = means.journal;
  const replies = (await Promise.all(people.map((person) => readReplies(means.journal, person)))).flat();
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
