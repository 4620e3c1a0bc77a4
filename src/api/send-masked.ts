import type { Detail } from "../errors/problems.ts";
import {
  type Dispatcher,
  send,
  type TransportAnswer,
  TransportError,
  type TransportRequest,
} from "./transport.ts";

type Mask = (text: string) => string;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A body without what `mask` takes out. JSON stays JSON: a key of digits alone may be a number there. */
export function maskedBody(text: string, mask: Mask): string {
  const masked = mask(text);
  if (masked === text || isJson(masked) || !isJson(text)) return masked;
  return text.replace(/"(?:[^"\\]|\\.)*"/g, mask);
}

function maskedDetail(detail: Detail, mask: Mask): Detail {
  return JSON.parse(JSON.stringify(detail), (name, value: unknown) =>
    typeof value === "string" && name !== "kind" ? mask(value) : value,
  ) as Detail;
}

/**
 * `send`, with the key taken out of the body that came, and out of what kept an answer away: nothing that is made of them
 * can show or keep it. Headers are as they came.
 */
export async function sendMasked(
  dispatcher: Dispatcher,
  request: TransportRequest,
  mask: Mask,
): Promise<TransportAnswer> {
  try {
    const answer = await send(dispatcher, request);
    return { ...answer, text: maskedBody(answer.text, mask) };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { kind, detail, mayHaveArrived, partial, cause } = error;
    throw new TransportError(kind, maskedDetail(detail, mask), {
      mayHaveArrived,
      ...(partial && { partial: { ...partial, text: mask(partial.text) } }),
      ...(cause instanceof Error && { cause }),
    });
  }
}
