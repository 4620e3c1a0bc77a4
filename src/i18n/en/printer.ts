import type { PrinterProblem } from "../../errors.ts";
import { quoted, shellWord } from "../phrases.ts";
import { sentences } from "../template.ts";

type Kept = { printer: string | undefined; paper?: number; printer_language?: string };

/** What is printed on a receipt; capitals where a kitchen must see it from afar. */
export const receipt = {
  order: (id: string) => `ORDER ${id}`,
  reprint: "REPRINT",
  reprintHint: "May be on paper already.",
  edited: "CHANGED",
  editedHint: "Replaces the earlier receipt.",
  stationEdited: "CHANGED",
  stationEditedHint: "Only what changed; do not make the rest again.",
  stations: (n: number, all: number, others: readonly string[]) =>
    `${n} of ${all} stations - also: ${others.join(", ")}`,
  added: "ADDED",
  removed: "REMOVED",
  now: "The order for this station is now:",
  nothingLeft: "Nothing is left for this station.",
  pickUp: "PICK-UP",
  delivery: "DELIVERY",
  reference: "Note",
  noLines: "No items.",
  shipping: "Shipping (in total)",
  total: "TOTAL",
  collect: "COLLECT",
  paid: "PAID",
  onlineUnpaid: "Online payment, not paid yet",
  copy: (n: number, copies: number) => `COPY ${n} OF ${copies}`,
  qr: { map: "Map", phone: "WhatsApp" },
  states: { cancelado: "CANCELLED", rechazado: "REJECTED" },
  stop: "Do not prepare or deliver it.",
  test: "bpos test receipt",
  testWidth: (paper: string, columns: string) => `Paper of ${paper} mm: ${columns} characters per line`,
  testBold: "Bold",
  testLarge: "Large line",
  testEnd: "If all of this is readable and the paper is cut, the printer is set up.",
};

export const printer = {
  tested: (url: string) => `The test receipt was sent to ${url}.`,
  testedHint: (columns: number, otherLanguage: string) =>
    `On paper: a full row of ${columns} digits, letters with accents, and a cut at the end.${columns > 32 ? " Broken rows: try --paper 58." : ""} Wrong letters or signs: try --printer-language ${otherLanguage}.`,
  printed: (id: string, url: string) => `Order ${id} was sent to ${url}.`,
  outputMaybe: "Part of it may be on paper: the next attempt says REPRINT.",
  list: {
    title: "Printers",
    none: "No printers found. One in the network has the address tcp://HOST: `bpos printer setup`.",
    hint: "`bpos printer test ADDRESS` prints on one; `bpos printer setup` chooses one. Printers in the network are only found by their address.",
    columns: { printer: "Address", state: "State", profiles: "Profiles", port: "Connection" },
    states: {
      ready: "ready",
      paused: "paused",
      offline: "offline",
      paper_out: "out of paper",
      cover_open: "cover open",
      faulty: "error",
    },
  },
  setup: {
    intro: "bpos prints a test receipt on the printer that you choose. Ctrl-C stops, and nothing is saved.",
    which: "Which printer prints the orders?",
    network: "another one in the network, by its address",
    device: "another one of this machine: a USB device, a serial port or a queue",
    remove: "none: the profile is to have no printer",
    leave: "leave it as it is",
    host: "Its address, for example 192.168.1.50 (most printers print it when FEED is held while they are switched on):",
    address: "Its address (file:DEVICE, lp:QUEUE or win:NAME):",
    paper: "What is on the paper?",
    good: "All of it: one full row of digits, accents, a box, and a cut at the end",
    width: (columns: number): string =>
      columns > 32
        ? "The row of digits continues in a second row: narrow paper"
        : "The row of digits ends far from the edge: wide paper",
    signs: "Signs such as [4 or i in front of the lines, or no cut",
    letters: "Other letters in place of á or ñ",
    lettersHint:
      "In the printer's own setup, set the code page to PC858 and turn its Chinese mode off. The receipt is printed again.",
    nothing: "Nothing",
    nothingHint: "Look at the paper, the cover and the cable, or choose another printer.",
    keep: ({ printer, paper, printer_language }: Kept) =>
      `Save ${printer ?? ""}, ${paper ?? 80} mm, ${printer_language ?? "escpos"} in the profile?`,
    removeIt: "Remove the printer from the profile?",
    kept: (name: string, url: string | undefined) =>
      url === undefined
        ? `The profile ${quoted(name)} has no printer.`
        : `The profile ${quoted(name)} prints on ${url}. Try it: \`bpos -p ${shellWord(name)} orders watch --printer\``,
    notKept: (name: string) => `The profile ${quoted(name)} stays as it was.`,
  },
};

export const printerProblemWords = sentences<PrinterProblem>()({
  unreachable: "no connection: {detail}",
  reset: "it closed the connection before the end",
  paper_out: "it is out of paper",
  cover_open: "its cover is open",
  stalled: "it stopped accepting data: it is out of paper, or off",
  silent: "it did not confirm the print: it closed the connection, or was switched off",
  busy: "it does not report that it is ready: another program is printing on it, or it hangs",
  lp: "`lp` refused it: {detail}",
  lp_missing: "this machine has no `lp`",
  cups: "it does not answer: {detail}",
  file: "{detail}",
  paused: "its queue is paused",
  offline: "it is offline",
  faulty: "it reports an error",
  not_installed: {
    names: "Windows has no printer of that name; it has {names}",
    else: "Windows has no printer of that name, nor any other",
  },
  spooler: "Windows refused it: {detail}",
  spooler_stopped: "the print spooler of Windows is not running",
  powershell: {
    detail: "PowerShell, which prints it, failed: {detail}",
    else: "PowerShell, which prints it, failed",
  },
  not_windows: "this machine is not Windows",
});

export const printerProblemNext = sentences<PrinterProblem>()({
  unreachable:
    "Check that the printer is on and in this network, and its address: most print it when FEED is held while they are switched on.",
  reset: "Look at the printer, and print again.",
  paper_out: "Load paper.",
  cover_open: "Close its cover.",
  stalled: "Look at its paper and cover, and switch it off and on.",
  silent: "Look at the printer: bpos prints a partly printed receipt again.",
  busy: "Wait until the other program has printed; if none is printing, switch the printer off and on.",
  lp: "`lpstat -p` lists the queues of this machine.",
  lp_missing:
    "Install CUPS (Debian: cups-client), which Windows does not have, or use tcp://HOST, file:DEVICE or, on Windows, win:NAME.",
  cups: "Start it: `systemctl start cups`",
  file: "Check that the device is there and that this user may write to it (on Linux: group lp).",
  paused: "Resume it: on Windows in the printer's queue; with CUPS, `cupsenable QUEUE`.",
  offline:
    "Switch it on and check its cable. Windows: leave out `Use Printer Offline` in the printer's queue.",
  faulty: "Look at the printer and at its queue: paper, cover, or a job that is stuck.",
  not_installed: "`bpos printer list` lists the printers of this machine.",
  spooler: "Print a test page from Windows. If that fails too, it is the printer or its driver.",
  spooler_stopped: "Start it, as administrator: `net start spooler`",
  powershell:
    "bpos needs Windows PowerShell 5.1 with Add-Type, which a policy (AppLocker, constrained language mode) may forbid. A printer in the network, tcp://HOST, needs none of it.",
  not_windows:
    "Use tcp://HOST, file:DEVICE or lp:QUEUE; `bpos printer list` lists the printers of this machine.",
});
