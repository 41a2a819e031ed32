package store

import (
	"context"
	"database/sql"
	"math"
	"time"
)

// Asked is a hypothesis that was tested on an experiment beyond the plan that it began
// with.
type Asked struct {
	Hypothesis string    // canonical: the same words are the same hypothesis
	P          float64   // p-value when it was asked last, not adjusted; NaN = there was none
	FirstAsked time.Time // to the millisecond
	Times      int       // how often this principal asked it; who gets a kept report does not ask
	By         string    // principal
	Question   int       // of this principal about the same arms, from 1, with which it was asked first
}

// Ask counts hypotheses as asked of each of some experiments by a principal, and returns all that anybody ever asked
// of any of them or of others that share two of their arms, deleted ones included, in the order in which they
// were asked first. Only Hypothesis and P of what is asked are used. What is new is one question, which has the next
// number of this principal. A hypothesis that a principal asks again, of one experiment or of another, is one row of
// the answer, with its last p-value; that of another principal is a row of its own. All are on disk, power cut
// included, when Ask returns, or none is. Without a hypothesis nothing is written. An experiment that is not there is a
// [fault.NotFound]; what the account of the principal has no room for, a [fault.LimitExceeded].
func (s *Store) Ask(ctx context.Context, experiments []string, asked []Asked, by string) (all []Asked, err error) {
	look := func(tx querier) (ids []int64, err error) {
		if ids, err = experimentIDs(tx, experiments); err != nil {
			return nil, err
		}
		data, err := dataOf(tx, ids)
		if err != nil {
			return nil, err
		}
		same, err := sharing(tx, 2, data)
		if err == nil {
			all, err = loadAsked(tx, append(same, ids...))
		}
		return ids, err
	}
	if len(asked) == 0 {
		err = s.read(ctx, func(tx querier) error {
			_, err := look(tx)
			return err
		})
		return all, err
	}
	now := formatTime(time.Now())
	err = s.writeFor(ctx, by, func(tx *sql.Tx) error {
		ids, err := look(tx)
		if err != nil {
			return err
		}
		next, known := 1, map[string]int{}
		for _, a := range all {
			if a.By == by {
				next, known[a.Hypothesis] = max(next, a.Question+1), a.Question
			}
		}
		insert, err := tx.Prepare(`INSERT INTO asked (experiment, principal, hypothesis, p, first_asked, times, question)
			VALUES (?, ?, ?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET p = excluded.p, times = times + 1`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, id := range ids {
			for _, a := range asked {
				question, asked := known[a.Hypothesis]
				if !asked {
					question = next
				}
				p := sql.NullFloat64{Float64: a.P, Valid: !math.IsNaN(a.P)}
				if _, err := insert.Exec(id, by, a.Hypothesis, p, now, question); err != nil {
					return err
				}
			}
		}
		_, err = look(tx)
		return err
	})
	return all, err
}

// experimentIDs are the numbers of experiments, in the order of their names.
func experimentIDs(tx querier, names []string) ([]int64, error) {
	ids := make([]int64, len(names))
	for i, name := range names {
		var err error
		if ids[i], err = experimentID(tx, name); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// loadAsked reads what was asked of experiments; what a principal asked of several is one.
func loadAsked(tx querier, ids []int64) ([]Asked, error) {
	var list []Asked
	type question struct{ by, hypothesis string }
	at := map[question]int{} // place in list
	err := each(tx, "SELECT hypothesis, p, first_asked, times, principal, question FROM asked WHERE experiment IN "+listed+
		" ORDER BY first_asked, principal, hypothesis, experiment", []any{jsonText(ids)},
		func(scan func(...any) error) error {
			var a Asked
			var p sql.NullFloat64
			var first string
			err := scan(&a.Hypothesis, &p, &first, &a.Times, &a.By, &a.Question)
			if err != nil {
				return err
			}
			if a.P = p.Float64; !p.Valid {
				a.P = math.NaN()
			}
			if k, known := at[question{a.By, a.Hypothesis}]; known {
				if a.Times > list[k].Times {
					list[k].P, list[k].Times = a.P, a.Times
				}
				return nil
			}
			a.FirstAsked, err = parseTime(first)
			at[question{a.By, a.Hypothesis}] = len(list)
			list = append(list, a)
			return err
		})
	return list, err
}
