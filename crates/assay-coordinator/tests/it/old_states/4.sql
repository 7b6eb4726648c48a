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
