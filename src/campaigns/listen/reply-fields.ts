import { isLosslessNumber } from "lossless-json";

/** What is recognised in a reply. Only the first two may be relied on (`spec.md` section 6). */
export interface ReplyFields {
  campaign_id: string | null;
  external_ref: string | null;
  phone: string | null;
  text: string | null;
}

/** How services call these fields; the earlier name wins. */
const names: Readonly<Record<keyof ReplyFields, readonly string[]>> = {
  campaign_id: ["campaign_id"],
  external_ref: ["external_ref"],
  phone: ["phone", "telefono", "phone_number", "wa_id", "from"],
  text: ["text", "texto", "message", "body"],
};

const deepest = 6;

/** A value that can be the one of a field: a text that is not empty, or a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "bigint" || isLosslessNumber(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function ownText(part: object, field: keyof ReplyFields): string | undefined {
  for (const name of names[field]) {
    const found = Object.hasOwn(part, name) ? textOf((part as Record<string, unknown>)[name]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Finds the fields of a reply wherever they stand, at the top or some levels down; the highest wins, then the first.
 *
 * @example
 * replyFields({ data: { campaign_id: 7 } }).campaign_id; // "7"
 */
export function replyFields(body: unknown): ReplyFields {
  const found: ReplyFields = { campaign_id: null, external_ref: null, phone: null, text: null };
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  let level = [body].filter(isObject);
  for (let depth = 1; depth <= deepest && level.length > 0; depth++) {
    for (const part of level)
      for (const field of Object.keys(found) as (keyof ReplyFields)[])
        found[field] ??= ownText(part, field) ?? null;
    level = level.flatMap((part) => Object.values(part) as unknown[]).filter(isObject);
  }
  return found;
}
