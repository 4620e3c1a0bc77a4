import { checkKey } from "../../api/client.ts";
import type { GlobalFlags } from "../../cli/command-line.ts";
import { exclusive, given } from "../../cli/flags.ts";
import { mayAsk, type Output, openOutput } from "../../cli/output.ts";
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
} from "../../cli/profiles.ts";
import { askedMock, type Runtime } from "../../cli/runtime.ts";
import { keyFromFile } from "../../settings/key-file.ts";
import { type Profile, prepareFolder, profileOf, readProfiles } from "../../settings/profile-file.ts";
import { checkProfile } from "./check.ts";
import type { AddFlags } from "./command.ts";

/** Variables that go before a profile that is not named with -p. */
const stronger = ["BPOS_API_KEY", "BPOS_BASE_URL", "BPOS_CAMPAIGNS_URL", "BPOS_PROFILE"];

/** Throws `usage_flag` for `--mock`, which does without profiles. */
export function refuseRehearsal({ mock }: GlobalFlags): void {
  if (mock === true) throw exclusive("--mock", "bpos profile");
}

/** The key that `--api-key-file` names; a person at a terminal types it unseen. Throws `key_unreadable`. */
export async function givenKey(runtime: Runtime, output: Output): Promise<string | undefined> {
  const { apiKeyFile: source } = runtime.flags;
  if (source === undefined) return undefined;
  const { system, signal, texts } = runtime;
  const words = texts.profile;
  if (source === "-" && mayAsk(runtime)) {
    const how = { check: () => undefined, words: texts.questions };
    return (await system.prompts.secret(words.ask.key(null), how, signal)).trim();
  }
  const { key, isOpen } = await keyFromFile(system, source);
  if (isOpen) await output.warning(words.keyFileOpen(source));
  return key;
}

async function draftOf(runtime: Runtime, flags: AddFlags, output: Output): Promise<ProfileDraft> {
  const { keyCommand, storeId, headerField } = flags;
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
  const readCountry = flags.country === undefined ? undefined : await countryReader();
  const apiKey = await givenKey(runtime, output);
  if (apiKey !== undefined) checkKey(apiKey);
  const draft = {
    api_key: apiKey,
    key_command: keyCommand,
    base_url: baseUrl,
    campaigns_base_url: campaignsUrl,
    store_id: storeId,
    country: readCountry?.(flags.country ?? ""),
    currency: flags.currency === undefined ? undefined : readCurrency(flags.currency),
    header_field: headerField,
    sandbox: flags.sandbox,
  };
  return given(draft);
}

/** Whether bpos takes the branch for another one from now on: it knows it by its addresses and its key. */
function isAnotherBranch(before: Profile | undefined, after: ProfileDraft): boolean {
  if (before === undefined) return false;
  const marks = ["api_key", "key_command", "base_url", "campaigns_base_url"] as const;
  return marks.some((mark) => before[mark] !== undefined && before[mark] !== after[mark]);
}

/** Why a kept key is not known to be good. */
export type KeyDoubt = "refused" | "untried";

/** Says what was kept, what goes before it, and what to do first. */
export async function reportKept(
  { system, texts }: Runtime,
  output: Output,
  {
    kept,
    profile,
    before,
    doubt,
  }: { kept: Kept; profile: ProfileDraft; before: Profile | undefined; doubt: KeyDoubt | undefined },
): Promise<void> {
  const { profileKept } = await import("./view.ts");
  const words = texts.profile;
  const variables = stronger.filter((name) => system.env[name]);
  const isDefault = kept.default === kept.profile;
  const first = profile.base_url === undefined ? "campaign list" : "orders list";
  const isPlain = isDefault && variables.length === 0;
  if (output.format !== "table") await output.document(kept);
  else if (!output.quiet)
    await output.data(profileKept(kept, { first, isPlain, sandbox: profile.sandbox === true }, output.ui));
  if (isAnotherBranch(before, profile)) await output.warning(words.anotherBranch);
  if (variables.length > 0) await output.warning(words.overridden(variables));
  if (askedMock(system.env) !== undefined) await output.warning(words.mockSet);
  const { isPublicHost } = await import("../../contract/public-host.ts");
  const addresses = [profile.base_url, profile.campaigns_base_url].filter((each) => each !== undefined);
  const isUnsafe = (address: string): boolean =>
    /^http:/i.test(address) && isPublicHost(new URL(address).hostname);
  const unsafe = addresses.find(isUnsafe);
  if (unsafe !== undefined) await output.warning(words.unencrypted(unsafe));
  // Last, where it is read: the key is what is still to be done.
  if (doubt === "refused") await output.warning(words.keyDoubtful(kept.profile, doubt));
  else if (doubt !== undefined) await output.notice(words.keyDoubtful(kept.profile, doubt));
}

/** Tries the key before it is kept; whether it is in doubt all the same. Throws what `checkProfile` throws. */
async function tryKey(
  runtime: Runtime,
  { flags, output }: { flags: AddFlags; output: Output },
  of: { name: string; profile: ProfileDraft },
): Promise<KeyDoubt | undefined> {
  const words = runtime.texts.profile;
  if (flags.check === false) return "untried";
  try {
    const checked = await checkProfile(runtime, of);
    await output.notice(checked === undefined ? words.unchecked : words.checked(checked));
    return undefined;
  } catch (error) {
    if (!runtime.signal.aborted) await output.warning(words.notKept(of.name));
    throw error;
  }
}

/** Runs `bpos profile add`. */
export async function add(runtime: Runtime, name: string, flags: AddFlags): Promise<void> {
  await addProfile(runtime, name, flags).catch(stoppedSetup);
}

async function addProfile(runtime: Runtime, name: string, flags: AddFlags): Promise<void> {
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const { system } = runtime;
  refuseRehearsal(runtime.flags);
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
  const doubt = await tryKey(runtime, { flags, output }, { name, profile });
  const kept = await keepProfile(system, { name, draft, isDefault: flags.default === true, update });
  await reportKept(runtime, output, { kept, profile, before, doubt });
}
