import { decimalSign, visible } from "../../cli/display/format.ts";
import { pad, paragraph, textWidth, title, wrap } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Check } from "../../errors/findings.ts";
import { en, type Texts } from "../../i18n/en.ts";
import type { CheckWords } from "../../i18n/shapes.ts";
import type { DecimalSign } from "../../texts/phrases.ts";

function chooseWords({ doctor }: Texts, { status, finding }: Check, sign?: DecimalSign): CheckWords {
  const { detail, remedy } = doctor.findings({ ...finding, ...(sign !== undefined && { sign }) });
  return status === "pass" || remedy === undefined ? { detail } : { detail, remedy };
}

/** Without the quote of an answer that is not the service's: JSON is handed on, and the answer may be an order all the same. */
export function toCheckJson(check: Check): Record<string, unknown> {
  const { finding } = check;
  const safe = finding.kind === "http_not_service" ? { ...finding, quote: "" } : finding;
  const { detail, remedy } = chooseWords(en, { ...check, finding: safe });
  return { name: check.name, status: check.status, detail, remedy: remedy ?? null };
}

export const formatTitle = (ui: Ui): string => `${title(ui.texts.doctor.title, ui).join("\n")}\n\n`;

const isUnchecked = ({ finding }: Check): boolean => finding.kind === "unchecked";

/** What waits for another row is not shown, only counted in the summary. */
export function formatChecks(checks: readonly Check[], ui: Ui): string {
  const { theme, texts, width } = ui;
  const sign = decimalSign(ui);
  const { labels } = texts.doctor;
  const room = Math.max(...Object.values(labels).map(textWidth));
  const inset = " ".repeat(room + 4);
  const signs = { pass: theme.good("✓"), warn: theme.warn("!"), fail: theme.bad("✗") };
  const block = (text: string): string[] => {
    const safe = visible(text);
    return width === undefined ? [safe] : wrap(safe, Math.max(20, width - inset.length));
  };
  const shown = checks.filter((check) => !isUnchecked(check) && check.finding.kind !== "same_server");
  const lines = shown.flatMap((check) => {
    const { detail, remedy } = chooseWords(texts, check, sign);
    const [first = "", ...more] = block(detail);
    const tone = check.status === "fail" ? theme.bad : (text: string) => text;
    return [
      `${signs[check.status]} ${pad(labels[check.name], room)}  ${tone(first)}`,
      ...more.map((line) => inset + tone(line)),
      ...(remedy === undefined ? [] : block(`→ ${remedy}`).map((line) => inset + theme.accent(line))),
    ];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

export function formatSummary(checks: readonly Check[], exitCode: number, ui: Ui): string {
  const { theme, texts } = ui;
  const unchecked = checks.filter(isUnchecked).length;
  const fails = checks.filter(({ status }) => status === "fail").length;
  const warns = checks.filter(({ status }) => status === "warn").length - unchecked;
  const style = fails > 0 ? theme.bad : warns > 0 ? theme.warn : theme.good;
  const sentence = texts.doctor.summary({ fails, warns, unchecked, exitCode });
  return `\n${paragraph(sentence, ui).map(style).join("\n")}\n`;
}
