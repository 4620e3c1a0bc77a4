import type { Origin as Source } from "../errors/findings.ts";
import { BposError } from "../errors.ts";
import { flaggedClientCert, profileClientCert } from "./client-cert.ts";
import { findMoney } from "./country.ts";
import type { Machine } from "./folders.ts";
import { type JournalPlace, journalPlace, ownJournal } from "./journal-place.ts";
import { type KeyReader, keyFromFile } from "./key-file.ts";
import {
  findProfile,
  inspectProfiles,
  missingProfile,
  type ProfileFile,
  readProfiles,
  unknownKeys,
} from "./profile-file.ts";
import { openFile } from "./rights.ts";

type SettingFlags = {
  readonly [F in ("profile" | "baseUrl" | "campaignsUrl" | "apiKeyFile") | ("clientCert" | "clientKey")]?:
    | string
    | undefined;
};

/** The settings of a branch; undefined where nobody set one. */
export type Settings = TracedSettings["settings"];

export type TracedSettings = Awaited<ReturnType<typeof traceSettings>>;

type Found<T> = { value: T; source: Source } | undefined;

const toFound = <T>(value: T | undefined, kind: Source["kind"], name: string): Found<T> =>
  value === undefined ? undefined : { value, source: { kind, name } };

const variable = ({ env }: Machine, name: string): Found<string> =>
  toFound(env[name] || undefined, "environment", name);

const byDefault = <T>(value: T): { value: T; source: Source } => ({
  value,
  source: { kind: "default", name: "" },
});

async function ownSettings(profile: ProfileFile["profiles"][string], name: string) {
  const money = await findMoney(profile.country);
  const own = <T>(value: T | undefined): Found<T> => toFound(value, "profile", name);
  return {
    store_id: own(profile.store_id),
    country: own(profile.country),
    // As it is written behind +54: without a leading zero.
    area_code: own(profile.area_code === undefined ? undefined : String(profile.area_code).replace(/^0/, "")),
    currency: own(profile.currency) ?? byDefault(money.currency),
    locale: own(profile.locale) ?? byDefault(money.locale),
    header_field: own(profile.header_field),
    sandbox: own(profile.sandbox) ?? byDefault(false),
    between: own(profile.between),
    days: own(profile.days),
    time_zone: own(profile.time_zone),
    printer: own(profile.printer),
    paper: own(profile.paper) ?? byDefault(80),
    printer_language: own(profile.printer_language) ?? byDefault("escpos"),
    drawer: own(profile.drawer) ?? byDefault(false),
    beep: own(profile.beep) ?? byDefault(false),
    layout: own(profile.layout),
    stations: own(profile.stations),
  };
}

const printerSettings = (own: Awaited<ReturnType<typeof ownSettings>>) => ({
  url: own.printer?.value,
  paper: own.paper.value,
  language: own.printer_language.value,
  drawer: own.drawer.value,
  beep: own.beep.value,
  layout: own.layout?.value,
});

/** Settings that are read from the profile alone. */
const asKept = (profile: Partial<ProfileFile["profiles"][string]>) => ({
  storeId: profile.store_id,
  country: profile.country,
  headerField: profile.header_field,
  hours: { between: profile.between, days: profile.days, timeZone: profile.time_zone },
  map: profile.map,
  unknownKeys: unknownKeys(profile),
});

const placeOfKey = ({ kind, name }: Source, { apiKeyFile }: SettingFlags): string | undefined =>
  kind === "flag" ? apiKeyFile : kind === "profile" ? `profiles.${name}.api_key` : name;

function chosenProfile(machine: Machine, flag: string | undefined, content: ProfileFile) {
  const chosen =
    toFound(flag, "flag", "-p") ??
    variable(machine, "BPOS_PROFILE") ??
    toFound(content.default, "config", "default");
  if (chosen === undefined) return undefined;
  const { value: name } = chosen;
  const profile = findProfile(content.profiles, name);
  if (profile !== undefined) return { chosen, name, profile };
  throw new BposError("profile_missing", missingProfile(machine, name, content.profiles));
}

interface Wanted {
  /** False for a rehearsal, which needs no set-up. */
  profiles?: boolean | ProfileFile;
  /** False for commands without a journal or with their own: they ignore the setting. With thousands of profiles it is read once. */
  journal?: boolean | JournalPlace;
}

/** A rehearsal without profiles may be one of several machines, all with the journal that is set. */
const readSharedOrOwn = (machine: Machine & KeyReader, content: ProfileFile | false): JournalPlace =>
  journalPlace(machine, content || (inspectProfiles(machine).content ?? { profiles: {} }));

type Own = <T>(value: T | undefined) => Found<T>;
type Choose = <T>(flag: Found<T>, environment: Found<T>, profile: Found<T>) => Found<T>;

/** The client certificate with its key: both of the flags, or both of the profile. */
function traceClientCert(
  machine: Machine & KeyReader,
  flags: SettingFlags,
  { own, profile }: { own: Own; profile: Partial<ProfileFile["profiles"][string]> },
) {
  const flagged = flaggedClientCert(machine.cwd, flags);
  const files = flagged ?? profileClientCert(machine, profile);
  return {
    files,
    traced: {
      client_cert: flagged ? toFound(flagged.cert, "flag", "--client-cert") : own(profile.client_cert),
      client_key: flagged ? toFound(flagged.key, "flag", "--client-key") : own(profile.client_key),
    },
  };
}

function traceAddresses(
  machine: Machine,
  flags: SettingFlags,
  { own, pick, profile }: { own: Own; pick: Choose; profile: Partial<ProfileFile["profiles"][string]> },
) {
  const base = toFound(flags.baseUrl, "flag", "--base-url");
  const campaigns = toFound(flags.campaignsUrl, "flag", "--campaigns-url");
  const variableUrl = variable(machine, "BPOS_CAMPAIGNS_URL");
  return {
    baseUrl: pick(base, variable(machine, "BPOS_BASE_URL"), own(profile.base_url)),
    campaignsBaseUrl: pick(campaigns, variableUrl, own(profile.campaigns_base_url)),
  };
}

/** The key, or the command that prints it, which a profile has in its place. Hides the key in all that is written. */
async function traceKey(
  machine: Machine & KeyReader,
  flags: SettingFlags,
  { own, pick, profile }: { own: Own; pick: Choose; profile: Partial<ProfileFile["profiles"][string]> },
) {
  const file = flags.apiKeyFile === undefined ? undefined : await keyFromFile(machine, flags.apiKeyFile);
  const flag = toFound(file?.key, "flag", "--api-key-file");
  const command = own(profile.key_command?.trim() || undefined);
  const key = pick(flag, variable(machine, "BPOS_API_KEY"), command ?? own(profile.api_key));
  const keyCommand = key !== undefined && key === command ? key.value : undefined;
  // A key from an .env file of another system may carry its line break along.
  const apiKey = keyCommand === undefined ? key?.value.trim() : undefined;
  machine.hide(apiKey ?? "");
  return { found: key, keyCommand, apiKey, isOpen: file?.isOpen === true };
}

/** Flag, environment, profile; one named by flag before the environment. */
export async function traceSettings(
  machine: Machine & KeyReader,
  flags: SettingFlags,
  { profiles = true, journal: known = true }: Wanted = {},
) {
  const content = profiles === true ? readProfiles(machine) : profiles;
  const of = (content !== false && chosenProfile(machine, flags.profile, content)) || undefined;
  const { chosen, name, profile = {} } = of ?? {};
  const own: Own = (value) => toFound(value, "profile", name ?? "");
  const pick: Choose = (flag, env, ofProfile) =>
    flag ?? (flags.profile !== undefined ? (ofProfile ?? env) : (env ?? ofProfile));

  const { baseUrl, campaignsBaseUrl } = traceAddresses(machine, flags, { own, pick, profile });
  const { found, ...key } = await traceKey(machine, flags, { own, pick, profile });
  const clientCert = traceClientCert(machine, flags, { own, profile });

  const ofMachine = known ? readSharedOrOwn : ownJournal;
  const journal = typeof known === "object" ? known : ofMachine(machine, content);
  const rest = await ownSettings(profile, name ?? "");
  const settings = {
    profile: name,
    baseUrl: baseUrl?.value,
    campaignsBaseUrl: campaignsBaseUrl?.value,
    apiKey: key.apiKey,
    /** A shell line that prints the key; `apiKey` is undefined then. */
    keyCommand: key.keyCommand,
    keySource: found && placeOfKey(found.source, flags),
    /** Others may read it too. */
    openKeyFile: key.isOpen ? flags.apiKeyFile : undefined,
    /** For an address that begins with https, and for nothing but calls to the service. */
    clientCert: clientCert.files,
    openClientKey: openFile(clientCert.files?.key, machine),
    ...asKept(profile),
    areaCode: rest.area_code?.value,
    currency: rest.currency.value,
    locale: rest.locale.value,
    sandbox: rest.sandbox.value,
    printer: printerSettings(rest),
    /** The stations as the profile has them: `toStations` reads them. */
    stations: profile.stations,
    /** The file of SQLite, or the address of a PostgreSQL database, which no output may show. */
    journal: journal.place,
  };
  const traced = {
    profile: chosen,
    base_url: baseUrl,
    campaigns_base_url: campaignsBaseUrl,
    api_key: key.keyCommand === undefined ? found : undefined,
    key_command: key.keyCommand === undefined ? undefined : found,
    ...clientCert.traced,
    ...rest,
    journal: { value: journal.shown, source: journal.source },
  };
  return { settings, traced };
}
