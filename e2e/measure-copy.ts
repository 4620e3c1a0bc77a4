// Measures `bpos journal copy` beside psql's COPY of the same rows into the same tables: npm run bench:copy [-- --orders 1000000 --recipients 100000]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { schema } from "../src/journal/engine/postgres-schema.ts";
import { openSqlite } from "../src/journal/engine/sqlite.ts";
import { tables } from "../src/journal/upkeep/copy.ts";
import { openDatabase } from "../src/sqlite.ts";
import { type PostgresServer, password, startServer } from "./support/postgres-server.ts";

const { values } = parseArgs({
  options: {
    orders: { type: "string", default: "1000000" },
    recipients: { type: "string", default: "100000" },
  },
});
const [orders, recipients] = [Number(values.orders), Number(values.recipients)];
const folder = mkdtempSync(join(tmpdir(), "bpos-bench-"));
const bpos = fileURLToPath(new URL("../bin/bpos.js", import.meta.url));

/** A journal with so many orders of two branches, and one send to so many people. */
async function journalOf(home: string): Promise<string> {
  const file = join(home, "state", "journal.db");
  await openSqlite(file).close();
  const database = openDatabase(file);
  const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)";
  database.exec(
    "INSERT INTO watch (watch_id, branch, consumer, began_at, first_run, since_floor) VALUES (1, 'a1b2', 'default', 1, 0, 1), (2, 'c3d4', 'default', 1, 0, 1)",
  );
  database
    .prepare(
      `${numbers} INSERT INTO watch_order (watch_id, order_id, status, state, created_at, lookups)
         SELECT 1 + i % 2, CAST(100000 + i AS TEXT), 'entregado', 'found', CAST(1760000000000 + i AS TEXT), 0 FROM n`,
    )
    .run(orders);
  database.exec(
    `INSERT INTO send (seq, send_id, branch, ref, template_name, template_language, at, param_names)
       VALUES (1, 's1', 'a1b2', 'enero', 'pedido_listo', 'es_AR', 1760000000000, '[]')`,
  );
  const person = "'+54911' || (40000000 + i)";
  database
    .prepare(
      `${numbers} INSERT INTO send_call
         (send_id, n, idempotency_key, body, people, state, attempted_at, campaign_id, answer, answered_at, lines, ahead_ms, after_seq)
         SELECT 's1', i / 1000, 'key' || (i / 1000), json_object('recipients', json_group_array(
         json_object('phone', ${person}, 'params', json_array('Ana ' || i, CAST(i AS TEXT))))), count(*), 'sent', 1760000000000,
         'cmp_' || (i / 1000), '{"status":"sent"}', 1760000000001, '[]', 0, 1 FROM n GROUP BY i / 1000`,
    )
    .run(recipients);
  database
    .prepare(`${numbers} INSERT INTO send_person SELECT ${person}, 1, 1, i / 1000 FROM n`)
    .run(recipients);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return file;
}

async function database(server: PostgresServer, name: string): Promise<string> {
  const client = new pg.Client({ host: "127.0.0.1", port: server.port, user: "postgres", password });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} OWNER bpos`);
  await client.end();
  return `postgres://bpos:${encodeURIComponent(password)}@127.0.0.1:${server.port}/${name}`;
}

async function run(program: string, argv: readonly string[], env: Record<string, string>): Promise<number> {
  const began = performance.now();
  const child = spawn(program, argv, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return (performance.now() - began) / 1000;
}

/** The rows as psql reads them, and a script that copies them all. */
function scriptOf(file: string): string {
  const source = openDatabase(file);
  const copies = tables.map((table) => {
    const rows = source.prepare(`SELECT * FROM ${table}`).all() as Record<string, string | number | null>[];
    const names = Object.keys(rows[0] ?? {});
    const cell = (value: string | number | null | undefined): string =>
      value === null || value === undefined
        ? String.raw`\N`
        : String(value)
            .replaceAll("\\", String.raw`\\`)
            .replaceAll("\n", String.raw`\n`)
            .replaceAll("\t", String.raw`\t`);
    const data = join(folder, `${table}.txt`);
    writeFileSync(data, rows.map((row) => `${names.map((name) => cell(row[name])).join("\t")}\n`).join(""));
    return rows.length === 0 ? "" : `\\copy bpos.${table} (${names.join(", ")}) FROM '${data}'`;
  });
  source.close();
  const script = join(folder, "copy.sql");
  writeFileSync(script, `${copies.filter((line) => line !== "").join("\n")}\n`);
  return script;
}

const { server, end } = await startServer();
try {
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  const file = await journalOf(home);
  const script = scriptOf(file);
  const psqlUrl = await database(server, "psql_copy");
  const client = new pg.Client({ connectionString: psqlUrl });
  await client.connect();
  await client.query(`CREATE SCHEMA bpos; BEGIN; ${schema}; COMMIT`);
  await client.end();
  const psql = await run(
    join(server.bin, "psql"),
    ["-q", "-v", "ON_ERROR_STOP=1", "-f", script, psqlUrl],
    {},
  );
  const to = await database(server, "bpos_copy");
  const own = await run(process.execPath, [bpos, "journal", "copy", "--to", to], { BPOS_HOME: home });
  const ratio = own / psql;
  const met = ratio <= 5 ? "met" : "MISSED";
  process.stdout.write(
    `copy of ${orders} orders and ${recipients} recipients: psql ${psql.toFixed(1)} s, bpos ${own.toFixed(1)} s: ${ratio.toFixed(1)} ×, target ≤ 5 × ${met}\n`,
  );
} finally {
  await end();
  rmSync(folder, { recursive: true, force: true });
}
