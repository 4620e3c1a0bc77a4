import { maskPhone } from "../display/format.ts";

/**
 * How a value is printed: `person` and `unknown` by its length, since a service may name its fields as it likes; a `phone` by its last digits;
 * `plain` as it is, and an `id`, too, unless it begins as a phone does; `words` without the phones in them. A list or an object decides for what
 * is within: all of a person's is the person's, a `product` has a name that may be shown, and in any other each name counts by itself.
 */
type Kind = "person" | "phone" | "id" | "plain" | "words" | "product" | "unknown";

/** The fields of the contract, and those in which services say what went wrong. Names are compared without case, accents and signs. */
const fields: Readonly<Record<Exclude<Kind, "phone" | "unknown">, string>> = {
  person: "cliente domicilio recipients params",
  id: `codigo id order_id event_id campaign_id send_id push_id store_id template_id request_id idempotency_key`,
  plain: `page per_page total has_more created_at created_at_iso status delivery_type modo pagado monto costo_envio cantidad
    precio_unitario subtotal precio_adicional occurred_at action precio deshabilitado duplicate accepted skipped_stale replayed
    template_language scheduled_at total_recipients pending sent failed delivered read responded`,
  words: `categoria template_name external_ref campaign_name error errors error_message message detail details reason code title
    type msg`,
  product: "items lineas opciones",
};
/** Within a person: what the service says of a recipient, or of all of them. */
const ofRecipients = `status sent_at delivered_at read_at responded_at error errors error_message code added duplicates`;
const productNames = ["name", "nombre"];
/** A longer name with one of these in it is that of a phone. */
const phoneParts = ["phone", "telef", "celular", "movil", "whatsapp", "waid", "msisdn"];

const plainName = (name: string): string =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z\d]/g, "");
const namesIn = (list: string): string[] => list.split(/\s+/).map(plainName);
const kindOf = new Map(
  Object.entries(fields).flatMap(([kind, list]) => namesIn(list).map((name) => [name, kind as Kind])),
);
const keptOfPersons = new Set(namesIn(ofRecipients));

function decode(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return inner;
  }
}

function chooseKind(name: string, around: Kind): Kind {
  const plain = plainName(decode(name));
  const known = kindOf.get(plain);
  if (phoneParts.some((part) => plain.includes(part))) return "phone";
  if (known === "id") return known;
  if (around === "person" || around === "phone") return keptOfPersons.has(plain) ? "words" : "person";
  if (around === "product" && productNames.includes(plain)) return "plain";
  return known ?? "unknown";
}

/** A list or an object that is open, or the whole text. */
interface Frame {
  isObject: boolean;
  kind: Kind;
  /** The kind of the value that follows; undefined if a name follows. */
  next: Kind | undefined;
}

const openFrame = (isObject: boolean, kind: Kind): Frame => ({
  isObject,
  kind,
  next: isObject ? undefined : kind,
});

const showLength = (text: string): string => (text === "" ? "" : `…(${Array.from(decode(text)).length})`);
/** A phone by its last digits, whatever stands between them. */
export const showPhone = (text: string): string =>
  maskPhone(text.replace(/%2B/gi, "+").replace(/%20|[^\d+]/g, ""));
const beginsAsPhone = (text: string): boolean => /^\s*(?:\+|%2B)/i.test(text);

type MaskText = (text: string) => string;

const isHidden = (kind: Kind): boolean => kind === "person" || kind === "unknown" || kind === "product";

function maskString(inner: string, kind: Kind, maskText: MaskText): string {
  if (isHidden(kind)) return showLength(inner);
  if (kind === "phone") return inner === "" ? "" : showPhone(inner);
  return kind === "plain" || (kind === "id" && !beginsAsPhone(inner)) ? inner : maskText(inner);
}

/** Masks a number or a literal, or what stands where JSON has neither. */
function maskBare(text: string, kind: Kind, maskText: MaskText): string {
  const bare = text.trim();
  if (/^(?:null|true|false|)$/.test(bare)) return text;
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(bare)) return text.replace(bare, showLength(bare));
  if (isHidden(kind) || kind === "phone") return text.replace(bare, `"${maskString(bare, kind, maskText)}"`);
  return kind === "words" ? maskText(text) : text;
}

const jsonTokens = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^"{}[\],:]+/gs;

/**
 * Masks what is of a person in a body, by the names of its fields; of a body without an object in it, only the phones. It need be no whole JSON: an
 * answer may be cut, or broken where nobody expects it, and a parser would then show nothing or all of it.
 * @param maskText masks phones within any other text
 */
export function maskPersons(body: string, maskText: MaskText): string {
  if (!/^\s*\[|\{/.test(body)) return maskText(body);
  // One that is closed too often still has names.
  const whole = openFrame(true, "unknown");
  const frames = [whole];
  let said = "";
  const last = (): Frame => frames.at(-1) ?? whole;

  const showString = (token: string, end: number): string => {
    const frame = last();
    const quote = token.length > 1 && token.endsWith('"') ? '"' : "";
    const inner = token.slice(1, token.length - quote.length);
    said = inner;
    if (frame.next !== undefined) return `"${maskString(inner, frame.next, maskText)}${quote}`;

    frame.next = chooseKind(inner, frame.kind);
    // A name that no colon follows is a value whose name is lost.
    const isName = /^\s*:/.test(body.slice(end, end + 20));
    return `"${isName ? maskText(inner) : maskString(inner, "person", maskText)}${quote}`;
  };
  const showSign = (token: string): string => {
    const frame = last();
    if (token === "{" || token === "[") frames.push(openFrame(token === "{", frame.next ?? frame.kind));
    else if (token === ",") frame.next = frame.isObject ? undefined : frame.kind;
    // A list has no names, unless it is broken.
    else if (token === ":" && !frame.isObject) frame.next = chooseKind(said, frame.kind);
    else if ((token === "}" || token === "]") && frames.length > 1) frames.pop();
    return token;
  };
  return body.replace(jsonTokens, (token, at: number) => {
    if (token.startsWith('"')) return showString(token, at + token.length);
    if (/^[{}[\],:]$/.test(token)) return showSign(token);
    const { next, kind } = last();
    return maskBare(token, next ?? kind, maskText);
  });
}
