import { readerSign, visible } from "../../cli/display/format.ts";
import { pad, paragraph, textWidth, title, wrap } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Check, CheckName } from "../../errors/findings.ts";
import { errorWords } from "../../errors/words/reasons.ts";
import type { Failure } from "../../errors.ts";
import type { DecimalSign } from "../../texts/phrases.ts";
import { english, type T } from "../../texts/texts.ts";
import type { CheckReport } from "./report.ts";
import { type CheckWords, findingWords } from "./words.ts";

/** Returns the label of each row; the steps of an address are set in below it. */
const labelsIn = (t: T): Readonly<Record<CheckName, string>> => {
  const steps = {
    dns: `  ${t("Name")}`,
    tcp: `  ${t("Connection")}`,
    tls: "  TLS",
    http: `  ${t("Response")}`,
  };
  return {
    node: "Node.js",
    config: t("Settings file"),
    profile: t("Profile"),
    key: t("Key"),
    ca_file: t("CA file"),
    client_cert: t("Client certificate"),
    certificates: t("Certificates"),
    base_url: t("Orders address"),
    base_url_dns: steps.dns,
    base_url_tcp: steps.tcp,
    base_url_tls: steps.tls,
    base_url_http: steps.http,
    campaigns_base_url: t("Campaigns address"),
    campaigns_base_url_dns: steps.dns,
    campaigns_base_url_tcp: steps.tcp,
    campaigns_base_url_tls: steps.tls,
    campaigns_base_url_http: steps.http,
    proxy: t("Proxy"),
    base_url_access: t("Key for orders"),
    campaigns_base_url_access: t("Key for campaigns"),
    clock: t("Clock"),
    printer: t("Printer"),
    journal: t("Journal"),
    journal_rights: `  ${t("Permissions")}`,
    journal_schema: `  ${t("Schema")}`,
    unfinished: t("Unfinished work"),
    disk: t("Disk"),
  };
};

function failureWords({ reason, facts }: Failure, t: T): CheckWords {
  const { what, why, next } = errorWords(reason, facts, t);
  const isSlow = reason === "key_command_failed" && facts.problem.kind === "timeout";
  const slowNext = t(
    "If it asks for a passphrase, give it time: `bpos doctor --timeout 60s`. Otherwise run it by hand.",
  );
  return {
    detail: reason === "usage_flag" && why !== "" ? why : `${what} ${why}`.trimEnd(),
    remedy: isSlow ? slowNext : next,
  };
}

function chooseWords({ status, finding }: Check, sign: DecimalSign, t: T): CheckWords {
  const { detail, remedy } =
    finding.kind === "failure" ? failureWords(finding.failure, t) : findingWords({ ...finding, sign }, t);
  return status === "pass" || remedy === undefined ? { detail } : { detail, remedy };
}

/** Without the quote of a foreign response: JSON is passed on, and the response could contain an order. */
export function toCheckJson(check: Check): CheckReport {
  const { finding } = check;
  const safe = finding.kind === "http_not_service" ? { ...finding, quote: "" } : finding;
  const { detail, remedy } = chooseWords({ ...check, finding: safe }, ".", english);
  return { name: check.name, status: check.status, detail, remedy: remedy ?? null };
}

export const formatTitle = (ui: Ui): string => `${title(ui.texts.t("Check-up"), ui).join("\n")}\n\n`;

const isUnchecked = ({ finding }: Check): boolean => finding.kind === "unchecked";

/** Rows that wait for another one are not shown, only counted in the summary. */
export function formatChecks(checks: readonly Check[], ui: Ui): string {
  const { theme, texts, width } = ui;
  const sign = readerSign(ui);
  const labels = labelsIn(texts.t);
  const room = Math.max(...Object.values(labels).map(textWidth));
  const inset = " ".repeat(room + 4);
  const signs = { pass: theme.good("✓"), warn: theme.warn("!"), fail: theme.bad("✗") };
  const block = (text: string): string[] => {
    const safe = visible(text);
    return width === undefined ? [safe] : wrap(safe, Math.max(20, width - inset.length));
  };
  const shown = checks.filter((check) => !isUnchecked(check) && check.finding.kind !== "same_server");
  const lines = shown.flatMap((check) => {
    const { detail, remedy } = chooseWords(check, sign, texts.t);
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

type Counts = Record<"fails" | "warns" | "unchecked" | "exitCode", number>;

function summaryWords({ fails, warns, unchecked, exitCode }: Counts, t: T): string {
  const all =
    warns === 0
      ? t("{fails, plural, one {# thing} other {# things}} to fix (✗).", { fails })
      : t(
          "{fails, plural, one {# thing} other {# things}} to fix (✗) and {warns, plural, one {# warning} other {# warnings}} (!).",
          { fails, warns },
        );
  const works =
    warns === 0
      ? t("All is well.")
      : t("It works, with {warns, plural, one {# warning} other {# warnings}} (!).", { warns });
  const left = t("{unchecked, plural, one {# row was} other {# rows were}} not checked.", { unchecked });
  return [
    fails === 0 ? works : all,
    ...(unchecked > 0 ? [left] : []),
    ...(fails === 0 ? [] : [t("Exit code {exitCode}.", { exitCode })]),
  ].join(" ");
}

export function formatSummary(checks: readonly Check[], exitCode: number, ui: Ui): string {
  const { theme, texts } = ui;
  const unchecked = checks.filter(isUnchecked).length;
  const fails = checks.filter(({ status }) => status === "fail").length;
  const warns = checks.filter(({ status }) => status === "warn").length - unchecked;
  const style = fails > 0 ? theme.bad : warns > 0 ? theme.warn : theme.good;
  const sentences = summaryWords({ fails, warns, unchecked, exitCode }, texts.t);
  return `\n${paragraph(sentences, ui).map(style).join("\n")}\n`;
}
