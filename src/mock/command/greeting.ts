import { shown } from "../../cli/display/format.ts";
import { heading, pad, textWidth, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { activeKeys } from "../../contract/limits.ts";
import type { System } from "../../system.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { RunningMock } from "../index.ts";

const maxKeys = 6;

/** The line that points a shell at the mock. */
export function formatPointing(
  { baseUrl, campaignsBaseUrl, keys }: RunningMock,
  platform: System["platform"],
) {
  const [first] = keys;
  // With BPOS_MOCK alone, bpos uses a key that every mock has, except one whose scenario defines its keys.
  const isBuiltIn = activeKeys.some(({ key }) => key === first?.key);
  const variables = isBuiltIn
    ? { BPOS_MOCK: baseUrl }
    : { BPOS_BASE_URL: baseUrl, BPOS_CAMPAIGNS_URL: campaignsBaseUrl, BPOS_API_KEY: first?.key ?? "" };
  const pairs = Object.entries(variables);
  if (platform === "win32") return pairs.map(([name, value]) => `$env:${name} = "${value}"`).join("; ");
  return `export ${pairs.map(([name, value]) => `${name}=${shellWord(value)}`).join(" ")}`;
}

/** How to use the mock from another terminal, and how it ends. */
export const mockUpText = (setting: string, t: T): string =>
  t("In another terminal:\n  {setting}\nCtrl-C stops the mock.", { setting });

function formatKeys({ keys }: RunningMock, { texts }: Ui): string[] {
  const shownKeys = keys.slice(0, maxKeys);
  const width = Math.max(0, ...shownKeys.map(({ key }) => textWidth(shown(key))));
  const lines = shownKeys.map(({ branch, key }) => `${pad(shown(key), width)}  ${shown(branch)}`);
  const more = texts.t("and {more} more: bpos mock -o json", { more: keys.length - maxKeys });
  return keys.length > maxKeys ? [...lines, more] : lines;
}

/** Returns what `bpos mock` prints on a terminal before the first request. */
export function formatGreeting(mock: RunningMock, scenario: string, pointing: string, ui: Ui): string {
  const { theme, texts } = ui;
  const { t } = texts;
  const addresses = {
    console: t("Console"),
    orders: t("Orders and catalog"),
    campaigns: t("Campaigns"),
    keys: t("Keys"),
  };
  const rows = [
    [addresses.console, theme.accent(mock.consoleUrl)],
    [addresses.orders, mock.baseUrl],
    [addresses.campaigns, mock.campaignsBaseUrl],
    ...formatKeys(mock, ui).map((line, n) => [n === 0 ? addresses.keys : "", line]),
  ];
  const running = t("Mock service on this machine, scenario {scenario}", { scenario: shown(scenario) });
  const labelWidth = Math.max(...Object.values(addresses).map(textWidth));
  return [
    ...title(running, { ...ui, badge: "MOCK" }),
    "",
    ...rows.map(([label = "", value = ""]) => `${theme.dim(pad(label, labelWidth))}  ${value}`),
    "",
    mockUpText(theme.strong(pointing), t),
    "",
    ...heading(t("Requests"), ui),
    "",
  ].join("\n");
}
