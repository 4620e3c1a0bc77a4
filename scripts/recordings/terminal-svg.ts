import xterm from "@xterm/headless";

/** Output of a terminal, with its time in milliseconds since the beginning. */
export interface Written {
  at: number;
  text: string;
}

interface Frame {
  at: number;
  /** Each row as SVG, empty where there is nothing. */
  rows: string[];
}

export interface Size {
  columns: number;
  rows: number;
}

/** Writes this close together are one frame. */
const togetherMs = 300;
/** No frame stays longer, because viewers have read it by then. */
const maxStayMs = 2_500;
const lastStayMs = 4_000;

const [letter, line, margin] = [8.4, 18, 14];
const palette = [
  ...["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9"],
  ...["#6b7280", "#ef8891", "#b5e08f", "#f2d48f", "#8cc4ff", "#dd9bef", "#7fd3dd", "#ffffff"],
];
const ground = "#1e222a";
const text = "#d8dee9";

const escaped = (part: string): string => part.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

type Cell = NonNullable<
  ReturnType<NonNullable<ReturnType<xterm.Terminal["buffer"]["active"]["getLine"]>>["getCell"]>
>;

function styleOf(cell: Cell): string {
  const color = cell.isFgPalette() ? palette[cell.getFgColor() % 16] : undefined;
  const fill = color === undefined ? "" : ` fill="${color}"`;
  const dim = cell.isDim() ? ' opacity=".6"' : "";
  return fill + (cell.isBold() ? ' font-weight="700"' : "") + dim;
}

/** A row of the terminal as words of one style each, at their columns: a font that is a little wider moves none. */
function rowSvg(terminal: xterm.Terminal, row: number, { columns }: Size): string {
  const buffer = terminal.buffer.active;
  const cells = buffer.getLine(buffer.viewportY + row);
  const pieces: { column: number; end: number; text: string; style: string }[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = cells?.getCell(column);
    const chars = cell?.getChars().trim() ?? "";
    if (cell === undefined || chars === "") continue;
    const style = styleOf(cell);
    const end = column + cell.getWidth();
    const last = pieces.at(-1);
    const gap = column - (last?.end ?? 0);
    if (last?.style === style && gap < 2)
      Object.assign(last, { end, text: last.text + " ".repeat(gap) + chars });
    else pieces.push({ column, end, text: chars, style });
  }
  return pieces
    .map(
      ({ column, text: part, style }) =>
        `<tspan x="${Math.round(column * letter)}"${style}>${escaped(part)}</tspan>`,
    )
    .join("");
}

async function framesOf(written: readonly Written[], size: Size): Promise<Frame[]> {
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    allowProposedApi: true,
    convertEol: true,
  });
  const frames: Frame[] = [];
  let at = 0;
  for (const [index, each] of written.entries()) {
    await new Promise<void>((done) => terminal.write(each.text, done));
    const next = written[index + 1];
    if (next !== undefined && next.at - each.at < togetherMs) continue;
    const rows = Array.from({ length: size.rows }, (_, row) => rowSvg(terminal, row, size));
    if (rows.join("\n") !== frames.at(-1)?.rows.join("\n")) frames.push({ at, rows });
    at += Math.min(maxStayMs, (next?.at ?? each.at) - each.at);
  }
  return frames;
}

/** A recording as a picture that plays by itself. Each row is in it once. */
export async function terminalSvg(written: readonly Written[], size: Size, title: string): Promise<string> {
  const frames = await framesOf(written, size);
  const [width, height] = [Math.ceil(size.columns * letter) + 2 * margin, size.rows * line + 2 * margin];
  const ids = new Map<string, string>();
  for (const { rows } of frames)
    for (const row of rows) if (row !== "" && !ids.has(row)) ids.set(row, `r${ids.size}`);
  const defs = [...ids].map(([row, id]) => `<text id="${id}">${row}</text>`);
  const wholeMs = Math.round((frames.at(-1)?.at ?? 0) + lastStayMs);
  const percent = (ms: number): string => `${((ms / wholeMs) * 100).toFixed(1)}%`;

  const parts = frames.map(({ at, rows }, n) => {
    const uses = rows.map((row, y) =>
      row === "" ? "" : `<use href="#${ids.get(row) ?? ""}" y="${Math.round((y + 0.75) * line)}"/>`,
    );
    const until = frames[n + 1]?.at;
    const end = until === undefined ? "" : `${percent(until)}{visibility:hidden}`;
    const begin = at === 0 ? "0%" : `0%{visibility:hidden}${percent(at)}`;
    const isLast = until === undefined;
    return {
      css: `@keyframes f${n}{${begin}{visibility:visible}${end}}#f${n}{animation-name:f${n}}`,
      svg: `<g class="f${isLast ? " last" : ""}" id="f${n}">${uses.join("")}</g>`,
    };
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:${text};white-space:pre}`,
    ".f{visibility:hidden}.last{visibility:visible}",
    // With reduced motion, only the last frame is shown.
    `@media(prefers-reduced-motion:no-preference){.f{animation:${wholeMs}ms step-end infinite}`,
    ...parts.map(({ css }) => css),
    "}</style>",
    `<rect width="${width}" height="${height}" rx="8" fill="${ground}"/>`,
    `<defs>${defs.join("\n")}</defs>`,
    `<g transform="translate(${margin} ${margin})">`,
    ...parts.map(({ svg }) => svg),
    "</g></svg>\n",
  ].join("\n");
}
