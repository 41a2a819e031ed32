package store

import (
	"context"
	"database/sql"
	"time"
)

// EditWorkspace changes what is kept of a workspace, in one transaction that no other
// process writes beside, and returns its new revision. change gets what is kept and its
// revision (nil and 0 = nothing) and returns what takes its place; an error of it is that
// of EditWorkspace, and nothing is changed. It must not use the store.
func (s *Store) EditWorkspace(name string, change func(data []byte, revision int64) ([]byte, error)) (revision int64, err error) {
	err = s.write(context.Background(), func(tx *sql.Tx) error {
		data, before, err := workspace(tx, name)
		if err != nil {
			return err
		}
		if data, err = change(data, before); err != nil {
			return err
		}
		revision = before + 1
		_, err = tx.Exec("INSERT OR REPLACE INTO workspace (name, revision, saved_at, data) VALUES (?, ?, ?, ?)",
			name, revision, formatTime(time.Now()), append([]byte{}, data...))
		return err
	})
	return revision, err
}

// Workspace returns what is kept of a workspace, and its revision; nil and 0 = nothing.
func (s *Store) Workspace(name string) (data []byte, revision int64, err error) {
	err = s.read(context.Background(), func(tx querier) error {
		data, revision, err = workspace(tx, name)
		return err
	})
	return data, revision, err
}

func workspace(tx querier, name string) (data []byte, revision int64, err error) {
	err = tx.QueryRow("SELECT data, revision FROM workspace WHERE name = ?", name).Scan(&data, &revision)
	return data, revision, ifAny(err)
}

// WorkspaceRevision is the number of edits of a workspace that are kept, whichever process
// made them; 0 = none. Whoever holds a copy of the workspace asks it before each use.
func (s *Store) WorkspaceRevision(name string) (revision int64, err error) {
	err = s.read(context.Background(), func(tx querier) error {
		return ifAny(tx.QueryRow("SELECT revision FROM workspace WHERE name = ?", name).Scan(&revision))
	})
	return revision, err
}
