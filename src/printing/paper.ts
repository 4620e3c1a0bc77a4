export type PrinterLanguage = "escpos" | "star";

/** The properties of printer and paper that a receipt depends on. */
export interface Paper {
  /** Width in millimetres. */
  paper: 58 | 80;
  language: PrinterLanguage;
  /** Opens the drawer that is connected to the printer. */
  drawer: boolean;
  beep: boolean;
}

/** Characters on a line, in the font that printers begin with. */
export const columnsByPaper = { 58: 32, 80: 48 } as const;
