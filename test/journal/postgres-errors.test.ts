import { expect, it } from "vitest";
import { databaseTrouble } from "../../src/journal/engine/postgres-errors.ts";

const login = { user: "caja", database: "bar" };
const kindOf = (error: unknown): unknown => {
  const detail = databaseTrouble(error, login);
  return typeof detail === "object" && detail.kind === "database" ? detail.problem : detail;
};
const answer = (code: string, message = "in any language") =>
  Object.assign(new Error(message), { code, severity: "FATAL" });
const ofSystem = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
const hba = 'no pg_hba.conf entry for host "10.0.0.7", user "caja", database "bar"';

it.each([
  [answer("28P01"), { kind: "login", user: "caja" }],
  [answer("28000", 'role "caja" does not exist'), { kind: "login", user: "caja" }],
  [answer("28000", `${hba}, no encryption`), { kind: "tls_required" }],
  [answer("28000", `${hba}, SSL off`), { kind: "tls_required" }],
  [answer("28000", `${hba}, SSL encryption`), { kind: "not_listed" }],
  [answer("28000", "SCRAM channel binding check failed"), { kind: "not_bound" }],
  [answer("3D000"), { kind: "database_missing", database: "bar" }],
  [answer("42501"), { kind: "no_table_rights", user: "caja" }],
  [answer("25006"), { kind: "read_only" }],
  [answer("08P01", "unsupported startup parameter: options"), { kind: "pooler" }],
  [answer("53100"), { kind: "disk_full" }],
  [answer("53300"), { kind: "too_many" }],
  [answer("57P03"), { kind: "starting" }],
  [answer("57014"), { kind: "cancelled" }],
  [answer("26000"), { kind: "pooler" }],
  [answer("42P05"), { kind: "pooler" }],
  [answer("55P03"), { kind: "busy" }],
  [answer("XX000", "could not find tuple"), { kind: "said", detail: "could not find tuple" }],
  [ofSystem("ECONNREFUSED"), { kind: "refused" }],
  [ofSystem("ENOTFOUND"), { kind: "host_unknown" }],
  [ofSystem("EHOSTUNREACH"), { kind: "no_route" }],
  [ofSystem("ETIMEDOUT"), { kind: "silent" }],
  [ofSystem("ECONNRESET"), { kind: "cut" }],
  [ofSystem("ENOENT", { syscall: "connect", address: "/run/x/.s.PGSQL.5432" }), { kind: "no_socket" }],
  [ofSystem("ENOENT", { syscall: "open", path: "/ca.pem" }), { kind: "certificate_file", detail: "ENOENT" }],
  [ofSystem("SELF_SIGNED_CERT_IN_CHAIN"), { kind: "tls_untrusted", detail: "SELF_SIGNED_CERT_IN_CHAIN" }],
  [
    ofSystem("ERR_TLS_CERT_ALTNAME_INVALID"),
    { kind: "tls_other_name", detail: "ERR_TLS_CERT_ALTNAME_INVALID" },
  ],
  [
    new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a non-empty string"),
    { kind: "password_missing", user: "caja" },
  ],
  [new Error("The server does not support SSL connections"), { kind: "tls_refused" }],
  [new Error("Connection terminated due to connection timeout"), { kind: "silent" }],
  [new Error("timeout expired"), { kind: "silent" }],
  [new Error("Connection terminated unexpectedly"), { kind: "cut" }],
  ["thrown", { kind: "said", detail: "thrown" }],
])("%s is told apart", (error, problem) => {
  expect(kindOf(error)).toEqual(problem);
});
