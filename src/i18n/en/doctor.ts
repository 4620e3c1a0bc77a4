import type { CertificateFault, CheckName, ErrorFacts, ErrorReason, Finding, Which } from "../../errors.ts";
import { capitalised, ended, quoted, quotedList, resumed, shellWord, sizeText, times } from "../phrases.ts";
import { type CheckWords, errorWords, type Words } from "../shapes.ts";
import { detailWords, proxyNext, untrustedNext } from "./call-errors.ts";
import { errors } from "./errors.ts";
import { profile as profileWords } from "./profiles.ts";

const steps = { dns: "Name", tcp: "Connection", tls: "TLS", http: "Answer" };

/** How each row begins; the steps of an address stand below it. */
const labels: Readonly<Record<CheckName, string>> = {
  node: "Node.js",
  config: "Settings file",
  profile: "Profile",
  key: "Key",
  ca_file: "CA file",
  certificates: "Certificates",
  base_url: "Orders address",
  base_url_dns: `  ${steps.dns}`,
  base_url_tcp: `  ${steps.tcp}`,
  base_url_tls: `  ${steps.tls}`,
  base_url_http: `  ${steps.http}`,
  campaigns_base_url: "Campaigns address",
  campaigns_base_url_dns: `  ${steps.dns}`,
  campaigns_base_url_tcp: `  ${steps.tcp}`,
  campaigns_base_url_tls: `  ${steps.tls}`,
  campaigns_base_url_http: `  ${steps.http}`,
  proxy: "Proxy",
  base_url_access: "Key for orders",
  campaigns_base_url_access: "Key for campaigns",
  clock: "Clock",
  journal: "Journal",
  unfinished: "Unfinished work",
  disk: "Disk",
};

/** A row by a name that stands alone. */
function rowName(name: CheckName): string {
  const isStep = labels[name].startsWith(" ");
  const above = name.startsWith("campaigns") ? labels.campaigns_base_url : labels.base_url;
  return isStep ? `${above}, ${labels[name].trim()}` : labels[name];
}

const use: Readonly<Record<Which, string>> = {
  base_url: "orders and catalog",
  campaigns_base_url: "campaigns",
};
const flagOf = (which: Which): string => (which === "base_url" ? "--base-url" : "--campaigns-url");
const size = (bytes: number): string => sizeText(bytes, ".");
const days = (n: number): string => times(n, "day", "days");
const minutes = (ms: number): string => times(Math.round(Math.abs(ms) / 60_000), "minute", "minutes");
const from = (source: { kind: keyof typeof profileWords.sources; name: string } | null): string =>
  source === null ? "" : ` (${profileWords.sources[source.kind](source.name)})`;

const lookUpCodes: Readonly<Record<string, string>> = {
  ENOTFOUND: "nobody knows this name (ENOTFOUND)",
  EAI_AGAIN: "no name server answers (EAI_AGAIN)",
};

const certificates: Readonly<Record<CertificateFault, (host: string) => string>> = {
  expired: () => "it has ended",
  not_yet: () => "it is not valid yet",
  other_host: (host) => `it is not for ${host}`,
  unknown_ca: () => "this machine does not know who issued it",
  other: () => "it does not hold",
};

function certificateNext(fault: CertificateFault): string {
  if (fault === "expired" || fault === "not_yet")
    return "Check this machine's clock. If it is right, whoever runs the service must renew the certificate.";
  return fault === "other_host"
    ? "Check the host in the address: the answer comes from another one."
    : untrustedNext;
}

const addressNext = (which: Which): string =>
  `Check the address for ${use[which]}, path included. Try another with \`bpos doctor ${flagOf(which)} URL\`.`;

const slowKeyNext =
  "If it asks for a passphrase, give it time: `bpos doctor --timeout 60s`. Otherwise run it by hand.";

function failureWords<R extends ErrorReason>(reason: R, facts: ErrorFacts[R]): CheckWords {
  const { what, why, next } = errorWords(errors, reason, facts);
  // A check sends nothing anyway.
  const plain = why.replace(/ ?Nothing was sent\./, "");
  return { detail: reason === "usage_flag" ? plain : `${what} ${plain}`.trimEnd(), remedy: next };
}

const aboutMachine = {
  node: ({ version, bpos, oldest, isGood }) => ({
    detail: `${version}, with bpos ${bpos}${isGood ? "" : `: bpos needs ${oldest} or newer`}`,
    ...(!isGood && { remedy: `Install Node.js ${oldest} or newer from https://nodejs.org.` }),
  }),
  config_none: ({ file }) => ({
    detail: `none yet: ${file} does not exist. \`bpos init\` creates it.`,
  }),
  config_good: ({ file, profiles, isPrivate }) => ({
    detail: `${file}, ${times(profiles, "profile", "profiles")}${isPrivate ? ", for its owner alone" : ""}`,
  }),
  profile_none: () => ({ detail: "none: only flags and the environment" }),
  profile_unneeded: () => ({ detail: "none: the mock needs no profile" }),
  profile_used: ({ name, source, isSandbox }) => ({
    detail: `${name}${from(source)}${isSandbox ? ", SANDBOX" : ""}`,
  }),
  profile_unread: ({ name, keys }) => ({
    detail: `${name}: ${quotedList(keys.map(({ key }) => key))} ${keys.length === 1 ? "is" : "are"} unknown`,
    remedy: keys
      .map(({ key, similar }) =>
        similar === null
          ? `Remove ${quoted(key)} from the profile.`
          : `Write ${similar} instead of ${quoted(key)}.`,
      )
      .join(" "),
  }),
  clock_good: ({ aheadMs }) => ({
    detail: `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs < 0 ? "behind" : "ahead of"} the service's`,
  }),
  clock_off: ({ aheadMs }) => ({
    detail: `${minutes(aheadMs)} ${aheadMs > 0 ? "ahead of" : "behind"} the service's`,
    remedy: "Set this machine's clock: the time of a push decides which price counts.",
  }),
  clock_ahead: ({ aheadMs }) => ({
    detail: `${minutes(aheadMs)} ahead of the service's: bpos does not push products`,
    remedy: "Set this machine's clock. If the service's clock is wrong, push with --force.",
  }),
  clock_unknown: () => ({ detail: "the service does not tell its time" }),
  journal_none: ({ file }) => ({ detail: `none yet: ${file} is created when needed` }),
  journal_good: ({ file, bytes }) => ({ detail: `intact: ${file}, ${size(bytes)}` }),
  journal_in_memory: () => ({ detail: "in memory: the mock's world ends with each command" }),
  journal_busy: ({ file }) => ({
    detail: `${file} is in use by another bpos at this moment`,
    remedy: "Run `bpos doctor` again when that one has ended.",
  }),
  journal_damaged: ({ file, said }) => ({
    detail: `${file} is damaged, or not a journal of bpos: ${ended(said)}`,
    remedy: `Stop every bpos and restore a backup. Without one, move it and the files beside it away: an empty journal does not know what was delivered and sent.`,
  }),
  journal_unreadable: ({ file, said }) => ({
    detail: `${file} cannot be read: ${ended(said)}`,
    remedy: `Check who owns it: \`ls -l ${shellWord(file)}\`. The user that runs bpos must be able to read and write it and its folder.`,
  }),
  journal_newer: ({ file }) => ({
    detail: `${file} was written by a newer bpos`,
    remedy: "Install the newest bpos on this machine.",
  }),
  work_none: () => ({ detail: "none" }),
  work_under_way: ({ pids }) => ({
    detail: `under way in ${pids.length === 1 ? "process" : "processes"} ${pids.join(", ")}`,
  }),
  work_open: ({ sends, push, profile, isMock }) => {
    const [first] = sends;
    const options = `${isMock ? " --mock" : ""}${profile === null ? "" : ` -p ${shellWord(profile)}`}`;
    const named = sends.slice(0, 3).map(({ ref, people }) => `${quoted(ref)} (${people})`);
    const more = sends.length > 3 ? ` and ${sends.length - 3} more` : "";
    const file = push?.file ?? null;
    const parts = [
      ...(first === undefined ? [] : [`campaigns not finished: ${named.join(", ")}${more}`]),
      ...(push === null ? [] : [`a catalog push not complete${file === null ? "" : `: ${file}`}`]),
    ];
    const isOne = sends.length === 1;
    const steps = [
      ...(first === undefined ? [] : [resumed(isOne ? first.ref : undefined).replace(/`$/, `${options}\``)]),
      ...(push === null
        ? []
        : [
            file === null || file === "-"
              ? "the same push again"
              : `\`bpos catalog push ${shellWord(file)}${options}\``,
          ]),
    ];
    return {
      detail: parts.join("; "),
      remedy: `Finish it: ${steps.join(", then ")}. Nothing is sent twice.`,
    };
  },
  disk_good: ({ folder, free, exists }) => ({
    detail: `${free === null ? "an unknown amount" : size(free)} free for ${folder}${exists ? "" : "; created when needed"}`,
  }),
  disk_low: ({ folder, free }) => ({
    detail: `only ${size(free)} free for ${folder}`,
    remedy: "Free space: without the journal nothing is sent.",
  }),
  disk_unwritable: ({ folder, said }) => ({
    detail: `${folder} cannot be written: ${ended(said)}`,
    remedy: "Give the user that runs bpos that folder, or name another one with BPOS_HOME.",
  }),
} satisfies Partial<Words<Finding, CheckWords>>;

const aboutService = {
  key_found: ({ shown, source }) => ({ detail: `${shown}${from(source)}` }),
  key_printed: ({ shown, profile }) => ({ detail: `${shown} (key_command of the profile ${profile})` }),
  key_of_mock: ({ shown, branch }) => ({ detail: `${shown} (the mock's, branch ${branch})` }),
  key_file_open: ({ shown, file }) => ({
    detail: `${shown} (flag --api-key-file); others on this machine can read ${file}`,
    remedy: `Run: chmod 600 ${shellWord(file)}`,
  }),
  ca_file_good: ({ file }) => ({ detail: `the certificates in ${file} are also trusted` }),
  address_good: ({ url, source }) => ({ detail: `${url}${from(source)}` }),
  address_absent: ({ which, profile }) => ({
    detail: `not set: commands for ${use[which]} need it`,
    remedy: `If you use ${use[which]}: ${
      profile === null
        ? `give ${flagOf(which)} URL, or set ${which === "base_url" ? "BPOS_BASE_URL" : "BPOS_CAMPAIGNS_URL"}.`
        : `\`bpos profile add ${shellWord(profile)} --update ${flagOf(which)} URL\`.`
    }`,
  }),
  same_server: () => ({ detail: "the same server as for orders and catalog" }),
  dns_found: ({ host, address, service }) => {
    const found = address === null || address === host ? host : `${host} is ${address}`;
    return { detail: service === null ? found : `${found}; the proxy itself looks up ${service}` };
  },
  dns_failed: ({ host, code }) => ({
    detail: `${host} was not found: ${lookUpCodes[code] ?? code}`,
    remedy: "Check the spelling of the host, and this machine's network and name server.",
  }),
  tcp_open: ({ to, via }) => ({ detail: via === null ? to : `${to}, through the proxy ${via}` }),
  tcp_failed: ({ to, detail, isLocal }) => ({
    detail: `${to} does not accept connections: ${detailWords(detail)}`,
    remedy: isLocal
      ? "Check that the program runs there; a mock is started with `bpos mock`."
      : "Check host and port, and whether a firewall is in between; in a network with a proxy set HTTPS_PROXY. If all of that is right, the service is down: try again later.",
  }),
  proxy_failed: ({ detail, trouble }) => ({
    detail: capitalised(detailWords(detail)),
    remedy: proxyNext(trouble),
  }),
  tls_unneeded: () => ({ detail: "none needed: http, within this machine or its network" }),
  tls_absent: ({ host }) => ({
    detail: `none: the key goes to ${host} unencrypted`,
    remedy: "Use the address that begins with https://.",
  }),
  tls_good: ({ days: left, until, issuer }) => ({
    detail: `certificate good for ${days(left)}, until ${until} (${issuer})`,
  }),
  tls_ending: ({ days: left, until, issuer }) => ({
    detail: `certificate good for ${days(left)} only, until ${until} (${issuer})`,
    remedy: "Ask whoever runs the service to renew it.",
  }),
  tls_untrusted: ({ fault, said, host }) => ({
    detail: `certificate refused: ${certificates[fault](host)} (${said})`,
    remedy: certificateNext(fault),
  }),
  tls_failed: ({ detail }) => ({
    detail: `no TLS there: ${detailWords(detail)}`,
    remedy: "Check the port, and whether the address should begin with http:// instead.",
  }),
  http_good: ({ status, ms }) => ({ detail: `the service answers in ${ms} ms (${status})` }),
  http_not_service: ({ status, which, detail, quote }) => ({
    detail: `${status}, but not from the service: ${detailWords(detail)}${quote === "" ? "" : ` ("${quote}")`}`,
    remedy: addressNext(which),
  }),
  http_moved: ({ status, which, to }) => ({
    detail: `${status}, a redirect to ${to ?? "nowhere"}, which bpos does not follow`,
    remedy: addressNext(which),
  }),
  http_busy: ({ status }) => ({
    detail: `${status}: the service is there and cannot answer now`,
    remedy: "Try again in some minutes. If it persists, tell whoever runs the service.",
  }),
  http_failed: ({ detail }) => ({
    detail: `no answer: ${ended(detailWords(detail))}`,
    remedy:
      "Try again, with more time: `bpos doctor --timeout 30s`. If it persists, tell whoever runs the service.",
  }),
  access_good: ({ which, waiting }) => ({
    detail:
      waiting === null
        ? "accepted"
        : `accepted${which === "base_url" ? `; ${times(waiting, "order waits", "orders wait")}` : ""}`,
  }),
  access_denied: ({ status, said, shown, profile }) => ({
    detail: `${status}: the service does not accept ${shown}${said === "" ? "" : ` ("${said}")`}`,
    remedy: `Ask whoever runs the service for the branch's key; to change it: ${
      profile === null
        ? "set BPOS_API_KEY."
        : `\`bpos profile add ${shellWord(profile)} --update --api-key-file FILE\`.`
    }`,
  }),
  proxy_none: () => ({ detail: "none" }),
  proxy_unneeded: () => ({
    detail: "none for these addresses: NO_PROXY names them, or they are on this machine",
  }),
  proxy_used: ({ used, direct }) => ({
    detail: [
      ...used.map(({ which, shown, variable }) => `${shown} for ${use[which]} (${variable})`),
      ...direct.map((which) => `none for ${use[which]}`),
    ].join("; "),
  }),
} satisfies Partial<Words<Finding, CheckWords>>;

const findings: Words<Finding, CheckWords> = {
  ...aboutMachine,
  ...aboutService,
  failure: ({ failure }) => {
    const { reason, facts } = failure;
    const words = failureWords(reason, facts);
    const isSlow = failure.reason === "key_command_failed" && failure.facts.problem.kind === "timeout";
    return isSlow ? { ...words, remedy: slowKeyNext } : words;
  },
  unchecked: ({ because }) => ({ detail: `not checked: first fix "${rowName(because)}"` }),
};

/** The report of `bpos doctor`. */
export const doctor = {
  title: "Check-up",
  labels,
  findings,
  summary: ({
    fails,
    warns,
    unchecked,
    exitCode,
  }: Record<"fails" | "warns" | "unchecked" | "exitCode", number>) => {
    const left = unchecked > 0 ? ` ${times(unchecked, "row was", "rows were")} not checked.` : "";
    const looks = times(warns, "warning", "warnings");
    if (fails === 0) return warns === 0 ? `All is well.${left}` : `It works, with ${looks} (!).${left}`;
    const also = warns > 0 ? ` and ${looks} (!)` : "";
    return `${times(fails, "thing", "things")} to fix (✗)${also}.${left} Exit code ${exitCode}.`;
  },
};

/** The words of `bpos doctor --help`. */
export const doctorHelp = {
  description: "Check settings, key, network, clock, journal and disk, with a remedy for each fault",
  examples: {
    "bpos doctor": "what works, what does not, and the remedy",
    "bpos doctor -p centro": "the same for one profile",
    "bpos doctor --json": "for a script; the exit code is that of the first row that fails",
    "bpos doctor -q || mail -s 'bpos' me@example.com": "for cron: silent when all is well",
  },
};
