ALTER TABLE lease DROP COLUMN expires_at;
CREATE TABLE watch (
    subject     TEXT NOT NULL,               -- a lock or a task whose owner is out of sight
    boot        TEXT NOT NULL,               -- the start of the machine that looked
    sign        TEXT NOT NULL,               -- the last sign of life that it saw
    since       INTEGER NOT NULL,            -- when it first saw it, in milliseconds after that start
    PRIMARY KEY (subject, boot)
) WITHOUT ROWID;
