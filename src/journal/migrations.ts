/** One script a version; a journal of version N gets the scripts from N on. Never edit one that was released. */
export const migrations = [
  `CREATE TABLE push (
     seq INTEGER PRIMARY KEY, push_id TEXT NOT NULL UNIQUE, branch TEXT NOT NULL, at INTEGER NOT NULL,
     action TEXT NOT NULL, content_hash TEXT NOT NULL, open INTEGER NOT NULL DEFAULT 1) STRICT;
   CREATE INDEX push_by_branch ON push (branch, seq);
   CREATE TABLE push_event (
     push_id TEXT NOT NULL REFERENCES push (push_id), first_row INTEGER NOT NULL, row_count INTEGER NOT NULL,
     event_id TEXT NOT NULL, stamp INTEGER NOT NULL, occurred_at TEXT NOT NULL, state TEXT NOT NULL, answer TEXT,
     PRIMARY KEY (push_id, first_row)) STRICT;
   CREATE TABLE branch_stamp (branch TEXT PRIMARY KEY, stamp INTEGER NOT NULL) STRICT;
   CREATE TABLE send (
     seq INTEGER PRIMARY KEY, send_id TEXT NOT NULL UNIQUE, branch TEXT NOT NULL, ref TEXT NOT NULL,
     template_name TEXT, template_id TEXT, template_language TEXT, at INTEGER NOT NULL) STRICT;
   CREATE INDEX send_by_ref ON send (branch, ref);
   CREATE TABLE send_call (
     send_id TEXT NOT NULL REFERENCES send (send_id), n INTEGER NOT NULL, idempotency_key TEXT NOT NULL,
     body TEXT NOT NULL, people INTEGER NOT NULL, state TEXT NOT NULL, attempted_at INTEGER,
     campaign_id TEXT, answer TEXT, answered_at INTEGER,
     PRIMARY KEY (send_id, n)) STRICT;
   CREATE TABLE send_person (
     branch TEXT NOT NULL, ref TEXT NOT NULL, person TEXT NOT NULL, send_id TEXT NOT NULL, n INTEGER NOT NULL,
     PRIMARY KEY (branch, ref, person)) STRICT, WITHOUT ROWID;
   CREATE INDEX send_person_by_call ON send_person (send_id, n);`,
  `CREATE TABLE watch (
     watch_id INTEGER PRIMARY KEY, branch TEXT NOT NULL, consumer TEXT NOT NULL,
     began_at INTEGER, first_run INTEGER NOT NULL DEFAULT 1, since_floor INTEGER,
     UNIQUE (branch, consumer)) STRICT;
   CREATE TABLE watch_order (
     watch_id INTEGER NOT NULL REFERENCES watch (watch_id), order_id TEXT NOT NULL,
     status TEXT NOT NULL, state TEXT NOT NULL, body TEXT,
     PRIMARY KEY (watch_id, order_id)) STRICT, WITHOUT ROWID;
   CREATE INDEX watch_order_open ON watch_order (watch_id) WHERE state = 'open';
   CREATE TABLE watch_delivery (
     watch_id INTEGER NOT NULL, order_id TEXT NOT NULL, output TEXT NOT NULL, state TEXT NOT NULL,
     PRIMARY KEY (watch_id, order_id, output),
     FOREIGN KEY (watch_id, order_id) REFERENCES watch_order (watch_id, order_id)) STRICT, WITHOUT ROWID;
   CREATE TABLE claim (
     name TEXT PRIMARY KEY, holder TEXT NOT NULL, pid INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE catalog_kept (branch TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
   CREATE TABLE catalog_item (
     branch TEXT NOT NULL, code TEXT NOT NULL, item TEXT NOT NULL, active INTEGER NOT NULL, open INTEGER NOT NULL,
     PRIMARY KEY (branch, code)) STRICT, WITHOUT ROWID;
   CREATE TABLE push_report (
     push_id TEXT PRIMARY KEY REFERENCES push (push_id), file TEXT, report TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE reply (reply INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
   CREATE TABLE reply_arrival (
     arrival INTEGER PRIMARY KEY, reply INTEGER NOT NULL REFERENCES reply (reply), at INTEGER NOT NULL,
     again INTEGER NOT NULL) STRICT;
   CREATE TABLE reply_delivery (
     output TEXT NOT NULL, arrival INTEGER NOT NULL REFERENCES reply_arrival (arrival), state TEXT NOT NULL,
     PRIMARY KEY (output, arrival)) STRICT, WITHOUT ROWID;
   CREATE INDEX send_call_by_campaign ON send_call (campaign_id);`,
  `ALTER TABLE push ADD COLUMN file TEXT;
   ALTER TABLE send ADD COLUMN not_after INTEGER;
   ALTER TABLE send ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE send_call ADD COLUMN lines TEXT;
   CREATE TABLE send_report (
     send_id TEXT PRIMARY KEY REFERENCES send (send_id), report TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  "ALTER TABLE catalog_kept ADD COLUMN asked INTEGER NOT NULL DEFAULT 1;",
  `CREATE TABLE report_file (
     path TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (path, hash)) STRICT, WITHOUT ROWID;`,
  `ALTER TABLE watch_order ADD COLUMN created_at TEXT;
   ALTER TABLE watch ADD COLUMN first_total INTEGER;
   ALTER TABLE watch ADD COLUMN first_page_end INTEGER;`,
  `CREATE TABLE watch_event (
     event INTEGER PRIMARY KEY, watch_id INTEGER NOT NULL REFERENCES watch (watch_id), order_id TEXT NOT NULL,
     from_status TEXT, body TEXT NOT NULL) STRICT;
   CREATE INDEX watch_event_by_watch ON watch_event (watch_id);
   CREATE INDEX watch_event_by_order ON watch_event (order_id);
   INSERT INTO watch_event (watch_id, order_id, body)
     SELECT watch_id, order_id, body FROM watch_order WHERE state = 'open' ORDER BY watch_id, length(order_id), order_id;
   ALTER TABLE watch_delivery RENAME TO watch_delivery_before;
   CREATE TABLE watch_delivery (
     event INTEGER NOT NULL REFERENCES watch_event (event), output TEXT NOT NULL, state TEXT NOT NULL,
     PRIMARY KEY (event, output)) STRICT, WITHOUT ROWID;
   INSERT INTO watch_delivery
     SELECT event, output, state FROM watch_delivery_before JOIN watch_event USING (watch_id, order_id);
   DROP TABLE watch_delivery_before;
   DROP INDEX watch_order_open;
   UPDATE watch_order SET state = 'found' WHERE state <> 'skipped';
   ALTER TABLE watch_order DROP COLUMN body;`,
  "ALTER TABLE send_call ADD COLUMN ahead_ms INTEGER;",
];
