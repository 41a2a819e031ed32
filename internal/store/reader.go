package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// querier is a transaction that is read from.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
}

// mostPrepared is how many statements a reader keeps prepared; further ones are prepared
// each time.
const mostPrepared = 64

// reader is a connection that reads, with the statements that it has used: to prepare
// one takes SQLite ten times as long as to look up a row by it.
type reader struct {
	conn     *sql.Conn
	ctx      context.Context // of whoever reads with it now
	prepared map[string]*sql.Stmt
}

// Query implements [querier].
func (r *reader) Query(query string, args ...any) (*sql.Rows, error) {
	if stmt := r.statement(query); stmt != nil {
		return stmt.QueryContext(r.ctx, args...)
	}
	return r.conn.QueryContext(r.ctx, query, args...)
}

// QueryRow implements [querier].
func (r *reader) QueryRow(query string, args ...any) *sql.Row {
	if stmt := r.statement(query); stmt != nil {
		return stmt.QueryRowContext(r.ctx, args...)
	}
	return r.conn.QueryRowContext(r.ctx, query, args...)
}

// statement is the prepared query; nil where there is no room for another, or where it
// is wrong, as whoever runs it will see.
func (r *reader) statement(query string) *sql.Stmt {
	stmt := r.prepared[query]
	if stmt == nil && len(r.prepared) < mostPrepared {
		var err error
		if stmt, err = r.conn.PrepareContext(context.Background(), query); err != nil {
			return nil
		}
		r.prepared[query] = stmt
	}
	return stmt
}

func (r *reader) exec(command string) error {
	_, err := r.conn.ExecContext(context.Background(), command)
	return err
}

// close ends the connection.
func (r *reader) close() error {
	var err error
	for _, stmt := range r.prepared {
		err = errors.Join(err, stmt.Close())
	}
	return errors.Join(err, r.conn.Close())
}

// readerPool lends readers; the one that came back last goes first.
type readerPool struct {
	db    *sql.DB
	slots chan struct{}

	mu     sync.Mutex
	idle   []*reader
	closed bool
}

func newReaderPool(db *sql.DB, size int) *readerPool {
	return &readerPool{db: db, slots: make(chan struct{}, size)}
}

// with runs f on one state of the database. The transaction itself is not bound to the
// context, or a reader could come back with one that is still open.
func (p *readerPool) with(ctx context.Context, f func(querier) error) error {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.slots }()
	r, err := p.take()
	if err != nil {
		return err
	}
	if err := r.exec("BEGIN"); err != nil {
		return errors.Join(err, r.close())
	}
	defer func() {
		if r.exec("ROLLBACK") != nil {
			_ = r.close() // another will be made
			return
		}
		r.ctx = nil
		p.put(r)
	}()
	r.ctx = ctx
	return f(r)
}

func (p *readerPool) take() (*reader, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		r := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return r, nil
	}
	p.mu.Unlock()
	conn, err := p.db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	return &reader{conn: conn, prepared: make(map[string]*sql.Stmt)}, nil
}

func (p *readerPool) put(r *reader) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = r.close() // nobody reads any more
		return
	}
	p.idle = append(p.idle, r)
}

// close ends all connections: those that are in use when they come back.
func (p *readerPool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	var err error
	for _, r := range p.idle {
		err = errors.Join(err, r.close())
	}
	p.idle = nil
	return errors.Join(err, p.db.Close())
}
