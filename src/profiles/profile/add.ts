import { resolve } from "node:path";
import { checkKey } from "../../api/client.ts";
import type { Output } from "../../cli/display/output.ts";
import { exclusive, onlyGiven } from "../../cli/line/flags.ts";
import { keptHours } from "../../cli/line/hours-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { checkKnown } from "../../cli/session/profiles.ts";
import { findProfile, prepareFolder, readProfiles } from "../../settings/profile-file.ts";
import { quoted } from "../../texts/phrases.ts";
import { checkProfile } from "../check-profile.ts";
import {
  checkAddress,
  checkName,
  countryReader,
  givenClientCert,
  givenKey,
  type ProfileDraft,
  refuse,
  stoppedSetup,
  withDraft,
} from "../profile-draft.ts";
import { openProfileOutput } from "../profile-output.ts";
import { saveProfile } from "../save-profile.ts";
import type { AddFlags } from "./command.ts";

/** Adds a profile from flags, or changes one with `--update`. Throws `usage_flag` for an invalid profile, and `interrupted` if the person stops. */
export const add = (...how: Parameters<typeof addProfile>): Promise<void> =>
  addProfile(...how).catch(stoppedSetup);

async function addProfile(runtime: Runtime, name: string, flags: AddFlags): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system, signal, texts } = runtime;
  const notKept = texts.t("Profile {name} was not saved. Use --no-check to save it unchecked.", {
    name: quoted(name),
  });
  const { profiles } = readProfiles(system);
  const before = findProfile(profiles, name);
  if (before === undefined) {
    checkName(name);
    // A mistyped name of a profile to change comes with fewer settings than a new profile needs.
    if (flags.update === true && !isWhole(runtime, flags)) checkKnown(system, profiles, name);
  } else if (flags.update !== true) throw refuse({ kind: "name_taken", name });

  const draft = await readDraft(runtime, flags, output);
  const profile = withDraft({ ...before }, draft);
  if (profile.base_url === undefined && profile.campaigns_base_url === undefined)
    throw refuse({ kind: "address_absent" });
  if (profile.api_key === undefined && profile.key_command === undefined)
    throw refuse({ kind: "key_absent" });

  await prepareFolder(system);
  const isChecked = flags.check !== false;
  if (isChecked)
    await checkProfile(runtime, output, name, profile).catch(async (error: unknown) => {
      if (!signal.aborted) await output.warning(notKept);
      throw error;
    });

  // A person who skips the check knows.
  const keyDoubt = isChecked ? undefined : "notice";
  const isDefault = flags.default === true;
  await saveProfile(runtime, output, { name, before, draft }, { isDefault, keyDoubt });
}

function checkTexts({ keyCommand, storeId, headerField }: AddFlags): void {
  const texts = { "--key-command": keyCommand, "--store-id": storeId, "--header-field": headerField };
  for (const [flag, text = "x"] of Object.entries(texts))
    if (text.trim() === "" || /\p{Cc}/u.test(text)) throw refuse({ kind: "text_unusable", flag });
  // The shell would only say on the screen that it knows no such command.
  if (/^\s*bpk_[^\s/]*\s*$/.test(keyCommand ?? "")) throw refuse({ kind: "command_is_key" });
}

function readCurrency(text: string): string {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) throw refuse({ kind: "code_unknown", of: "currency", code: text });
  return code;
}

async function readDraft(runtime: Runtime, flags: AddFlags, output: Output): Promise<ProfileDraft> {
  const { keyCommand, storeId, headerField, country, currency, sandbox } = flags;
  const { baseUrl, campaignsUrl, apiKeyFile } = runtime.flags;
  if (keyCommand !== undefined && apiKeyFile !== undefined)
    throw exclusive("--api-key-file", "--key-command");
  if (baseUrl !== undefined) checkAddress("base_url", baseUrl);
  if (campaignsUrl !== undefined) checkAddress("campaigns_base_url", campaignsUrl);
  checkTexts(flags);

  const countryCode = country === undefined ? undefined : (await countryReader())(country);
  const currencyCode = currency === undefined ? undefined : readCurrency(currency);
  const apiKey = await givenKey(runtime, output);
  if (apiKey !== undefined) checkKey(apiKey);

  return onlyGiven({
    ...(await givenClientCert(runtime, output)),
    api_key: apiKey,
    key_command: keyCommand,
    base_url: baseUrl,
    campaigns_base_url: campaignsUrl,
    store_id: storeId,
    country: countryCode,
    header_field: headerField,
    sandbox,
    area_code: flags.areaCode,
    currency: currencyCode,
    printer: flags.printer?.url,
    paper: flags.paper,
    printer_language: flags.printerLanguage,
    drawer: flags.drawer,
    beep: flags.beep,
    // An absolute path, because the profile is used in other folders too.
    layout: flags.layout && resolve(runtime.system.cwd, flags.layout),
    ...keptHours(flags),
  });
}

/** True if these flags are enough for a profile. */
function isWhole({ flags }: Runtime, { keyCommand }: AddFlags): boolean {
  const { baseUrl, campaignsUrl, apiKeyFile } = flags;
  return (baseUrl ?? campaignsUrl) !== undefined && (keyCommand ?? apiKeyFile) !== undefined;
}
