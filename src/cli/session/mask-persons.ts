import { maskPhone } from "../display/format.ts";

/**
 * What a value is. A text or a number of a `person` is shown as its length, a `phone` by its last digits, an `id` as it is. `other` may hold a
 * phone among its words; so may what a `product` is made of, whose name is that of no person.
 */
type Kind = "person" | "phone" | "id" | "product" | "other";

/** Names are compared in small letters, without accents and signs: `delivery_address`, `deliveryAddress`. */
const kinds: Readonly<Record<Exclude<Kind, "other">, readonly string[]>> = {
  person: [
    ...["cliente", "domicilio", "deliveryaddress", "recipients", "params", "nombre"],
    ...[
      "customer",
      "client",
      "contact",
      "contacto",
      "person",
      "persona",
      "recipient",
      "destinatario",
      "destinatarios",
    ],
    ...[
      "name",
      "firstname",
      "lastname",
      "fullname",
      "apellido",
      "dni",
      "cuit",
      "documento",
      "email",
      "mail",
      "correo",
    ],
    ...["address", "direccion", "calle", "numero", "pisodepto", "localidad", "referencia"],
    ...[
      "note",
      "notes",
      "nota",
      "notas",
      "observacion",
      "observaciones",
      "comment",
      "comments",
      "comentario",
    ],
    ...["comentarios", "text", "texto", "body", "reply", "replies", "respuesta"],
  ],
  phone: ["phone", "telefono", "telefonopais", "telefonoarea", "telefononumero"],
  id: [
    ...["codigo", "orderid", "eventid", "campaignid", "sendid", "pushid", "storeid", "templateid"],
    "idempotencykey",
  ],
  product: ["items", "lineas", "opciones"],
};
const kindOf = new Map(
  Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => [name, kind as Kind])),
);
/** A longer name with one of these in it is that of a phone. */
const phoneParts = ["phone", "telef", "celular", "movil", "whatsapp", "waid", "msisdn"];
/** A product has a name, too. */
const productNames = ["name", "nombre"];
/** What the service says of a recipient, or of all of them; any other text there, whatever its name, is that person's. */
const keptOfPersons = [
  ...["status", "sentat", "deliveredat", "readat", "respondedat", "error", "errors", "errormessage", "code"],
  ...["added", "duplicates"],
];

function decode(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return inner;
  }
}

function chooseKind(name: string, around: Kind): Kind {
  const plain = decode(name)
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z\d]/g, "");
  const known = kindOf.get(plain);
  if (phoneParts.some((part) => plain.includes(part))) return "phone";
  if (known === "id") return known;
  if (around === "person" || around === "phone") return keptOfPersons.includes(plain) ? "other" : "person";
  if (around === "product" && productNames.includes(plain)) return "product";
  return known ?? (around === "id" ? "other" : around);
}

/** A list or an object that is open, or the whole text. */
interface Frame {
  isObject: boolean;
  kind: Kind;
  /** Of the value that follows; undefined where a name does. */
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

function maskString(inner: string, kind: Kind, maskText: MaskText): string {
  if (kind === "person") return showLength(inner);
  if (kind === "phone") return inner === "" ? "" : showPhone(inner);
  return kind === "id" && !beginsAsPhone(inner) ? inner : maskText(inner);
}

/** A number or a literal, or what stands where JSON has neither. */
function maskBare(
  text: string,
  kind: Kind,
  { isJson, maskText }: { isJson: boolean; maskText: MaskText },
): string {
  const bare = text.trim();
  if (/^(?:null|true|false|)$/.test(bare)) return text;
  const isNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(bare);
  const isOwn = kind === "person" || kind === "phone";
  if (!isNumber && isJson) return text.replace(bare, showLength(bare));
  if (isNumber && isOwn) return text.replace(bare, `"${maskString(bare, kind, maskText)}"`);
  return isNumber && (kind === "id" || !/^\d+$/.test(bare)) ? text : maskText(text);
}

/**
 * Masks what is of a person in a body, by the names of its fields. It need be no whole JSON, nor JSON at all: an answer may be cut, or broken
 * where nobody expects it, and a parser would then show nothing or all of it.
 * @param maskText masks phones within any other text
 */
export function maskPersons(body: string, maskText: MaskText): string {
  const isJson = /^\s*[{[]/.test(body);
  // One that is closed too often still has names.
  const whole = openFrame(true, "other");
  const frames = [whole];
  let said = "";
  const last = (): Frame => frames.at(-1) ?? whole;

  const showString = (token: string): string => {
    const frame = last();
    const end = token.length > 1 && token.endsWith('"') ? '"' : "";
    const inner = token.slice(1, token.length - end.length);
    said = inner;
    if (frame.next !== undefined) return `"${maskString(inner, frame.next, maskText)}${end}`;
    frame.next = chooseKind(inner, frame.kind);
    return `"${maskText(inner)}${end}`;
  };
  const showSign = (token: string): string => {
    const frame = last();
    if (token === "{" || token === "[") {
      const kind = frame.next ?? frame.kind;
      frames.push(openFrame(token === "{", kind));
    } else if (token === ",") frame.next = frame.isObject ? undefined : frame.kind;
    // A list has no names, unless it is broken.
    else if (token === ":" && !frame.isObject) frame.next = chooseKind(said, frame.kind);
    else if ((token === "}" || token === "]") && frames.length > 1) frames.pop();
    return token;
  };
  return body.replace(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^"{}[\],:]+/gs, (token) => {
    if (token.startsWith('"')) return showString(token);
    if (/^[{}[\],:]$/.test(token)) return showSign(token);
    const { next, kind } = last();
    return maskBare(token, next ?? kind, { isJson, maskText });
  });
}
