import type { CheckName } from "../../errors/findings.ts";
import { sizeText, times } from "../../texts/phrases.ts";
import { findingsIn, processWords, unknownKeyWords, usedWords } from "../shared/doctor.ts";
import { clientCertNext, detailWords, untrustedNext } from "./call-errors.ts";
import { errors } from "./errors.ts";
import { dates } from "./general.ts";
import { profile } from "./profiles.ts";

/** How each row begins; the steps of an address stand below it. */
const labels: Readonly<Record<CheckName, string>> = {
  node: "Node.js",
  config: "Settings file",
  profile: "Profile",
  key: "Key",
  ca_file: "CA file",
  client_cert: "Client certificate",
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

const findings = findingsIn({
  date: dates.date,
  time: dates.time,
  detail: detailWords,
  errors,
  size: (bytes, sign) => sizeText(bytes, sign ?? "."),
  sources: profile.sources,
  untrustedNext,
  clientCertNext,
  slowKeyNext:
    "If it asks for a passphrase, give it time: `bpos doctor --timeout 60s`. Otherwise run it by hand.",
  form: { npm: "npm package", binary: "executable", deb: "Debian package" },
  use: { base_url: "orders and catalog", campaigns_base_url: "campaigns" },
  used: usedWords("{shown} for {use} ({variable})"),
  process: processWords("{pid}[ on {host}]"),
  unknownKey: unknownKeyWords({
    similar: 'Write {similar} instead of "{key}".',
    else: 'Remove "{key}" from the profile.',
  }),
})({
  node: {
    detail: "{version}, with bpos {bpos} ({form})",
    remedy: "Install Node.js {oldest} or newer from https://nodejs.org.",
  },
  config: {
    detail: {
      profiles: "{file}, {profiles|profile|profiles}",
      else: "none yet: {file} does not exist. `bpos init` creates it.",
    },
  },
  no_profile: { detail: "none" },
  profile: { detail: '{name} ({from})[, {sandbox}][; unknown: "{unknown}"]' },
  key: {
    detail: "{shown}[ ({from})][; others on this machine can read {file}]",
    remedy: "Run: {chmod}",
  },
  ca_file: { detail: "the certificates in {file} are also trusted" },
  client_cert: {
    detail: {
      isOver: "{file} ended on {until}[; others on this machine can read {open}]",
      else: "{file}, good for {days|day|days}, until {until}[; others on this machine can read {open}]",
    },
    remedy: {
      chmod: "Run: {chmod}",
      else: "Ask whoever issued it for a new one: the service refuses it once it has ended.",
    },
  },
  same_server: { detail: "the same server as for orders and catalog" },
  dns: { detail: { address: "{host} is {address}", else: "{host}" } },
  tcp: { detail: "{to}[, through the proxy {via}]" },
  unreached: {
    detail: "cannot reach {to}: {detail}",
    remedy:
      "Check address and port, this machine's network and its firewall; in a network with a proxy set HTTPS_PROXY. `bpos mock` starts a mock. If all of that is right, the service is down: try again later.",
  },
  tls_none: {
    detail: "none: the key goes to {host} unencrypted",
    remedy: "Use the address that begins with https://.",
  },
  tls: {
    detail: "certificate valid for {days|day|days}, until {until} ({issuer})",
    remedy: "Ask whoever runs the service to renew it.",
  },
  tls_untrusted: {
    detail: "certificate refused: {detail}",
    remedy: "If it has expired, whoever runs the service must renew the certificate. {untrustedNext}",
  },
  tls_client: { detail: "client certificate refused, or missing: {detail}", remedy: "{clientCertNext}" },
  tls_failed: {
    detail: "no TLS there: {detail}",
    remedy: "Check the port, and whether the address should begin with http:// instead.",
  },
  http: { detail: "the service answers in {ms} ms ({status})" },
  http_not_service: {
    detail: '{status}, but not from the service: {detail}[ ("{quote}")]',
    remedy: "Check the address for {use}, path included. Try another with `bpos doctor {flag} URL`.",
  },
  http_failed: {
    detail: "the service cannot answer now: {detail}.",
    remedy:
      "Try again in some minutes, with more time: `bpos doctor --timeout 30s`. If it persists, tell whoever runs the service.",
  },
  access: { detail: "accepted[; {waiting|order waits|orders wait}]" },
  proxy: { detail: { used: "{used}", else: "none for these addresses" } },
  clock: {
    detail: {
      isUnknown: "the service does not send its time",
      mockTime: "the mock's clock says {mockTime}, and bpos shows the mock's times by it",
      isBehind: "{span} behind the service's",
      else: "{span} ahead of the service's",
    },
    remedy:
      "Set this machine's clock: the time of a push decides which price counts, and pushes are refused when the clock is an hour ahead. If the service's clock is wrong, push with --force.",
  },
  printer: { detail: { station: "{station}: {url} accepts connections", else: "{url} accepts connections" } },
  journal: { detail: { size: "intact: {file}, {size}", else: "none yet: {file} is created when needed" } },
  journal_busy: {
    detail: "{file} is in use by another bpos at this moment",
    remedy: "Run `bpos doctor` again when that one has ended.",
  },
  database: {
    detail: {
      tls: "PostgreSQL {version} at {name} answers in {ms} ms, over TLS",
      else: "PostgreSQL {version} at {name} answers in {ms} ms, without TLS",
    },
    remedy: "Use sslmode=verify-full in the address: the journal holds phones of customers.",
  },
  database_rights: {
    detail: {
      exists: "{user} reads and writes the schema bpos",
      else: "{user} may create the schema bpos",
    },
  },
  schema: {
    detail: {
      version: "version {version}, up to date[; {left} was not copied there]",
      else: "none yet: created when needed[; {left} was not copied there]",
    },
    remedy:
      "Copy it while the database is empty: `bpos journal copy`. Otherwise finish what is pending in it, with neither BPOS_JOURNAL nor journal set, then move the file away: its record of who was messaged is lost.",
  },
  work: {
    detail: {
      processes: "running in {count?process|processes} {processes}",
      sends: "unfinished campaigns: {sends}[; unfinished catalog push: {push}]",
      push: "unfinished catalog push: {push}",
      else: "none",
    },
    remedy: {
      hasBoth: {
        isStdin: "Finish it: {resume}, then the same push again. Nothing is sent twice.",
        else: "Finish it: {resume}, then {again}. Nothing is sent twice.",
      },
      sends: "Finish it: {resume}. Nothing is sent twice.",
      push: {
        isStdin: "Finish it: the same push again. Nothing is sent twice.",
        else: "Finish it: {again}. Nothing is sent twice.",
      },
    },
  },
  disk: {
    detail: {
      isMissing: {
        free: "{free} free in {folder}; created when needed",
        else: "unknown free space in {folder}; created when needed",
      },
      free: "{free} free in {folder}",
      else: "unknown free space in {folder}",
    },
    remedy: "Free disk space: without the journal, bpos sends nothing.",
  },
  disk_unwritable: {
    detail: "{folder} cannot be written: {said}.",
    remedy: "Give the user who runs bpos access to that folder, or name another one with BPOS_HOME.",
  },
  unchecked: { detail: "not checked: first fix {because}" },
});

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
