import { originWords } from "../../cli/display/origin.ts";
import type { Finding, Which } from "../../errors/findings.ts";
import { clientCertNext, untrustedNext } from "../../errors/words/calls.ts";
import { detailWords } from "../../errors/words/details.ts";
import { sayKind, type Words } from "../../texts/kinds.ts";
import {
  type DecimalSign,
  dateText,
  quoted,
  resumed,
  shellWord,
  sizeText,
  timeText,
} from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";

/** Words of a check: what it found, and what to do. */
export interface CheckWords {
  detail: string;
  remedy?: string;
}

/** Words of findings that are not errors; `sign` is the reader's decimal sign. */
type OwnFinding = Exclude<Finding, { kind: "failure" }> & { sign: DecimalSign };

type Work = Extract<Finding, { kind: "work" }>;

const span = (ms: number): string =>
  ms < 120_000
    ? `${Math.round(ms / 1000)} s`
    : ms < 7_200_000
      ? `${Math.round(ms / 60_000)} min`
      : `${Math.round(ms / 3_600_000)} h`;

const useWords = (which: Which, t: T): string => t(which === "base_url" ? "orders and catalog" : "campaigns");

const readableByOthers = (file: string | undefined, t: T): string[] =>
  file === undefined ? [] : [t("others on this machine can read {file}", { file })];

const chmodWords = (file: string, t: T): string =>
  t("Run: {command}", { command: `chmod 600 ${shellWord(file)}` });

function clockWords(aheadMs: number | undefined, mockTime: string | null, t: T): string {
  if (aheadMs === undefined) return t("the service does not send its time");
  if (mockTime !== null)
    return t("the mock's clock says {time}, and bpos shows the mock's times by it", {
      time: timeText(mockTime, t),
    });
  const facts = { span: span(Math.abs(aheadMs)) };
  return t(aheadMs < 0 ? "{span} behind the service's" : "{span} ahead of the service's", facts);
}

function processesWords(processes: Work["processes"], t: T): string {
  const named = processes.map(({ pid, host }) =>
    host === undefined ? String(pid) : t("{pid} on {host}", { pid, host }),
  );
  return t("running in {count, plural, one {process} other {processes}} {processes}", {
    count: named.length,
    processes: named.join(", "),
  });
}

/** Says what is not finished, and the command that finishes it. */
function workWords({ processes, sends, push, profile, isMock }: Work, t: T): CheckWords {
  if (processes.length > 0) return { detail: processesWords(processes, t) };
  if (sends.length === 0 && push === null) return { detail: t("none // unfinished work") };
  const options = `${isMock ? " --mock" : ""}${profile === null ? "" : ` -p ${shellWord(profile)}`}`;
  const named = sends.map(({ ref, people }) => `${quoted(ref)} (${people})`).join(", ");
  const resume = resumed(sends.length === 1 ? sends[0]?.ref : undefined).replace(/`$/, `${options}\``);
  const open = t("unfinished campaigns: {sends}", { sends: named });
  const finish = t("Finish it: {resume}. Nothing is sent twice.", { resume });
  if (push === null) return { detail: open, remedy: finish };

  const file = push.file ?? "-";
  const again = `\`bpos catalog push ${shellWord(file)}${options}\``;
  const unfinished = t("unfinished catalog push: {file}", { file });
  const isStdin = file === "-";
  if (sends.length === 0) {
    const same = t("Finish it: the same push again. Nothing is sent twice.");
    const remedy = isStdin ? same : t("Finish it: {again}. Nothing is sent twice.", { again });
    return { detail: unfinished, remedy };
  }
  return {
    detail: `${open}; ${unfinished}`,
    remedy: isStdin
      ? t("Finish it: {resume}, then the same push again. Nothing is sent twice.", { resume })
      : t("Finish it: {resume}, then {again}. Nothing is sent twice.", { resume, again }),
  };
}

function diskWords(size: string | undefined, folder: string, exists: boolean, t: T): string {
  if (size === undefined)
    return t(
      exists ? "unknown free space in {folder}" : "unknown free space in {folder}; created when needed",
      { folder },
    );
  return t(exists ? "{size} free in {folder}" : "{size} free in {folder}; created when needed", {
    size,
    folder,
  });
}

const words: Words<OwnFinding, CheckWords> = {
  node: ({ version, bpos, form, oldest }, t) => {
    const forms = { npm: t("npm package"), binary: t("executable"), deb: t("Debian package") };
    return {
      detail: t("{version}, with bpos {bpos} ({form})", { version, bpos, form: forms[form] }),
      remedy: t("Install Node.js {oldest} or newer from https://nodejs.org.", { oldest }),
    };
  },
  config: ({ file, profiles }, t) => ({
    detail:
      profiles === null
        ? t("none yet: {file} does not exist. `bpos init` creates it.", { file })
        : t("{file}, {profiles, plural, one {# profile} other {# profiles}}", { file, profiles }),
  }),
  no_profile: (_, t) => ({ detail: t("none") }),
  profile: ({ name, source, isSandbox, unknown }, t) => {
    const used = `${name} (${originWords(source, t)})${isSandbox ? ", SANDBOX" : ""}`;
    const keys = unknown.map(({ key }) => quoted(key)).join(", ");
    const rest = unknown.map(({ key, similar }) =>
      similar === null
        ? t("Remove {key} from the profile.", { key: quoted(key) })
        : t("Write {similar} instead of {key}.", { similar, key: quoted(key) }),
    );
    return {
      detail: [used, ...(keys === "" ? [] : [t("unknown: {keys}", { keys })])].join("; "),
      remedy: rest.join(" "),
    };
  },
  key: ({ shown, source, file }, t) => {
    const named = source === null ? shown : `${shown} (${originWords(source, t)})`;
    return { detail: [named, ...readableByOthers(file, t)].join("; "), remedy: chmodWords(file ?? "", t) };
  },
  ca_file: ({ file }, t) => ({ detail: t("the certificates in {file} are also trusted", { file }) }),
  client_cert: ({ file, days, until: iso, open }, t) => {
    const until = dateText(iso, t);
    const ends =
      days < 0
        ? t("{file} ended on {until}", { file, until })
        : t("{file}, good for {days, plural, one {# day} other {# days}}, until {until}", {
            file,
            days,
            until,
          });
    const ask = t("Ask whoever issued it for a new one: the service refuses it once it has ended.");
    return {
      detail: [ends, ...readableByOthers(open, t)].join("; "),
      remedy: open === undefined ? ask : chmodWords(open, t),
    };
  },
  address: ({ url, source }, t) => ({
    detail: source === null ? url : `${url} (${originWords(source, t)})`,
  }),
  same_server: (_, t) => ({ detail: t("the same server as for orders and catalog") }),
  dns: ({ host, address }, t) => ({
    detail: address === null || address === host ? host : t("{host} is {address}", { host, address }),
  }),
  tcp: ({ to, via }, t) => ({
    detail: via === null ? to : t("{to}, through the proxy {via}", { to, via }),
  }),
  unreached: ({ to, detail }, t) => ({
    detail: t("cannot reach {to}: {detail}", { to, detail: detailWords(detail, t) }),
    remedy: t(
      "Check address and port, this machine's network and its firewall; in a network with a proxy set HTTPS_PROXY. `bpos mock` starts a mock. If all of that is right, the service is down: try again later.",
    ),
  }),
  tls_none: ({ host }, t) => ({
    detail: t("none: the key goes to {host} unencrypted", { host }),
    remedy: t("Use the address that begins with https://."),
  }),
  tls: ({ days, until, issuer }, t) => ({
    detail: t("certificate valid for {days, plural, one {# day} other {# days}}, until {until} ({issuer})", {
      days,
      until: dateText(until, t),
      issuer,
    }),
    remedy: t("Ask whoever runs the service to renew it."),
  }),
  tls_untrusted: ({ detail }, t) => {
    const ended = t("If it has expired, whoever runs the service must renew the certificate.");
    return {
      detail: t("certificate refused: {detail}", { detail: detailWords(detail, t) }),
      remedy: `${ended} ${untrustedNext(t)}`,
    };
  },
  tls_client: ({ detail }, t) => ({
    detail: t("client certificate refused, or missing: {detail}", { detail: detailWords(detail, t) }),
    remedy: clientCertNext(t),
  }),
  tls_failed: ({ detail }, t) => ({
    detail: t("no TLS there: {detail}", { detail: detailWords(detail, t) }),
    remedy: t("Check the port, and whether the address should begin with http:// instead."),
  }),
  http: ({ status, ms }, t) => ({
    detail: t("the service answers in {ms} ms ({status})", { ms, status }),
  }),
  http_not_service: ({ status, detail: why, which, quote }, t) => {
    const facts = { status, detail: detailWords(why, t) };
    return {
      detail:
        quote === ""
          ? t("{status}, but not from the service: {detail}", facts)
          : t("{status}, but not from the service: {detail} ({quote})", { ...facts, quote: quoted(quote) }),
      remedy: t("Check the address for {use}, path included. Try another with `bpos doctor {flag} URL`.", {
        use: useWords(which, t),
        flag: which === "base_url" ? "--base-url" : "--campaigns-url",
      }),
    };
  },
  http_failed: ({ detail }, t) => ({
    detail: t("the service cannot answer now: {detail}.", { detail: detailWords(detail, t) }),
    remedy: t(
      "Try again in some minutes, with more time: `bpos doctor --timeout 30s`. If it persists, tell whoever runs the service.",
    ),
  }),
  access: ({ waiting }, t) => ({
    detail:
      waiting === null
        ? t("accepted // a key")
        : t("accepted; {waiting, plural, one {# order waits} other {# orders wait}}", { waiting }),
  }),
  proxy: ({ used }, t) => {
    const each = used.map(({ which, shown, variable }) =>
      t("{shown} for {use} ({variable})", { shown, use: useWords(which, t), variable }),
    );
    return { detail: each.length === 0 ? t("none for these addresses") : each.join("; ") };
  },
  clock: ({ aheadMs, mockTime }, t) => ({
    detail: clockWords(aheadMs, mockTime, t),
    remedy: t(
      "Set this machine's clock: the time of a push decides which price counts, and pushes are refused when the clock is an hour ahead. If the service's clock is wrong, push with --force.",
    ),
  }),
  printer: ({ url, station }, t) => {
    const accepts = t("{url} accepts connections", { url });
    return { detail: station === null ? accepts : `${station}: ${accepts}` };
  },
  journal: ({ file, bytes, sign }, t) => ({
    detail:
      bytes === null
        ? t("none yet: {file} is created when needed", { file })
        : t("intact: {file}, {size}", { file, size: sizeText(bytes, sign) }),
  }),
  journal_busy: ({ file }, t) => ({
    detail: t("{file} is in use by another bpos at this moment", { file }),
    remedy: t("Run `bpos doctor` again when that one has ended."),
  }),
  database: ({ tls, version, name, ms }, t) => ({
    detail: t(
      tls
        ? "PostgreSQL {version} at {name} answers in {ms} ms, over TLS"
        : "PostgreSQL {version} at {name} answers in {ms} ms, without TLS",
      { version, name, ms },
    ),
    remedy: t("Use sslmode=verify-full in the address: the journal holds phones of customers."),
  }),
  database_rights: ({ user, exists }, t) => ({
    detail: t(exists ? "{user} reads and writes the schema bpos" : "{user} may create the schema bpos", {
      user,
    }),
  }),
  schema: ({ version, left }, t) => {
    const found =
      version === null ? t("none yet: created when needed") : t("version {version}, up to date", { version });
    const rest = left === null ? [] : [t("{left} was not copied there", { left })];
    return {
      detail: [found, ...rest].join("; "),
      remedy: t(
        "Copy it while the database is empty: `bpos journal copy`. Otherwise finish what is pending in it, with neither BPOS_JOURNAL nor journal set, then move the file away: its record of who was messaged is lost.",
      ),
    };
  },
  work: workWords,
  disk: ({ free, folder, exists, sign }, t) => ({
    detail: diskWords(free === null ? undefined : sizeText(free, sign), folder, exists, t),
    remedy: t("Free disk space: without the journal, bpos sends nothing."),
  }),
  disk_unwritable: ({ folder, said }, t) => ({
    detail: t("{folder} cannot be written: {said}.", { folder, said }),
    remedy: t("Give the user who runs bpos access to that folder, or name another one with BPOS_HOME."),
  }),
  unchecked: ({ because }, t) => ({
    detail: t("not checked: first fix {because}", { because }),
  }),
};

/** Says what a check found, and what to do about it, even if it passed. */
export const findingWords = (finding: OwnFinding, t: T): CheckWords => sayKind(words, finding, t);
