-- What an experiment is, what it left behind month by month, and what was
-- concluded from it. Times are UTC in ISO 8601; seeds are text because SQLite
-- has no unsigned 64-bit integers; lists and plans are JSON.

PRAGMA application_id = 0x45434F4E; -- "ECON"

CREATE TABLE experiment (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    name          TEXT NOT NULL UNIQUE,
    created_at    TEXT NOT NULL,
    principal     TEXT NOT NULL,
    question      TEXT NOT NULL,
    plan          TEXT NOT NULL,              -- what it is judged by, written before its first month
    seed          TEXT NOT NULL,
    months        INTEGER NOT NULL,
    replications  INTEGER NOT NULL,
    households    INTEGER NOT NULL,
    firms         INTEGER NOT NULL,
    model_version TEXT NOT NULL,
    code_version  TEXT NOT NULL,
    go_version    TEXT NOT NULL,
    arch          TEXT NOT NULL,
    state         TEXT NOT NULL CHECK (state IN
        ('queued', 'burn_in', 'running', 'paused', 'stopped', 'interrupted', 'completed', 'failed')),
    month         INTEGER NOT NULL DEFAULT 0, -- which all runs have
    message       TEXT NOT NULL DEFAULT '',
    bytes         INTEGER NOT NULL DEFAULT 0  -- of its rows, about
) STRICT;

CREATE INDEX experiment_by_principal ON experiment (principal);
CREATE INDEX experiment_alive ON experiment (id)
    WHERE state IN ('queued', 'burn_in', 'running', 'paused');

CREATE TABLE arm (
    id             INTEGER PRIMARY KEY,
    experiment     INTEGER NOT NULL REFERENCES experiment (id),
    number         INTEGER NOT NULL,          -- from 1, in the order of the plan
    name           TEXT NOT NULL,
    scenario       TEXT NOT NULL,             -- complete, as YAML, with what has been injected
    hash           TEXT NOT NULL,
    burnt_in_apart TEXT NOT NULL,             -- parameters, as a JSON list
    UNIQUE (experiment, number),
    UNIQUE (experiment, name)
) STRICT;

CREATE TABLE run (
    id          INTEGER PRIMARY KEY,
    arm         INTEGER NOT NULL REFERENCES arm (id),
    replication INTEGER NOT NULL,             -- from 1
    seed        TEXT NOT NULL,
    month       INTEGER NOT NULL DEFAULT 0,   -- last one in monthly
    state_hash  TEXT NOT NULL DEFAULT '',     -- at its end
    began       TEXT NOT NULL DEFAULT '[]',   -- month in which each intervention began, 0 = it did not
    UNIQUE (arm, replication)
) STRICT;

-- The fields of a sim.Record as some version of the program had them, one a
-- line, in the order of the words of monthly.record.
CREATE TABLE layout (
    id     INTEGER PRIMARY KEY,
    fields TEXT NOT NULL UNIQUE
) STRICT;

-- One row for each month of each run. NULL = not defined in that month.
CREATE TABLE monthly (
    run INTEGER NOT NULL REFERENCES run (id),
    month INTEGER NOT NULL,
    nominal_gdp REAL,
    real_gdp REAL,
    gdp_growth REAL,
    cpi REAL,
    gdp_deflator REAL,
    inflation REAL,
    unemployment_rate REAL,
    employment_rate REAL,
    participation_rate REAL,
    vacancy_rate REAL,
    job_finding_rate REAL,
    separation_rate REAL,
    nominal_wage_mean REAL,
    real_wage_mean REAL,
    real_wage_median REAL,
    labour_share REAL,
    real_consumption REAL,
    real_investment REAL,
    saving_rate REAL,
    income_gini REAL,
    wealth_gini REAL,
    poverty_rate REAL,
    tax_income REAL,
    tax_vat REAL,
    tax_corporate REAL,
    tax_revenue REAL,
    government_spending REAL,
    deficit_to_gdp REAL,
    debt_to_gdp REAL,
    money_stock REAL,
    credit_stock REAL,
    policy_rate REAL,
    loan_rate REAL,
    bankruptcies REAL,
    firm_entries REAL,
    firms REAL,
    hhi REAL,
    mark_up REAL,
    capacity_utilisation REAL,
    labour_productivity REAL,
    innovation_events REAL,
    exports REAL,
    imports REAL,
    job_guarantee_employment REAL,
    tax_levy REAL,
    emissions REAL,
    bank_failures REAL,
    bank_equity REAL,
    population REAL,
    tax_tariff REAL,
    exchange_rate REAL,
    import_price_index REAL,
    current_account_to_gdp REAL,
    net_foreign_position REAL,
    ai_adoption_share REAL,
    tax_robot REAL,
    firm_exits REAL,
    layout INTEGER NOT NULL REFERENCES layout (id),
    record BLOB NOT NULL, -- all of the month's sim.Record, to the bit
    PRIMARY KEY (run, month)
) STRICT;

CREATE VIEW series AS
    SELECT experiment.name AS experiment, arm.name AS arm, run.replication, monthly.*
    FROM monthly
    JOIN run ON run.id = monthly.run
    JOIN arm ON arm.id = run.arm
    JOIN experiment ON experiment.id = arm.experiment;

CREATE TABLE checkpoint (
    experiment INTEGER PRIMARY KEY REFERENCES experiment (id),
    month      INTEGER NOT NULL,
    folder     TEXT NOT NULL,                 -- below checkpoints/<experiment>
    bytes      INTEGER NOT NULL,
    saved_at   TEXT NOT NULL
) STRICT;

-- What was computed while a run's economy was in memory and cannot be had from
-- its months: tables of its last month, what its innovations did.
CREATE TABLE detail (
    run   INTEGER NOT NULL REFERENCES run (id),
    kind  TEXT NOT NULL,
    month INTEGER NOT NULL,
    data  BLOB NOT NULL,
    PRIMARY KEY (run, kind)
) STRICT;

CREATE TABLE capture (
    experiment       INTEGER PRIMARY KEY REFERENCES experiment (id),
    status           TEXT NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'archived')),
    question         TEXT NOT NULL,
    hypothesis       TEXT NOT NULL,
    expected_outcome TEXT NOT NULL,
    notes            TEXT NOT NULL,
    captured_at      TEXT NOT NULL
) STRICT;

CREATE TABLE tag (
    experiment INTEGER NOT NULL REFERENCES capture (experiment),
    position   INTEGER NOT NULL,
    tag        TEXT NOT NULL,
    PRIMARY KEY (experiment, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX experiment_by_tag ON tag (tag);

CREATE TABLE analysis (
    id           INTEGER PRIMARY KEY,
    experiment   INTEGER NOT NULL REFERENCES experiment (id),
    version      INTEGER NOT NULL,            -- from 1
    created_at   TEXT NOT NULL,
    code_version TEXT NOT NULL,
    settings     TEXT NOT NULL,
    result       TEXT NOT NULL,
    UNIQUE (experiment, version)
) STRICT;

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

CREATE TABLE workspace (
    name     TEXT PRIMARY KEY,
    revision INTEGER NOT NULL, -- from 1, one more with each edit
    saved_at TEXT NOT NULL,
    data     BLOB NOT NULL
) STRICT, WITHOUT ROWID;
