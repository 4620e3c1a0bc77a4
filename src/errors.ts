import type {
  ClientCertProblem,
  CopyProblem,
  Detail,
  FileProblem,
  KeyCommandProblem,
  LayoutProblem,
  MessageFailure,
  OpenPath,
  PriceChange,
  UsageProblem,
  WorldProblem,
} from "./errors/problems.ts";

/** The exit codes of the command line, by name. Scripts depend on them. */
export const exitCodes = {
  ok: 0,
  bug: 1,
  usage: 2,
  partial: 3,
  denied: 4,
  refused: 5,
  unavailable: 6,
  unknown: 7,
  pending: 8,
  config: 9,
  held: 10,
  not_found: 11,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitCodes;

export interface ProxyTrouble {
  /** Scheme, host and port; user name and password are left out. */
  url: string;
  variable: string;
  credentials: boolean;
  status?: number;
}

/** Facts of an error about one call to the service. */
export interface CallFacts {
  /** Method and path below the base address, for example `GET /v1/orders` or `GET /campaigns/cmp_1`. */
  endpoint: string;
  /** Scheme, host and port that were called. */
  origin: string;
  attempts: number;
  status?: number;
  serviceCode?: string;
  serviceMessage?: string;
  /** At most 80 characters of the answer, control characters made visible. */
  quote?: string;
  detail?: Detail;
  /** How long the service asked to wait, in milliseconds; maxWaitMs, if that is less, is how long bpos waits at most. */
  retryAfterMs?: number;
  maxWaitMs?: number;
  /** The store_id that was sent with products, if it may be the fault. */
  storeId?: string | number;
  /** Set for a call that nobody asked for: the question for the service's time before products are sent. */
  askedFor?: "time";
  /** Set where the whole command certainly changed nothing at the service. */
  nothingSent?: true;
  /** Set where a proxy, not the service, is what failed; beside the `status` of an answer, where it may be. */
  proxy?: ProxyTrouble;
  untrusted?: true;
  /** Set where the service wants a client certificate, and got none or one that it does not accept. */
  clientCert?: true;
}

export type HeaderProblem =
  | { kind: "not_https" | "credentials" | "empty" | "web_page" | "other_type" }
  | { kind: "unescaped"; escaped: string }
  | { kind: "private_host"; host: string }
  | { kind: "redirects"; limit: number }
  | { kind: "status"; status: number }
  | { kind: "encoding"; encoding: string }
  | { kind: "too_large"; of: "image" | "video" | "document"; limit: number };

export type CaFileProblem =
  | { kind: "unreadable"; detail: string }
  | { kind: "no_certificate" }
  | { kind: "broken_certificate"; number: number; detail: string };

export type HeaderUnreachable =
  | { kind: "dns" | "refused" | "tls" | "timeout" | "reset" | "protocol" | "proxy"; detail: Detail }
  | { kind: "status"; status: number };

export type PrinterProblem =
  | { kind: "unreachable" | "lp" | "file"; detail: string }
  | { kind: "reset" | "paper_out" | "cover_open" | "stalled" | "silent" | "busy" | "lp_missing" };

type MissingProfile = { name: string; similar: string | null; known: readonly string[]; file: string };
export type ExecEnd = { exitCode: number | null; killedBy: string | null; timedOutMs: number | null };
type Repeat = { people: number; ref: string; hoursAgo: number };

type LockFacts = { work: "push" | "send" | "watch" | "listen"; consumer?: string; host?: string };

/** Every reason for which a command cannot go on, with the facts that its message needs. */
export interface ErrorFacts {
  bug: { detail: string };
  usage_flag: { problem: UsageProblem };
  /** isWish: the flag is what asks. */
  not_a_terminal: { flag: string; isWish?: true };
  address_missing: { which: "base_url" | "campaigns_base_url"; profile?: string };
  key_missing: { profile?: string };
  key_unreadable: { source: string; detail: Detail };
  secret_unusable: { source: string; detail: Detail };
  key_command_failed: { profile: string; problem: KeyCommandProblem };
  profile_missing: MissingProfile & { isArgument?: true };
  profiles_none: { file: string };
  station_not_found: { profile: string; name: string; similar: string | null; known: readonly string[] };
  config_open: { file: string; open: readonly OpenPath[] };
  config_unreadable: { file: string; detail: Detail };
  journal_unreadable: { file: string; detail: Detail };
  journal_damaged: { file: string; detail: string };
  /** sends: what left this machine and the journal does not know, a reference each, the newest first; at: epoch milliseconds. */
  journal_older: { file: string; sends: readonly { ref: string; template: string; at: number }[] };
  /** to: the database, or the file where that is what cannot be copied. */
  copy_refused: { to: string; problem: CopyProblem };
  world_unusable: { file: string; problem: WorldProblem };
  proxy_unusable: { variable: string; scheme?: string };
  layout_unusable: { file: string; problem: LayoutProblem };
  ca_file_unusable: { file: string; problem: CaFileProblem };
  client_cert_unusable: { file: string; problem: ClientCertProblem };
  tls_unchecked: { origin: string };
  /** host: set where it runs on another machine; wanted: what else the lock was wanted for. */
  locked: LockFacts & { pid: number | null; wanted?: "forget" };
  /** Another process took the lock of this one, which had not renewed it for too long; or can take it, since a file of it or of the journal is another now. */
  lock_lost: LockFacts & { pid: number | null; file?: string };
  /** stamped: the time that the one batch carries which was sent to learn the service's. */
  clock_ahead: { aheadMs: number; stamped?: string };
  rows_unreadable: { rows: number };
  too_many_missing: { missing: number; known: number; limit: string; isUndo?: true };
  push_not_found: { push?: string };
  push_not_kept: { push: string };
  /** The worst of them, at most ten. */
  price_change_too_large: { limit: string; count: number; prices: readonly PriceChange[] };
  /** by: what took it, where that is not another template. */
  ref_taken: { ref: string; template: string; by?: "test" | "send" };
  repeat_within_day: Repeat;
  nobody_to_test: Record<string, never>;
  send_open: { ref: string };
  /** until: when it can go on. */
  send_waits: { ref: string; until: string };
  /** ref: the reference under which they got it meanwhile, hoursAgo; sendRef: of the send whose calls with them are held. */
  repeat_held: Repeat & { sendRef: string };
  repeat_held_unknown: Repeat & { sendRef: string };
  excluded_in_open: { ref: string; people: number };
  opted_out_unknown: { ref: string; people: number };
  test_opted_out: { phone: string };
  /** known: the templates that the mock has. */
  template_unknown: { template: string; known: string };
  /** Something was sent before that; ref: of the send that was under way. */
  journal_write_failed: {
    work: "push" | "send";
    detail: Detail;
    ref?: string;
    /** Set if a lost lock is the reason. */
    lockLost?: ErrorFacts["lock_lost"];
  };
  /** until: when the first of those people may be messaged. */
  outside_hours: { people: number; hours: string; until: string };
  /** limit: how many of its people may fail; said: what the service said most often, of how many. */
  canary_failed: {
    ref: string;
    people: number;
    failed: number;
    limit: number;
    said?: string;
    times?: number;
    /** Its kind, which decides what to do. */
    failure?: MessageFailure;
  };
  too_late: { notAfter: string };
  too_late_unknown: { notAfter: string };
  header_unusable: { url: string; redirectedTo?: string; problem: HeaderProblem };
  header_unreachable: { url: string; redirectedTo?: string; problem: HeaderUnreachable };
  /** isOwn: it is in the folder of configuration and state, which BPOS_HOME names. */
  output_unwritable: { file: string; detail: Detail; isOwn?: true };
  order_file_taken: { file: string };
  /** The three ends are null where it could not be started; detail is the last that it wrote, or why it did not start, without the words of its command line. */
  exec_failed: ExecEnd & { program: string; outputNumber: number; orderId: string; detail: string };
  /** maybe: a part of it may be on paper. */
  printer_failed: { printer: string; problem: PrinterProblem; maybe: boolean };
  port_busy: { host: string; port: number; pid: number | null };
  port_denied: { host: string; port: number };
  input_unreadable: { file: string; detail: Detail };
  input_unusable: { file: string; line?: number; problem: FileProblem };
  rows_rejected_strict: { file: string; rejected: number };
  order_not_found: { orderId: string };
  /** In a mock. reached: the last phones that got a message; failed: set if the message to this phone failed. */
  message_not_found: { phone: string; reached: readonly string[]; failed?: true };
  send_not_found: { ref: string };
  person_not_found: { phone: string };
  opt_out_not_found: { phone: string };
  /** said: what the mock answered. */
  mock_not_found: { said: string };
  expected_other_count: { expected: number; actual: number };
  declined: { of: "send" | "push" | "undo" | "profile" | "prune" | "forget" | "accept" };
  access_denied: CallFacts;
  /** template: of the send that was refused. */
  input_refused: CallFacts & { template?: string };
  campaign_not_found: CallFacts & { campaignId: string };
  unavailable: CallFacts;
  /** The facts of a call that was not made for lack of memory; none for other work. */
  memory_short: Partial<CallFacts>;
  unreadable_answer: CallFacts;
  outcome_unknown: CallFacts & { ref?: string };
  interrupted: {
    during:
      | "reading"
      | "waiting"
      | "work"
      | "question"
      | "setup"
      | "watch"
      | "follow"
      | "listen"
      | "look"
      | "upkeep"
      | "printing";
    ref?: string;
  };
}

/** The name of a reason: stable, for scripts that want more than the exit code. */
export type ErrorReason = keyof ErrorFacts;

export const exitNames: Readonly<Record<ErrorReason, ExitName>> = {
  bug: "bug",
  usage_flag: "usage",
  not_a_terminal: "usage",
  address_missing: "config",
  key_missing: "denied",
  key_unreadable: "config",
  secret_unusable: "config",
  key_command_failed: "config",
  profile_missing: "not_found",
  profiles_none: "config",
  station_not_found: "not_found",
  config_open: "config",
  config_unreadable: "config",
  journal_unreadable: "config",
  journal_damaged: "config",
  journal_older: "config",
  copy_refused: "config",
  world_unusable: "config",
  proxy_unusable: "config",
  layout_unusable: "usage",
  ca_file_unusable: "usage",
  client_cert_unusable: "usage",
  tls_unchecked: "config",
  locked: "config",
  lock_lost: "config",
  clock_ahead: "config",
  rows_unreadable: "usage",
  too_many_missing: "held",
  push_not_found: "not_found",
  push_not_kept: "usage",
  price_change_too_large: "held",
  ref_taken: "held",
  repeat_within_day: "held",
  nobody_to_test: "usage",
  send_open: "unknown",
  send_waits: "pending",
  repeat_held: "partial",
  repeat_held_unknown: "unknown",
  excluded_in_open: "usage",
  opted_out_unknown: "unknown",
  test_opted_out: "usage",
  template_unknown: "refused",
  journal_write_failed: "unknown",
  outside_hours: "usage",
  canary_failed: "partial",
  too_late: "partial",
  too_late_unknown: "unknown",
  header_unusable: "usage",
  header_unreachable: "unavailable",
  output_unwritable: "config",
  order_file_taken: "config",
  exec_failed: "partial",
  printer_failed: "unavailable",
  port_busy: "config",
  port_denied: "config",
  input_unreadable: "usage",
  input_unusable: "usage",
  rows_rejected_strict: "usage",
  order_not_found: "not_found",
  message_not_found: "not_found",
  send_not_found: "not_found",
  person_not_found: "not_found",
  campaign_not_found: "not_found",
  opt_out_not_found: "not_found",
  mock_not_found: "not_found",
  expected_other_count: "held",
  declined: "usage",
  access_denied: "denied",
  input_refused: "refused",
  unavailable: "unavailable",
  unreadable_answer: "unavailable",
  memory_short: "config",
  outcome_unknown: "unknown",
  interrupted: "interrupted",
};

export type Failure = { [R in ErrorReason]: { reason: R; facts: ErrorFacts[R] } }[ErrorReason];

/** Messages that users of the library meet; every other reason is told by its name. */
const known: Partial<Record<ErrorReason, string>> = {
  bug: "Unexpected error",
  usage_flag: "An argument cannot be used",
  address_missing: "No address of the service is set",
  key_unreadable: "The key cannot be used",
  access_denied: "The service does not accept this key",
  input_refused: "The service refused the request",
  campaign_not_found: "The service has no such campaign for this key",
  unavailable: "The service is not available",
  unreadable_answer: "The answer of the service cannot be read",
  outcome_unknown: "The request may have been applied, or not: send the same again",
  interrupted: "Stopped before the work was done",
};

const addSpaces = (name: string): string => name.replaceAll("_", " ");

/** Formats facts as words: a kind by its name, texts and numbers as they are. */
function splitParts(value: unknown): string[] {
  // The first line of a text, without what could move a cursor.
  if (typeof value === "string") return [(value.split("\n", 1)[0] ?? "").replace(/\p{Cc}+/gu, " ")];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === "kind" ? [addSpaces(String(each))] : splitParts(each),
  );
}

function callParts({ endpoint, origin, attempts, ...facts }: CallFacts): string[] {
  const { status, serviceCode, serviceMessage = facts.quote, detail } = facts;
  const answer = [status, serviceCode, serviceMessage, detail]
    .flatMap(splitParts)
    .filter((part) => part !== "");
  const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
  return [`${endpoint} at ${origin}${tries}: ${answer.join(", ") || "no response"}`];
}

/** An error as an English sentence, with what is known. The command line says it in its own words (`errors/words/`). */
function toSentence(reason: ErrorReason, facts: object): string {
  const name = addSpaces(reason);
  const what = known[reason] ?? name.charAt(0).toUpperCase() + name.slice(1);
  const parts = "endpoint" in facts ? callParts(facts as CallFacts) : splitParts(facts);
  const isSaid = reason === "interrupted" || parts.length === 0;
  return `${isSaid ? what : `${what} (${parts.join(", ")})`}.`;
}

/**
 * The one error class: a reason from a closed set and its facts. Words are made by the view.
 *
 * @example
 * throw new BposError("order_not_found", { orderId: "17" });
 */
export class BposError<R extends ErrorReason = ErrorReason> extends Error {
  /** By the class alone TypeScript would make of it a BposError of `any` reason. */
  declare static readonly [Symbol.hasInstance]: (error: unknown) => error is BposError;
  readonly reason: R;
  readonly facts: ErrorFacts[R];

  constructor(reason: R, facts: ErrorFacts[R], options?: ErrorOptions) {
    super(toSentence(reason, facts), options);
    this.name = "BposError";
    this.reason = reason;
    this.facts = facts;
  }
}

/** A process that may have no more memory, or no more addresses for it: whatever it does then fails anywhere. */
export function isMemoryShort(error: unknown): boolean {
  const { name = "", code = "", message = "" } = error as Partial<NodeJS.ErrnoException>;
  if (code === "ENOMEM" || code === "ERR_MEMORY_ALLOCATION_FAILED") return true;
  return /^(RangeError|RuntimeError)$/.test(name) && /out of memory|allocation failed/i.test(message);
}

/** True when `error` is a BposError of that reason. */
export function isReason<R extends ErrorReason>(error: unknown, reason: R): error is BposError<R> {
  return error instanceof BposError && error.reason === reason;
}

/** Returns whether this attempt of a call is known not to have been applied. */
export const isUnapplied = (error: unknown): error is BposError & { facts: CallFacts } =>
  (["access_denied", "input_refused", "unavailable", "memory_short"] as const).some((reason) =>
    isReason(error, reason),
  );
