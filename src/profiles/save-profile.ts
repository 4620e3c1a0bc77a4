import type { Output } from "../cli/display/output.ts";
import { paragraph } from "../cli/display/text.ts";
import { type Runtime, readMockWish } from "../cli/runtime.ts";
import { editProfiles } from "../cli/session/profiles.ts";
import { isLoopback, isPublicHost } from "../contract/addresses.ts";
import { configFile } from "../settings/folders.ts";
import { findProfile, type Profile } from "../settings/profile-file.ts";
import { quoted, shellWord } from "../texts/phrases.ts";
import type { T } from "../texts/texts.ts";
import { type ProfileChange, type ProfileDraft, refuse, withDraft } from "./profile-draft.ts";
import type { SavedReport } from "./saved-report.ts";

/** Variables that take precedence over a profile that is not named with -p. */
const stronger = ["BPOS_API_KEY", "BPOS_BASE_URL", "BPOS_CAMPAIGNS_URL", "BPOS_PROFILE"];
const readHost = (address: string | undefined): string =>
  address !== undefined && URL.canParse(address) ? new URL(address).hostname : "";

/** True if the profile is now another branch: a key identifies a branch, on loopback together with the address. */
function isOtherBranch(before: Profile | undefined, profile: ProfileDraft): boolean {
  const isOther = (mark: keyof ProfileDraft): boolean =>
    before?.[mark] !== undefined && before[mark] !== profile[mark];
  const isMoved = (mark: "base_url" | "campaigns_base_url"): boolean =>
    isOther(mark) && [before?.[mark], profile[mark]].some((address) => isLoopback(readHost(address)));
  return isOther("api_key") || isOther("key_command") || isMoved("base_url") || isMoved("campaigns_base_url");
}

const findOverrides = ({ env }: Runtime["system"]): string[] => stronger.filter((each) => env[each]);

/** Says whether a command uses the profile that was saved, and how. */
function defaultWords(name: string, usual: string | null, t: T): string {
  if (usual === name) return t("It is the default profile.");
  return usual === null
    ? t(
        "No profile is the default: use it with -p {name}, or make it the default with `bpos profile use {name}`.",
        { name },
      )
    : t(
        "The default is still {other}. Use this one with -p {name}, or make it the default with `bpos profile use {name}`.",
        { other: quoted(usual), name },
      );
}

async function tellSaved(
  { system }: Runtime,
  output: Output,
  name: string,
  { profile, usual }: { profile: ProfileDraft; usual: string | null },
): Promise<void> {
  const file = configFile(system);
  const report: SavedReport = { profile: name, default: usual, config_file: file };
  if (output.format !== "table") return output.document(report);
  if (output.quiet) return;

  const { ui } = output;
  const { t } = ui.texts;
  // Without -p a command would use something else.
  const named = usual === name && findOverrides(system).length === 0 ? "" : `-p ${shellWord(name)} `;
  const first = profile.base_url === undefined ? "campaign list" : "orders list";
  const saved = t("Profile {name} was saved in {file}, which only you can read.", {
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

/** Says which variables take precedence over a profile that is not named. */
export const overriddenWords = (variables: readonly string[], t: T): string =>
  t(
    "Note: {variables} {count, plural, one {is set and takes} other {are set and take}} precedence over a profile that is not chosen with -p.",
    { variables: variables.join(", "), count: variables.length },
  );

/** Says that a mock is used instead of any profile. */
export const mockSetWords = (t: T): string =>
  t("Note: BPOS_MOCK is set, so commands go to the mock instead of the profile's addresses.");

async function warnOfProfile(
  { system, texts: { t } }: Runtime,
  output: Output,
  before: Profile | undefined,
  profile: ProfileDraft,
): Promise<void> {
  const overrides = findOverrides(system);
  const anotherBranch = t(
    "Note: bpos identifies a branch by its key. With another key, it has no record of deliveries and sends: `orders watch` delivers all orders in pendiente, unless its first run has --skip-existing.",
  );
  if (isOtherBranch(before, profile)) await output.warning(anotherBranch);
  if (overrides.length > 0) await output.warning(overriddenWords(overrides, t));
  if (readMockWish(system.env) !== undefined) await output.warning(mockSetWords(t));

  const addresses = [profile.base_url, profile.campaigns_base_url];
  const isUnsafe = (address = ""): boolean => /^http:/i.test(address) && isPublicHost(readHost(address));
  const unsafe = addresses.find(isUnsafe);
  if (unsafe !== undefined)
    await output.warning(
      t("Warning: {address} is not https, so others on the network can read the key.", { address: unsafe }),
    );
}

/** Saves a profile, and says what follows from it; `keyDoubt` is how to say that the service has not accepted the key. */
export async function saveProfile(
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
  await tellSaved(runtime, output, name, { profile, usual });
  await warnOfProfile(runtime, output, before, profile);
  // Last, where people read it, because the key still needs fixing.
  const doubt = runtime.texts.t(
    "Note: the service has not accepted this profile's key. To check it, run `bpos doctor -p {name}`. To change it, run `bpos profile add {name} --update --api-key-file -`.",
    { name: shellWord(name) },
  );
  if (keyDoubt !== undefined) await output[keyDoubt](doubt);
}
