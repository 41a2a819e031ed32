-- The register: what was planned and what was looked at, by what is simulated. It outlives the
-- experiments, so that names and deletion change nothing.

-- An experiment that was planned. Its number is used once; later ones were planned after it.
CREATE TABLE planned (
    experiment   INTEGER PRIMARY KEY,
    name         TEXT NOT NULL,
    principal    TEXT NOT NULL,
    plan_hash    TEXT NOT NULL,             -- SHA-256 of experiment.plan
    seed         TEXT NOT NULL,
    replications INTEGER NOT NULL           -- as planned, or more that were simulated
) STRICT;
CREATE INDEX planned_by_principal ON planned (principal);

-- What its arms simulate, whatever months and seed.
CREATE TABLE planned_arm (
    data       TEXT NOT NULL,
    experiment INTEGER NOT NULL REFERENCES planned (experiment),
    PRIMARY KEY (data, experiment)
) STRICT, WITHOUT ROWID;
CREATE INDEX planned_arm_by_experiment ON planned_arm (experiment);

-- That somebody saw results of an experiment for the first time.
CREATE TABLE look (
    experiment INTEGER PRIMARY KEY REFERENCES planned (experiment),
    at         TEXT NOT NULL,
    newest     INTEGER NOT NULL             -- the last experiment that had been planned
) STRICT;

-- What was done to an experiment beyond its plan.
CREATE TABLE amendment (
    id         INTEGER PRIMARY KEY,         -- their order
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    at         TEXT NOT NULL,
    principal  TEXT NOT NULL,
    month      INTEGER NOT NULL,            -- the last one that all runs had
    arm        INTEGER NOT NULL,            -- its number
    what       TEXT NOT NULL
) STRICT;
CREATE INDEX amendment_by_experiment ON amendment (experiment);

-- Hypotheses outlive the experiments, too, and know with which question of a principal they were asked first.
CREATE TABLE asked_with (
    experiment  INTEGER NOT NULL,
    principal   TEXT NOT NULL,    -- who asked
    hypothesis  TEXT NOT NULL,
    p           REAL,             -- of the last time, not adjusted; NULL = there was none
    first_asked TEXT NOT NULL,
    times       INTEGER NOT NULL,
    question    INTEGER NOT NULL DEFAULT 1, -- from 1, counted over experiments that share two arms
    PRIMARY KEY (experiment, principal, hypothesis)
) STRICT, WITHOUT ROWID;
INSERT INTO asked_with SELECT experiment, principal, hypothesis, p, first_asked, times,
    dense_rank() OVER (PARTITION BY experiment, principal ORDER BY first_asked) FROM asked;
DROP TABLE asked;
ALTER TABLE asked_with RENAME TO asked;
CREATE TRIGGER asked_more AFTER INSERT ON asked BEGIN
    INSERT INTO asked_total VALUES (new.principal, 1, 5 * (length(new.hypothesis) + length(new.principal)) / 4 + 39)
        ON CONFLICT DO UPDATE SET items = items + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER asked_less AFTER DELETE ON asked BEGIN
    UPDATE asked_total SET items = items - 1, bytes = bytes - 5 * (length(old.hypothesis) + length(old.principal)) / 4 - 39
        WHERE principal = old.principal;
END;

DROP VIEW account;
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
    SELECT principal, 'plans', count(*), 450 * count(*) FROM planned GROUP BY principal
    UNION ALL
    SELECT principal, 'workspaces', count(*), sum(bytes) FROM workspace GROUP BY principal
    UNION ALL
    SELECT principal, kind || 's', count(*), sum(bytes) FROM saved GROUP BY principal, kind;
