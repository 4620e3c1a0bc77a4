import type { Finding, Origin, Which } from "../../errors/findings.ts";
import type { Detail } from "../../errors/problems.ts";
import type { Failure } from "../../errors.ts";
import { type DecimalSign, quoted, resumed, shellWord } from "../../texts/phrases.ts";
import type { CheckWords, ErrorTexts } from "../shapes.ts";
import { rowsKnowing, textFor } from "../template.ts";

const toSpan = (ms: number): string =>
  ms < 120_000
    ? `${Math.round(ms / 1000)} s`
    : ms < 7_200_000
      ? `${Math.round(ms / 60_000)} min`
      : `${Math.round(ms / 3_600_000)} h`;

type Work = Extract<Finding, { kind: "work" }>;
type Profile = Extract<Finding, { kind: "profile" }>;
type Process = Work["processes"][number];

export const processWords = textFor<Process>();
export const unknownKeyWords = textFor<Profile["unknown"][number]>();

interface WorkFacts {
  /** The sends that are not finished, and the command that finishes them. */
  sends: string | undefined;
  resume: string;
  /** The file of a push that is not complete; `isStdin`: there is no file to push again. */
  push: string | undefined;
  isStdin: boolean;
  again: string;
  hasBoth: boolean;
}

interface DoctorSays {
  detail: (detail: Detail) => string;
  errors: ErrorTexts;
  /** What to do where the command that gives a key is too slow. */
  slowKeyNext: string;
  untrustedNext: string;
  clientCertNext: string;
  sources: Readonly<Record<Origin["kind"], (name: string) => string>>;
  size: (bytes: number, sign: DecimalSign | undefined) => string;
  date: (iso: string) => string;
  time: (iso: string) => string;
  form: Readonly<Record<"npm" | "binary" | "deb", string>>;
  use: Readonly<Record<Which, string>>;
  used: (facts: { shown: string; use: string; variable: string }) => string;
  process: (process: Process) => string;
  unknownKey: (key: Profile["unknown"][number]) => string;
}

export const usedWords = textFor<{ shown: string; use: string; variable: string }>();

const noWork = { sends: undefined, resume: "", push: undefined, isStdin: false, again: "", hasBoth: false };

function toWork({ processes, sends, push, profile, isMock }: Work): WorkFacts {
  if (processes.length > 0) return noWork;
  const options = `${isMock ? " --mock" : ""}${profile === null ? "" : ` -p ${shellWord(profile)}`}`;
  const [first, second] = sends;
  const named = sends.map(({ ref, people }) => `${quoted(ref)} (${people})`).join(", ");
  const file = push?.file ?? "-";
  return {
    sends: named === "" ? undefined : named,
    resume: resumed(second === undefined ? first?.ref : undefined).replace(/`$/, `${options}\``),
    push: push === null ? undefined : file,
    hasBoth: first !== undefined && push !== null,
    isStdin: file === "-",
    again: `\`bpos catalog push ${shellWord(file)}${options}\``,
  };
}

function readFailure(failure: Failure, { errors, slowKeyNext }: DoctorSays): Required<CheckWords> {
  const { what, why, next } = errors.say(failure.reason, failure.facts);
  const isSlow = failure.reason === "key_command_failed" && failure.facts.problem.kind === "timeout";
  return {
    detail: failure.reason === "usage_flag" && why !== "" ? why : `${what} ${why}`.trimEnd(),
    remedy: isSlow ? slowKeyNext : next,
  };
}

const toSkew = (aheadMs: number | undefined) => ({
  isUnknown: aheadMs === undefined,
  span: toSpan(Math.abs(aheadMs ?? 0)),
  isBehind: aheadMs !== undefined && aheadMs < 0,
});

/** What each check found, and what to do about it. */
export const findingsIn = (say: DoctorSays) => {
  const from = (source: Origin | null): string | undefined =>
    source === null ? undefined : say.sources[source.kind](source.name);
  const detail = (value: { detail: Detail }) => ({ detail: say.detail(value.detail) });

  return rowsKnowing<Finding, "detail", "remedy">()({
    address: ({ url, source }) => ({
      texts: { detail: source === null ? url : `${url} (${from(source) ?? ""})` },
    }),
    client_cert: ({ until, days, open }) => ({
      until: say.date(until),
      isOver: days < 0,
      chmod: open === undefined ? undefined : `chmod 600 ${shellWord(open)}`,
    }),
    clock: ({ aheadMs, mockTime }) => ({ ...toSkew(aheadMs), mockTime: mockTime && say.time(mockTime) }),
    disk: ({ free, exists, sign }) => ({
      free: free === null ? undefined : say.size(free, sign),
      isMissing: !exists,
    }),
    dns: ({ host, address }) => ({
      address: address === host ? undefined : (address ?? undefined),
    }),
    failure: ({ failure }) => ({ texts: readFailure(failure, say) }),
    http_failed: detail,
    http_not_service: ({ detail: why, which, quote }) => ({
      detail: say.detail(why),
      use: say.use[which],
      flag: which === "base_url" ? "--base-url" : "--campaigns-url",
      quote,
    }),
    journal: ({ bytes, sign }) => ({ size: bytes === null ? undefined : say.size(bytes, sign) }),
    key: ({ source, file = "" }) => ({ from: from(source), chmod: `chmod 600 ${shellWord(file)}` }),
    node: ({ form }) => ({ form: say.form[form] }),
    profile: ({ source, isSandbox, unknown }) => ({
      from: from(source) ?? "",
      sandbox: isSandbox ? "SANDBOX" : undefined,
      unknown: unknown.map(({ key }) => key),
      texts: { remedy: unknown.map(say.unknownKey).join(" ") },
    }),
    proxy: ({ used }) => ({
      used: used
        .map(({ which, shown, variable }) => say.used({ shown, use: say.use[which], variable }))
        .join("; "),
    }),
    tls: ({ until }) => ({ until: say.date(until) }),
    tls_client: (value) => ({ ...detail(value), clientCertNext: say.clientCertNext }),
    tls_failed: detail,
    tls_untrusted: (value) => ({ ...detail(value), untrustedNext: say.untrustedNext }),
    unreached: detail,
    work: (work) => ({
      ...toWork(work),
      processes: work.processes.map(say.process),
      count: work.processes.length,
    }),
  });
};
