import { isLosslessNumber } from "lossless-json";
import { parseJson } from "../api/json.ts";
import { toPerson } from "../input/phone.ts";
import type { Journal } from "../journal/journal.ts";
import type { Home } from "./person.ts";

/** The names that services give to the fields of a reply; an earlier name wins. The specification names only the first two. */
const fieldNames = {
  campaign_id: ["campaign_id"],
  external_ref: ["external_ref"],
  phone: ["phone", "telefono", "phone_number", "wa_id", "from"],
  text: ["text", "texto", "message", "body"],
} as const;

type Field = keyof typeof fieldNames;

export type ReplyFields = Record<Field, string | null>;

export const isNumber = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "bigint" || isLosslessNumber(value);

/** The words on a button, or in a list, that was chosen: nothing else of such a reply is called a text. */
function pressedButton(part: object): string | null {
  const { button_reply: button, list_reply: row }: Record<string, unknown> = { ...part };
  const chosen = button ?? row;
  const isChosen = typeof chosen === "object" && chosen !== null && "title" in chosen;
  return isChosen && typeof chosen.title === "string" && chosen.title !== "" ? chosen.title : null;
}

function ownText(part: object, field: Field): string | null {
  for (const name of fieldNames[field]) {
    const value: unknown = Object.hasOwn(part, name) ? (part as Record<string, unknown>)[name] : undefined;
    if (isNumber(value) || (typeof value === "string" && value !== "")) return String(value);
  }
  return field === "text" ? pressedButton(part) : null;
}

/** Parses the body of a reply. Throws SyntaxError. */
export const parseBody = (text: string): unknown => parseJson(text.replace(/^\ufeff/, ""));

/** Finds the known fields of a reply, also in its parts; with `inLists` in the elements of lists too. */
export function replyFields(body: unknown, inLists = true): ReplyFields {
  const found: ReplyFields = { campaign_id: null, external_ref: null, phone: null, text: null };
  const isObject = (value: unknown): value is object =>
    typeof value === "object" && value !== null && (inLists || !Array.isArray(value));
  let level = [body].filter(isObject);
  for (let depth = 1; depth <= 6 && level.length > 0; depth++) {
    for (const part of level)
      for (const field of Object.keys(found) as Field[]) found[field] ??= ownText(part, field);
    level = level.flatMap((part) => Object.values(part) as unknown[]).filter(isObject);
  }
  return found;
}

/** A body that is not JSON, which was quarantined on arrival, is a text. */
function readReply(text: string) {
  let body: unknown = text;
  try {
    body = parseBody(text);
  } catch {}
  return { body, ...replyFields(body) };
}

/** Reads the replies of these people from the journal, oldest first. Without a `home`, a phone without its country belongs to nobody. */
export async function readReplies(
  { replies }: Pick<Journal, "replies">,
  persons: readonly string[],
  home: Home = {},
) {
  await replies.identify((text) => toPerson(readReply(text).phone ?? ""));
  const known = (await Promise.all(persons.map((person) => replies.ofPerson(person)))).flat();
  // The person of a national number depends on the branch: the journal, which is of all branches, does not keep it.
  const national = (await replies.unidentified()).filter(({ body }) =>
    persons.includes(toPerson(readReply(body).phone ?? "", home) ?? ""),
  );
  const found = [...known, ...national].sort((a, b) => a.at - b.at);
  return found.map(({ body, at }) => ({ at, ...readReply(body) }));
}
