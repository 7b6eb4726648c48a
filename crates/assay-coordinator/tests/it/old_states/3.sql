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
