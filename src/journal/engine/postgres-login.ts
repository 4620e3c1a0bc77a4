import type { SecureContext, SecureVersion, TLSSocket } from "node:tls";
import type { Client, ClientConfig } from "pg";
import { type ConnectionOptions, parse } from "pg-connection-string";
import pgpass from "pgpass";
import { databaseUrl, isLoopback, readSslMode } from "../../contract/addresses.ts";
import { databaseParameter } from "../../contract/database-parameters.ts";
import type { DatabaseProblem } from "../../errors/problems.ts";
import { JournalError } from "./engine.ts";
import { databaseTrouble } from "./postgres-errors.ts";

/** Connection settings of a database. */
export interface Reach {
  /** Only the `PG*` variables. */
  env: Readonly<Record<string, string | undefined>>;
  /** Certificates that it is checked by, instead of the machine's own. */
  secureContext?: SecureContext | undefined;
  /** Once it aborts, a database that gives no answer is waited for no longer than a second. */
  stop?: AbortSignal | undefined;
}

export interface How extends Reach {
  /** How long somebody waits, in milliseconds: for the session, and for each answer. */
  limitMs?: number;
}

const connectMs = 5_000;

/** Returns the error for a session that bpos refuses to use. */
export const unusable = (problem: DatabaseProblem): JournalError =>
  new JournalError(`a session that cannot be used: ${problem.kind}`, "down", {
    detail: { kind: "database", problem },
  });

/** Conditions for a server to get a password, or a statement. */
export interface Demands {
  /** As libpq writes them. */
  binding: string | undefined;
  methods: string | undefined;
  minVersion: SecureVersion | undefined;
  maxVersion: SecureVersion | undefined;
}

/** Returns the password for a connection, "" where there is none. The driver passes what it connects to, which its types do not tell. */
export type AskPassword = (of?: Parameters<typeof pgpass>[0]) => Promise<string>;

function readDemands(address: URL, env: How["env"]): Demands {
  const readSetting = (name: string): string | undefined => databaseParameter(address, env, name);
  return {
    binding: readSetting("channel_binding"),
    methods: readSetting("require_auth"),
    minVersion: readSetting("ssl_min_protocol_version") as SecureVersion | undefined,
    maxVersion: readSetting("ssl_max_protocol_version") as SecureVersion | undefined,
  };
}

/** How the server asks for the password, and whether it proves that it knows it. */
export class Authentication {
  readonly #demands: Demands;
  readonly #client: Client;
  #method = "none";
  #mechanisms: readonly string[] = [];
  #isProven = false;

  /** Create it before the client connects, so that it hears every question of the server first. */
  constructor(client: Client, demands: Demands, askPassword: AskPassword) {
    this.#demands = demands;
    this.#client = client;
    const guardPassword: AskPassword = async (of) => {
      this.#check();
      return askPassword(of);
    };
    const asks = (method: string) => (message: { mechanisms?: readonly string[] }) => {
      this.#method = method;
      this.#mechanisms = message.mechanisms ?? [];
      // The driver would give a second question what the first one was told.
      Object.assign(client, { password: guardPassword });
    };
    const { connection } = client;
    connection.on("authenticationCleartextPassword", asks("password"));
    connection.on("authenticationMD5Password", asks("md5"));
    connection.on("authenticationSASL", asks("scram-sha-256"));
    connection.on("authenticationSASLFinal", () => {
      this.#isProven = true;
    });
  }

  /** Checks a server that has let us in, also one that asked for nothing. Throws JournalError. */
  checkOpened(): void {
    this.#check();
    if (this.#method === "scram-sha-256" && !this.#isProven) throw unusable({ kind: "not_postgres" });
  }

  #check(): void {
    const { binding, methods, minVersion, maxVersion } = this.#demands;
    const allowed = methods?.replaceAll("!", "").split(",");
    if (allowed !== undefined && allowed.includes(this.#method) === methods?.startsWith("!"))
      throw unusable({ kind: "method_refused", method: this.#method });
    if (binding === "require" && !this.#mechanisms.includes("SCRAM-SHA-256-PLUS"))
      throw unusable({ kind: "not_bound" });
    const version = (this.#client.connection.stream as Partial<TLSSocket>).getProtocol?.() ?? undefined;
    // With the certificates of --ca-file, the driver cannot ask for a version.
    if (version && ((minVersion && version < minVersion) || (maxVersion && version > maxVersion)))
      throw unusable({ kind: "tls_version", version });
  }
}

const numbers = new Set([20, 21, 23, 700, 701, 1700]);
const boolean = 16;

/** Every value as SQLite gives it. */
const types: ClientConfig["types"] = {
  getTypeParser: (type: number) => (text: string) => {
    if (type === boolean) return Number(text === "t");
    return numbers.has(type) ? Number(text) : text;
  },
};

type Tries = readonly NonNullable<ClientConfig["ssl"]>[];

/** Returns the attempts with and without TLS, as libpq reads `sslmode`; without one, a server on this machine is not asked for TLS. */
function planTries(mode: string | undefined, isLocal: boolean, { secureContext }: How, given: object): Tries {
  // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
  const checked = { ...given, rejectUnauthorized: true, ...(secureContext && { secureContext }) };
  const unchecked = { ...given, rejectUnauthorized: false };
  const anyName = { ...checked, checkServerIdentity: () => undefined };
  switch (mode ?? (isLocal ? "disable" : "prefer")) {
    case "verify-full":
      return [checked];
    case "verify-ca":
      return [anyName];
    case "require":
      return [secureContext === undefined && !("ca" in given) ? unchecked : anyName];
    case "disable":
      return [false];
    case "allow":
      return [false, unchecked];
    default:
      return [unchecked, false];
  }
}

// It would write to standard error by itself; that there is no password, an error says.
pgpass.warnTo({ writable: false });

const certificateFiles = [
  ["sslrootcert", "PGSSLROOTCERT"],
  ["sslcert", "PGSSLCERT"],
  ["sslkey", "PGSSLKEY"],
] as const;

/** How to log in to a server: the driver's settings, with each choice of TLS to try, and what the server must prove. */
export interface LoginPlan {
  config: ClientConfig;
  tries: Tries;
  demands: Demands;
  askPassword: AskPassword;
}

/** The address in the driver's words. Throws JournalError for a file of certificates that cannot be read. */
function parseAddress(address: string): ConnectionOptions {
  try {
    return parse(address);
  } catch (error) {
    throw new JournalError((error as Error).message, "down", {
      cause: error,
      detail: databaseTrouble(error),
    });
  }
}

/** Builds the driver's settings from the address, then `PG*`, then the driver's own. Throws JournalError. */
export function buildConfig(url: string, how: How): LoginPlan {
  const address = databaseUrl(url);
  const { searchParams: given } = address;
  const { env } = how;
  const mode = readSslMode(address, env);
  // The driver would warn of some, and read `ssl` in its own way.
  for (const name of ["sslmode", "ssl"]) given.delete(name);
  for (const [name, variable] of certificateFiles) {
    const file = given.get(name) || env[variable];
    // That name means the certificates of the machine, which are checked anyway.
    if (file && file !== "system") given.set(name, file);
    else given.delete(name);
  }
  const { host, port, user, password, database, ssl, options } = parseAddress(address.href);
  const named = host || env["PGHOST"] || "localhost";
  const isLocal = named.startsWith("/") || isLoopback(named);
  const config: ClientConfig = {
    host: named,
    port: Number(port || env["PGPORT"] || 5432),
    user: user || env["PGUSER"],
    database: database || given.get("dbname") || env["PGDATABASE"],
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: how.limitMs ?? connectMs,
    application_name: "bpos",
  };
  const known = password || env["PGPASSWORD"];
  // The driver's own .pgpass support is deprecated.
  const askPassword: AskPassword = async (of) => {
    if (known !== undefined || of === undefined) return known ?? "";
    return new Promise((resolve) => pgpass(of, (found) => resolve(found ?? "")));
  };
  config.password = askPassword;
  config.options = options || env["PGOPTIONS"] || "";
  const demands = readDemands(address, env);
  const files = typeof ssl === "object" ? ssl : {};
  const { minVersion, maxVersion } = demands;
  const versions = { ...(minVersion && { minVersion }), ...(maxVersion && { maxVersion }) };
  return { config, demands, askPassword, tries: planTries(mode, isLocal, how, { ...files, ...versions }) };
}
