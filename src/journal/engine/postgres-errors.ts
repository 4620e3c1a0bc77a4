import type { DatabaseProblem, Detail } from "../../errors/problems.ts";

/** The user and the database of a session. */
export interface Login {
  user: string;
  database: string;
}

/** Problems by the code of Node or of the operating system. */
const ways: Readonly<
  Record<string, "refused" | "host_unknown" | "silent" | "no_route" | "no_socket" | "cut">
> = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "host_unknown",
  EAI_AGAIN: "host_unknown",
  ETIMEDOUT: "silent",
  EHOSTUNREACH: "no_route",
  ENETUNREACH: "no_route",
  ENOENT: "no_socket",
  EACCES: "no_socket",
  ECONNRESET: "cut",
  EPIPE: "cut",
};

/** Problems by the server's own code; its words are in the language of its machine. */
function explainAnswer(
  code: string,
  message: string,
  { user, database }: Login,
): DatabaseProblem | undefined {
  switch (code) {
    case "28P01":
      return { kind: "login", user };
    case "28000":
      // Something is between bpos and the server.
      if (/channel binding/i.test(message)) return { kind: "not_bound" };
      if (!message.includes("pg_hba.conf")) return { kind: "login", user };
      return { kind: /no encryption|SSL off/.test(message) ? "tls_required" : "not_listed" };
    case "3D000":
      return { kind: "database_missing", database };
    case "42501":
      return { kind: "no_table_rights", user };
    case "08P01":
      return /startup parameter|statement pooling/.test(message) ? { kind: "pooler" } : undefined;
    // A prepared statement is missing in the session, or another client prepared it.
    case "26000":
    case "42P05":
      return { kind: "pooler" };
    case "25006":
      return { kind: "read_only" };
    case "53100":
      return { kind: "disk_full" };
    case "53300":
      return { kind: "too_many" };
    case "57014":
      return { kind: "cancelled" };
    case "55P03":
    case "40001":
    case "40P01":
      return { kind: "busy" };
    default:
      return code.startsWith("57P") ? { kind: "starting" } : undefined;
  }
}

/** The driver gives its own errors no code. */
function ownOfDriver(message: string, { user }: Login): DatabaseProblem | undefined {
  if (/client password must be|^Password must/i.test(message)) return { kind: "password_missing", user };
  if (message.includes("does not support SSL")) return { kind: "tls_refused" };
  if (/establishing an SSL connection|invalid response/.test(message)) return { kind: "not_postgres" };
  if (/time-?out/i.test(message)) return { kind: "silent" };
  return /terminated|not queryable|closed/.test(message) ? { kind: "cut" } : undefined;
}

function findProblem(error: NodeJS.ErrnoException, login: Login): DatabaseProblem | undefined {
  const { code = "", message, path } = error;
  if ("severity" in error) return explainAnswer(code, message, login);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return { kind: "tls_other_name", detail: message };
  if (/CERT|UNABLE_TO|INVALID_CA|HOSTNAME_MISMATCH/.test(code))
    return { kind: "tls_untrusted", detail: message };
  // A file that the address names: of a socket the call would be another.
  if (error.syscall === "open" && path !== undefined) return { kind: "certificate_file", detail: message };
  const way = ways[code];
  if (way !== undefined) return { kind: way };
  if (/^(ERR_SSL|EPROTO)/.test(code)) return { kind: "tls_failed", detail: message };
  return ownOfDriver(message, login);
}

/** Returns why a database cannot be used, from the driver's error, without the password. */
export function databaseTrouble(error: unknown, login: Login = { user: "", database: "" }): Detail {
  const known = error instanceof Error ? findProblem(error, login) : undefined;
  const detail = error instanceof Error ? error.message : String(error);
  return { kind: "database", problem: known ?? { kind: "said", detail } };
}
