import type { CommandUnknownOpts as Command } from "@commander-js/extra-typings";
import { commandTree } from "../../scripts/command-tree.ts";
import { formats } from "../../src/cli/display/formats.ts";
import { fileFormats, recipientStatuses, shells, topics } from "../../src/cli/line/flags.ts";
import { orderStates, scenarioNames } from "../../src/contract/limits.ts";
import { exitCodes } from "../../src/errors.ts";
import type { Language } from "../../src/texts/texts.ts";

const listed = (text: string): string[] => text.trim().split(/\s+/);

/** Words that a sentence or a label of ours has in one language, and never in the other. */
const tellTale: Readonly<Record<"en" | "es", ReadonlySet<string>>> = {
  en: new Set(
    listed(`
      the of and is are was were be been being it its this that these those there here with without from for by at as an in
      on to or not nothing nobody none which what when where who whom why how than then into onto out up off over under all
      any each every other others another only also again still already before after behind below above until while because
      but if so does did done can cannot could will would may might must should have had having one two three more most less
      first last next new old same both either neither such very too yet now never always your you they them their we our he
      she his her
      file files row rows line lines key keys order orders address addresses name names value values flag flags command
      commands argument arguments sent send sends read reads written write writes missing unknown failed fails rejected
      accepted accepts refused push pushed pushes price prices code codes product products people person persons phone phones
      reply replies campaign campaigns service answer answered answers time times day days minute minutes hour hours second
      seconds ago page pages folder machine settings try tries run runs set give given take takes taken shows show shown
      list choose correct leave left kept keep found stopped stops waiting waits wait outcome pickup delivery shipping collect
      paid customer call calls batch batches duplicate duplicates stale unchanged replayed remove removed rename add added
      change changed changes column columns cell cells header template recipients warning note defect nothing empty text
      whole number numbers word words letter letters digit digits quote quotes invalid valid broken damaged closed open
      opened newer older later earlier today yesterday tomorrow test tests branch profile profiles default environment
      country currency yes usage examples global environment happened why because done dry ready made make makes state
      request requests status listening listens forward trying again expected unexpected end ends ended start starts
      started clock ahead history kind checks check passed skipped unfinished disk proxied host
    `),
  ),
  es: new Set(
    listed(`
      el la los las un una unos unas del al y e que se lo les por para con sin en es está están fue fueron era ser hay más
      menos muy ya también pero como cuando donde quien cuál qué cómo su sus este esta estos estas ese esa eso esto todo toda
      todos todas cada otro otra otros otras nada nadie ninguno ninguna ningún algún alguna desde hasta entre sobre porque si
      sino según vez veces de
      archivo archivos fila filas línea líneas clave claves pedido pedidos dirección direcciones nombre nombres valor valores
      opción opciones comando comandos falta faltan mandó mandar manda envío envíos rechazado rechazada rechazadas aceptado
      precio precios código códigos producto productos destinatario destinatarios teléfono teléfonos respuesta respuestas
      campaña campañas servicio hora horas hace día días minuto minutos segundo segundos página carpeta máquina
      configuración probá corré fijate poné sacá dale mirá prueba corre fíjate pon quita mira revisa sucursal sucursales lote lotes perfil perfiles plantilla columna
      columnas celda aviso ojo vacío vacía texto número números antes después ahora todavía siempre nunca pasó motivo
      mandado sabe llegó retira cobrar listo aviso ayuda uso ejemplos entorno
    `),
  ),
};

/** Values that people type or scripts read, the same in every language. */
const values = new Set<string>([
  ...[...fileFormats, ...formats, ...orderStates, ...recipientStatuses, ...scenarioNames],
  ...[...shells, ...topics, ...Object.keys(exitCodes)],
  // Values of --lang, --log-format, --status, --since and --on-duplicate.
  ...["text", "en", "es", "all", "today", "yesterday", "first", "last", "error"],
  // The service's own names.
  ...["codigo", "nombre", "categoria", "precio", "deshabilitado", "status"],
]);

/** Text that is no sentence of ours, whatever the language; it is removed before the words are looked at. */
const patterns: readonly RegExp[] = [
  /\u001b\[[\d;?]*[A-Za-z]/g,
  // Text that was typed or read, between quotation marks; a command, between backticks.
  /"[^"\n]*"/g,
  /`[^`]*`/g,
  // A document, and a line of HTTP under -vv.
  /^ *\{.*$/gm,
  /^[<>*] .*$/gm,
  // The command lines of examples.
  /^ *\$ .*$/gm,
  /\b(?:https?:\/\/|tcp:\/\/|file:|lp:)\S+/g,
  // Words that the journal does not know of a command to be repeated.
  /--exec <command>|--out-dir <folder>/g,
  /~?(?:[\w.-]+)?\/[\w./:?=&-]+/g,
  // Names that a flag takes, as the JSON has them.
  /--fields: \w+(?:\s+·\s+\w+)*/g,
  // Flags and the name of their value: --ref REF.
  /(?<![\w-])--?[a-z][\w-]*(?:[ =][A-Z]{2,}\b)?/g,
  // Keys, variables, reasons, states: BPOS_HOME, key_missing.
  /\b\w+_\w+\b/g,
  /\b[\w-]+=\S+/g,
  // References, phones, amounts, and whatever else holds a digit.
  /\b[\w-]*\d[\w-]*\b/g,
  /\b[\w-]+(?:\.[\w-]+)*\.(?:csv|json|ndjson|db|lock|example|com)\b/g,
  /\b(?:GET|POST) /g,
  // A variable of a shell, an event or a field within another, a topic of help.
  /\$\w+/g,
  /\b[a-z]+\.[a-z]+\b/g,
  /\bexit-codes\b/g,
  // The service's own names.
  /\bAPI key\b/g,
];

function commandNames(command: Command): string[] {
  return [command.name(), ...command.commands.flatMap(commandNames)];
}

const names = `(?:${[...new Set(commandNames(commandTree()))].filter((name) => name !== "bpos").join("|")})`;
/** A command line such as `bpos -p centro orders list`, and the names of commands where a page lists them. */
const commandLines = [
  new RegExp(`\\bbpos(?:\\s+(?:-p \\S+|--mock|${names}\\b))*`, "g"),
  new RegExp(`^ +${names}(?: ${names})*(?:, ls)?(?= {2,})`, "gm"),
  new RegExp(`\\b${names} ${names}\\b`, "g"),
];

/** The words of a text that only the other language has; `data` is what the world brought along. */
export function foreignWords(text: string, language: Language, data: readonly RegExp[] = []): string[] {
  let left = text;
  for (const each of data) left = left.replace(new RegExp(each, "gm"), " ");
  for (const pattern of [...commandLines, ...patterns]) left = left.replace(pattern, " ");
  const other = tellTale[language === "en" ? "es" : "en"];
  const found = (left.match(/\p{L}+/gu) ?? []).filter((word) => {
    const lower = word.toLowerCase();
    if (values.has(word)) return false;
    return other.has(lower) || (language === "en" && /[áéíóúñ]/.test(lower));
  });
  return [...new Set(found)];
}
