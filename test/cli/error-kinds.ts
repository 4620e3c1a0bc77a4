import type { DatabaseProblem } from "../../src/errors/problems.ts";
import type { OfKind } from "../../src/texts/kinds.ts";

/** One of every kind of a union: a new kind does not compile without. */
type OneOfEach<U extends { kind: string }> = { [K in U["kind"]]: Omit<OfKind<U, K>, "kind"> };

export function each<U extends { kind: string }>(table: OneOfEach<U>): U[] {
  return Object.entries(table).map(([kind, facts]) => ({ kind, ...(facts as object) }) as unknown as U);
}

/** Every problem of a database. */
export const databases = each<DatabaseProblem>({
  not_database: {},
  address_broken: {},
  unescaped: {},
  several_hosts: {},
  userless: {},
  sslmode_unknown: { mode: "verify_full" },
  parameter_unknown: { name: "sslmod" },
  parameter_refused: { name: "PGSSLCRL" },
  port_unusable: {},
  in_profile: { profile: "centro" },
  key_misspelt: { key: "jurnal" },
  certificate_file: { detail: "ENOENT" },
  refused: {},
  host_unknown: {},
  silent: {},
  no_route: {},
  no_socket: {},
  cut: {},
  not_postgres: {},
  pooler: {},
  starting: {},
  too_many: {},
  tls_failed: { detail: "EPROTO" },
  tls_refused: {},
  tls_required: {},
  not_listed: {},
  tls_untrusted: { detail: "CERT_HAS_EXPIRED" },
  tls_other_name: { detail: "ERR_TLS_CERT_ALTNAME_INVALID" },
  login: { user: "caja" },
  password_missing: { user: "caja" },
  method_refused: { method: "password" },
  not_bound: {},
  tls_version: { version: "TLSv1.2" },
  half_copied: {},
  copied_into: {},
  database_missing: { database: "bpos" },
  no_schema_rights: { database: "Bar y Grill", user: "caja-2" },
  no_table_rights: { user: "caja" },
  no_create_rights: { user: "caja" },
  foreign_owner: { thing: "bpos.holder", owner: "eva", user: "caja" },
  foreign_code: { thing: "note_orders" },
  too_old: { version: "13.4", oldest: 14 },
  other_encoding: { encoding: "LATIN1" },
  read_only: {},
  disk_full: {},
  busy: {},
  cancelled: {},
  settings_lost: {
    user: "caja",
    database: "bar",
    settings: { search_path: "bpos,pg_temp", lock_timeout: 10_000 },
  },
  said: { detail: "XX000" },
});
