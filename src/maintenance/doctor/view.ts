import { visible } from "../../cli/format.ts";
import type { Ui } from "../../cli/output.ts";
import { pad, paragraph, textWidth, title, wrap } from "../../cli/text.ts";
import type { Check, CheckName, Finding } from "../../errors.ts";
import type { Texts } from "../../i18n/en.ts";
import { en } from "../../i18n/en.ts";
import { type CheckWords, wordsFor } from "../../i18n/shapes.ts";

function doctorWords({ doctor }: Texts, { status, finding }: Check): CheckWords {
  const { detail, remedy } = wordsFor<Finding, CheckWords>(doctor.findings, finding);
  return status === "pass" || remedy === undefined ? { detail } : { detail, remedy };
}

export function checkJson(check: Check): Record<string, unknown> {
  const { detail, remedy } = doctorWords(en, check);
  return { name: check.name, status: check.status, detail, remedy: remedy ?? null };
}

export const doctorTitle = (ui: Ui): string => `${title(ui.texts.doctor.title, ui).join("\n")}\n\n`;

type Sign = "pass" | "warn" | "fail" | "unchecked";

const signs: Readonly<Record<Sign, string>> = { pass: "✓", warn: "!", fail: "✗", unchecked: "–" };

const signOf = ({ status, finding }: Check): Sign => (finding.kind === "unchecked" ? "unchecked" : status);

/** Rows that wait for the same thing are one row for a person, and what is said once is not said again. */
function condensed(checks: readonly Check[]): (readonly [names: readonly CheckName[], check: Check])[] {
  const rows: [CheckName[], Check][] = [];
  for (const check of checks) {
    const { finding } = check;
    if (finding.kind === "same_server") continue;
    const [names, last] = rows.at(-1) ?? [];
    const waitsFor = ({ finding: of }: Check): CheckName | undefined =>
      of.kind === "unchecked" ? of.because : undefined;
    const because = waitsFor(check);
    if (names && last && because !== undefined && waitsFor(last) === because) names.push(check.name);
    else rows.push([[check.name], check]);
  }
  return rows;
}

function labelOf(names: readonly CheckName[], { texts }: Ui): string {
  const { labels } = texts.doctor;
  const [first = "node", ...more] = names;
  return [labels[first], ...more.map((name) => labels[name].trim())].join(", ");
}

/** Some rows as text: a sign, what was looked at, what was found, and below it what to do. */
export function doctorRows(checks: readonly Check[], ui: Ui): string {
  const { theme, texts, width } = ui;
  const room = Math.max(...Object.values(texts.doctor.labels).map(textWidth));
  const inset = " ".repeat(room + 4);
  const style = { pass: theme.good, warn: theme.warn, fail: theme.bad, unchecked: theme.dim };
  const block = (text: string): string[] => {
    const safe = visible(text);
    return width === undefined ? [safe] : wrap(safe, Math.max(20, width - inset.length));
  };
  const lines = condensed(checks).flatMap(([names, check]) => {
    const sign = signOf(check);
    const { detail, remedy } = doctorWords(texts, check);
    const [first = "", ...more] = block(detail);
    const tone = sign === "fail" ? theme.bad : sign === "unchecked" ? theme.dim : (text: string) => text;
    const label = labelOf(names, ui);
    const isWide = textWidth(label) > room;
    const head = `${style[sign](signs[sign])} ${pad(label, room)}`;
    return [
      ...(isWide ? [head, `${inset}${tone(first)}`] : [`${head}  ${tone(first)}`]),
      ...more.map((line) => inset + tone(line)),
      ...(remedy === undefined ? [] : block(`→ ${remedy}`).map((line) => inset + theme.accent(line))),
    ];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** The last line: how many rows need somebody, and how the run ends. */
export function doctorSummary(checks: readonly Check[], exitCode: number, ui: Ui): string {
  const count = (sign: Sign): number => checks.filter((check) => signOf(check) === sign).length;
  const [fails, warns, left] = [count("fail"), count("warn"), count("unchecked")];
  const { theme, texts } = ui;
  const style = fails > 0 ? theme.bad : warns > 0 ? theme.warn : theme.good;
  const sentence = texts.doctor.summary({ fails, warns, unchecked: left, exitCode });
  return `\n${paragraph(sentence, ui).map(style).join("\n")}\n`;
}
