package store

import (
	"context"
	"database/sql"
	"time"
)

// Programs of older schemas wrote workspaces and analyses without their bytes, and one that was
// open when the database was brought up to date still does. They are counted when a store is
// opened, and before a limit is applied.

const uncounted = "SELECT EXISTS (SELECT 1 FROM analysis WHERE bytes = 0) OR EXISTS (SELECT 1 FROM workspace WHERE bytes = 0)"

// countLeft counts what is not counted yet, in a transaction of its own: what is counted is none
// of the growth of the account that is looked at next.
func (s *Store) countLeft(ctx context.Context, wait time.Duration) error {
	var left bool
	err := s.read(ctx, func(tx querier) error { return tx.QueryRow(uncounted).Scan(&left) })
	if err != nil || !left {
		return err
	}
	return s.writeWithin(ctx, wait, s.count)
}

// count gives workspaces and analyses their bytes. An analysis that has none counted as part of its
// experiment until now, and is taken for one of the owner's.
func (s *Store) count(tx *sql.Tx) error {
	analyses := make(map[int64]int) // number -> bytes of what it says
	err := each(tx, "SELECT id, octet_length(settings) + octet_length(result) FROM analysis WHERE bytes = 0", nil,
		func(scan func(...any) error) error {
			var id int64
			var size int
			err := scan(&id, &size)
			analyses[id] = size
			return err
		})
	if err != nil {
		return err
	}
	for id, size := range analyses {
		_, err := tx.Exec("UPDATE experiment SET bytes = max(0, bytes - ?) WHERE id = (SELECT experiment FROM analysis WHERE id = ?)", size, id)
		if err != nil {
			return err
		}
		_, err = tx.Exec("UPDATE analysis SET bytes = ?, "+
			"principal = (SELECT principal FROM experiment WHERE id = analysis.experiment) WHERE id = ?", s.room(size+rowBytes), id)
		if err != nil {
			return err
		}
	}
	workspaces := make(map[string]int)
	err = each(tx, "SELECT name, octet_length(data) FROM workspace WHERE bytes = 0", nil, func(scan func(...any) error) error {
		var name string
		var size int
		err := scan(&name, &size)
		workspaces[name] = size
		return err
	})
	if err != nil {
		return err
	}
	for name, size := range workspaces {
		if _, err := tx.Exec("UPDATE workspace SET bytes = ? WHERE name = ?", s.keyedRoom(size+rowBytes), name); err != nil {
			return err
		}
	}
	return nil
}
