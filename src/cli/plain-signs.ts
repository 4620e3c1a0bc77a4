/**
 * Every sign beyond ASCII that views and texts use, and what stands for it where a terminal may not have it. Each takes as
 * many columns as the other, so that a text can be laid out first and written plainly then.
 */
const plainly: Readonly<Record<string, string>> = {
  "─": "-",
  "│": "|",
  "├": "+",
  "┤": "+",
  "╭": "+",
  "╮": "+",
  "╰": "+",
  "╯": "+",
  "█": "#",
  "░": "-",
  "·": "-",
  "—": "-",
  "–": "-",
  "…": "~",
  "→": ">",
  "×": "x",
  "≤": "<",
  "✓": "+",
  "✗": "x",
  "‹": "<",
  "›": ">",
};

/** Signs in two columns first: alone, the sign would say something else. The last are the pictures of control characters. */
const SIGNS = /≤ | …|[─│├┤╭╮╰╯█░·—–…→×≤✓✗‹›]|[\u2400-\u2421⏎]/g;

function plainSign(sign: string): string {
  if (sign === "≤ ") return "<=";
  return sign === " …" ? ".." : (plainly[sign] ?? "?");
}

/**
 * A text for a terminal that may not show more than ASCII: frames, bars, ellipses and their like as ASCII signs of the same
 * width. Letters stay, whoever wrote them.
 *
 * @example
 * plainSigns("MOCK · 3 × Ñoquis │"); // "MOCK - 3 x Ñoquis |"
 */
export function plainSigns(text: string): string {
  return text.replace(SIGNS, plainSign);
}
