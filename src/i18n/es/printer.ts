import type { PrinterProblem } from "../../errors.ts";
import type { printer as enPrinter, receipt as enReceipt } from "../en/printer.ts";
import { quoted, shellWord } from "../phrases.ts";
import { sentences } from "../template.ts";

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
  list: {
    title: "Impresoras",
    none: "No se encontró ninguna impresora. Una en red tiene la dirección tcp://HOST: `bpos printer setup`.",
    hint: "`bpos printer test DIRECCIÓN` imprime en una; `bpos printer setup` elige una. Las impresoras en red se encuentran solo por su dirección.",
    columns: { printer: "Dirección", state: "Estado", profiles: "Perfiles", port: "Conexión" },
    states: {
      ready: "lista",
      paused: "en pausa",
      offline: "sin conexión",
      paper_out: "sin papel",
      cover_open: "tapa abierta",
      faulty: "error",
    },
  },
  setup: {
    intro: "bpos imprime un ticket de prueba en la impresora que elijas. Ctrl-C corta, y no se guarda nada.",
    which: "¿Qué impresora imprime los pedidos?",
    network: "otra en red, por su dirección",
    device: "otra de esta máquina: un dispositivo USB, un puerto serie o una cola",
    remove: "ninguna: que el perfil quede sin impresora",
    leave: "dejar todo como está",
    host: "Su dirección, por ejemplo 192.168.1.50 (casi todas la imprimen si las ‹enciendes› ‹presionando› FEED):",
    address: "Su dirección (file:DISPOSITIVO, lp:COLA o win:NOMBRE):",
    paper: "¿Qué hay en el papel?",
    good: "Todo: una fila completa de dígitos, acentos, un recuadro y el corte al final",
    width: (columns) =>
      columns > 32
        ? "La fila de dígitos sigue en una segunda fila: papel angosto"
        : "La fila de dígitos termina lejos del borde: papel ancho",
    signs: "Signos como [4 o i delante de las líneas, o falta el corte",
    letters: "Otras letras en lugar de acentos y eñes",
    lettersHint:
      "En la configuración de la propia impresora, ‹elige› la página de códigos PC858 y ‹desactiva› el modo chino. El ticket se imprime otra vez.",
    nothing: "Nada",
    nothingHint: "‹Mira› el papel, la tapa y el cable, o ‹elige› otra impresora.",
    keep: ({ printer, paper, printer_language }) =>
      `¿Guardar ${printer ?? ""}, ${paper ?? 80} mm, ${printer_language ?? "escpos"} en el perfil?`,
    removeIt: "¿Quitar la impresora del perfil?",
    kept: (name, url) =>
      url === undefined
        ? `El perfil ${quoted(name)} queda sin impresora.`
        : `El perfil ${quoted(name)} imprime en ${url}. ‹Pruébalo›: \`bpos -p ${shellWord(name)} orders watch --printer\``,
    notKept: (name) => `El perfil ${quoted(name)} queda como estaba.`,
  },
};

export const printerProblemWords = sentences<PrinterProblem>()({
  unreachable: "sin conexión: {detail}",
  reset: "cortó la conexión antes de terminar",
  paper_out: "se quedó sin papel",
  cover_open: "tiene la tapa abierta",
  stalled: "dejó de recibir datos: sin papel, o apagada",
  silent: "no confirmó la impresión: cortó la conexión o se apagó",
  busy: "no dice que está lista: otro programa está imprimiendo, o se colgó",
  lp: "`lp` no la aceptó: {detail}",
  lp_missing: "esta máquina no tiene `lp`",
  cups: "no responde: {detail}",
  file: "{detail}",
  paused: "su cola está en pausa",
  offline: "está sin conexión",
  faulty: "está con un error",
  not_installed: {
    names: "Windows no tiene ninguna impresora con ese nombre; tiene {names}",
    else: "Windows no tiene ninguna impresora con ese nombre, ni otra",
  },
  spooler: "Windows no la aceptó: {detail}",
  spooler_stopped: "la cola de impresión de Windows no está en marcha",
  powershell: {
    detail: "PowerShell, que la imprime, falló: {detail}",
    else: "PowerShell, que la imprime, falló",
  },
  not_windows: "esta máquina no es Windows",
});

export const printerProblemNext = sentences<PrinterProblem>()({
  unreachable:
    "‹Comprueba› que la impresora esté encendida y en esta red, y que la dirección sea la suya: casi todas la imprimen si las ‹enciendes› ‹presionando› FEED.",
  reset: "‹Mira› la impresora y ‹vuelve› a imprimir.",
  paper_out: "‹Ponle› papel.",
  cover_open: "‹Ciérrale› la tapa.",
  stalled: "‹Mira› el papel y la tapa, y ‹apágala› y ‹enciéndela›.",
  silent: "‹Mira› la impresora: lo que salió a medias sale de nuevo.",
  busy: "‹Espera› a que imprima lo de los otros; si nadie imprime, ‹apágala› y ‹enciéndela›.",
  lp: "`lpstat -p` lista las colas de esta máquina.",
  lp_missing:
    "‹Instala› CUPS (en Debian: cups-client), que en Windows no hay, o ‹usa› tcp://HOST, file:DISPOSITIVO o, en Windows, win:NOMBRE.",
  cups: "‹Inícialo›: `systemctl start cups`",
  file: "‹Comprueba› que el dispositivo esté y que este usuario pueda escribir en él (en Linux: grupo lp).",
  paused: "‹Reanuda› su cola: en Windows, desde la ventana de la cola; con CUPS, `cupsenable COLA`.",
  offline:
    "‹Enciéndela› y ‹mira› el cable. En Windows, `Usar impresora sin conexión` debe estar sin marcar en su cola.",
  faulty: "‹Mira› la impresora y su cola: papel, tapa o un trabajo atascado.",
  not_installed: "`bpos printer list` lista las impresoras de esta máquina.",
  spooler:
    "‹Imprime› una página de prueba desde Windows. Si tampoco sale, el problema es de la impresora o de su controlador.",
  spooler_stopped: "‹Iníciala› como administrador: `net start spooler`",
  powershell:
    "bpos necesita Windows PowerShell 5.1 con Add-Type, que una directiva (AppLocker, modo de lenguaje restringido) puede prohibir. Una impresora en red, tcp://HOST, no lo necesita.",
  not_windows:
    "‹Usa› tcp://HOST, file:DISPOSITIVO o lp:COLA; `bpos printer list` lista las impresoras de esta máquina.",
});
