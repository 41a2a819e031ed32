package store

import (
	"context"
	"database/sql"

	"econ-mcp/internal/access"
)

// Owner says whose an experiment is. One that is not there is a [fault.NotFound].
func (s *Store) Owner(ctx context.Context, experiment string) (o access.Owner, err error) {
	err = s.read(ctx, func(tx querier) error {
		id, err := experimentID(tx, experiment)
		if err != nil {
			return err
		}
		return tx.QueryRow("SELECT principal, shared FROM experiment WHERE id = ?", id).Scan(&o.Principal, &o.Shared)
	})
	return o, err
}

// SavedBy says whose the files of a kind are, preset or config, by name. Others are the
// operator's.
func (s *Store) SavedBy(ctx context.Context, kind string) (map[string]access.Owner, error) {
	owners := map[string]access.Owner{}
	err := s.read(ctx, func(tx querier) error {
		return each(tx, "SELECT name, principal, shared FROM saved WHERE kind = ?", []any{kind}, func(scan func(...any) error) error {
			var name string
			var o access.Owner
			err := scan(&name, &o.Principal, &o.Shared)
			owners[name] = o
			return err
		})
	})
	return owners, err
}

// SetSavedBy notes whose a file is and how large. Where the account of its owner has no room for
// it, the error is a [fault.LimitExceeded] and nothing changes.
func (s *Store) SetSavedBy(ctx context.Context, kind, name string, o access.Owner, bytes int64) error {
	return s.writeFor(ctx, o.Principal, func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO saved (kind, name, principal, shared, bytes) VALUES (?, ?, ?, ?, ?)",
			kind, name, o.Principal, o.Shared, bytes)
		return err
	})
}

// KeepSaved forgets the files of a kind that are not among those that are there.
func (s *Store) KeepSaved(ctx context.Context, kind string, there []string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM saved WHERE kind = ? AND name NOT IN "+listed, kind, jsonText(there))
		return err
	})
}
