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
