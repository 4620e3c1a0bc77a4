import type { ErrorFacts } from "../../errors.ts";
import { quoted, shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { OpenPath } from "../problems.ts";
import { caFileWords, clientCertWords } from "./certificates.ts";
import { detailWords } from "./details.ts";
import { keyCommandWords, knownStations } from "./profiles.ts";
import { about, type Reasons } from "./reason.ts";

/** The flag and the variable of an address of the service. */
const addressNames = (which: "base_url" | "campaigns_base_url"): [flag: string, variable: string] =>
  which === "base_url" ? ["--base-url", "BPOS_BASE_URL"] : ["--campaigns-url", "BPOS_CAMPAIGNS_URL"];

/** Where an address or a key was looked for, and where it can be set. */
const neededReasons = {
  address_missing: (t) => ({
    more: t(
      "Orders and catalog have one address (base_url), campaigns another (campaigns_base_url). Set it with a flag (--base-url, --campaigns-url), in the environment (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) or in a profile. --mock needs none.",
    ),
    say: ({ which, profile }) => {
      const [flag, variable] = addressNames(which);
      const what = t("No address for the service ({which}).", { which });
      if (profile === undefined)
        return {
          what,
          why: t("It is not set in {flag}, {variable} or a profile.", { flag, variable }),
          next: t(
            "Pass {flag} URL, set {variable}, choose a profile with -p NAME, create one with `bpos init`, or try --mock.",
            { flag, variable },
          ),
        };
      return {
        what,
        why: t("It is not set in {flag}, {variable} or the profile {profile}.", {
          flag,
          variable,
          profile: quoted(profile),
        }),
        next: t(
          "Pass {flag} URL, set {variable}, add it to that profile with `bpos profile add {profile} --update {flag} URL`, or try --mock.",
          { flag, variable, profile: shellWord(profile) },
        ),
      };
    },
  }),

  key_missing: (t) => ({
    more: t(
      "Every request needs the key of a branch. Set BPOS_API_KEY, pass --api-key-file, or save the key in a profile. --mock needs none. No flag takes the key itself, because other users of the machine could read it.",
    ),
    say: ({ profile }) => {
      const what = t("No API key.");
      if (profile === undefined)
        return {
          what,
          why: t("It is not set in the environment or a profile."),
          next: t(
            "Set BPOS_API_KEY, choose a profile that has a key with -p NAME, create one with `bpos init`, or try --mock.",
          ),
        };
      return {
        what,
        why: t("It is not set in the environment or the profile {profile}.", { profile: quoted(profile) }),
        next: t(
          "Set BPOS_API_KEY, add it to that profile with `bpos profile add {profile} --update --api-key-file FILE`, or try --mock.",
          { profile: shellWord(profile) },
        ),
      };
    },
  }),
} satisfies Partial<Reasons>;

const sourceText = (source: string, t: T): string => (source === "-" ? t("standard input") : source);

/** A key or another secret with an unusable value. */
const secretReasons = {
  key_unreadable: (t) => ({
    why: t("The file must contain only the key, on one line of at most 512 characters, without accents."),
    say: ({ source, detail }) => ({
      what: t("No API key in {source}: {detail}.", {
        source: sourceText(source, t),
        detail: detailWords(detail, t),
      }),
      next:
        typeof detail === "object" && detail.kind === "key_as_file"
          ? t(
              "--api-key-file takes a file name: save the key in a file and pass its name. Or set BPOS_API_KEY, or try --mock.",
            )
          : t("Correct the file, set BPOS_API_KEY instead, or try --mock."),
    }),
  }),

  secret_unusable: (t) => ({
    why: t("Without the secret anyone could post replies."),
    next: t(
      "Create one with `openssl rand -hex 24` in a file of mode 0600, and give the service an address that ends in /SECRET.",
    ),
    say: ({ source, detail }) => ({
      what: t("No webhook secret in {source}: {detail}.", {
        source: sourceText(source, t),
        detail: detailWords(detail, t),
      }),
    }),
  }),

  key_command_failed: (t) => ({
    why: t("The profile reads its key from the first line that this command prints."),
    next: t(
      "Run that command by hand: a password manager might have to be unlocked first. Or set BPOS_API_KEY.",
    ),
    say: ({ profile, problem }) => ({
      what: t("key_command of the profile {profile}: {problem}.", {
        profile: quoted(profile),
        problem: keyCommandWords(problem, t),
      }),
    }),
  }),
} satisfies Partial<Reasons>;

/** The existing profiles, when the named one is missing. */
function knownProfiles({ file, known, similar }: ErrorFacts["profile_missing"], t: T): string {
  if (known.length === 0) return t("{file} has no profiles.", { file });
  const facts = { file, known: known.join(", ") };
  return similar === null
    ? t("{file} has: {known}.", facts)
    : t("{file} has: {known}. Did you mean {similar}?", { ...facts, similar: quoted(similar) });
}

const profileReasons = {
  profile_missing: (t) => ({
    more: t(
      "No profile has the name in -p, in BPOS_PROFILE or in the default of the profile file. `bpos profile list` shows the profiles.",
    ),
    say: (facts) => {
      const what = t("Profile {name} not found.", { name: quoted(facts.name) });
      const why = knownProfiles(facts, t);
      if (facts.known.length === 0)
        return { what, why, next: t("Create one with `bpos init`, or use BPOS_API_KEY or --mock.") };
      return {
        what,
        why,
        next: facts.isArgument
          ? t(
              "Use one of those, or add a profile with `bpos init` or `bpos profile add NAME --base-url URL --api-key-file FILE`.",
            )
          : t(
              "Choose one of those with -p NAME, create this one with `bpos init`, or use BPOS_API_KEY or --mock.",
            ),
      };
    },
  }),

  profiles_none: (t) => ({
    why: t("The address and key of each branch come from its profile."),
    next: t("Create one for each branch with `bpos init`, or leave out --all-profiles."),
    say: ({ file }) => ({ what: t("--all-profiles found no profile in {file}.", { file }) }),
  }),

  station_not_found: (t) => ({
    next: t("`bpos profile station list` shows its stations."),
    more: t("The profile has no station with this name."),
    say: (facts) => ({
      what: t("The station {name} does not exist.", { name: quoted(facts.name) }),
      why: knownStations(facts, t),
    }),
  }),
} satisfies Partial<Reasons>;

/** The command that removes the rights of others. */
const chmodLine = (open: readonly OpenPath[]): string =>
  open.flatMap((each) => ("fix" in each ? `chmod ${each.fix} ${shellWord(each.path)}` : [])).join(" && ");

/** The file of profiles, which holds keys. */
const configReasons = {
  config_open: (t) => ({
    why: t("The profile file contains keys. Only you should be able to read or change it."),
    say: ({ open }) => {
      const stranger = open.find((each) => "owner" in each);
      if (stranger !== undefined)
        return {
          what: t("{path} belongs to another user of this machine (user id {owner}).", {
            path: stranger.path,
            owner: stranger.owner,
          }),
          next: t("Run bpos as that user, or set BPOS_HOME to your own folder."),
        };
      const paths = open.map(({ path, mode }) => t("{path} (mode {mode})", { path, mode }));
      return {
        what: t("Other users of this machine can access {paths}.", { paths: paths.join(` ${t("and")} `) }),
        next: t("Run `{command}`.", { command: chmodLine(open) }),
      };
    },
  }),

  config_unreadable: (t) => ({
    why: t("bpos keeps its profiles in that file, and it cannot be used."),
    next: t("Correct the file, or move it away: BPOS_API_KEY and the flags work without profiles."),
    say: ({ file, detail }) => ({ what: about(file, detailWords(detail, t), t) }),
  }),
} satisfies Partial<Reasons>;

/** Settings of the connection to the service. */
const networkReasons = {
  tls_unchecked: (t) => ({
    why: t("Node would accept any certificate, and someone in between could read the key and the orders."),
    next: t("Unset NODE_TLS_REJECT_UNAUTHORIZED. To trust your own certificate, use --ca-file FILE."),
    say: ({ origin }) => ({
      what: t("NODE_TLS_REJECT_UNAUTHORIZED=0 is set, and {origin} is not this machine.", { origin }),
    }),
  }),

  proxy_unusable: (t) => ({
    more: t(
      "HTTPS_PROXY or HTTP_PROXY has no usable address. Set it to http://HOST:PORT, with USER:PASSWORD@ before the host if the proxy needs it, or unset it.",
    ),
    say: ({ variable, scheme }) => ({
      what:
        scheme === undefined
          ? t("{variable} is not a proxy address.", { variable })
          : t("{variable} is a {scheme}:// proxy, but bpos supports only http:// and https://.", {
              variable,
              scheme,
            }),
      next: t(
        "Set {variable} to http://HOST:PORT or http://USER:PASSWORD@HOST:PORT (special characters percent-encoded), unset it, or list the service's host in NO_PROXY.",
        { variable },
      ),
    }),
  }),

  ca_file_unusable: (t) => ({
    why: t("The --ca-file file must contain certificates in PEM format."),
    say: ({ file, problem }) => {
      const { what, next } = caFileWords(problem, t);
      return { what: about(file, what, t), next };
    },
  }),

  client_cert_unusable: (t) => ({
    why: t(
      "A client certificate and its key are PEM files: --client-cert and --client-key, or client_cert and client_key in the profile.",
    ),
    say: ({ file, problem }) => {
      const { what, next } = clientCertWords(problem, t);
      return { what: about(file, what, t), next };
    },
  }),
} satisfies Partial<Reasons>;

/** Reasons of settings: flags, environment and profiles. */
export const settingsReasons = {
  ...neededReasons,
  ...secretReasons,
  ...profileReasons,
  ...configReasons,
  ...networkReasons,
} satisfies Partial<Reasons>;
