import { askService } from "../../api/ask.ts";
import { checkKey, createClient } from "../../api/client.ts";
import { exclusive, given } from "../../cli/flags.ts";
import { mayAsk, type Output, openOutput } from "../../cli/output.ts";
import { keyFromCommand } from "../../cli/profiles.ts";
import { askedMock, type Runtime } from "../../cli/runtime.ts";
import { openNetwork } from "../../cli/session.ts";
import { paragraph } from "../../cli/text.ts";
import { openTracing } from "../../cli/trace.ts";
import { isPublicHost } from "../../contract/public-host.ts";
import { keyFromFile } from "../../settings/key-file.ts";
import { type Profile, prepareFolder, profileOf, readProfiles } from "../../settings/profile-file.ts";
import {
  checkAddress,
  checkName,
  checkText,
  countryReader,
  type Kept,
  keepProfile,
  type ProfileDraft,
  readCurrency,
  refused,
  stoppedSetup,
  withDraft,
} from "../draft.ts";
import type { AddFlags } from "./command.ts";

/** Variables that go before a profile that is not named with -p. */
const stronger = ["BPOS_API_KEY", "BPOS_BASE_URL", "BPOS_CAMPAIGNS_URL", "BPOS_PROFILE"];
const checkTimeoutMs = 10_000;

export function openProfileOutput(runtime: Runtime, ...more: "csv"[]): Output {
  if (runtime.flags.mock === true) throw exclusive("--mock", "bpos profile");
  return openOutput(runtime, ["table", "json", "ndjson", ...more]);
}

export async function givenKey(runtime: Runtime, output: Output): Promise<string | undefined> {
  const { system, signal, texts } = runtime;
  const { apiKeyFile: source } = runtime.flags;
  const words = texts.profile;
  if (source === undefined) return undefined;
  if (source === "-" && mayAsk(runtime)) {
    const how = { check: () => undefined, words: texts.questions };
    return (await system.prompts.secret(words.ask.key(null), how, signal)).trim();
  }
  const { key, isOpen } = await keyFromFile(system, source);
  if (isOpen) await output.warning(words.keyFileOpen(source));
  return key;
}

/** Where only campaigns have an address, nothing cheap can be asked. */
export async function checkProfile(
  runtime: Runtime,
  output: Output,
  name: string,
  { base_url: baseUrl, key_command: command, api_key = "" }: ProfileDraft,
): Promise<void> {
  const { system, signal, flags, texts } = runtime;
  const apiKey = command === undefined ? api_key : await keyFromCommand(runtime, { profile: name, command });
  checkKey(apiKey);
  system.hide(apiKey);
  if (baseUrl === undefined) return output.notice(texts.profile.unchecked);
  const { dispatcher, proxies } = await openNetwork(runtime);
  try {
    const { origin } = new URL(baseUrl);
    proxies?.of(origin);
    const of = { apiKey, address: baseUrl, proxies };
    const { wouldCall: _none, ...tracing } = openTracing(runtime, of);
    const client = createClient({
      ...{ baseUrl, campaignsBaseUrl: baseUrl, apiKey, dispatcher },
      ...{ clock: system.clock, random: system.random },
      ...tracing,
      ...{ timeoutMs: flags.timeout ?? checkTimeoutMs, retries: flags.retries ?? 1 },
    });
    const asked = await askService(client, "base_url", signal);
    if (asked.kind !== "accepted") throw asked.error;
    await output.notice(texts.profile.checked({ origin, waiting: asked.waiting ?? 0 }));
  } finally {
    await dispatcher.destroy();
  }
}

export type KeyDoubt = "refused" | "untried";

interface KeptProfile {
  kept: Kept;
  profile: ProfileDraft;
  before: Profile | undefined;
  doubt: KeyDoubt | undefined;
}

function keptText({ kept, profile }: KeptProfile, isPlain: boolean, { ui }: Output): string {
  const words = ui.texts.profile;
  const isDefault = kept.default === kept.profile;
  const first = profile.base_url === undefined ? "campaign list" : "orders list";
  const command = words.firstCommand(isDefault && isPlain ? null : kept.profile, first);
  const lines = [
    ...paragraph(words.kept(kept.profile, kept.config_file), ui).map(ui.theme.good),
    ...paragraph(isDefault ? words.isDefault : words.notDefault(kept.default, kept.profile), ui),
    ...(profile.sandbox === true ? paragraph(words.isSandbox, ui) : []),
    ...paragraph(words.first, ui),
    `  ${ui.theme.accent(command)}`,
  ];
  return `${lines.join("\n")}\n`;
}

export async function reportKept({ system, texts }: Runtime, output: Output, of: KeptProfile): Promise<void> {
  const { kept, profile, before, doubt } = of;
  const words = texts.profile;
  const variables = stronger.filter((name) => system.env[name]);
  if (output.format !== "table") await output.document(kept);
  else if (!output.quiet) await output.data(keptText(of, variables.length === 0, output));
  // It is known by its addresses and its key: from now on this is another branch.
  const marks = ["api_key", "key_command", "base_url", "campaigns_base_url"] as const;
  if (marks.some((mark) => before?.[mark] !== undefined && before[mark] !== profile[mark]))
    await output.warning(words.anotherBranch);
  if (variables.length > 0) await output.warning(words.overridden(variables));
  if (askedMock(system.env) !== undefined) await output.warning(words.mockSet);
  const unsafe = [profile.base_url, profile.campaigns_base_url].find(
    (each) => each !== undefined && /^http:/i.test(each) && isPublicHost(new URL(each).hostname),
  );
  if (unsafe !== undefined) await output.warning(words.unencrypted(unsafe));
  // Last, where it is read: the key is what is still to be done.
  if (doubt === "refused") await output.warning(words.keyDoubtful(kept.profile, doubt));
  else if (doubt !== undefined) await output.notice(words.keyDoubtful(kept.profile, doubt));
}

async function draftOf(runtime: Runtime, flags: AddFlags, output: Output): Promise<ProfileDraft> {
  const { keyCommand, storeId, headerField, country, currency, sandbox } = flags;
  const { baseUrl, campaignsUrl, apiKeyFile } = runtime.flags;
  if (keyCommand !== undefined && apiKeyFile !== undefined)
    throw exclusive("--api-key-file", "--key-command");
  if (baseUrl !== undefined) checkAddress("base_url", baseUrl);
  if (campaignsUrl !== undefined) checkAddress("campaigns_base_url", campaignsUrl);
  if (keyCommand !== undefined) checkText("--key-command", keyCommand);
  // The shell would only say on the screen that it knows no such command.
  if (/^\s*bpk_[^\s/]*\s*$/.test(keyCommand ?? "")) throw refused({ kind: "command_is_key" });
  if (storeId !== undefined) checkText("--store-id", storeId);
  if (headerField !== undefined) checkText("--header-field", headerField);
  const countryCode = country === undefined ? undefined : (await countryReader())(country);
  const apiKey = await givenKey(runtime, output);
  if (apiKey !== undefined) checkKey(apiKey);
  return given({
    ...{ api_key: apiKey, key_command: keyCommand, base_url: baseUrl, campaigns_base_url: campaignsUrl },
    ...{ store_id: storeId, country: countryCode, header_field: headerField, sandbox },
    currency: currency === undefined ? undefined : readCurrency(currency),
  });
}

async function addProfile(runtime: Runtime, name: string, flags: AddFlags): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system, signal, texts } = runtime;
  const before = profileOf(readProfiles(system).profiles, name);
  const update = flags.update === true;
  if (before === undefined) checkName(name);
  else if (!update) throw refused({ kind: "name_taken", name });
  const draft = await draftOf(runtime, flags, output);
  const profile = withDraft({ ...before }, draft);
  if (profile.base_url === undefined && profile.campaigns_base_url === undefined)
    throw refused({ kind: "address_absent" });
  if (profile.api_key === undefined && profile.key_command === undefined)
    throw refused({ kind: "key_absent" });
  await prepareFolder(system);
  const isTried = flags.check !== false;
  if (isTried)
    await checkProfile(runtime, output, name, profile).catch(async (error: unknown) => {
      if (!signal.aborted) await output.warning(texts.profile.notKept(name));
      throw error;
    });
  const kept = await keepProfile(system, name, draft, { isDefault: flags.default === true, update });
  await reportKept(runtime, output, { kept, profile, before, doubt: isTried ? undefined : "untried" });
}

export const add = (...how: Parameters<typeof addProfile>): Promise<void> =>
  addProfile(...how).catch(stoppedSetup);
