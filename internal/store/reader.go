package store

import (
	"context"
	"database/sql"
)

// querier is a transaction that is read from.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
}

// reader is a transaction whose queries end with the context of whoever reads.
type reader struct {
	tx  *sql.Tx
	ctx context.Context
}

// Query implements [querier].
func (r reader) Query(query string, args ...any) (*sql.Rows, error) {
	return r.tx.QueryContext(r.ctx, query, args...)
}

// QueryRow implements [querier].
func (r reader) QueryRow(query string, args ...any) *sql.Row {
	return r.tx.QueryRowContext(r.ctx, query, args...)
}

// read runs f on one state of the database. Once the context is cancelled, no query of f
// gives anything more. The transaction itself is not bound to the context, or a connection
// could come back to the pool with one that is still open.
func (s *Store) read(ctx context.Context, f func(tx querier) error) error {
	conn, err := s.readers.Conn(ctx)
	if err != nil {
		return s.explain(ctx, err)
	}
	defer conn.Close() // back to the pool
	tx, err := conn.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return s.explain(ctx, err)
	}
	defer tx.Rollback()
	return s.explain(ctx, f(reader{tx, ctx}))
}
