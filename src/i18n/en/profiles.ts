import { quoted, shellWord } from "../../texts/phrases.ts";

/** What `bpos init` and `bpos profile` ask and say. */
export const profile = {
  title: "Profiles",
  none: "No profiles yet: `bpos init` sets up the first one.",
  columns: {
    profile: "  Profile",
    baseUrl: "Orders and catalog",
    campaignsUrl: "Campaigns",
    key: "Key",
    country: "Country",
    kind: "Kind",
    setting: "Setting",
    value: "Value",
    from: "From",
  },
  live: "live",
  byCommand: "key_command",
  marked: "* is the default. `bpos profile show NAME` shows one.",
  noDefault: "No profile is the default: name one with -p, or set it with `bpos profile use NAME`.",
  show: (name: string | undefined) =>
    name === undefined ? "Settings without a profile" : `Settings with the profile ${name}`,
  file: (file: string) => `Profiles are stored in ${file}.`,
  sources: {
    flag: (name: string) => `flag ${name}`,
    environment: (name: string) => `environment ${name}`,
    profile: (name: string) => `profile ${name}`,
    config: (name: string): string => (name === "journal" ? "the profile file" : "the default profile"),
    default: () => "default",
  },
  intro: "A profile holds the key and the addresses of one branch. Ctrl-C stops, and nothing is saved.",
  mockFound: (url: string) => `A mock runs at ${url}: press Enter to accept its settings.`,
  ask: {
    name: "Name of the profile, for example centro:",
    change: (name: string) => `There is a profile ${quoted(name)}. Change it?`,
    baseUrl: "Address of orders and catalog:",
    campaignsUrl: "Address of campaigns (- for none):",
    /** What is special about it: it stays when nothing is typed, or it is the mock's. */
    key: (special: "stays" | "mock" | null) =>
      `API key, not shown${special === "stays" ? "; Enter keeps the current one" : special === "mock" ? "; Enter accepts the mock's own" : " as you type or paste it"}:`,
    noKey: "Nothing was typed. Type or paste the key, then press Enter; Ctrl-C stops, and nothing is saved.",
    country: "Country of the branch, for phones and amounts, for example AR (- for none):",
    kind: "What is this key for?",
    live: "the real branch",
    sandbox: "a demo branch: every table says SANDBOX",
    printer: "Set up a receipt printer now?",
    again: {
      question: "What now?",
      retry: "Try again",
      key: "Type the key again",
      addresses: "Type the addresses again",
      keep: "Save the profile as it is",
    },
    default: (other: string) => `Make it the default, instead of ${quoted(other)}?`,
    remove: (name: string) => `Remove the profile ${quoted(name)} and its key?`,
  },
  checked: ({ origin, waiting }: { origin: string; waiting: number }) =>
    `${origin} accepts the key: ${waiting} ${waiting === 1 ? "order" : "orders"} in pendiente.`,
  unchecked: "The key was not checked: that needs the address of orders.",
  keyDoubtful: (name: string) =>
    `Note: the service has not accepted the key of this profile. \`bpos doctor -p ${shellWord(name)}\` checks it; \`bpos profile add ${shellWord(name)} --update --api-key-file -\` changes it.`,
  notKept: (name: string) =>
    `The profile ${quoted(name)} was not saved. --no-check saves it without a check.`,
  kept: (name: string, file: string) =>
    `The profile ${quoted(name)} was saved in ${file}, readable only by you.`,
  isDefault: "It is the default.",
  notDefault: (other: string | null, name: string) =>
    `${other === null ? "No profile is the default" : `The default is still ${quoted(other)}`}: name it with -p ${name}, or make it the default with \`bpos profile use ${name}\`.`,
  first: (name: string | null, command: string) =>
    `Try it: \`bpos ${name === null ? "" : `-p ${shellWord(name)} `}${command}\``,
  anotherBranch:
    "Note: bpos knows a branch by its key. With another key it does not know what was delivered and sent: `orders watch` delivers all orders in pendiente, unless its first run has --skip-existing.",
  overridden: (variables: readonly string[]) =>
    `Note: ${variables.join(", ")} ${variables.length === 1 ? "is" : "are"} set, and ${variables.length === 1 ? "takes" : "take"} precedence over a profile without -p.`,
  mockSet: "Note: BPOS_MOCK is set: commands go to the mock, whatever the profile says.",
  unencrypted: (address: string) => `Warning: ${address} is not https: anybody in between can read the key.`,
  keyFileOpen: (file: string) =>
    `Warning: other users of this machine can read the key in ${file}. Run: chmod 600 ${shellWord(file)}`,
  keyUnread: (name: string, key: string, similar: string | null) =>
    `Warning: the profile ${quoted(name)} has the unknown setting ${quoted(key)}${similar === null ? "" : `: write ${similar}`}.`,
  used: (name: string) => `The profile ${quoted(name)} is the default.`,
  renamed: (from: string, to: string) =>
    `The profile ${quoted(from)} is now ${quoted(to)}. bpos still knows what was delivered and sent.`,
  removed: (name: string, wasDefault: boolean, usual: string | null) => {
    const gone = `The profile ${quoted(name)} is removed.`;
    if (!wasDefault) return gone;
    return usual === null
      ? `${gone} It was the default, and no profile is now: \`bpos profile use NAME\` sets it.`
      : `${gone} It was the default; now ${quoted(usual)} is.`;
  },
};
