CREATE TABLE schedule (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL UNIQUE,
    cron        TEXT NOT NULL,
    zone        TEXT NOT NULL,
    work        TEXT NOT NULL,               -- JSON
    overlap     INTEGER NOT NULL,
    paused      INTEGER NOT NULL DEFAULT 0,
    revision    INTEGER NOT NULL DEFAULT 1,  -- one more with each change
    by          TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    settled_at  INTEGER NOT NULL             -- ticks up to here were taken, or are not wanted; it never goes back
);
CREATE TABLE schedule_tick (
    schedule    INTEGER NOT NULL REFERENCES schedule (number) ON DELETE CASCADE,
    at          INTEGER NOT NULL,
    taken_at    INTEGER NOT NULL,
    missed      INTEGER NOT NULL,            -- earlier ticks for which this one stands
    order_number INTEGER,                    -- what it became
    event       INTEGER,
    note        TEXT NOT NULL DEFAULT '',    -- why it became nothing
    PRIMARY KEY (schedule, at)
) WITHOUT ROWID;

CREATE TABLE incoming_hook (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL UNIQUE,
    settings    TEXT NOT NULL,               -- JSON
    enabled     INTEGER NOT NULL,
    by          TEXT NOT NULL,
    created_at  INTEGER NOT NULL
);
-- Each delivery counts once: by its name, and by what was signed where the signature does not cover the name.
CREATE TABLE hook_delivery (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    hook        INTEGER NOT NULL REFERENCES incoming_hook (number) ON DELETE CASCADE,
    id          TEXT NOT NULL,
    digest      TEXT,
    at          INTEGER NOT NULL,
    summary     TEXT NOT NULL,
    order_number INTEGER,                    -- what it became
    event       INTEGER,
    UNIQUE (hook, id),
    UNIQUE (hook, digest)
);

CREATE TABLE outgoing_hook (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL UNIQUE,
    settings    TEXT NOT NULL,               -- JSON
    kinds       TEXT NOT NULL,               -- JSON: what it tells of
    enabled     INTEGER NOT NULL,
    by          TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    seen_event  INTEGER NOT NULL,            -- events and incidents up to here became messages
    seen_incident INTEGER NOT NULL
);
CREATE TABLE hook_message (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    hook        INTEGER NOT NULL REFERENCES outgoing_hook (number) ON DELETE CASCADE,
    id          TEXT NOT NULL UNIQUE,        -- the same in every attempt
    kind        TEXT NOT NULL,
    subject     TEXT NOT NULL,               -- two messages about the same are one
    at          INTEGER NOT NULL,
    data        TEXT NOT NULL,               -- JSON
    status      TEXT NOT NULL,
    attempts    INTEGER NOT NULL DEFAULT 0,
    next_at     INTEGER NOT NULL,            -- of the next attempt
    ended_at    INTEGER,
    answer      INTEGER,                     -- the status of the last answer
    trouble     TEXT NOT NULL DEFAULT '',
    UNIQUE (hook, kind, subject)
);
CREATE INDEX hook_message_by_time ON hook_message (next_at) WHERE status = 'waiting';
