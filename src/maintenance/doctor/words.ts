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
  file === undefined ? [] : [t("other users of this machine can read {file}", { file })];

const chmodWords = (file: string, t: T): string =>
  t("Run: {command}", { command: `chmod 600 ${shellWord(file)}` });

function clockWords(aheadMs: number | undefined, mockTime: string | null, t: T): string {
  if (aheadMs === undefined) return t("the service does not send its time");
  if (mockTime !== null)
    return t("the mock's clock says {time}; bpos shows its times by this clock", {
      time: timeText(mockTime, t),
    });
  const facts = { span: span(Math.abs(aheadMs)) };
  return t(aheadMs < 0 ? "{span} behind the service" : "{span} ahead of the service", facts);
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
    const same = t("Finish it: push the same file again. Nothing is sent twice.");
    const remedy = isStdin ? same : t("Finish it: {again}. Nothing is sent twice.", { again });
    return { detail: unfinished, remedy };
  }
  return {
    detail: `${open}; ${unfinished}`,
    remedy: isStdin
      ? t("Finish it: {resume}, then push the same file again. Nothing is sent twice.", { resume })
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
      detail: [used, ...(keys === "" ? [] : [t("unknown setting: {keys}", { keys })])].join("; "),
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
        ? t("{file} expired on {until}", { file, until })
        : t("{file}, valid for {days, plural, one {# day} other {# days}}, until {until}", {
            file,
            days,
            until,
          });
    const ask = t("Ask the issuer for a new one. The service refuses an expired certificate.");
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
    detail:
      address === null || address === host ? host : t("{host} resolves to {address}", { host, address }),
  }),
  tcp: ({ to, via }, t) => ({
    detail: via === null ? to : t("{to}, through the proxy {via}", { to, via }),
  }),
  unreached: ({ to, detail }, t) => ({
    detail: t("cannot reach {to}: {detail}", { to, detail: detailWords(detail, t) }),
    remedy: t(
      "Check the address, the port, and this machine's network and firewall. Behind a proxy, set HTTPS_PROXY. If all of that is right, the service is down: try again later. To work without it, start a mock with `bpos mock`.",
    ),
  }),
  tls_none: ({ host }, t) => ({
    detail: t("none: the key is sent to {host} unencrypted", { host }),
    remedy: t("Use an address that begins with https://."),
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
    const ended = t("If it expired, ask whoever runs the service to renew it.");
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
    remedy: t("Check the port. The address might have to begin with http:// instead."),
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
      remedy: t(
        "Check the address for {use}, including its path. To try another address, run `bpos doctor {flag} URL`.",
        {
          use: useWords(which, t),
          flag: which === "base_url" ? "--base-url" : "--campaigns-url",
        },
      ),
    };
  },
  http_failed: ({ detail }, t) => ({
    detail: t("the service is unavailable: {detail}.", { detail: detailWords(detail, t) }),
    remedy: t(
      "Try again in a few minutes, with a longer time-out: `bpos doctor --timeout 30s`. If it persists, tell whoever runs the service.",
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
      "Set this machine's clock. The time of a push decides which price counts, and pushes are refused if the clock is an hour ahead. If the service's clock is wrong, push with --force.",
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
    detail: t("another bpos is using {file}", { file }),
    remedy: t("Run `bpos doctor` again when it has finished."),
  }),
  database: ({ tls, version, name, ms }, t) => ({
    detail: t(
      tls
        ? "PostgreSQL {version} at {name} answers in {ms} ms, over TLS"
        : "PostgreSQL {version} at {name} answers in {ms} ms, without TLS",
      { version, name, ms },
    ),
    remedy: t("Use sslmode=verify-full in the address. The journal contains customers' phones."),
  }),
  database_rights: ({ user, exists }, t) => ({
    detail: t(exists ? "{user} reads and writes the schema bpos" : "{user} can create the schema bpos", {
      user,
    }),
  }),
  schema: ({ version, left }, t) => {
    const found =
      version === null ? t("none yet: created when needed") : t("version {version}, up to date", { version });
    const rest = left === null ? [] : [t("{left} was not copied to it", { left })];
    return {
      detail: [found, ...rest].join("; "),
      remedy: t(
        "While the database is empty, copy the file with `bpos journal copy`. Otherwise, unset BPOS_JOURNAL and journal, finish what is pending in the file, then move it away. Its record of who was messaged is then lost.",
      ),
    };
  },
  work: workWords,
  disk: ({ free, folder, exists, sign }, t) => ({
    detail: diskWords(free === null ? undefined : sizeText(free, sign), folder, exists, t),
    remedy: t("Free some disk space. bpos sends nothing that it cannot record in the journal."),
  }),
  disk_unwritable: ({ folder, said }, t) => ({
    detail: t("cannot write to {folder}: {said}.", { folder, said }),
    remedy: t("Give the user who runs bpos access to that folder, or set BPOS_HOME to another one."),
  }),
  unchecked: ({ because }, t) => ({
    detail: t("not checked: fix {because} first", { because }),
  }),
};

/** Says what a check found, and what to do about it, even if it passed. */
export const findingWords = (finding: OwnFinding, t: T): CheckWords => sayKind(words, finding, t);
