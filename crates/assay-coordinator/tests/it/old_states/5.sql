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
