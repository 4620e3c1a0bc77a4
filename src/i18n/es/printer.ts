import type { PrinterProblem } from "../../errors.ts";
import type {
  printer as enPrinter,
  printerHelp as enPrinterHelp,
  receipt as enReceipt,
} from "../en/printer.ts";
import { sentences } from "../shapes.ts";

/** Lo que se imprime en un ticket. */
export const receipt: typeof enReceipt = {
  order: (id) => `PEDIDO ${id}`,
  reprint: "REIMPRESIÓN",
  reprintHint: "Puede que ya esté impreso.",
  pickUp: "RETIRA",
  delivery: "ENVÍO",
  reference: "Nota",
  noLines: "Sin productos.",
  shipping: "Envío (en el total)",
  total: "TOTAL",
  collect: "COBRAR",
  paid: "PAGADO",
  onlineUnpaid: "Pago online, todavía sin pagar",
  states: { cancelado: "CANCELADO", rechazado: "RECHAZADO" },
  stop: "No lo prepares ni lo entregues.",
  test: "Prueba de impresión de bpos",
  testWidth: (paper, columns) => `Papel de ${paper} mm: ${columns} caracteres por línea`,
  testBold: "Negrita",
  testLarge: "Línea grande",
  testEnd: "Si todo esto se lee y el papel está cortado, la impresora está lista.",
};

export const printer: typeof enPrinter = {
  tested: (url) => `La prueba salió para ${url}.`,
  testedHint: (columns, otherLanguage) =>
    `En el papel: una fila completa de ${columns} dígitos, acentos y eñes, y un corte al final.${columns > 32 ? " Filas partidas: probá con --paper 58." : ""} Letras o signos raros: probá con --printer-language ${otherLanguage}.`,
  printed: (id, url) => `El pedido ${id} salió para ${url}.`,
  outputMaybe: "Puede que una parte esté en el papel: el próximo intento dice REIMPRESIÓN.",
};

export const printerProblemWords = sentences<PrinterProblem>()({
  unreachable: "sin conexión: {detail}",
  reset: "cortó antes de terminar",
  paper_out: "se quedó sin papel",
  cover_open: "tiene la tapa abierta",
  stalled: "dejó de recibir datos: sin papel, o apagada",
  lp: "`lp` no la aceptó: {detail}",
  lp_missing: "esta máquina no tiene `lp`",
  file: "{detail}",
});

export const printerProblemNext = sentences<PrinterProblem>()({
  unreachable:
    "Fijate que la impresora esté encendida y en esta red, y que la dirección sea la suya: casi todas la imprimen si las encendés apretando FEED.",
  reset: "Mirá la impresora y volvé a imprimir.",
  paper_out: "Ponele papel.",
  cover_open: "Cerrale la tapa.",
  stalled: "Mirá el papel y la tapa, y apagala y encendela.",
  lp: "`lpstat -p` lista las colas de esta máquina.",
  lp_missing: "Instalá CUPS (en Debian: cups-client), o usá tcp://HOST o file:DISPOSITIVO.",
  file: "Fijate que el dispositivo esté y que este usuario pueda escribir en él (grupo lp).",
});

/** La ayuda de `bpos printer …` y de las opciones de cada comando que imprime. */
export const printerHelp: typeof enPrinterHelp = {
  description: "Probar una impresora de tickets",
  examples: { "bpos printer test tcp://192.168.1.50": "un ticket de prueba" },
  flags: {
    printer:
      "impresora de tickets: tcp://HOST[:PUERTO], file:DISPOSITIVO o lp:COLA (por defecto, la del perfil)",
    paper: "ancho del papel en mm, 58 u 80 (por defecto, 80)",
    language: "escpos, o star para StarPRNT (por defecto, escpos)",
    drawer: "abrir el cajón de dinero conectado a ella",
    beep: "que suene",
  },
  test: {
    description: "Imprimir un ticket de prueba: ancho del papel, letras, tamaños y corte",
    url: "tcp://HOST[:PUERTO], file:DISPOSITIVO o lp:COLA (por defecto, la impresora del perfil)",
    examples: {
      "bpos printer test tcp://192.168.1.50": "por la red, puerto 9100",
      "bpos printer test file:/dev/usb/lp0 --paper 58": "por USB, papel angosto",
      "bpos printer test lp:kitchen --drawer --beep": "una cola de CUPS, con cajón y sonido",
    },
  },
};
