CREATE TABLE push (
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
CREATE INDEX send_person_by_call ON send_person (send_id, n);
PRAGMA application_id = 0x62706f73;
PRAGMA user_version = 1;
