import type { DatabaseProblem, Detail } from "../../errors/problems.ts";
import { type Sql, schemaVersion } from "./engine.ts";

/** The oldest PostgreSQL that its makers support. */
const oldest = 14;

export interface Server {
  /** For people, and as a number. */
  version: string;
  number: number;
  encoding: string;
  /** It takes no writes, as a replica does. */
  isReadOnly: 0 | 1;
  user: string;
  database: string;
  hasSchema: 0 | 1;
  /** The part of the schema, or `bpos` for all of it, that belongs to a role that the user has no reason to trust, and that role; or code in it that bpos did not create. */
  foreign: string | null;
  foreignOwner: string | null;
  /** 1 where the user may create the schema of bpos, or its tables, and use them. */
  mayCreate: 0 | 1;
  mayWrite: 0 | 1;
  /** The version of the schema; null if there is none. */
  schema: number | null;
  /** It holds an unfinished copy of another journal; how many were begun. */
  isHalfCopied: 0 | 1;
  copies: number;
}

/** System catalogs only: the content of the schema might belong to somebody else. */
const schemaParts = `WITH RECURSIVE member(role) AS (
    SELECT oid FROM pg_roles WHERE rolname = current_user
    UNION SELECT roleid FROM pg_auth_members JOIN member ON pg_auth_members.member = member.role),
  trusted AS (
    SELECT role FROM member UNION SELECT oid FROM pg_roles WHERE rolsuper OR rolname = 'pg_database_owner'
    UNION SELECT datdba FROM pg_database WHERE datname = current_database()),
  space AS (SELECT oid, nspowner FROM pg_namespace WHERE nspname = 'bpos'),
  ours AS (SELECT oid, relname, relkind, relowner FROM pg_class WHERE relnamespace IN (SELECT oid FROM space)),
  owned(thing, owner) AS (
    SELECT 'bpos', nspowner FROM space
    UNION ALL SELECT 'bpos.' || relname::text, relowner FROM ours
    UNION ALL SELECT 'bpos.' || proname::text, proowner FROM pg_proc WHERE pronamespace IN (SELECT oid FROM space)
    UNION ALL SELECT 'bpos.' || typname::text, typowner FROM pg_type
      WHERE typnamespace IN (SELECT oid FROM space) AND typcategory <> 'A'
    UNION ALL SELECT 'bpos.' || oprname::text, oprowner FROM pg_operator
      WHERE oprnamespace IN (SELECT oid FROM space)),
  calling(class, id) AS (
    SELECT 'pg_class'::regclass::oid, oid FROM ours
    UNION ALL SELECT 'pg_attrdef'::regclass::oid, oid FROM pg_attrdef WHERE adrelid IN (SELECT oid FROM ours)
    UNION ALL SELECT 'pg_constraint'::regclass::oid, oid FROM pg_constraint WHERE conrelid IN (SELECT oid FROM ours)),
  code(thing) AS (
    SELECT tgname::text FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM ours) AND NOT tgisinternal
    UNION ALL SELECT rulename::text FROM pg_rewrite WHERE ev_class IN (SELECT oid FROM ours)
    UNION ALL SELECT polname::text FROM pg_policy WHERE polrelid IN (SELECT oid FROM ours)
    UNION ALL SELECT refobjid::regprocedure::text FROM pg_depend JOIN calling ON classid = class AND objid = id
      WHERE refclassid = 'pg_proc'::regclass::oid)`;

/** The schema itself comes first: of one that is another's nothing else counts. */
const firstForeign = `SELECT * FROM (
    SELECT thing, pg_get_userbyid(owner)::text AS owner FROM owned WHERE owner NOT IN (SELECT role FROM trusted)
    UNION ALL SELECT thing, NULL FROM code) AS every
  ORDER BY owner IS NULL, thing <> 'bpos', thing LIMIT 1`;

const mayUse = "has_schema_privilege(space.oid, 'USAGE')";
const tableRights = ["SELECT", "INSERT", "UPDATE", "DELETE"].map(
  (right) => `has_table_privilege(ours.oid, '${right}')`,
);

const selectServer = `${schemaParts}
  SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
    current_setting('server_version_num')::bigint AS number, current_setting('server_encoding') AS encoding,
    current_setting('transaction_read_only') = 'on' AS "isReadOnly", current_user::text AS "user",
    current_database()::text AS database, space.oid IS NOT NULL AS "hasSchema",
    found.thing AS foreign, found.owner AS "foreignOwner",
    coalesce(${mayUse} AND has_schema_privilege(space.oid, 'CREATE'),
      has_database_privilege(current_database(), 'CREATE')) AS "mayCreate",
    coalesce((SELECT bool_and(${mayUse} AND ${tableRights.join(" AND ")}) FROM ours WHERE relkind = 'r'), true)
      AS "mayWrite",
    EXISTS (SELECT 1 FROM ours WHERE relkind = 'r') AS made
  FROM (SELECT 1) AS one LEFT JOIN space ON true LEFT JOIN (${firstForeign}) AS found ON true`;

export async function inspectServer(sql: Sql): Promise<Server> {
  type Ours = Pick<Server, "schema" | "isHalfCopied" | "copies">;
  const { made, ...server } = await sql.one<Omit<Server, keyof Ours> & { made: 0 | 1 }>(selectServer);
  // Reads nothing that belongs to somebody else: a view runs as whoever reads it.
  if (made === 0 || server.mayWrite === 0 || server.foreign !== null)
    return { ...server, schema: null, isHalfCopied: 0, copies: 0 };
  // Both from the same moment.
  const ours = await sql.one<Ours>(
    `SELECT version AS schema, copies, EXISTS (
       SELECT 1 FROM pg_tables WHERE schemaname = 'bpos' AND tablename = 'copying') AS "isHalfCopied" FROM bpos.version`,
  );
  return { ...server, ...ours };
}

/** Why foreign code in the schema could run as the user. */
export function foreignTrouble({ foreign, foreignOwner, user }: Server): Detail | undefined {
  if (foreign === null) return undefined;
  const problem: DatabaseProblem =
    foreignOwner === null
      ? { kind: "foreign_code", thing: foreign }
      : { kind: "foreign_owner", thing: foreign, owner: foreignOwner, user };
  return { kind: "database", problem };
}

/** Why a server cannot hold the journal as it is, if it cannot. */
export function serverTrouble(server: Server): Detail | undefined {
  const { version, encoding, database, user, schema } = server;
  const trouble = (problem: DatabaseProblem): Detail => ({ kind: "database", problem });
  if (server.number < oldest * 10_000) return trouble({ kind: "too_old", version, oldest });
  if (encoding !== "UTF8") return trouble({ kind: "other_encoding", encoding });
  const foreign = foreignTrouble(server);
  if (foreign !== undefined) return foreign;
  if (server.mayWrite === 0) return trouble({ kind: "no_table_rights", user });
  if (schema !== null && schema !== schemaVersion)
    return { kind: schema > schemaVersion ? "journal_newer" : "journal_outdated" };
  if (server.isReadOnly === 1) return trouble({ kind: "read_only" });
  if (server.isHalfCopied === 1) return trouble({ kind: "half_copied" });
  if (schema === null && server.mayCreate === 0)
    return trouble(
      server.hasSchema === 1
        ? { kind: "no_create_rights", user }
        : { kind: "no_schema_rights", database, user },
    );
  return undefined;
}
