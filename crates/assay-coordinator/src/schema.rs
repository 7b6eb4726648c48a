//! The tables, and the migrations from older files.
//!
//! A released migration never changes: add a new one at the end.

use rusqlite::Connection;

use crate::service::SCHEDULES_AND_HOOKS;

/// The number of steps is the version of the file.
pub(crate) const STEPS: &[&str] =
    &[FIRST, WATCH, DEVICE_LOCKS, NAVIGATION, AGENT_SESSIONS, BUS, SERVICE, LOST_EVENTS, SCHEDULES_AND_HOOKS];

pub(crate) const VERSION: i64 = STEPS.len() as i64;

/// `assy`: distinguishes a state file from any other database.
pub(crate) const APPLICATION: i64 = 0x6173_7379;

const FIRST: &str = "
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
";

/// Signs of life are compared with each other, and no longer with a clock that another machine may have set.
const WATCH: &str = "
ALTER TABLE lease DROP COLUMN expires_at;
CREATE TABLE watch (
    subject     TEXT NOT NULL,               -- a lock or a task whose owner is out of sight
    boot        TEXT NOT NULL,               -- the start of the machine that looked
    sign        TEXT NOT NULL,               -- the last sign of life that it saw
    since       INTEGER NOT NULL,            -- when it first saw it, in milliseconds after that start
    PRIMARY KEY (subject, boot)
) WITHOUT ROWID;
";

/// Control of devices, in the state of a user: owners have names and may be no process at all.
const DEVICE_LOCKS: &str = "
CREATE TABLE device_lock (
    device      TEXT PRIMARY KEY,
    owner       TEXT NOT NULL,
    purpose     TEXT NOT NULL,
    priority    INTEGER NOT NULL,
    process     TEXT,                        -- JSON: the lock ends with this process
    taken_at    INTEGER NOT NULL,
    boot        TEXT NOT NULL,               -- the start of the machine that `sign_at` counts from
    sign_at     INTEGER NOT NULL,            -- the last sign of the owner, in milliseconds after that start
    period      INTEGER NOT NULL             -- how long it lasts without one, in milliseconds
) WITHOUT ROWID;
CREATE TABLE device_queue (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    device      TEXT NOT NULL,
    owner       TEXT NOT NULL,
    priority    INTEGER NOT NULL,
    process     TEXT NOT NULL,               -- JSON: the process that waits
    since       INTEGER NOT NULL
);
CREATE INDEX device_queue_by_device ON device_queue (device, priority, number);
";

/// What was measured and learned of applications, and explorings that were cut off. Trees are files; none of this is.
const NAVIGATION: &str = "
CREATE TABLE navigation_edge (
    tree        TEXT NOT NULL,
    from_screen TEXT NOT NULL,
    to_screen   TEXT NOT NULL,
    acts        TEXT NOT NULL,               -- JSON
    tries       INTEGER NOT NULL,
    successes   INTEGER NOT NULL,
    spent_ms    INTEGER NOT NULL,            -- by all successes together
    last_seen   INTEGER NOT NULL,
    trouble     TEXT,                        -- of the last try
    PRIMARY KEY (tree, from_screen, to_screen, acts)
) WITHOUT ROWID;

CREATE TABLE learned_fact (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    tree        TEXT NOT NULL,
    subject     TEXT NOT NULL,
    kind        TEXT NOT NULL,
    value       TEXT NOT NULL,
    evidence    TEXT NOT NULL,
    seen        INTEGER NOT NULL,
    last_seen   INTEGER NOT NULL,
    dropped     INTEGER NOT NULL DEFAULT 0,  -- it is not learned again
    UNIQUE (tree, subject, kind, value)
);

CREATE TABLE exploring (
    tree        TEXT PRIMARY KEY,
    about       TEXT NOT NULL,               -- JSON: another order begins anew
    begun_at    INTEGER NOT NULL
);
-- What was seen, in order. The same answers lead to the same decisions.
CREATE TABLE exploring_look (
    tree        TEXT NOT NULL REFERENCES exploring (tree) ON DELETE CASCADE,
    number      INTEGER NOT NULL,
    body        TEXT NOT NULL,               -- JSON
    PRIMARY KEY (tree, number)
);
";

/// Conversations with agents. The owner of one that is at work holds the lock `agent-session:NUMBER`.
const AGENT_SESSIONS: &str = "
CREATE TABLE agent_session (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    agent       TEXT NOT NULL,
    model       TEXT,                        -- none: by rules
    title       TEXT NOT NULL,               -- the first request
    status      TEXT NOT NULL,               -- idle, working, waiting, ended
    skill       TEXT,                        -- loaded
    owner       TEXT,                        -- JSON: the last process that worked on it
    stop_asked  INTEGER NOT NULL DEFAULT 0,
    approval    TEXT,                        -- JSON: what a user has to decide
    decision    INTEGER,                     -- what the user decided
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
);

-- Everything that was said and done, in order. Rows are added, and removed with their session; none is changed.
CREATE TABLE agent_entry (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    session     INTEGER NOT NULL REFERENCES agent_session (id) ON DELETE CASCADE,
    kind        TEXT NOT NULL,               -- message, event, begun, ended, cleared
    refers      INTEGER,                     -- ended: the row with the beginning of the call
    at          INTEGER NOT NULL,
    body        TEXT NOT NULL,               -- JSON
    checksum    INTEGER NOT NULL
);
CREATE INDEX agent_entry_by_session ON agent_entry (session, number);
CREATE UNIQUE INDEX agent_entry_ends_once ON agent_entry (refers) WHERE refers IS NOT NULL;
CREATE TRIGGER agent_entry_is_append_only BEFORE UPDATE ON agent_entry
BEGIN SELECT RAISE(ABORT, 'an entry of a conversation is never changed'); END;

-- What each question to a model used.
CREATE TABLE agent_use (
    id          INTEGER PRIMARY KEY,
    session     INTEGER NOT NULL REFERENCES agent_session (id) ON DELETE CASCADE,
    request     INTEGER NOT NULL,            -- the entry with the request of the user
    at          INTEGER NOT NULL,
    skill       TEXT,                        -- none: a skill was being chosen
    model       TEXT NOT NULL,
    tools       INTEGER NOT NULL,            -- declared
    prefix      INTEGER NOT NULL,            -- tokens of system text and tools, counted by assay
    broad       INTEGER NOT NULL,            -- the same for one prompt with the tools of all skills
    input       INTEGER NOT NULL,
    cache_read  INTEGER NOT NULL,
    cache_written INTEGER NOT NULL,
    output      INTEGER NOT NULL,
    billed      REAL NOT NULL,               -- the question, in tokens at the price of plain ones
    dollars     REAL                         -- none: the price is unknown
);
CREATE INDEX agent_use_by_session ON agent_use (session);
";

/// Events between processes, what was done about alerts, and what finished runs show.
const BUS: &str = "
CREATE TABLE bus_event (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    type        TEXT NOT NULL,
    device      TEXT NOT NULL,
    host        TEXT NOT NULL,
    priority    INTEGER NOT NULL,            -- 0 is handled first
    at          INTEGER NOT NULL,
    key         TEXT,                        -- two events with the same one are one
    payload     TEXT NOT NULL                -- JSON
);
CREATE UNIQUE INDEX bus_event_by_key ON bus_event (key) WHERE key IS NOT NULL;
CREATE TRIGGER bus_event_is_append_only BEFORE UPDATE ON bus_event
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;

CREATE TABLE bus_subscriber (
    name        TEXT PRIMARY KEY,
    triggers    TEXT NOT NULL,               -- JSON
    seen_at     INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE bus_delivery (
    subscriber  TEXT NOT NULL REFERENCES bus_subscriber (name) ON DELETE CASCADE,
    event       INTEGER NOT NULL REFERENCES bus_event (number) ON DELETE CASCADE,
    attempt     INTEGER NOT NULL,            -- one more with each delivery
    owner       TEXT NOT NULL,               -- JSON: the process that has it
    sign_at     INTEGER NOT NULL,            -- its last sign, in milliseconds after its machine started
    period      INTEGER NOT NULL,            -- how long it has the event without one
    done_at     INTEGER,
    trouble     TEXT,                        -- why it was given up
    PRIMARY KEY (subscriber, event)
) WITHOUT ROWID;

CREATE TABLE incident (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    device      TEXT NOT NULL,
    host        TEXT NOT NULL,
    type        TEXT NOT NULL,               -- of its events
    class       TEXT NOT NULL,
    severity    TEXT NOT NULL,
    status      TEXT NOT NULL,
    repeats     INTEGER NOT NULL,            -- how many events it has
    opened_at   INTEGER NOT NULL,
    last_at     INTEGER NOT NULL,
    handled_at  INTEGER,                     -- when something was last done about it
    closed_at   INTEGER,
    resolution  TEXT NOT NULL DEFAULT ''
);
CREATE INDEX incident_by_device ON incident (device, type, status);
CREATE TABLE incident_event (
    event       INTEGER PRIMARY KEY,         -- of the bus, which forgets it sooner
    incident    INTEGER NOT NULL REFERENCES incident (number) ON DELETE CASCADE
);
-- What happened, in order. Rows are added, and removed with their incident.
CREATE TABLE incident_entry (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    incident    INTEGER NOT NULL REFERENCES incident (number) ON DELETE CASCADE,
    at          INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    text        TEXT NOT NULL,
    body        TEXT NOT NULL DEFAULT 'null' -- JSON
);
CREATE INDEX incident_entry_by_incident ON incident_entry (incident, number);

CREATE TABLE analysis (
    task        INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    test_id     TEXT NOT NULL,
    test        TEXT NOT NULL,               -- the same in every run and browser
    browser     TEXT NOT NULL,
    class       TEXT,                        -- none: the evidence does not decide
    signature   TEXT NOT NULL,               -- empty for a pass
    is_full     INTEGER NOT NULL,            -- not taken over from an earlier one
    at          INTEGER NOT NULL,
    body        TEXT NOT NULL,               -- JSON
    PRIMARY KEY (task, test_id)
) WITHOUT ROWID;
CREATE INDEX analysis_by_signature ON analysis (test, browser, signature, task);

-- Results that do not count.
CREATE TABLE discarded_result (
    task        INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    test_id     TEXT NOT NULL,
    class       TEXT NOT NULL,
    reason      TEXT NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (task, test_id)
) WITHOUT ROWID;
";

/// What a service accepted and answered, and who asked.
const SERVICE: &str = "
CREATE TABLE service_order (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    kind        TEXT NOT NULL,
    name        TEXT NOT NULL UNIQUE,
    body        TEXT NOT NULL,               -- JSON
    by          TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    status      TEXT NOT NULL,
    ended_at    INTEGER,
    owner       TEXT,                        -- JSON: the process that carries it out
    trouble     TEXT NOT NULL DEFAULT '',
    notes       TEXT NOT NULL DEFAULT '[]'   -- JSON
);
CREATE INDEX service_order_by_status ON service_order (status, number);

-- Requests that are sent again with the same key are one.
CREATE TABLE service_key (
    scope       TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    owner       TEXT NOT NULL,               -- JSON: the process that answers it
    at          INTEGER NOT NULL,
    order_number INTEGER,                    -- what the request became
    status      INTEGER,                     -- of the answer; none: not answered yet
    media_type  TEXT NOT NULL DEFAULT '',
    body        TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (scope, key)
) WITHOUT ROWID;
CREATE INDEX service_key_by_time ON service_key (at);

CREATE TABLE service_audit (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    who         TEXT NOT NULL,
    peer        TEXT NOT NULL,
    method      TEXT NOT NULL,
    path        TEXT NOT NULL,
    status      INTEGER                      -- of the answer
);
";

const LOST_EVENTS: &str = "
-- Events that had to go before everybody had handled them. Without their payload.
CREATE TABLE bus_lost (
    number      INTEGER PRIMARY KEY,
    type        TEXT NOT NULL,
    device      TEXT NOT NULL,
    priority    INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    lost_at     INTEGER NOT NULL,
    waiting     TEXT NOT NULL                -- JSON: the subscribers that had not handled it
);
";

/// Applies the steps that the file has not had. The caller holds the one transaction that may write.
pub(crate) fn lift(connection: &Connection, found: i64) -> rusqlite::Result<()> {
    for step in STEPS.iter().skip(found.max(0) as usize) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)
}
