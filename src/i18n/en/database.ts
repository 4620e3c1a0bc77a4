import { databaseAdvice } from "../shared/details.ts";

/** Why a database cannot be the journal, as part of a sentence, and what to do next. */
export const databaseWords = databaseAdvice({
  not_database: {
    what: "it must be the address of a PostgreSQL database",
    next: "Write postgres://USER@HOST/DATABASE, or remove the setting: without it, the journal is an SQLite file.",
  },
  address_broken: {
    what: "the address cannot be read",
    next: "Write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded (# is %23).",
  },
  unescaped: {
    what: "a special character in the address must be percent-encoded",
    next: "In user, password and database write @ as %40, # as %23, / as %2F, ? as %3F and % as %25, or keep the password in ~/.pgpass.",
  },
  several_hosts: { what: "the address names several hosts", next: "Name one: the primary." },
  userless: {
    what: "the address names no user",
    next: "Write postgres://USER@HOST/DATABASE, or set PGUSER.",
  },
  sslmode_unknown: {
    what: '"{mode}" is not an sslmode',
    next: "Use disable, allow, prefer, require, verify-ca or verify-full. verify-full checks the server's certificate and name.",
  },
  parameter_unknown: {
    what: 'the address has the unknown parameter "{name}"',
    next: "Correct or remove it. bpos knows host, port, user, password, sslmode, sslrootcert, sslcert, sslkey, channel_binding, require_auth and options.",
  },
  parameter_refused: {
    what: 'bpos cannot do what "{name}" asks for',
    next: "Remove it (a name in capitals is a variable of the environment), or use sslmode=verify-full and channel_binding=require, which bpos honours.",
  },
  port_unusable: {
    what: "its port is not a whole number from 1 to 65535",
    next: "Correct the port in the address, or PGPORT.",
  },
  in_profile: {
    what: 'the profile "{profile}" has a "journal"',
    next: "Move it out of the profile, next to `default`: all profiles share one journal.",
  },
  key_misspelt: {
    what: '"{key}" is unknown there',
    next: "Write journal instead, or remove it: without it the journal is a file of this machine.",
  },
  certificate_file: {
    what: "{detail}",
    next: "Correct sslrootcert, sslcert or sslkey in the address (or PGSSLROOTCERT, PGSSLCERT, PGSSLKEY).",
  },
  refused: {
    what: "connection refused, no server listens there",
    next: "Start the server, or correct host and port in the address. The server must listen on that address (listen_addresses).",
  },
  host_unknown: {
    what: "the host name was not found",
    next: "Correct the host in the address, or check this machine's network and DNS.",
  },
  silent: {
    what: "no answer in time",
    next: "Check host and port in the address, that the server runs, and that no firewall is in between.",
  },
  no_route: {
    what: "this machine's network has no route to it",
    next: "Check the host in the address and this machine's network.",
  },
  no_socket: {
    what: "there is no such socket, or no permission to use it",
    next: "Start the server on this machine, or correct the folder of its socket in the address.",
  },
  cut: {
    what: "the connection was closed",
    next: "Check host and port in the address. If they are right, the log of the server says why; then run the command again.",
  },
  not_postgres: {
    what: "what answers there is not PostgreSQL",
    next: "Check host and port in the address.",
  },
  pooler: {
    what: "a pooler answers there and gives bpos no session of its own",
    next: "Name the host and port of the server itself, or of a pooler in session mode.",
  },
  starting: {
    what: "the server is starting or stopping",
    next: "Wait a moment, then run the command again.",
  },
  too_many: {
    what: "the server accepts no more connections",
    next: "Close sessions that nobody needs, or raise max_connections of the server. Each running bpos uses two.",
  },
  tls_failed: {
    what: "TLS failed ({detail})",
    next: "Check host and port in the address, and which TLS versions the server allows.",
  },
  tls_refused: {
    what: "the server does not offer TLS",
    next: "Switch it on at the server (ssl = on). Within a network that you trust, sslmode=disable in the address turns TLS off.",
  },
  tls_required: {
    what: "the server requires TLS",
    next: "Use sslmode=verify-full in the address; for a CA of your own, pass its certificate with --ca-file FILE.",
  },
  not_listed: {
    what: "pg_hba.conf of the server does not allow this user, database and machine",
    next: "Ask whoever runs the server for a line in pg_hba.conf. If the line begins with hostssl, use sslmode=verify-full in the address.",
  },
  tls_untrusted: {
    what: "the server's certificate is not trusted ({detail})",
    next: "Pass its CA's certificate with --ca-file FILE. If the certificate has expired, whoever runs the server must renew it.",
  },
  tls_other_name: {
    what: "the server's certificate is for another host ({detail})",
    next: "Write the host in the address as the certificate has it. sslmode=verify-ca checks the certificate without the name.",
  },
  login: {
    what: {
      user: 'it does not accept the user "{user}" with this password',
      else: "it does not accept this login",
    },
    next: "Correct user and password: in the address, with special characters percent-encoded, or in PGUSER, PGPASSWORD or ~/.pgpass.",
  },
  password_missing: {
    what: 'it asks for a password[ of the user "{user}"], and none is set',
    next: "Keep it in ~/.pgpass (mode 0600) or PGPASSWORD, or in the address: postgres://USER:PASSWORD@HOST/DATABASE.",
  },
  method_refused: {
    what: "it authenticates by {method}, which require_auth does not allow",
    next: "Check that host and port are those of your server, not of something in between. If they are, correct require_auth in the address (or PGREQUIREAUTH).",
  },
  not_bound: {
    what: "it offers no channel binding (SCRAM-SHA-256-PLUS over TLS), which channel_binding=require asks for",
    next: "Check that host and port are those of your server, not of something in between that ends TLS. The server needs ssl = on and a password stored with scram-sha-256.",
  },
  tls_version: {
    what: "it uses {version}, which ssl_min_protocol_version or ssl_max_protocol_version does not allow",
    next: "Allow another version at the server, or correct the parameter in the address (or its variable).",
  },
  database_missing: {
    what: 'there is no database "{database}"',
    next: "Create it: `createdb -E UTF8 -T template0 {database:shell}`, or correct its name in the address.",
  },
  no_schema_rights: {
    what: 'the user "{user}" may not create the schema bpos',
    next: "As the owner of the database, run `GRANT CREATE ON DATABASE {database:sql} TO {user:sql};` once, or any command of bpos.",
  },
  no_table_rights: {
    what: 'the user "{user}" may not use or change the tables of the schema bpos',
    next: "As the owner of the schema, run `GRANT USAGE ON SCHEMA bpos TO {user:sql}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bpos TO {user:sql};`. After an update of bpos, run any command of it as the owner first.",
  },
  no_create_rights: {
    what: 'the user "{user}" may not create tables in the schema bpos',
    next: "As the owner of the schema, run `GRANT USAGE, CREATE ON SCHEMA bpos TO {user:sql};` once, or any command of bpos.",
  },
  foreign_owner: {
    what: {
      isSchema: 'the schema bpos belongs to "{owner}"',
      else: '{thing} belongs to "{owner}"',
    },
    next: "Its contents could run as {user}. Use a database of your own, or have it dropped (`DROP SCHEMA bpos CASCADE;`). If you trust that role, run `GRANT {owner:sql} TO {user:sql};`.",
  },
  foreign_code: {
    what: '"{thing}" is in the schema bpos, and bpos did not create it',
    next: "It could change or read every order and message. Find out who created it, then drop it.",
  },
  too_old: {
    what: "PostgreSQL {version} is too old",
    next: "Update the server to PostgreSQL {oldest} or newer.",
  },
  other_encoding: {
    what: "its encoding is {encoding}, not UTF8",
    next: "Use a database in UTF8: `createdb -E UTF8 -T template0 NAME`.",
  },
  read_only: {
    what: "it is read-only",
    next: "If it is a replica, name the host of the primary in the address. Otherwise check default_transaction_read_only.",
  },
  disk_full: { what: "the server's disk is full", next: "Free disk space on the server." },
  busy: {
    what: "another session kept a lock on it for too long",
    next: "Run the command again. If it persists, look for a long transaction in pg_stat_activity.",
  },
  cancelled: {
    what: "the server cancels its statements",
    next: "Run the command again. If it persists, look for a statement_timeout of the user, the database or the server.",
  },
  settings_lost: {
    what: "the session does not keep the settings of bpos ({settings})",
    next: "Name the host and port of the server itself. Behind a pooler in session mode, set them for the user: `{statements}`.",
  },
  half_copied: {
    what: "it holds an unfinished copy of a journal",
    next: "Run `bpos journal copy` again on the machine whose journal it is. To start over with an empty database, run `DROP SCHEMA bpos CASCADE;` there.",
  },
  copied_into: {
    what: "a journal was copied into it since this command began",
    next: "Run the command again.",
  },
  said: { what: "{detail}", next: "The log of the server may say more." },
});
