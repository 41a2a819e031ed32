package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"econ-mcp/internal/fault"
)

// Capture marks an experiment as research.
type Capture struct {
	Status          string // pending, running, completed, failed or archived
	Question        string
	Hypothesis      string
	ExpectedOutcome string
	Notes           string
	Tags            []string
	CapturedAt      time.Time // to the millisecond
}

var captureStatuses = []string{"pending", "running", "completed", "failed", "archived"}

func checkStatus(status string) error {
	if !slices.Contains(captureStatuses, status) {
		return fault.Range("status", fmt.Sprintf("%q", status), captureStatuses...)
	}
	return nil
}

// UpdateCapture captures an experiment, or changes what was captured of it; analyses
// stay. change is given what was captured so far, in the same transaction, so that no two
// changes get in each other's way: of an experiment that was not captured its question
// alone. A zero CapturedAt means now.
func (s *Store) UpdateCapture(ctx context.Context, name string, change func(c *Capture)) (Capture, error) {
	var c Capture
	owner, err := s.Owner(ctx, name)
	if err != nil {
		return c, err
	}
	err = s.writeFor(ctx, owner.Principal, func(tx *sql.Tx) error {
		id, err := experimentID(tx, name)
		if err != nil {
			return err
		}
		if err := tx.QueryRow("SELECT question FROM experiment WHERE id = ?", id).Scan(&c.Question); err != nil {
			return err
		}
		before := &c
		if err := loadCaptures(tx, []int64{id}, func(_ int64, captured *Capture) { before = captured }); err != nil {
			return err
		}
		c = *before
		size := c.size()
		change(&c)
		c.CapturedAt = orNow(c.CapturedAt)
		if err := checkStatus(c.Status); err != nil {
			return err
		}
		if err := grow(tx, id, s.room(c.size())-s.room(size)); err != nil {
			return err
		}
		return writeCapture(tx, id, c)
	})
	return c, err
}

// size is about the bytes of its rows.
func (c *Capture) size() int {
	bytes := len(c.Question) + len(c.Hypothesis) + len(c.ExpectedOutcome) + len(c.Notes)
	for _, tag := range c.Tags {
		bytes += 2*len(tag) + 50 // in table and index
	}
	return bytes
}

func writeCapture(tx *sql.Tx, id int64, c Capture) error {
	_, err := tx.Exec(`INSERT INTO capture (experiment, status, question, hypothesis, expected_outcome, notes, captured_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET status = excluded.status, question = excluded.question, hypothesis = excluded.hypothesis,
			expected_outcome = excluded.expected_outcome, notes = excluded.notes, captured_at = excluded.captured_at`,
		id, c.Status, c.Question, c.Hypothesis, c.ExpectedOutcome, c.Notes, formatTime(c.CapturedAt))
	if err != nil {
		return err
	}
	if _, err := tx.Exec("DELETE FROM tag WHERE experiment = ?", id); err != nil {
		return err
	}
	for i, tag := range c.Tags {
		if _, err := tx.Exec("INSERT INTO tag (experiment, position, tag) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", id, i, tag); err != nil {
			return err
		}
	}
	return nil
}

// Change is what is changed of an experiment at once.
type Change struct {
	Status string // of what was captured; "" = as before
	Shared *bool  // whether others that may write may steer it; nil = as before
}

// Update changes an experiment and returns how it was before. Where a status is given, one that
// is not captured is a [fault.InvalidState].
func (s *Store) Update(ctx context.Context, name string, to Change) (before Change, err error) {
	if to.Status != "" {
		if err := checkStatus(to.Status); err != nil {
			return before, err
		}
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		id, err := experimentID(tx, name)
		if err != nil {
			return err
		}
		before.Shared = new(bool)
		err = tx.QueryRow("SELECT shared, coalesce((SELECT status FROM capture WHERE experiment = id), '') FROM experiment WHERE id = ?", id).
			Scan(before.Shared, &before.Status)
		if err != nil {
			return err
		}
		if to.Status != "" && before.Status == "" {
			return fault.New(fault.InvalidState, "experiment_name", "experiment %q is not captured", name).WithHint("call capture_experiment first")
		}
		if _, err := tx.Exec("UPDATE experiment SET shared = coalesce(?, shared) WHERE id = ?", to.Shared, id); err != nil {
			return err
		}
		_, err = tx.Exec("UPDATE capture SET status = ? WHERE experiment = ?", cmp.Or(to.Status, before.Status), id)
		return err
	})
	return before, err
}

// loadCaptures reads what was captured of the experiments in a list.
func loadCaptures(tx querier, ids []int64, set func(id int64, c *Capture)) error {
	args := []any{jsonText(ids)}
	captures := make(map[int64]*Capture)
	err := each(tx, "SELECT experiment, status, question, hypothesis, expected_outcome, notes, captured_at FROM capture "+
		"WHERE experiment IN "+listed, args,
		func(scan func(...any) error) error {
			var id int64
			var c Capture
			var at string
			err := scan(&id, &c.Status, &c.Question, &c.Hypothesis, &c.ExpectedOutcome, &c.Notes, &at)
			if err != nil {
				return err
			}
			c.CapturedAt, err = parseTime(at)
			captures[id] = &c
			set(id, &c)
			return err
		})
	if err != nil {
		return err
	}
	return each(tx, "SELECT experiment, tag FROM tag WHERE experiment IN "+listed+" ORDER BY experiment, position", args,
		func(scan func(...any) error) error {
			var id int64
			var tag string
			err := scan(&id, &tag)
			captures[id].Tags = append(captures[id].Tags, tag)
			return err
		})
}

// Analysis is one analysis of an experiment.
type Analysis struct {
	Version     int // from 1, in the order in which they were saved
	CreatedAt   time.Time
	CodeVersion string // of the program that made it
	Principal   string // who made it; "" = the operator
	Settings    json.RawMessage
	Result      json.RawMessage
}

// SaveAnalysis keeps an analysis beside earlier ones and returns its version. A
// zero CreatedAt means now; Version of a is not used.
func (s *Store) SaveAnalysis(ctx context.Context, name string, a Analysis) (version int, err error) {
	settings, result := cmp.Or(string(a.Settings), "null"), cmp.Or(string(a.Result), "null")
	err = s.writeFor(ctx, a.Principal, func(tx *sql.Tx) error {
		id, err := experimentID(tx, name)
		if err != nil {
			return err
		}
		if err := tx.QueryRow("SELECT coalesce(max(version), 0) + 1 FROM analysis WHERE experiment = ?", id).Scan(&version); err != nil {
			return err
		}
		_, err = tx.Exec("INSERT INTO analysis (experiment, version, created_at, code_version, principal, settings, result, bytes) "+
			"VALUES (?, ?, ?, ?, ?, ?, ?, ?)", id, version, formatTime(orNow(a.CreatedAt)), a.CodeVersion, a.Principal, settings, result,
			s.room(len(settings)+len(result)+rowBytes))
		return err
	})
	return version, err
}

// Analysis returns an analysis of an experiment, version 0 the last one that a principal or the
// owner of the experiment made, else the last of others. An experiment without analyses is a
// [fault.InvalidState], a version that it does not have a [fault.NotFound].
func (s *Store) Analysis(ctx context.Context, name string, version int, by string) (Analysis, error) {
	var a Analysis
	err := s.read(ctx, func(tx querier) error {
		id, err := experimentID(tx, name)
		if err != nil {
			return err
		}
		var last int
		if err := tx.QueryRow("SELECT coalesce(max(version), 0) FROM analysis WHERE experiment = ?", id).Scan(&last); err != nil {
			return err
		}
		if last == 0 {
			return fault.New(fault.InvalidState, "experiment_name", "experiment %q has not been analysed", name).
				WithHint("call analyze_experiment first")
		}
		if version < 0 || version > last {
			e := fault.New(fault.NotFound, "version", "experiment %q has no analysis %d", name, version)
			e.Hint = fmt.Sprintf("leave version out for the last one, or give 1 to %d", last)
			e.Allowed = []string{fmt.Sprintf("1 to %d", last)}
			return e
		}
		var created, settings, result string
		err = tx.QueryRow(`SELECT version, analysis.created_at, analysis.code_version, analysis.principal, settings, result
			FROM analysis JOIN experiment ON experiment.id = analysis.experiment
			WHERE analysis.experiment = ? AND ? IN (version, 0)
			ORDER BY analysis.principal IN (experiment.principal, ?) DESC, version DESC LIMIT 1`, id, version, by).
			Scan(&a.Version, &created, &a.CodeVersion, &a.Principal, &settings, &result)
		if err != nil {
			return err
		}
		a.Settings, a.Result = json.RawMessage(settings), json.RawMessage(result)
		a.CreatedAt, err = parseTime(created)
		return err
	})
	return a, err
}
