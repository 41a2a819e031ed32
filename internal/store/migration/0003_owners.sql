-- Whose things are, and what room they take.

-- Others that may write may steer a shared experiment. For one that has not ended, reserved is
-- what it may come to store at most.
ALTER TABLE experiment ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
ALTER TABLE experiment ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;
DROP INDEX experiment_by_principal;
CREATE INDEX experiment_by_principal ON experiment (principal, bytes, reserved);

-- An analysis counts for who made it. One without bytes is of a program that did not count it:
-- until the next one does (count.go), experiment.bytes holds it.
ALTER TABLE analysis ADD COLUMN principal TEXT NOT NULL DEFAULT '';
ALTER TABLE analysis ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX analysis_by_principal ON analysis (principal, bytes);
CREATE INDEX analysis_uncounted ON analysis (id) WHERE bytes = 0;

-- Bytes are those of the file. Until now a month had a page of 4,096 bytes for itself, of which
-- some 3,150 were counted, and what began in a run was not.
UPDATE experiment SET bytes = bytes +
    (SELECT coalesce(sum(950 * run.month + octet_length(run.began) - 2), 0)
        FROM run JOIN arm ON arm.id = run.arm WHERE arm.experiment = experiment.id);

-- What one principal asks is never held against another.
CREATE TABLE asked_by (
    experiment  INTEGER NOT NULL REFERENCES experiment (id),
    principal   TEXT NOT NULL,    -- who asked
    hypothesis  TEXT NOT NULL,
    p           REAL,             -- of the last time, not adjusted; NULL = there was none
    first_asked TEXT NOT NULL,
    times       INTEGER NOT NULL,
    PRIMARY KEY (experiment, principal, hypothesis)
) STRICT, WITHOUT ROWID;
INSERT INTO asked_by SELECT experiment, principal, hypothesis, p, first_asked, times FROM asked;
DROP TABLE asked;
ALTER TABLE asked_by RENAME TO asked;

-- How many hypotheses a principal asked, and what they take in the file: to add them up each
-- time that the account of the principal is looked at would take long.
CREATE TABLE asked_total (
    principal TEXT PRIMARY KEY,
    items     INTEGER NOT NULL,
    bytes     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO asked_total
    SELECT principal, count(*), sum(5 * (length(hypothesis) + length(principal)) / 4 + 35) FROM asked GROUP BY principal;
CREATE TRIGGER asked_more AFTER INSERT ON asked BEGIN
    INSERT INTO asked_total VALUES (new.principal, 1, 5 * (length(new.hypothesis) + length(new.principal)) / 4 + 35)
        ON CONFLICT DO UPDATE SET items = items + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER asked_less AFTER DELETE ON asked BEGIN
    UPDATE asked_total SET items = items - 1, bytes = bytes - 5 * (length(old.hypothesis) + length(old.principal)) / 4 - 35
        WHERE principal = old.principal;
END;

-- The file of a preset or config that a principal saved. One without a row is the operator's.
CREATE TABLE saved (
    kind      TEXT NOT NULL CHECK (kind IN ('preset', 'config')),
    name      TEXT NOT NULL,
    principal TEXT NOT NULL,
    shared    INTEGER NOT NULL DEFAULT 0, -- others that may write may overwrite it
    bytes     INTEGER NOT NULL DEFAULT 0, -- of the file
    PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX saved_by_principal ON saved (principal, kind, bytes);

-- A workspace of a principal is PRINCIPAL/NAME. It was PRINCIPAL where it had no name, which
-- may also be the name of one of the operator: both keep what is there. One without bytes is of a
-- program that did not count it, as with analyses.
INSERT OR IGNORE INTO workspace
    SELECT name || '/default', revision, saved_at, data FROM workspace WHERE instr(name, '/') = 0 AND name <> 'default';
ALTER TABLE workspace ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspace ADD COLUMN principal TEXT GENERATED ALWAYS AS (substr(name, 1, max(instr(name, '/') - 1, 0))) VIRTUAL;
CREATE INDEX workspace_by_principal ON workspace (principal, bytes);
CREATE INDEX workspace_uncounted ON workspace (name) WHERE bytes = 0;

-- What each principal has stored, in bytes of the disk.
CREATE VIEW account AS
    SELECT principal, 'experiments' AS kind, count(*) AS items, sum(max(bytes, reserved)) AS bytes FROM experiment GROUP BY principal
    UNION ALL
    SELECT principal, 'checkpoints', count(*), sum(checkpoint.bytes)
        FROM experiment JOIN checkpoint ON checkpoint.experiment = experiment.id GROUP BY principal
    UNION ALL
    SELECT principal, 'analyses', count(*), sum(bytes) FROM analysis GROUP BY principal
    UNION ALL
    SELECT principal, 'asked', items, bytes FROM asked_total WHERE items > 0
    UNION ALL
    SELECT principal, 'workspaces', count(*), sum(bytes) FROM workspace GROUP BY principal
    UNION ALL
    SELECT principal, kind || 's', count(*), sum(bytes) FROM saved GROUP BY principal, kind;
