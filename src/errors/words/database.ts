import { type Advice, sayKind, type Words } from "../../texts/kinds.ts";
import { quoted, shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { DatabaseProblem } from "../problems.ts";

/** A name as an SQL identifier. */
const sqlName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** Statements that give the sessions of a user in a database these settings. */
const setSettings = (user: string, database: string, settings: Readonly<Record<string, string | number>>) =>
  Object.entries(settings)
    .map(
      ([name, value]) =>
        `ALTER ROLE ${sqlName(user)} IN DATABASE ${sqlName(database)} SET ${name} = ${String(value).replaceAll(",", ", ")};`,
    )
    .join(" ");

const words: Words<DatabaseProblem, Advice> = {
  not_database: (_, t) => ({
    what: t("it must be the address of a PostgreSQL database"),
    next: t(
      "Write postgres://USER@HOST/DATABASE, or remove the setting: without it, the journal is an SQLite file.",
    ),
  }),
  address_broken: (_, t) => ({
    what: t("the address cannot be read"),
    next: t(
      "Write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded (# is %23).",
    ),
  }),
  unescaped: (_, t) => ({
    what: t("a special character in the address must be percent-encoded"),
    next: t(
      "In user, password and database write @ as %40, # as %23, / as %2F, ? as %3F and % as %25, or keep the password in ~/.pgpass.",
    ),
  }),
  several_hosts: (_, t) => ({
    what: t("the address has several hosts"),
    next: t("Use only one host: the primary."),
  }),
  userless: (_, t) => ({
    what: t("the address has no user"),
    next: t("Write postgres://USER@HOST/DATABASE, or set PGUSER."),
  }),
  sslmode_unknown: ({ mode }, t) => ({
    what: t("{mode} is not an sslmode", { mode: quoted(mode) }),
    next: t(
      "Use disable, allow, prefer, require, verify-ca or verify-full. verify-full checks the server's certificate and name.",
    ),
  }),
  parameter_unknown: ({ name }, t) => ({
    what: t("the address has the unknown parameter {name}", { name: quoted(name) }),
    next: t(
      "Correct or remove it. bpos knows host, port, user, password, sslmode, sslrootcert, sslcert, sslkey, channel_binding, require_auth and options.",
    ),
  }),
  parameter_refused: ({ name }, t) => ({
    what: t("bpos does not support {name}", { name: quoted(name) }),
    next: t(
      "Remove it (a name in capitals is an environment variable), or use sslmode=verify-full and channel_binding=require, which bpos supports.",
    ),
  }),
  port_unusable: (_, t) => ({
    what: t("its port is not a whole number from 1 to 65535"),
    next: t("Correct the port in the address, or PGPORT."),
  }),
  in_profile: ({ profile }, t) => ({
    what: t('the profile {profile} has a "journal"', { profile: quoted(profile) }),
    next: t("Move it out of the profile, next to `default`: all profiles share one journal."),
  }),
  key_misspelt: ({ key }, t) => ({
    what: t("unknown setting {key}", { key: quoted(key) }),
    next: t("Write journal instead, or remove it: without it, the journal is a file on this machine."),
  }),
  certificate_file: ({ detail }, t) => ({
    what: detail,
    next: t("Correct sslrootcert, sslcert or sslkey in the address (or PGSSLROOTCERT, PGSSLCERT, PGSSLKEY)."),
  }),
  refused: (_, t) => ({
    what: t("connection refused, no server listens there"),
    next: t(
      "Start the server, or correct the host and port in the address. The server must listen on that address (listen_addresses).",
    ),
  }),
  host_unknown: (_, t) => ({
    what: t("the host name was not found"),
    next: t("Correct the host in the address, or check this machine's network and DNS."),
  }),
  silent: (_, t) => ({
    what: t("no answer in time"),
    next: t(
      "Check the host and port in the address, that the server is running, and that no firewall blocks the connection.",
    ),
  }),
  no_route: (_, t) => ({
    what: t("this machine's network has no route to it"),
    next: t("Check the host in the address and this machine's network."),
  }),
  no_socket: (_, t) => ({
    what: t("there is no such socket, or no permission to use it"),
    next: t("Start the server on this machine, or correct its socket folder in the address."),
  }),
  cut: (_, t) => ({
    what: t("the connection was closed"),
    next: t(
      "Check the host and port in the address. If they are right, look in the server log, then run the command again.",
    ),
  }),
  not_postgres: (_, t) => ({
    what: t("the server there is not PostgreSQL"),
    next: t("Check the host and port in the address."),
  }),
  pooler: (_, t) => ({
    what: t("a pooler answers there and does not give bpos its own session"),
    next: t("Use the host and port of the server itself, or of a pooler in session mode."),
  }),
  starting: (_, t) => ({
    what: t("the server is starting or stopping"),
    next: t("Wait a moment, then run the command again."),
  }),
  too_many: (_, t) => ({
    what: t("the server accepts no more connections"),
    next: t("Close unused sessions, or raise max_connections on the server. Each running bpos uses two."),
  }),
  tls_failed: ({ detail }, t) => ({
    what: t("TLS failed ({detail})", { detail }),
    next: t("Check the host and port in the address, and which TLS versions the server allows."),
  }),
  tls_refused: (_, t) => ({
    what: t("the server does not offer TLS"),
    next: t(
      "Enable it on the server (ssl = on). In a trusted network, sslmode=disable in the address turns TLS off.",
    ),
  }),
  tls_required: (_, t) => ({
    what: t("the server requires TLS"),
    next: t(
      "Use sslmode=verify-full in the address. For your own CA, pass its certificate with --ca-file FILE.",
    ),
  }),
  not_listed: (_, t) => ({
    what: t("the server's pg_hba.conf does not allow this user, database and machine"),
    next: t(
      "Ask whoever runs the server for a line in pg_hba.conf. If the line begins with hostssl, use sslmode=verify-full in the address.",
    ),
  }),
  tls_untrusted: ({ detail }, t) => ({
    what: t("the server's certificate is not trusted ({detail})", { detail }),
    next: t(
      "Pass its CA's certificate with --ca-file FILE. If the certificate has expired, whoever runs the server must renew it.",
    ),
  }),
  tls_other_name: ({ detail }, t) => ({
    what: t("the server's certificate is for another host ({detail})", { detail }),
    next: t(
      "Use the host name of the certificate in the address. sslmode=verify-ca checks the certificate but not the name.",
    ),
  }),
  login: ({ user }, t) => ({
    what:
      user === ""
        ? t("it does not accept this login")
        : t("it does not accept the user {user} with this password", { user: quoted(user) }),
    next: t(
      "Correct the user and password: in the address, with special characters percent-encoded, or in PGUSER, PGPASSWORD or ~/.pgpass.",
    ),
  }),
  password_missing: ({ user }, t) => ({
    what:
      user === ""
        ? t("it asks for a password, and none is set")
        : t("it asks for a password for the user {user}, and none is set", { user: quoted(user) }),
    next: t(
      "Keep it in ~/.pgpass (mode 0600) or PGPASSWORD, or in the address: postgres://USER:PASSWORD@HOST/DATABASE.",
    ),
  }),
  method_refused: ({ method }, t) => ({
    what: t("it authenticates by {method}, which require_auth does not allow", { method }),
    next: t(
      "Check that the host and port are those of your server, not of something in between. If they are, correct require_auth in the address (or PGREQUIREAUTH).",
    ),
  }),
  not_bound: (_, t) => ({
    what: t(
      "it offers no channel binding (SCRAM-SHA-256-PLUS over TLS), which channel_binding=require needs",
    ),
    next: t(
      "Check that the host and port are those of your server, not of something in between that ends TLS. The server needs ssl = on and a password stored with scram-sha-256.",
    ),
  }),
  tls_version: ({ version }, t) => ({
    what: t("it uses {version}, which ssl_min_protocol_version or ssl_max_protocol_version does not allow", {
      version,
    }),
    next: t(
      "Allow another version on the server, or correct the parameter in the address (or its variable).",
    ),
  }),
  database_missing: ({ database }, t) => ({
    what: t("there is no database {database}", { database: quoted(database) }),
    next: t("Create it: `createdb -E UTF8 -T template0 {database}`, or correct its name in the address.", {
      database: shellWord(database),
    }),
  }),
  no_schema_rights: ({ user, database }, t) => ({
    what: t("the user {user} has no permission to create the schema bpos", { user: quoted(user) }),
    next: t(
      "As the database owner, run `GRANT CREATE ON DATABASE {database} TO {user};` once, or any bpos command.",
      { database: sqlName(database), user: sqlName(user) },
    ),
  }),
  no_table_rights: ({ user }, t) => ({
    what: t("the user {user} has no permission to use or change the tables of the schema bpos", {
      user: quoted(user),
    }),
    next: t(
      "As the schema owner, run `GRANT USAGE ON SCHEMA bpos TO {user}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bpos TO {user};`. After an upgrade of bpos, run any bpos command as the owner first.",
      { user: sqlName(user) },
    ),
  }),
  no_create_rights: ({ user }, t) => ({
    what: t("the user {user} has no permission to create tables in the schema bpos", { user: quoted(user) }),
    next: t(
      "As the schema owner, run `GRANT USAGE, CREATE ON SCHEMA bpos TO {user};` once, or any bpos command.",
      { user: sqlName(user) },
    ),
  }),
  foreign_owner: ({ owner, thing, user }, t) => ({
    what:
      thing === "bpos"
        ? t("the schema bpos belongs to {owner}", { owner: quoted(owner) })
        : t("{thing} belongs to {owner}", { thing, owner: quoted(owner) }),
    next: t(
      "Its contents could run as {user}. Use your own database, or have the schema dropped (`DROP SCHEMA bpos CASCADE;`). If you trust that role, run `GRANT {owner} TO {role};`.",
      { user, owner: sqlName(owner), role: sqlName(user) },
    ),
  }),
  foreign_code: ({ thing }, t) => ({
    what: t("the schema bpos contains {thing}, which bpos did not create", { thing: quoted(thing) }),
    next: t("It could change or read every order and message. Find out who created it, then drop it."),
  }),
  too_old: ({ version, oldest }, t) => ({
    what: t("PostgreSQL {version} is too old", { version }),
    next: t("Update the server to PostgreSQL {oldest} or newer.", { oldest }),
  }),
  other_encoding: ({ encoding }, t) => ({
    what: t("its encoding is {encoding}, not UTF8", { encoding }),
    next: t("Use a database in UTF8: `createdb -E UTF8 -T template0 NAME`."),
  }),
  read_only: (_, t) => ({
    what: t("it is read-only"),
    next: t(
      "If it is a replica, use the host of the primary in the address. Otherwise check default_transaction_read_only.",
    ),
  }),
  disk_full: (_, t) => ({ what: t("the server's disk is full"), next: t("Free disk space on the server.") }),
  busy: (_, t) => ({
    what: t("another session kept a lock on it for too long"),
    next: t("Run the command again. If it persists, look for a long transaction in pg_stat_activity."),
  }),
  cancelled: (_, t) => ({
    what: t("the server cancels statements of bpos"),
    next: t(
      "Run the command again. If it persists, look for a statement_timeout of the user, the database or the server.",
    ),
  }),
  settings_lost: ({ user, database, settings }, t) => ({
    what: t("the session does not keep the settings of bpos ({settings})", {
      settings: Object.keys(settings).join(", "),
    }),
    next: t(
      "Use the host and port of the server itself. Behind a pooler in session mode, set them for the user: `{statements}`.",
      { statements: setSettings(user, database, settings) },
    ),
  }),
  half_copied: (_, t) => ({
    what: t("it holds an unfinished copy of a journal"),
    next: t(
      "Run `bpos journal copy` again on the machine that has that journal. To start over with an empty database, run `DROP SCHEMA bpos CASCADE;` in it.",
    ),
  }),
  copied_into: (_, t) => ({
    what: t("a journal was copied into it since this command began"),
    next: t("Run the command again."),
  }),
  said: ({ detail }, t) => ({ what: detail, next: t("The server log might say more.") }),
};

/** Says why a database cannot be the journal, as part of a sentence, and what to do next. */
export const databaseWords = (problem: DatabaseProblem, t: T): Advice => sayKind(words, problem, t);
