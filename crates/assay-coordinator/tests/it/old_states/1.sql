CREATE TABLE task (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    kind        TEXT NOT NULL,
    goal        TEXT NOT NULL,
    status      TEXT NOT NULL,
    reason      TEXT NOT NULL DEFAULT '',
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    owner       TEXT NOT NULL,               -- JSON
    generation  INTEGER NOT NULL DEFAULT 1,  -- one more with each owner
    locks       TEXT NOT NULL DEFAULT '[]',  -- JSON
    subtasks    TEXT NOT NULL DEFAULT '[]',  -- JSON
    collected   TEXT NOT NULL DEFAULT '{}'   -- JSON
);
CREATE INDEX task_by_status ON task (status);

CREATE TABLE tab (
    task        INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    id          TEXT NOT NULL,
    url         TEXT NOT NULL,
    title       TEXT NOT NULL,
    added_at    INTEGER NOT NULL,
    seen_at     INTEGER NOT NULL,
    PRIMARY KEY (task, id)
);

CREATE TABLE task_error (
    id          INTEGER PRIMARY KEY,
    task        INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    at          INTEGER NOT NULL,
    text        TEXT NOT NULL
);
CREATE INDEX task_error_by_task ON task_error (task);

-- Everything that happened, in order. Rows are added, and removed with their task; none is changed.
CREATE TABLE journal (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    task        INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    stream      TEXT NOT NULL,               -- task: an event of a task; run: an event of a run
    kind        TEXT NOT NULL,
    at          INTEGER NOT NULL,
    body        TEXT NOT NULL,               -- JSON
    checksum    INTEGER NOT NULL
);
CREATE INDEX journal_by_task ON journal (task, stream, number);
CREATE INDEX journal_by_stream ON journal (number) WHERE stream = 'task';
CREATE TRIGGER journal_is_append_only BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'a row of the journal is never changed'); END;

CREATE TABLE run (
    task        INTEGER PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE,
    run         TEXT NOT NULL,
    suite       TEXT NOT NULL,
    results     TEXT NOT NULL,               -- the folder, absolute
    start_order TEXT NOT NULL,               -- JSON: how to start it again
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    interrupted INTEGER,
    duration_ms INTEGER
);

CREATE TABLE result (
    id          INTEGER PRIMARY KEY,
    task        INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    test        TEXT NOT NULL,               -- the same in every run and browser
    test_id     TEXT NOT NULL,               -- as the run names it
    name        TEXT NOT NULL,
    file        TEXT NOT NULL,
    browser     TEXT NOT NULL,
    fingerprint TEXT,
    attempt     INTEGER NOT NULL,
    verdict     TEXT NOT NULL,
    reason      TEXT NOT NULL,
    flaky       INTEGER NOT NULL,            -- it passed on a retry
    at          INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL
);
CREATE INDEX result_by_test ON result (test, at);
CREATE INDEX result_by_task ON result (task);

CREATE TABLE step_result (
    result      INTEGER NOT NULL REFERENCES result (id) ON DELETE CASCADE,
    attempt     INTEGER NOT NULL,
    step        INTEGER NOT NULL,
    part        TEXT NOT NULL,
    text        TEXT NOT NULL,
    verdict     TEXT NOT NULL,
    reason      TEXT NOT NULL,
    duration_ms INTEGER NOT NULL
);
CREATE INDEX step_result_by_result ON step_result (result);

CREATE TABLE metric (
    task        INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    value       REAL NOT NULL,
    PRIMARY KEY (task, name)
) WITHOUT ROWID;

CREATE TABLE lease (
    name        TEXT PRIMARY KEY,
    token       INTEGER NOT NULL,            -- never given twice
    owner       TEXT NOT NULL,               -- JSON
    task        INTEGER REFERENCES task (id) ON DELETE SET NULL,
    taken_at    INTEGER NOT NULL,
    seen_at     INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE lease_counter (last INTEGER NOT NULL);
INSERT INTO lease_counter VALUES (0);

-- Folders of removed runs that are not known to be gone.
CREATE TABLE discarded_folder (path TEXT PRIMARY KEY) WITHOUT ROWID;
