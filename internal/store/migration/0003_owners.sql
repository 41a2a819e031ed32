-- Whose things are, and what room they take.

-- Others that may write may steer a shared experiment. What a live one has not stored yet of
-- what it may come to store is reserved for it.
ALTER TABLE experiment ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
ALTER TABLE experiment ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;

-- An analysis counts for who made it, and experiment.bytes holds it no more.
ALTER TABLE analysis ADD COLUMN principal TEXT NOT NULL DEFAULT '';
UPDATE analysis SET principal = (SELECT principal FROM experiment WHERE id = analysis.experiment);
UPDATE experiment SET bytes = max(0, bytes -
    (SELECT coalesce(sum(octet_length(settings) + octet_length(result)), 0) FROM analysis WHERE analysis.experiment = experiment.id));
CREATE INDEX analysis_by_principal ON analysis (principal);

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
CREATE INDEX asked_by_principal ON asked (principal);

-- The file of a preset or config that a principal saved. One without a row is the operator's.
CREATE TABLE saved (
    kind      TEXT NOT NULL CHECK (kind IN ('preset', 'config')),
    name      TEXT NOT NULL,
    principal TEXT NOT NULL,
    shared    INTEGER NOT NULL DEFAULT 0, -- others that may write may overwrite it
    PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

-- A workspace of a principal is PRINCIPAL/NAME. It was PRINCIPAL where it had no name, which
-- may also be the name of one of the operator: both keep what is there.
INSERT OR IGNORE INTO workspace
    SELECT name || '/default', revision, saved_at, data FROM workspace WHERE instr(name, '/') = 0 AND name <> 'default';
