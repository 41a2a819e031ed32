-- Hypotheses that were tested on an experiment beyond its plan: how many there are
-- decides how much each of them still says.
CREATE TABLE asked (
    experiment  INTEGER NOT NULL REFERENCES experiment (id),
    hypothesis  TEXT NOT NULL,
    p           REAL,             -- of the last time, not adjusted; NULL = there was none
    first_asked TEXT NOT NULL,
    times       INTEGER NOT NULL,
    principal   TEXT NOT NULL,    -- who asked first
    PRIMARY KEY (experiment, hypothesis)
) STRICT, WITHOUT ROWID;

-- experiment.replications is how many count: runs of further ones are under way.
DROP VIEW series;
CREATE VIEW series AS
    SELECT experiment.name AS experiment, arm.name AS arm, run.replication, monthly.*
    FROM monthly
    JOIN run ON run.id = monthly.run
    JOIN arm ON arm.id = run.arm
    JOIN experiment ON experiment.id = arm.experiment
    WHERE run.replication <= experiment.replications;
