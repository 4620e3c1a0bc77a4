import type { CheckName, ErrorFacts, ErrorReason, Finding, Which } from "../../errors.ts";
import { ended, quoted, quotedList, resumed, shellWord, sizeText, times } from "../phrases.ts";
import { type CheckWords, errorWords, type Words } from "../shapes.ts";
import { detailWords, untrustedNext } from "./call-errors.ts";
import { errors } from "./errors.ts";
import { dates } from "./general.ts";
import { profile as profileWords } from "./profiles.ts";

/** How each row begins; the steps of an address stand below it. */
const labels: Readonly<Record<CheckName, string>> = {
  node: "Node.js",
  config: "Settings file",
  profile: "Profile",
  key: "Key",
  ca_file: "CA file",
  certificates: "Certificates",
  base_url: "Orders address",
  base_url_dns: "  Name",
  base_url_tcp: "  Connection",
  base_url_tls: "  TLS",
  base_url_http: "  Answer",
  campaigns_base_url: "Campaigns address",
  campaigns_base_url_dns: "  Name",
  campaigns_base_url_tcp: "  Connection",
  campaigns_base_url_tls: "  TLS",
  campaigns_base_url_http: "  Answer",
  proxy: "Proxy",
  base_url_access: "Key for orders",
  campaigns_base_url_access: "Key for campaigns",
  clock: "Clock",
  printer: "Printer",
  journal: "Journal",
  journal_rights: "  Rights",
  journal_schema: "  Schema",
  unfinished: "Unfinished work",
  disk: "Disk",
};

const use: Readonly<Record<Which, string>> = {
  base_url: "orders and catalog",
  campaigns_base_url: "campaigns",
};
const size = (bytes: number): string => sizeText(bytes, ".");
const span = (ms: number): string =>
  ms < 120_000
    ? `${Math.round(ms / 1000)} s`
    : ms < 7_200_000
      ? `${Math.round(ms / 60_000)} min`
      : `${Math.round(ms / 3_600_000)} h`;
const from = (source: { kind: keyof typeof profileWords.sources; name: string } | null): string =>
  source === null ? "" : ` (${profileWords.sources[source.kind](source.name)})`;

const slowKeyNext =
  "If it asks for a passphrase, give it time: `bpos doctor --timeout 60s`. Otherwise run it by hand.";

function failureWords<R extends ErrorReason>(reason: R, facts: ErrorFacts[R]): CheckWords {
  const { what, why, next } = errorWords(errors, reason, facts);
  // A check sends nothing anyway.
  const plain = why.replace(/ ?Nothing was sent\./, "");
  return { detail: reason === "usage_flag" ? plain : `${what} ${plain}`.trimEnd(), remedy: next };
}

type Work = Extract<Finding, { kind: "work" }>;

function workWords({ processes, sends, push, profile, isMock }: Work): CheckWords {
  if (processes.length > 0) {
    const named = processes.map(({ pid, host }) => (host === undefined ? `${pid}` : `${pid} on ${host}`));
    return { detail: `running in ${named.length === 1 ? "process" : "processes"} ${named.join(", ")}` };
  }
  if (sends.length === 0 && push === null) return { detail: "none" };
  const options = `${isMock ? " --mock" : ""}${profile === null ? "" : ` -p ${shellWord(profile)}`}`;
  const [first, second] = sends;
  const named = sends.map(({ ref, people }) => `${quoted(ref)} (${people})`).join(", ");
  const resume = resumed(second === undefined ? first?.ref : undefined).replace(/`$/, `${options}\``);
  const file = push?.file ?? "-";
  const again = file === "-" ? "the same push again" : `\`bpos catalog push ${shellWord(file)}${options}\``;
  const parts = [
    ...(first === undefined ? [] : [{ what: `campaigns not finished: ${named}`, step: resume }]),
    ...(push === null ? [] : [{ what: `a catalog push not complete: ${file}`, step: again }]),
  ];
  return {
    detail: parts.map(({ what }) => what).join("; "),
    remedy: `Finish it: ${parts.map(({ step }) => step).join(", then ")}. Nothing is sent twice.`,
  };
}

const findings: Words<Finding, CheckWords> = {
  node: ({ version, bpos, oldest }) => ({
    detail: `${version}, with bpos ${bpos}`,
    remedy: `Install Node.js ${oldest} or newer from https://nodejs.org.`,
  }),
  config: ({ file, profiles }) => ({
    detail:
      profiles === null
        ? `none yet: ${file} does not exist. \`bpos init\` creates it.`
        : `${file}, ${times(profiles, "profile", "profiles")}`,
  }),
  no_profile: () => ({ detail: "none" }),
  profile: ({ name, source, isSandbox, unknown }) => ({
    detail: `${name}${from(source)}${isSandbox ? ", SANDBOX" : ""}${
      unknown.length === 0 ? "" : `; unknown: ${quotedList(unknown.map(({ key }) => key))}`
    }`,
    remedy: unknown
      .map(({ key, similar }) =>
        similar === null
          ? `Remove ${quoted(key)} from the profile.`
          : `Write ${similar} instead of ${quoted(key)}.`,
      )
      .join(" "),
  }),
  key: ({ shown, source, file }) => ({
    detail: `${shown}${from(source)}${file === undefined ? "" : `; others on this machine can read ${file}`}`,
    remedy: `Run: chmod 600 ${shellWord(file ?? "")}`,
  }),
  ca_file: ({ file }) => ({ detail: `the certificates in ${file} are also trusted` }),
  address: ({ url, source }) => ({ detail: `${url}${from(source)}` }),
  same_server: () => ({ detail: "the same server as for orders and catalog" }),
  dns: ({ host, address }) => ({
    detail: address === null || address === host ? host : `${host} is ${address}`,
  }),
  tcp: ({ to, via }) => ({ detail: via === null ? to : `${to}, through the proxy ${via}` }),
  unreached: ({ to, detail }) => ({
    detail: `${to} was not reached: ${detailWords(detail)}`,
    remedy:
      "Check address and port, this machine's network and its firewall; in a network with a proxy set HTTPS_PROXY. A mock is started with `bpos mock`. If all of that is right, the service is down: try again later.",
  }),
  tls_none: ({ host }) => ({
    detail: `none: the key goes to ${host} unencrypted`,
    remedy: "Use the address that begins with https://.",
  }),
  tls: ({ days, until, issuer }) => ({
    detail: `certificate good for ${times(days, "day", "days")}, until ${dates.date(until)} (${issuer})`,
    remedy: "Ask whoever runs the service to renew it.",
  }),
  tls_untrusted: ({ detail }) => ({
    detail: `certificate refused: ${detailWords(detail)}`,
    remedy: `If it has expired, whoever runs the service must renew the certificate. ${untrustedNext}`,
  }),
  tls_failed: ({ detail }) => ({
    detail: `no TLS there: ${detailWords(detail)}`,
    remedy: "Check the port, and whether the address should begin with http:// instead.",
  }),
  http: ({ status, ms }) => ({ detail: `the service answers in ${ms} ms (${status})` }),
  http_not_service: ({ status, which, detail, quote }) => ({
    detail: `${status}, but not from the service: ${detailWords(detail)}${quote === "" ? "" : ` ("${quote}")`}`,
    remedy: `Check the address for ${use[which]}, path included. Try another with \`bpos doctor ${
      which === "base_url" ? "--base-url" : "--campaigns-url"
    } URL\`.`,
  }),
  http_failed: ({ detail }) => ({
    detail: `the service cannot answer now: ${ended(detailWords(detail))}`,
    remedy:
      "Try again in some minutes, with more time: `bpos doctor --timeout 30s`. If it persists, tell whoever runs the service.",
  }),
  access: ({ waiting }) => ({
    detail: waiting === null ? "accepted" : `accepted; ${times(waiting, "order waits", "orders wait")}`,
  }),
  proxy: ({ used }) => ({
    detail:
      used.map(({ which, shown, variable }) => `${shown} for ${use[which]} (${variable})`).join("; ") ||
      "none for these addresses",
  }),
  clock: ({ aheadMs, isMock }) => ({
    detail:
      aheadMs === undefined
        ? "the service does not tell its time"
        : `${span(Math.abs(aheadMs))} ${aheadMs < 0 ? "behind" : "ahead of"} the ${isMock ? "mock's, which decides the age of orders" : "service's"}`,
    remedy:
      "Set this machine's clock: the time of a push decides which price counts, and pushes are refused when the clock is an hour ahead. If the service's clock is wrong, push with --force.",
  }),
  printer: ({ url }) => ({ detail: `${url} takes connections` }),
  journal: ({ file, bytes }) => ({
    detail: bytes === null ? `none yet: ${file} is created when needed` : `intact: ${file}, ${size(bytes)}`,
  }),
  database: ({ name, version, ms, tls }) => ({
    detail: `PostgreSQL ${version} at ${name} answers in ${ms} ms, ${tls ? "over TLS" : "without TLS"}`,
    remedy: "Use sslmode=verify-full in the address: the journal holds phones of customers.",
  }),
  database_rights: ({ user, exists }) => ({
    detail: exists ? `${user} reads and writes the schema bpos` : `${user} may create the schema bpos`,
  }),
  schema: ({ version, left }) => {
    const there = version === null ? "none yet: created when needed" : `version ${version}, up to date`;
    return {
      detail: left === null ? there : `${there}; ${left} was not copied there`,
      remedy:
        "Copy it while the database is empty: `bpos journal copy`. Otherwise finish what is pending in it, with neither BPOS_JOURNAL nor journal set, then move the file away: its record of who was messaged is lost.",
    };
  },
  journal_busy: ({ file }) => ({
    detail: `${file} is in use by another bpos at this moment`,
    remedy: "Run `bpos doctor` again when that one has ended.",
  }),
  work: workWords,
  disk: ({ folder, free, exists }) => ({
    detail: `${free === null ? "an unknown amount" : size(free)} free for ${folder}${exists ? "" : "; created when needed"}`,
    remedy: "Free space: without the journal nothing is sent.",
  }),
  disk_unwritable: ({ folder, said }) => ({
    detail: `${folder} cannot be written: ${ended(said)}`,
    remedy: "Give the user that runs bpos that folder, or name another one with BPOS_HOME.",
  }),
  failure: ({ failure }) => {
    const words = failureWords(failure.reason, failure.facts);
    const isSlow = failure.reason === "key_command_failed" && failure.facts.problem.kind === "timeout";
    return isSlow ? { ...words, remedy: slowKeyNext } : words;
  },
  unchecked: ({ because }) => ({ detail: `not checked: first fix ${because}` }),
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
