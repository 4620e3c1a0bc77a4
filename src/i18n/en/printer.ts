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
  setup: {
    intro: "bpos prints a test receipt on it before anything is saved.",
    address: "Its address (- for none):",
    paper: "What is on the paper?",
    good: "All of it: one full row of digits, accents, a box, and a cut at the end",
    width: (columns: number): string =>
      columns > 32
        ? "The row of digits continues in a second row: narrow paper"
        : "The row of digits ends far from the edge: wide paper",
    signs: "Signs such as [4 or i in front of the lines, or no cut",
    nothing: "Nothing, or it is another printer: type the address again",
  },
};
