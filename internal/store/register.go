package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"
)

// The register knows experiments by what they simulate and not by their names: see the tables planned, planned_arm
// and look. What is in it stays when experiments are deleted.

// Relative is an experiment of which an arm simulates what an arm of another one does, with whatever months and seeds;
// or that experiment itself. It may have been deleted since.
type Relative struct {
	Number       int64 // those with larger ones were planned later
	Name         string
	Principal    string // who planned it
	PlanHash     string
	Seed         uint64
	Replications int
	Data         []string // what its arms simulate, before and after amendments
	Deleted      bool
	Look         *Look // the first one; nil = nobody has seen results
}

// Look is that somebody saw results of an experiment for the first time.
type Look struct {
	At     time.Time // to the millisecond
	Newest int64     // number of the last experiment that had been planned
}

// Amendment is something that was done to an experiment beyond its plan.
type Amendment struct {
	At    time.Time // to the millisecond; to Amend, zero is now
	By    string    // principal
	Month int       // the last one that all runs had on record
	Arm   string
	What  string
	Data  string // what the arm simulates from then on; to Amend
}

// PlanHash is the hash (SHA-256, in hexadecimal digits) of what was stored as the plan of
// an experiment before it began; "" without a plan.
func PlanHash(plan json.RawMessage) string {
	if text := string(plan); text == "" || text == "null" {
		return ""
	}
	sum := sha256.Sum256(plan)
	return hex.EncodeToString(sum[:])
}

// enter enters an experiment in the register, where it is not there yet. Data say what its arms simulate.
func enter(tx *sql.Tx, experiment int64, x Experiment, data []string) error {
	_, err := tx.Exec(`INSERT INTO planned VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET replications = max(replications, excluded.replications)`,
		experiment, x.Name, x.Principal, PlanHash(x.Plan), strconv.FormatUint(x.Seed, 10), x.Replications)
	for _, d := range data {
		if err == nil {
			_, err = tx.Exec("INSERT OR IGNORE INTO planned_arm VALUES (?, ?)", d, experiment)
		}
	}
	return err
}

// enterNamed enters an experiment that is stored, and returns its number.
func enterNamed(tx *sql.Tx, name string, data []string) (id int64, err error) {
	if id, err = experimentID(tx, name); err != nil {
		return 0, err
	}
	list, err := load(tx, []int64{id})
	if err != nil {
		return 0, err
	}
	return id, enter(tx, id, list[0], data)
}

// Look notes that somebody sees results of an experiment, whose arms simulate data. Only the first time counts. It is
// durable when Look returns. It waits for others who write as readers do.
func (s *Store) Look(ctx context.Context, name string, data []string) error {
	var known bool
	err := s.read(ctx, func(tx querier) error {
		return tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM look JOIN experiment ON experiment.id = look.experiment
				JOIN planned ON planned.experiment = look.experiment
			WHERE experiment.name = ? AND planned.replications >= experiment.replications)`, name).Scan(&known)
	})
	if err != nil || known {
		return err
	}
	now := formatTime(time.Now())
	return s.writeWithin(ctx, readPatience, func(tx *sql.Tx) error {
		id, err := enterNamed(tx, name, data)
		if err != nil {
			return err
		}
		_, err = tx.Exec("INSERT OR IGNORE INTO look (experiment, at, newest) VALUES (?, ?, (SELECT max(experiment) FROM planned))", id, now)
		return err
	})
}

// Looked says of which experiments somebody has seen results.
func (s *Store) Looked(ctx context.Context, names []string) (seen map[string]bool, err error) {
	seen = map[string]bool{}
	err = s.read(ctx, func(tx querier) error {
		list, err := column[string](tx, "SELECT name FROM experiment JOIN look ON look.experiment = experiment.id WHERE name IN "+listed, jsonText(names))
		for _, name := range list {
			seen[name] = true
		}
		return err
	})
	return seen, err
}

// Unregistered are the experiments that programs before the register began, by name.
func (s *Store) Unregistered(ctx context.Context) (names []string, err error) {
	err = s.read(ctx, func(tx querier) error {
		names, err = column[string](tx, "SELECT name FROM experiment WHERE id NOT IN (SELECT experiment FROM planned) ORDER BY id")
		return err
	})
	return names, err
}

// Register enters such an experiment, whose arms simulate data. It was looked at when something was first asked of it,
// or when it was first analysed.
func (s *Store) Register(ctx context.Context, name string, data []string) error {
	return s.writeWithin(ctx, readPatience, func(tx *sql.Tx) error {
		id, err := enterNamed(tx, name, data)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT OR IGNORE INTO look (experiment, at, newest)
			SELECT ?1, at, (SELECT max(id) FROM experiment WHERE created_at <= at) FROM (
				SELECT min(at) AS at FROM (SELECT first_asked AS at FROM asked WHERE experiment = ?1
					UNION ALL SELECT created_at FROM analysis WHERE experiment = ?1)) WHERE at IS NOT NULL`, id)
		return err
	})
}

// Relatives are the experiments of which an arm simulates one of these, and a named one, in the order in which they
// were planned.
func (s *Store) Relatives(ctx context.Context, name string, data []string) (list []Relative, err error) {
	err = s.read(ctx, func(tx querier) error {
		id, err := experimentID(tx, name)
		if err != nil {
			return err
		}
		ids, err := sharing(tx, 1, data)
		if err == nil {
			list, err = loadRelatives(tx, append(ids, id))
		}
		return err
	})
	return list, err
}

// Amend is Plan after something was injected or cancelled, which the plan of the experiment does not say.
func (j *Journal) Amend(arm int, scenario []byte, hash string, more int64, a Amendment) error {
	return j.commit(func(tx *sql.Tx) error {
		if err := j.plan(tx, arm, scenario, hash, more); err != nil {
			return err
		}
		if _, err := tx.Exec("INSERT OR IGNORE INTO planned_arm VALUES (?, ?)", a.Data, j.id); err != nil {
			return err
		}
		if err := grow(tx, j.id, j.s.room(len(a.What)+len(a.By)+rowBytes)); err != nil {
			return err
		}
		_, err := tx.Exec("INSERT INTO amendment (experiment, at, principal, month, arm, what) VALUES (?, ?, ?, ?, ?, ?)",
			j.id, formatTime(orNow(a.At)), a.By, a.Month, arm+1, a.What)
		return err
	})
}

// Amendments are those of an experiment, in their order.
func (s *Store) Amendments(ctx context.Context, name string) (list []Amendment, err error) {
	err = s.read(ctx, func(tx querier) error {
		return each(tx, `SELECT at, amendment.principal, amendment.month, arm.name, what FROM amendment
				JOIN experiment ON experiment.id = amendment.experiment
				JOIN arm ON arm.experiment = experiment.id AND arm.number = amendment.arm
			WHERE experiment.name = ? ORDER BY amendment.id`, []any{name}, func(scan func(...any) error) error {
			var a Amendment
			var at string
			err := scan(&at, &a.By, &a.Month, &a.Arm, &a.What)
			if err == nil {
				a.At, err = parseTime(at)
			}
			list = append(list, a)
			return err
		})
	})
	return list, err
}

// sharing are the numbers of the experiments that have so many of some arms.
func sharing(tx querier, arms int, data []string) ([]int64, error) {
	return column[int64](tx, "SELECT experiment FROM planned_arm WHERE data IN "+listed+" GROUP BY experiment HAVING count(*) >= ?",
		jsonText(data), arms)
}

// dataOf is what some experiments simulate.
func dataOf(tx querier, experiments []int64) ([]string, error) {
	return column[string](tx, "SELECT DISTINCT data FROM planned_arm WHERE experiment IN "+listed, jsonText(experiments))
}

func loadRelatives(tx querier, ids []int64) (list []Relative, err error) {
	at := map[int64]int{} // number -> place in list
	err = each(tx, `SELECT experiment, name, principal, plan_hash, seed, replications,
			NOT EXISTS (SELECT 1 FROM experiment WHERE id = planned.experiment)
		FROM planned WHERE experiment IN `+listed+" ORDER BY experiment",
		[]any{jsonText(ids)}, func(scan func(...any) error) error {
			var r Relative
			var seed string
			err := scan(&r.Number, &r.Name, &r.Principal, &r.PlanHash, &seed, &r.Replications, &r.Deleted)
			if err == nil {
				r.Seed, err = strconv.ParseUint(seed, 10, 64)
			}
			at[r.Number] = len(list)
			list = append(list, r)
			return err
		})
	if err != nil {
		return nil, err
	}
	err = each(tx, "SELECT experiment, data FROM planned_arm WHERE experiment IN "+listed, []any{jsonText(ids)},
		func(scan func(...any) error) error {
			var experiment int64
			var data string
			err := scan(&experiment, &data)
			r := &list[at[experiment]]
			r.Data = append(r.Data, data)
			return err
		})
	if err != nil {
		return nil, err
	}
	err = each(tx, "SELECT experiment, at, newest FROM look WHERE experiment IN "+listed+" ORDER BY experiment", []any{jsonText(ids)},
		func(scan func(...any) error) error {
			var experiment int64
			var l Look
			var when string
			err := scan(&experiment, &when, &l.Newest)
			if err == nil {
				l.At, err = parseTime(when)
			}
			r := &list[at[experiment]]
			r.Look = &l
			return err
		})
	return list, err
}
