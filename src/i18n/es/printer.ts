import type { printer as enPrinter, receipt as enReceipt } from "../en/printer.ts";

/** Lo que se imprime en un ticket. */
export const receipt: typeof enReceipt = {
  order: (id) => `PEDIDO ${id}`,
  reprint: "REIMPRESIÓN",
  reprintHint: "Puede que ya esté impreso.",
  edited: "MODIFICADO",
  editedHint: "Reemplaza al ticket anterior.",
  stationEdited: "CAMBIÓ",
  stationEditedHint: "Solo lo que cambió; lo demás no se hace de nuevo.",
  stations: (n: number, all: number, others: readonly string[]) =>
    `${n} de ${all} estaciones - también: ${others.join(", ")}`,
  added: "AGREGADO",
  removed: "QUITADO",
  now: "El pedido para esta estación queda así:",
  nothingLeft: "No queda nada para esta estación.",
  pickUp: "‹RECOGE›",
  delivery: "ENVÍO",
  reference: "Nota",
  noLines: "Sin productos.",
  shipping: "Envío (en el total)",
  total: "TOTAL",
  collect: "COBRAR",
  paid: "PAGADO",
  onlineUnpaid: "Pago online, todavía sin pagar",
  copy: (n, copies) => `COPIA ${n} DE ${copies}`,
  qr: { map: "Mapa", phone: "WhatsApp" },
  states: { cancelado: "CANCELADO", rechazado: "RECHAZADO" },
  stop: "No lo prepares ni lo entregues.",
  test: "Prueba de impresión de bpos",
  testWidth: (paper, columns) => `Papel de ${paper} mm: ${columns} caracteres por línea`,
  testBold: "Negrita",
  testLarge: "Línea grande",
  testEnd: "Si todo esto se lee y el papel está cortado, la impresora está lista.",
};

export const printer: typeof enPrinter = {
  tested: (url) => `El ticket de prueba se mandó a ${url}.`,
  testedHint: (columns, otherLanguage) =>
    `En el papel: una fila completa de ${columns} dígitos, acentos y eñes, y un corte al final.${columns > 32 ? " Filas partidas: ‹prueba› con --paper 58." : ""} Letras o signos raros: ‹prueba› con --printer-language ${otherLanguage}.`,
  printed: (id, url) => `El pedido ${id} se mandó a ${url}.`,
  outputMaybe: "Puede que una parte esté en el papel: el próximo intento dice REIMPRESIÓN.",
  setup: {
    intro: "Antes de guardar nada, bpos imprime en ella un ticket de prueba.",
    address: "Su dirección (- si no hay):",
    paper: "¿Qué hay en el papel?",
    good: "Todo: una fila completa de dígitos, acentos, un recuadro y el corte al final",
    width: (columns) =>
      columns > 32
        ? "La fila de dígitos sigue en una segunda fila: papel angosto"
        : "La fila de dígitos termina lejos del borde: papel ancho",
    signs: "Signos como [4 o i delante de las líneas, o falta el corte",
    nothing: "Nada, o es otra impresora: escribir la dirección de nuevo",
  },
};
