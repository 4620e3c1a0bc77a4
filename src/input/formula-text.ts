/** What keeps a spreadsheet from changing a text such as `="00123"`; a text that holds quotes is left alone. */
const formula = /^="([^"]*)"$/;
const beginning = '="';

/** The text of a cell: that between the quotes where the cell is exactly `="…"`, without blanks around it. */
export function textOf(cell: string): string {
  const text = cell.trim();
  return text.startsWith(beginning) ? (formula.exec(text)?.[1]?.trim() ?? text) : text;
}

/** Counts the cells that are such a formula, and keeps the first one of them. */
export class FormulaTexts {
  #cells = 0;
  #first: { line: number; text: string } | null = null;

  /** The text of a cell of a row that begins on this line. */
  take(cell: string, line: number): string {
    const written = cell.trim();
    if (!written.startsWith(beginning)) return written;
    const text = textOf(written);
    if (text === written) return text;
    this.#cells += 1;
    // Rows whose decimal sign is not known yet are read later than others behind them.
    if (this.#first === null || line < this.#first.line) this.#first = { line, text: written };
    return text;
  }

  get found(): { cells: number; line: number; text: string; meant: string } | null {
    if (this.#first === null) return null;
    return { cells: this.#cells, ...this.#first, meant: textOf(this.#first.text) };
  }
}
