import { toPerson } from "../../input/phone.ts";
import type { Journal } from "../../journal/journal.ts";
import { parseBody, replyFields } from "../listen/replies.ts";

/** A body that is not JSON, which was quarantined on arrival, is a text. */
export function readReplyBody(text: string): unknown {
  try {
    return parseBody(text);
  } catch {
    return text;
  }
}

/** The replies of a person that are in the journal, oldest first. */
export async function readReplies({ replies }: Journal, person: string) {
  await replies.identify((body) => {
    const { phone } = replyFields(readReplyBody(body));
    return toPerson(phone ?? "") ?? "";
  });
  const found = await replies.ofPerson(person);
  return found.map(({ body: text, at }) => {
    const body = readReplyBody(text);
    return { at, body, ...replyFields(body) };
  });
}
