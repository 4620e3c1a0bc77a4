import { resolve } from "node:path";
import { askService } from "../../api/ask.ts";
import { checkKey, createClient, parseBase } from "../../api/client.ts";
import { mayAsk, type Output, openOutput } from "../../cli/display/output.ts";
import { paragraph } from "../../cli/display/text.ts";
import { exclusive, onlyGiven } from "../../cli/line/flags.ts";
import { keptHours } from "../../cli/line/hours-flags.ts";
import { questionWords } from "../../cli/line/questions.ts";
import { type Runtime, readMockWish } from "../../cli/runtime.ts";
import { keyFromCommand, openKeyWords } from "../../cli/session/access.ts";
import { openServiceNetwork } from "../../cli/session/network.ts";
import { checkKnown, editProfiles } from "../../cli/session/profiles.ts";
import { openTracing } from "../../cli/session/trace.ts";
import { isLoopback, isPublicHost } from "../../contract/addresses.ts";
import { looksLikeKey } from "../../errors/mask-key.ts";
import type { ProfileProblem } from "../../errors/problems.ts";
import { BposError, isReason } from "../../errors.ts";
import { flaggedClientCert, profileClientCert } from "../../settings/client-cert.ts";
import { readClientCert } from "../../settings/client-pem.ts";
import { configFile } from "../../settings/folders.ts";
import { keyFromFile } from "../../settings/key-file.ts";
import { findProfile, type Profile, prepareFolder, readProfiles } from "../../settings/profile-file.ts";
import { openFile } from "../../settings/rights.ts";
import { quoted, shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { AddFlags } from "./command.ts";

/** Variables that take precedence over a profile that is not named with -p. */
const stronger = ["BPOS_API_KEY", "BPOS_BASE_URL", "BPOS_CAMPAIGNS_URL", "BPOS_PROFILE"];
const checkTimeoutMs = 10_000;

export const refuse = (problem: ProfileProblem): BposError =>
  new BposError("usage_flag", { problem: { kind: "profile", problem } });

/** Throws what ended a command; where a person stopped it, `interrupted` in words about profiles. */
export function stoppedSetup(error: unknown): never {
  const isStop = error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name);
  if (!isStop && !isReason(error, "interrupted")) throw error;
  throw new BposError("interrupted", { during: "setup" }, { cause: error });
}

/** It names a profile in a command line, a file and an environment alike. */
export function checkName(name: string): void {
  if (looksLikeKey(name) || !/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(name))
    throw refuse({ kind: "name_unusable" });
}

export function checkAddress(which: "base_url" | "campaigns_base_url", text: string): void {
  if (parseBase(which, text) === undefined) throw refuse({ kind: "address_absent" });
}

export async function countryReader(): Promise<(text: string) => string> {
  const { countryCode } = await import("../../input/phone.ts");
  return (text) => {
    const code = countryCode(text);
    if (code === null) throw refuse({ kind: "code_unknown", of: "country", code: text });
    return code;
  };
}

/** What a person gives of a profile, under the names of the file; undefined takes away what was there. */
export interface ProfileDraft {
  api_key?: string | undefined;
  key_command?: string | undefined;
  base_url?: string | undefined;
  campaigns_base_url?: string | undefined;
  client_cert?: string | undefined;
  client_key?: string | undefined;
  store_id?: string | undefined;
  country?: string | undefined;
  area_code?: number | undefined;
  currency?: string | undefined;
  header_field?: string | undefined;
  sandbox?: boolean | undefined;
  printer?: string | undefined;
  printer_language?: string | undefined;
  paper?: number | undefined;
  drawer?: boolean | string | undefined;
  beep?: boolean | undefined;
  layout?: string | undefined;
  between?: string | undefined;
  days?: string | undefined;
  time_zone?: string | undefined;
}

/** One key comes in the place of another. */
export function withDraft<P extends object>(before: P, draft: ProfileDraft): P & ProfileDraft {
  const merged: P & ProfileDraft = { ...before, ...draft };
  if (draft.api_key !== undefined) delete merged.key_command;
  if (draft.key_command !== undefined) delete merged.api_key;
  return merged;
}

export function openProfileOutput(runtime: Runtime, ...more: "csv"[]): Output {
  if (runtime.flags.mock === true) throw exclusive("--mock", "bpos profile");
  return openOutput(runtime, ["table", "json", "ndjson", ...more]);
}

export async function givenKey(runtime: Runtime, output: Output): Promise<string | undefined> {
  const { system, signal, texts } = runtime;
  const { apiKeyFile: source } = runtime.flags;
  const { t } = texts;
  if (source === undefined) return undefined;
  if (source === "-" && mayAsk(runtime)) {
    const how = { check: () => undefined, words: questionWords(texts.t) };
    return (
      await system.prompts.secret(t("API key, not shown as you type or paste it:"), how, signal)
    ).trim();
  }
  const { key, isOpen } = await keyFromFile(system, source);
  if (isOpen) await output.warning(openKeyWords(source, t));
  return key;
}

/** The files of the flags, by their whole names: the profile is used in other folders too. */
export async function givenClientCert(
  { system, flags, texts }: Runtime,
  output: Output,
): Promise<Pick<ProfileDraft, "client_cert" | "client_key">> {
  const files = flaggedClientCert(system.cwd, flags);
  if (files === undefined) return {};
  readClientCert(files);
  const open = openFile(files.key, system);
  if (open !== undefined) await output.warning(openKeyWords(open, texts.t));
  return { client_cert: files.cert, client_key: files.key };
}

/** Asks the service; where only campaigns have an address, nothing cheap can be asked. */
export async function checkProfile(
  runtime: Runtime,
  output: Output,
  name: string,
  { base_url: baseUrl, key_command: command, api_key = "", ...profile }: ProfileDraft,
): Promise<void> {
  const { system, signal, flags } = runtime;
  const { t } = runtime.texts;
  const apiKey = command === undefined ? api_key : await keyFromCommand(runtime, { profile: name, command });
  checkKey(apiKey);
  system.hide(apiKey);
  if (baseUrl === undefined)
    return output.notice(t("The key was not checked: that needs the address of orders."));

  const clientCert = profileClientCert(system, profile);
  const { dispatcher, proxies } = await openServiceNetwork(runtime, clientCert);
  try {
    const { origin } = new URL(baseUrl);
    proxies?.of(origin);
    const { wouldCall: _none, ...tracing } = openTracing(runtime, {
      apiKey,
      address: baseUrl,
      proxies,
      branch: name,
      clientCert,
    });
    const client = createClient({
      baseUrl,
      campaignsBaseUrl: baseUrl,
      apiKey,
      dispatcher,
      ...tracing,
      clock: system.clock,
      random: system.random,
      timeoutMs: flags.timeout ?? checkTimeoutMs,
      retries: flags.retries ?? 1,
    });
    const asked = await askService(client, "base_url", signal);
    if (asked.kind !== "accepted") throw asked.error;
    const accepted = t(
      "{origin} accepts the key: {waiting, plural, one {# order} other {# orders}} in pendiente.",
      { origin, waiting: asked.waiting ?? 0 },
    );
    await output.notice(accepted);
  } finally {
    await dispatcher.destroy();
  }
}

const readHost = (address: string | undefined): string =>
  address !== undefined && URL.canParse(address) ? new URL(address).hostname : "";

/** A branch is its key; on loopback its address as well. */
function isOtherBranch(before: Profile | undefined, profile: ProfileDraft): boolean {
  const isOther = (mark: keyof ProfileDraft): boolean =>
    before?.[mark] !== undefined && before[mark] !== profile[mark];
  const isMoved = (mark: "base_url" | "campaigns_base_url"): boolean =>
    isOther(mark) && [before?.[mark], profile[mark]].some((address) => isLoopback(readHost(address)));
  return isOther("api_key") || isOther("key_command") || isMoved("base_url") || isMoved("campaigns_base_url");
}

export interface ProfileChange {
  name: string;
  /** Undefined of a new profile. */
  before: Profile | undefined;
  draft: ProfileDraft;
}

const findOverrides = ({ env }: Runtime["system"]): string[] => stronger.filter((each) => env[each]);

/** Says whether a command uses the profile that was saved, and how. */
function defaultWords(name: string, usual: string | null, t: T): string {
  if (usual === name) return t("It is the default.");
  return usual === null
    ? t(
        "No profile is the default: name it with -p {name}, or make it the default with `bpos profile use {name}`.",
        { name },
      )
    : t(
        "The default is still {other}: name it with -p {name}, or make it the default with `bpos profile use {name}`.",
        { other: quoted(usual), name },
      );
}

async function tellKept(
  { system }: Runtime,
  output: Output,
  name: string,
  { profile, usual }: { profile: ProfileDraft; usual: string | null },
): Promise<void> {
  const file = configFile(system);
  if (output.format !== "table") return output.document({ profile: name, default: usual, config_file: file });
  if (output.quiet) return;

  const { ui } = output;
  const { t } = ui.texts;
  // What a command needs -p for.
  const named = usual === name && findOverrides(system).length === 0 ? "" : `-p ${shellWord(name)} `;
  const first = profile.base_url === undefined ? "campaign list" : "orders list";
  const saved = t("The profile {name} was saved in {file}, readable only by you.", {
    name: quoted(name),
    file,
  });
  const lines = [
    ...paragraph(saved, ui).map(ui.theme.good),
    ...paragraph(defaultWords(name, usual, t), ui),
    ...paragraph(t("Try it: `bpos {command}`", { command: named + first }), ui),
  ];
  await output.data(`${lines.join("\n")}\n`);
}

/** Says which variables are stronger than a profile that is not named. */
export const overriddenWords = (variables: readonly string[], t: T): string =>
  t(
    "Note: {variables} {count, plural, one {is set, and takes} other {are set, and take}} precedence over a profile without -p.",
    { variables: variables.join(", "), count: variables.length },
  );

/** Says that a mock is used instead of any profile. */
export const mockSetWords = (t: T): string =>
  t("Note: BPOS_MOCK is set: commands go to the mock, whatever the profile says.");

async function warnOfProfile(
  { system, texts: { t } }: Runtime,
  output: Output,
  before: Profile | undefined,
  profile: ProfileDraft,
): Promise<void> {
  const overrides = findOverrides(system);
  const anotherBranch = t(
    "Note: bpos knows a branch by its key. With another key it does not know what was delivered and sent: `orders watch` delivers all orders in pendiente, unless its first run has --skip-existing.",
  );
  if (isOtherBranch(before, profile)) await output.warning(anotherBranch);
  if (overrides.length > 0) await output.warning(overriddenWords(overrides, t));
  if (readMockWish(system.env) !== undefined) await output.warning(mockSetWords(t));

  const addresses = [profile.base_url, profile.campaigns_base_url];
  const isUnsafe = (address = ""): boolean => /^http:/i.test(address) && isPublicHost(readHost(address));
  const unsafe = addresses.find(isUnsafe);
  if (unsafe !== undefined)
    await output.warning(
      t("Warning: {address} is not https: anybody in between can read the key.", { address: unsafe }),
    );
}

/** Writes a profile down, and tells what follows from it; `keyDoubt` where the service has not accepted the key. */
export async function keepProfile(
  runtime: Runtime,
  output: Output,
  { name, before, draft }: ProfileChange,
  { isDefault, keyDoubt }: { isDefault: boolean; keyDoubt: "notice" | "warning" | undefined },
): Promise<void> {
  const usual = await editProfiles(runtime.system, (content) => {
    const present = findProfile(content.profiles, name);
    // Another process may have taken the name meanwhile.
    if (present !== undefined && before === undefined) throw refuse({ kind: "name_taken", name });
    content.profiles[name] = withDraft(present ?? {}, draft);
    if (isDefault || Object.keys(content.profiles).length === 1) content.default = name;
    return content.default ?? null;
  });
  const profile = withDraft({ ...before }, draft);
  await tellKept(runtime, output, name, { profile, usual });
  await warnOfProfile(runtime, output, before, profile);
  // Last, where it is read: the key is what is still to be done.
  const doubt = runtime.texts.t(
    "Note: the service has not accepted the key of this profile. `bpos doctor -p {name}` checks it; `bpos profile add {name} --update --api-key-file -` changes it.",
    { name: shellWord(name) },
  );
  if (keyDoubt !== undefined) await output[keyDoubt](doubt);
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
    // By its whole name: the profile is used in other folders too.
    layout: flags.layout && resolve(runtime.system.cwd, flags.layout),
    ...keptHours(flags),
  });
}

/** Whether a profile can be made of these flags alone. */
function isWhole({ flags }: Runtime, { keyCommand }: AddFlags): boolean {
  const { baseUrl, campaignsUrl, apiKeyFile } = flags;
  return (baseUrl ?? campaignsUrl) !== undefined && (keyCommand ?? apiKeyFile) !== undefined;
}

async function addProfile(runtime: Runtime, name: string, flags: AddFlags): Promise<void> {
  const output = openProfileOutput(runtime);
  const { system, signal, texts } = runtime;
  const notKept = texts.t("The profile {name} was not saved. --no-check saves it without a check.", {
    name: quoted(name),
  });
  const { profiles } = readProfiles(system);
  const before = findProfile(profiles, name);
  if (before === undefined) {
    checkName(name);
    // Whoever mistypes the name of one to change gives less than a new one needs.
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

  // Whoever skips the check knows.
  const keyDoubt = isChecked ? undefined : "notice";
  const isDefault = flags.default === true;
  await keepProfile(runtime, output, { name, before, draft }, { isDefault, keyDoubt });
}

export const add = (...how: Parameters<typeof addProfile>): Promise<void> =>
  addProfile(...how).catch(stoppedSetup);
