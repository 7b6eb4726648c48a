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
