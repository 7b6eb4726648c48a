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
