// Adds stamps to a journal until it is killed: a line for what it finds, and one for each transaction once it is durable.
import { openSqlite } from "../../src/journal/engine/sqlite.ts";
import { findDriver } from "../../src/sqlite.ts";

const [file = "", rowsEach = "1"] = process.argv.slice(2);
const sql = openSqlite(file);
const { rows } = await sql.one<{ rows: number }>("SELECT count(*) AS rows FROM branch_stamp");
const { integrity_check: state } = await sql.one<{ integrity_check: string }>("PRAGMA integrity_check");
process.stdout.write(`${JSON.stringify({ driver: findDriver(), rows, state })}\n`);
for (let row = rows; ; row += Number(rowsEach)) {
  const batch = Array.from({ length: Number(rowsEach) }, (_, n) => [`branch ${row + n}`, row + n]);
  await sql.many("INSERT INTO branch_stamp VALUES (?, ?)", batch);
  process.stdout.write(`${row + batch.length}\n`);
}
