import pMap from "p-map";
import type { Client } from "../../api/client.ts";
import { toText } from "../../api/json.ts";
import { count } from "../../cli/display/format.ts";
import { startProgress } from "../../cli/display/progress.ts";
import { list } from "../../cli/display/values.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { toUnsent } from "../../errors/unsent.ts";
import { BposError } from "../../errors.ts";
import { toPerson } from "../../input/phone.ts";
import type { CallState, LeftOut, SendScope, Sends } from "../../journal/records/sends.ts";
import { readCampaigns } from "../read-campaigns.ts";
import { templateLabel } from "../template.ts";
import type { SendRequest } from "./plan.ts";

/** The statuses that cannot change to failed. */
const arrived = new Set(["delivered", "read", "responded"]);

type Statuses = ReadonlyMap<string, string | null>;

/** Returns a recipient's outcome; only a final failed status is `failed`. */
function classify(person: string, members: ReadonlyMap<string, CallState>, statuses: Statuses) {
  const state = members.get(person);
  if (state === undefined) return "not_in_send";
  if (state !== "sent") return "not_final";
  const status = statuses.get(person);
  if (status === undefined) return "not_listed";
  if (status === "failed") return "failed";
  return arrived.has(status ?? "") ? "not_failed" : "not_final";
}

/** Returns the reference of a send to the failed recipients of another: always the same, so nobody gets it twice. */
export const retryRef = (ref: string): string => `${ref}-retry`;

/** Checks that the reference differs from the earlier send's, under which nobody would be messaged again. Throws `ref_taken`. */
async function checkOther(request: SendRequest, sends: Sends, earlier: SendScope): Promise<void> {
  if (request.ref !== earlier.ref) return;
  const [template] = await sends.templates(earlier);
  throw new BposError("ref_taken", { ref: earlier.ref, template: template ? templateLabel(template) : "" });
}

/** Reads the status of each listed recipient of these campaigns, and the failed recipients by campaign. */
async function readStatuses({ system, signal, texts }: Runtime, session: Session, ids: readonly string[]) {
  const { client, output } = session;
  const bar = startProgress(system, output, texts.t("Reading campaigns"));
  const how = { signal, onProgress: bar.update };
  const { campaigns, mismatches } = await readCampaigns(client, ids, how)
    .catch((error: unknown) => {
      throw toUnsent(error);
    })
    .finally(bar.clear);
  await output.mismatches(mismatches);

  const statuses = new Map<string, string | null>();
  const failed = new Map<string, Set<string>>();
  for (const { campaign_id: id, recipients } of campaigns) {
    const some = new Set<string>();
    for (const { phone, status } of list(recipients)) {
      const person = toPerson(toText(phone) ?? "");
      if (person === undefined) continue;
      statuses.set(person, toText(status));
      if (status === "failed") some.add(person);
    }
    failed.set(id, some);
  }
  return { statuses, failed };
}

/**
 * Returns the request with only the recipients that failed in an earlier send, according to the service now.
 * Throws `send_not_found`, `send_open`, `ref_taken`, and what keeps the service from telling.
 */
export async function keepOnlyFailed(
  runtime: Runtime,
  session: Session,
  request: SendRequest,
  { sends, ref }: { sends: Sends; ref: string },
): Promise<SendRequest> {
  const earlier = { branch: request.branch, ref };
  const calls = await sends.callsUnder(earlier);
  if (calls.length === 0) throw new BposError("send_not_found", { ref });
  await checkOther(request, sends, earlier);
  const ids = [...new Set(calls.flatMap(({ campaign_id: id }) => id ?? []))];
  if (ids.length === 0) throw new BposError("send_open", { ref });

  const { statuses, failed } = await readStatuses(runtime, session, ids);
  const { reading } = request;
  const persons = reading.recipients.map(({ person }) => person);
  const members = await sends.people(earlier, persons);

  const onlyFailed = { ref, failed: 0, not_failed: 0, not_final: 0, not_listed: 0, not_in_send: 0 };
  const leftOut: LeftOut[] = [];
  const recipients = reading.recipients.filter(({ person }) => {
    const state = classify(person, members, statuses);
    onlyFailed[state] += 1;
    if (state !== "failed") leftOut.push({ person, reason: state });
    return state === "failed";
  });
  const { not_listed: unlisted } = onlyFailed;
  const { output } = session;
  const notListed = output.texts.t(
    'Warning: {count, plural, one {# recipient of "{ref}" is left out, because the service does not list this recipient} other {# recipients of "{ref}" are left out, because the service does not list them}} and the message status is unknown. A send with --track-all lists everyone.',
    { count: count(unlisted, output.errorUi), ref },
  );
  if (unlisted > 0) await output.warning(notListed);
  return { ...request, reading: { ...reading, recipients }, failed, onlyFailed, leftOut };
}

/** Reads the recipients that the service lists as failed, by campaign; none if the service cannot be reached. */
export async function failedRecipients(
  client: Pick<Client, "readCampaign">,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Set<string>>> {
  const failed = new Map<string, Set<string>>();
  const readOne = async (id: string): Promise<void> => {
    const { body } = await client.readCampaign(id, { signal });
    const people = list(body.recipients)
      .filter(({ status }) => status === "failed")
      .flatMap(({ phone }) => toPerson(toText(phone) ?? "") ?? []);
    failed.set(id, new Set(people));
  };
  const nobody = (error: unknown): void => {
    if (signal.aborted || !(error instanceof BposError)) throw error;
  };
  await pMap(ids, (id) => readOne(id).catch(nobody), { concurrency: 8 });
  return failed;
}
