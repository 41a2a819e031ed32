package store

import (
	"context"
)

// Detail is what was kept of a kind about a run, whose replication counts from 1, and the
// month that it is of. Where nothing was, data is nil.
func (s *Store) Detail(ctx context.Context, name, arm string, replication int, kind string) (month int, data []byte, err error) {
	err = s.read(ctx, func(tx querier) error {
		id, _, err := armID(tx, name, arm)
		if err != nil {
			return err
		}
		return ifAny(tx.QueryRow(`SELECT detail.month, data FROM detail JOIN run ON run.id = detail.run
			WHERE run.arm = ? AND run.replication = ? AND kind = ?`, id, replication, kind).Scan(&month, &data))
	})
	return month, data, err
}
