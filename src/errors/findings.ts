import type { ExitName, Failure } from "../errors.ts";
import type { Detail } from "./problems.ts";

export type Which = "base_url" | "campaigns_base_url";

export type CheckName =
  | ("node" | "config" | "profile" | "key" | "ca_file" | "client_cert" | "certificates")
  | Which
  | `${Which}_${"dns" | "tcp" | "tls" | "http" | "access"}`
  | ("proxy" | "clock" | "printer" | "journal" | `journal_${"rights" | "schema"}` | "unfinished" | "disk");

/** Who set something: a flag or a variable by its name, a profile, the profile file as a whole, or bpos itself. */
export type Origin = { kind: "flag" | "environment" | "profile" | "config" | "default"; name: string };

type UnknownKey = { key: string; similar: string | null };

/** A check's result; its remedy is shown unless it passed. Keys and addresses of proxies are masked already. */
export type Finding =
  | { kind: "node"; version: string; bpos: string; form: "npm" | "binary" | "deb"; oldest: string }
  | { kind: "config"; file: string; profiles: number | null }
  | { kind: "no_profile" | "same_server" }
  | { kind: "profile"; name: string; source: Origin; isSandbox: boolean; unknown: readonly UnknownKey[] }
  | { kind: "key"; shown: string; source: Origin | null; file: string | undefined }
  | { kind: "ca_file"; file: string }
  /** days: negative once it has ended; open: the file of its key, where others can read that. */
  | { kind: "client_cert"; file: string; days: number; until: string; open: string | undefined }
  | { kind: "address"; url: string; source: Origin | null }
  | { kind: "dns"; host: string; address: string | null }
  | { kind: "tcp"; to: string; via: string | null }
  | { kind: "unreached"; to: string; detail: Detail }
  | { kind: "tls_none"; host: string }
  | { kind: "tls"; days: number; until: string; issuer: string }
  | { kind: "tls_untrusted" | "tls_client" | "tls_failed" | "http_failed"; detail: Detail }
  | { kind: "http"; status: number; ms: number }
  | { kind: "http_not_service"; status: number; which: Which; detail: Detail; quote: string }
  | { kind: "access"; waiting: number | null }
  | { kind: "proxy"; used: readonly { which: Which; shown: string; variable: string }[] }
  | { kind: "clock"; aheadMs: number | undefined; mockTime: string | null }
  | { kind: "printer"; url: string; station: string | null }
  | { kind: "journal"; file: string; bytes: number | null }
  | { kind: "journal_busy"; file: string }
  | { kind: "database"; name: string; version: string; ms: number; tls: boolean }
  | { kind: "database_rights"; user: string; exists: boolean }
  /** version: null where there is none yet; left: a journal of this machine that was not copied there. */
  | { kind: "schema"; version: number | null; left: string | null }
  | {
      kind: "work";
      processes: readonly { pid: number; host?: string }[];
      sends: readonly { ref: string; people: number }[];
      push: { file: string | null } | null;
      profile: string | null;
      isMock: boolean;
    }
  | { kind: "disk"; folder: string; free: number | null; exists: boolean }
  | { kind: "disk_unwritable"; folder: string; said: string }
  | { kind: "failure"; failure: Failure }
  | { kind: "unchecked"; because: CheckName };

export type Check = { name: CheckName; finding: Finding } & (
  | { status: "pass" | "warn" }
  | { status: "fail"; exit: ExitName }
);
