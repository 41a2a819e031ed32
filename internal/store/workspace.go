package store

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// EditWorkspace changes what is kept of a workspace, in one transaction that no other
// process writes beside, and returns its new revision. change gets what is kept and its
// revision (nil and 0 = nothing) and returns what takes its place; an error of it is that
// of EditWorkspace, and nothing is changed. It must not use the store.
// A workspace counts to the principal of PRINCIPAL/NAME, others to the operator: what the account
// has no room for is a [fault.LimitExceeded].
func (s *Store) EditWorkspace(ctx context.Context, name string, change func(data []byte, revision int64) ([]byte, error)) (
	revision int64, err error,
) {
	principal, _, owned := strings.Cut(name, "/")
	if !owned {
		principal = ""
	}
	err = s.writeFor(ctx, principal, func(tx *sql.Tx) error {
		var data []byte
		var before int64
		err := ifAny(tx.QueryRow("SELECT data, revision FROM workspace WHERE name = ?", name).Scan(&data, &before))
		if err != nil {
			return err
		}
		if data, err = change(data, before); err != nil {
			return err
		}
		revision = before + 1
		_, err = tx.Exec("INSERT OR REPLACE INTO workspace (name, revision, saved_at, data, bytes) VALUES (?, ?, ?, ?, ?)",
			name, revision, formatTime(time.Now()), append([]byte{}, data...), s.keyedRoom(len(data)+rowBytes))
		return err
	})
	return revision, err
}

// otherWorkspace finds a workspace unless it has a revision.
const otherWorkspace = "SELECT data, revision FROM workspace WHERE name = ? AND revision <> ?"

// Workspace returns what is kept of a workspace, and its revision: the number of its edits,
// whichever process made them. Where that is the known one (0 = none), data is nil. Whoever
// holds a copy of the workspace asks before each use.
func (s *Store) Workspace(ctx context.Context, name string, known int64) (data []byte, revision int64, err error) {
	revision = known
	err = s.workspace.QueryRowContext(ctx, name, known).Scan(&data, &revision)
	return data, revision, s.explain(ctx, ifAny(err))
}
