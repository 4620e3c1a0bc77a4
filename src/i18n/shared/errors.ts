import type {
  ClientCertProblem,
  CopyProblem,
  Detail,
  FileProblem,
  KeyCommandProblem,
  LayoutProblem,
  MessageFailure,
  UsageProblem,
  WorldProblem,
} from "../../errors/problems.ts";
import type {
  CaFileProblem,
  ErrorFacts,
  ErrorReason,
  ExecEnd,
  HeaderProblem,
  HeaderUnreachable,
  PrinterProblem,
} from "../../errors.ts";
import { addressNames, chmodLine, ownedByOthers, resumed } from "../../texts/phrases.ts";
import {
  type ErrorWords,
  type FitRows,
  type Known,
  type Rows,
  sayRow,
  type Text,
  textFor,
  toSentence,
} from "../template.ts";

/** A path that others may use, with its mode. */
export const pathWords = textFor<{ path: string; mode: string }>();

type Advice = { what: string; next: string };

interface ErrorSays {
  usage: (problem: UsageProblem) => Advice & { why?: string };
  copy: (problem: CopyProblem) => Advice;
  world: (problem: WorldProblem) => Advice;
  layout: (problem: LayoutProblem) => Advice;
  caFile: (problem: CaFileProblem) => Advice;
  clientCert: (problem: ClientCertProblem) => Advice;
  fileProblem: (problem: FileProblem) => Advice;
  header: (problem: HeaderProblem) => Advice;
  unreachable: (problem: HeaderUnreachable) => Advice;
  printer: (problem: PrinterProblem) => string;
  printerNext: (problem: PrinterProblem) => string;
  keyCommand: (problem: KeyCommandProblem) => string;
  detail: (detail: Detail) => string;
  execEnd: (end: ExecEnd) => string;
  program: (facts: { program: string; outputNumber: number }) => string;
  time: (iso: string) => string;
  /** A file by its name, or what it is called where it has none. */
  file: (name: string) => string;
  spoken: (flag: string) => string;
  stdin: string;
  path: (facts: { path: string; mode: string }) => string;
  and: string;
}

/** `FILE: what is wrong with it.` */
const about = (file: string, what: string): string => toSentence(`${file}: ${what}`);

const aboutIt = (file: string, { what, next }: Advice) => ({ texts: { what: about(file, what), next } });

type OfFile = { file: string; detail: Detail };

const knownOfMachine = (say: ErrorSays) => {
  const source = (file: string): string => (file === "-" ? say.stdin : file);
  const ofFile = ({ file, detail }: OfFile) => ({
    texts: { what: about(say.file(file), say.detail(detail)) },
  });
  return {
    usage_flag: ({ problem }: ErrorFacts["usage_flag"]) => ({
      texts: say.usage(problem),
    }),
    not_a_terminal: ({ flag }: ErrorFacts["not_a_terminal"]) => ({
      isFlag: flag.startsWith("-"),
      flag: say.spoken(flag),
    }),
    address_missing: ({ which }: ErrorFacts["address_missing"]) => {
      const [flag, variable] = addressNames(which);
      return { flag, variable };
    },
    key_unreadable: ({ source: from, detail }: ErrorFacts["key_unreadable"]) => ({
      source: source(from),
      detail: say.detail(detail),
      isKey: typeof detail === "object" && detail.kind === "key_as_file",
    }),
    secret_unusable: ({ source: from, detail }: ErrorFacts["secret_unusable"]) => ({
      source: source(from),
      detail: say.detail(detail),
    }),
    key_command_failed: ({ problem }: ErrorFacts["key_command_failed"]) => ({
      problem: say.keyCommand(problem),
    }),
    config_open: ({ open }: ErrorFacts["config_open"]) => {
      const [strange] = ownedByOthers(open);
      return {
        strange: strange?.path,
        owner: strange?.owner,
        paths: open.map(say.path).join(` ${say.and} `),
        command: chmodLine(open),
      };
    },
    config_unreadable: ofFile,
    copy_refused: ({ to, problem }: ErrorFacts["copy_refused"]) => aboutIt(to, say.copy(problem)),
    world_unusable: ({ file, problem }: ErrorFacts["world_unusable"]) => aboutIt(file, say.world(problem)),
    layout_unusable: ({ file, problem }: ErrorFacts["layout_unusable"]) => aboutIt(file, say.layout(problem)),
    ca_file_unusable: ({ file, problem }: ErrorFacts["ca_file_unusable"]) =>
      aboutIt(file, say.caFile(problem)),
    client_cert_unusable: ({ file, problem }: ErrorFacts["client_cert_unusable"]) =>
      aboutIt(file, say.clientCert(problem)),
  };
};

const knownOfWork = (say: ErrorSays) => {
  const ofFile = ({ file, detail }: OfFile) => ({
    texts: { what: about(say.file(file), say.detail(detail)) },
  });
  return {
    clock_ahead: ({ aheadMs }: ErrorFacts["clock_ahead"]) => ({ minutes: Math.round(aheadMs / 60_000) }),
    price_change_too_large: ({ prices: [worst] }: ErrorFacts["price_change_too_large"]) => ({
      codigo: worst?.codigo,
      before: worst?.old_price,
      after: worst?.new_price,
    }),
    output_unwritable: ({ file, detail }: ErrorFacts["output_unwritable"]) => ({
      file: say.file(file),
      detail: say.detail(detail),
    }),
    exec_failed: (facts: ErrorFacts["exec_failed"]) => {
      const { detail } = facts;
      const ended = `${say.program(facts)} ${say.execEnd(facts)}`;
      return { texts: { what: toSentence(detail === "" ? ended : `${ended}: ${detail}`) } };
    },
    printer_failed: ({ printer, problem }: ErrorFacts["printer_failed"]) => ({
      problem: about(printer, say.printer(problem)),
      texts: { next: say.printerNext(problem) },
    }),
    memory_short: ({ detail = "" }: ErrorFacts["memory_short"]) => ({ detail: say.detail(detail) }),
    input_unreadable: ofFile,
    input_unusable: ({ file, problem }: ErrorFacts["input_unusable"]) => {
      const { what, next } = say.fileProblem(problem);
      return { file: say.file(file), problem: what, texts: { next } };
    },
    rows_rejected_strict: ({ file }: ErrorFacts["rows_rejected_strict"]) => ({ file: say.file(file) }),
    header_unusable: ({ problem }: ErrorFacts["header_unusable"]) => {
      const { what, next } = say.header(problem);
      return { problem: what, texts: { next } };
    },
    header_unreachable: ({ problem }: ErrorFacts["header_unreachable"]) => {
      const { what, next } = say.unreachable(problem);
      return { problem: what, remedy: next };
    },
  };
};

/** What is known of every reason that is neither of a call nor of the journal. */
export const knownOfReasons = (say: ErrorSays) => ({ ...knownOfMachine(say), ...knownOfWork(say) });

/** What is known of the reasons about campaigns. */
export const knownOfCampaigns = (
  say: Pick<ErrorSays, "file" | "time"> & {
    /** What to do about failures of a kind. */
    advice: (failure: MessageFailure) => string;
  },
) => ({
  repeat_within_day: ({ hoursAgo }: ErrorFacts["repeat_within_day"]) => ({
    hours: hoursAgo < 1 ? undefined : hoursAgo,
  }),
  send_open: ({ ref }: ErrorFacts["send_open"]) => ({ resume: resumed(ref) }),
  send_waits: ({ ref, until }: ErrorFacts["send_waits"]) => ({
    resume: resumed(ref),
    time: say.time(until),
  }),
  canary_failed: ({ failure }: ErrorFacts["canary_failed"]) => ({
    advice: failure === undefined ? undefined : say.advice(failure),
  }),
  outside_hours: ({ until }: ErrorFacts["outside_hours"]) => ({ time: say.time(until) }),
  too_late: ({ notAfter }: ErrorFacts["too_late"]) => ({ time: say.time(notAfter) }),
  too_late_unknown: ({ notAfter }: ErrorFacts["too_late_unknown"]) => ({ time: say.time(notAfter) }),
  excluded_in_open: ({ ref }: ErrorFacts["excluded_in_open"]) => ({ resume: resumed(ref) }),
});

type Failure<R extends ErrorReason> = { [K in R]: { kind: K } & ErrorFacts[K] }[R];

/** The words of some reasons, and their texts as they are written. */
export interface ReasonTexts<R extends ErrorReason> {
  say: (reason: R, facts: object) => ErrorWords;
  rows: Readonly<Record<string, Readonly<Record<string, Text>> | undefined>>;
}

/** The texts of some reasons: `why` where there is a reason for what happened; `more` is what `bpos help errors REASON` and docs/errors.md say where `why` does not stand alone. */
export const defineReasons =
  <R extends ErrorReason>() =>
  <const D extends Known<Failure<R>>>(known: D) =>
  <const T extends Rows<Failure<R>, D, "what" | "next", "why" | "more">>(
    table: T & FitRows<Failure<R>, D, T>,
  ): ReasonTexts<R> => {
    const rows = table as ReasonTexts<R>["rows"];
    return {
      say: (reason, facts) => {
        const value = { ...facts, kind: reason } as unknown as Failure<R>;
        const { what = "", why = "", next = "" } = sayRow<Failure<R>>(known, rows[reason], value);
        return { what, why, next };
      },
      rows,
    };
  };

/** The texts of both. */
export const joinReasons = <A extends ErrorReason, B extends ErrorReason>(
  one: ReasonTexts<A>,
  other: ReasonTexts<B>,
): ReasonTexts<A | B> => ({
  say: (reason, facts) => (reason in one.rows ? one.say(reason as A, facts) : other.say(reason as B, facts)),
  rows: { ...one.rows, ...other.rows },
});

/** The reasons that the service, the network or a signal ends a command for. */
export type CallReason =
  | "access_denied"
  | "input_refused"
  | "campaign_not_found"
  | "unavailable"
  | "unreadable_answer"
  | "outcome_unknown"
  | "interrupted";

/** The reasons that are about the journal and its locks. */
export type JournalReason =
  | "journal_unreadable"
  | "journal_damaged"
  | "journal_older"
  | "locked"
  | "lock_lost"
  | "journal_write_failed";

/** The reasons that are about a campaign: whom it reaches, and when. */
export type CampaignReason =
  | "ref_taken"
  | "repeat_within_day"
  | "nobody_to_test"
  | "send_open"
  | "send_waits"
  | "repeat_held"
  | "repeat_held_unknown"
  | "excluded_in_open"
  | "opted_out_unknown"
  | "test_opted_out"
  | "template_unknown"
  | "outside_hours"
  | "canary_failed"
  | "too_late"
  | "too_late_unknown";

/** Every other reason. */
export type LocalReason = Exclude<ErrorReason, CallReason | JournalReason | CampaignReason>;
