import type { ExitName, Failure, ProxyTrouble } from "../errors.ts";
import type { Detail } from "./problems.ts";

export type Which = "base_url" | "campaigns_base_url";

export type CheckName =
  | ("node" | "config" | "profile" | "key" | "ca_file" | "certificates")
  | Which
  | `${Which}_${"dns" | "tcp" | "tls" | "http" | "access"}`
  | ("proxy" | "clock" | "journal" | "unfinished" | "disk");

/** Who set something: a flag or a variable by its name, a profile, the profile file as a whole, or bpos itself. */
export interface Origin {
  kind: "flag" | "environment" | "profile" | "config" | "default";
  name: string;
}

export type CertificateFault = "expired" | "not_yet" | "other_host" | "unknown_ca" | "other";

/** What a check found. Days as `2026-12-31`, sizes in bytes; keys and addresses of proxies are masked already. */
export type Finding =
  | { kind: "node"; version: string; bpos: string; oldest: string; isGood: boolean }
  | { kind: "config_none"; file: string }
  | { kind: "config_good"; file: string; profiles: number; isPrivate: boolean }
  | { kind: "profile_none" | "profile_unneeded" | "same_server" | "tls_unneeded" | "proxy_none" }
  | { kind: "proxy_unneeded" | "clock_unknown" | "journal_in_memory" | "work_none" }
  | { kind: "profile_used"; name: string; source: Origin; isSandbox: boolean }
  | { kind: "profile_unread"; name: string; keys: readonly { key: string; similar: string | null }[] }
  | { kind: "key_found"; shown: string; source: Origin }
  | { kind: "key_printed"; shown: string; profile: string }
  | { kind: "key_of_mock"; shown: string; branch: string }
  | { kind: "key_file_open"; shown: string; file: string }
  | { kind: "ca_file_good"; file: string }
  | { kind: "address_good"; url: string; source: Origin | null }
  | { kind: "address_absent"; which: Which; profile: string | null }
  /** `service` is who is called, where `host` is a proxy; `address` is null where no connection showed it. */
  | { kind: "dns_found"; host: string; address: string | null; service: string | null }
  | { kind: "dns_failed"; host: string; code: string }
  | { kind: "tcp_open"; to: string; via: string | null }
  | { kind: "tcp_failed"; to: string; detail: Detail; isLocal: boolean }
  | { kind: "proxy_failed"; detail: Detail; trouble: ProxyTrouble }
  | { kind: "tls_absent"; host: string }
  | { kind: "tls_good" | "tls_ending"; days: number; until: string; issuer: string }
  | { kind: "tls_untrusted"; fault: CertificateFault; said: string; host: string }
  | { kind: "tls_failed" | "http_failed"; detail: Detail }
  | { kind: "http_good"; status: number; ms: number }
  | { kind: "http_not_service"; status: number; which: Which; detail: Detail; quote: string }
  | { kind: "http_moved"; status: number; which: Which; to: string | null }
  | { kind: "http_busy"; status: number }
  | { kind: "access_good"; which: Which; waiting: number | null }
  | { kind: "access_denied"; status: number; said: string; shown: string; profile: string | null }
  | {
      kind: "proxy_used";
      used: readonly { which: Which; shown: string; variable: string }[];
      direct: readonly Which[];
    }
  | { kind: "clock_good" | "clock_off" | "clock_ahead"; aheadMs: number }
  | { kind: "journal_none" | "journal_busy" | "journal_newer"; file: string }
  | { kind: "journal_good"; file: string; bytes: number }
  | { kind: "journal_damaged" | "journal_unreadable"; file: string; said: string }
  | { kind: "work_under_way"; pids: readonly number[] }
  /** `push` is there for a push that did not come to its end: the file's name, null where it has none. */
  | {
      kind: "work_open";
      sends: readonly { ref: string; people: number }[];
      push: { file: string | null } | null;
      profile: string | null;
      isMock: boolean;
    }
  /** `free` is null where the file system does not tell. */
  | { kind: "disk_good"; folder: string; free: number | null; exists: boolean }
  | { kind: "disk_low"; folder: string; free: number }
  | { kind: "disk_unwritable"; folder: string; said: string }
  | { kind: "failure"; failure: Failure }
  | { kind: "unchecked"; because: CheckName };

export type Check = { name: CheckName; finding: Finding } & (
  | { status: "pass" | "warn" }
  /** How the whole run ends when this is the first that fails. */
  | { status: "fail"; exit: ExitName }
);
