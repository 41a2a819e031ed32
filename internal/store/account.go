package store

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"econ-mcp/internal/fault"
)

// Limits bound what one principal stores, the operator included. 0 = no limit.
type Limits struct {
	Bytes      int64 // of all in its account, see [Account]
	Workspaces int
	Presets    int
	Configs    int
	Analyses   int
}

// Of the kinds of holdings, those that have rules of their own. Checkpoints give way to all else.
const (
	heldCheckpoints = "checkpoints"
	heldAnalyses    = "analyses"
	heldWorkspaces  = "workspaces"
	heldPresets     = "presets"
	heldConfigs     = "configs"
)

// Account is what a principal has stored.
type Account struct {
	Principal string // "" = the operator
	Holdings  []Holding
}

// Holding is what a principal has stored of a kind, in bytes of the disk. An experiment that
// has not ended counts with what it may come to store at most.
type Holding struct {
	Kind  string // experiments, checkpoints, analyses, asked, plans, workspaces, presets or configs
	Items int
	Bytes int64
}

// Bytes are those of everything.
func (a Account) Bytes() (bytes int64) {
	for _, h := range a.Holdings {
		bytes += h.Bytes
	}
	return bytes
}

// lasting are the bytes of all that does not give way.
func (a Account) lasting() int64 { return a.Bytes() - a.of(heldCheckpoints).Bytes }

func (a Account) of(kind string) Holding {
	for _, h := range a.Holdings {
		if h.Kind == kind {
			return h
		}
	}
	return Holding{Kind: kind}
}

// Left is how many bytes a principal with this account may still store. Without a limit there
// is no answer.
func (l Limits) Left(a Account) (bytes int64, limited bool) {
	return max(0, l.Bytes-a.lasting()), l.Bytes > 0
}

// numbers are the limits that are not of bytes, and what to do about each.
func (l Limits) numbers() []numberLimit {
	const overwrite = "save under a name that is there (overwrite=true), or ask the operator to remove some"
	return []numberLimit{
		{heldWorkspaces, l.Workspaces, "work in one of those that are there"},
		{heldPresets, l.Presets, overwrite},
		{heldConfigs, l.Configs, overwrite},
		{heldAnalyses, l.Analyses, "ask the operator to delete experiments that were analysed (econ-mcp delete), or for more room"},
	}
}

type numberLimit struct {
	kind string
	most int // 0 = no limit
	hint string
}

// admit refuses to have an account grow past the limits. One that does not grow is admitted.
func (l Limits) admit(before, after Account) error {
	for _, n := range l.numbers() {
		count := before.of(n.kind).Items
		if is := after.of(n.kind).Items; n.most > 0 && is > n.most && is > count {
			return fault.New(fault.LimitExceeded, "", "%d %s are stored already, and the limit %s is %d", count, n.kind, n.kind, n.most).
				WithHint(n.hint)
		}
	}
	left, limited := l.Left(before)
	if more := after.lasting() - before.lasting(); limited && more > left {
		return fault.New(fault.LimitExceeded, "", "this takes %d bytes, and %d are left of the limit stored_bytes of %d", more, left, l.Bytes).
			WithHint("ask for less, such as fewer months or replications, or ask the operator for room (econ-mcp delete, --max-stored-bytes)")
	}
	return nil
}

// Account is what a principal has stored.
func (s *Store) Account(ctx context.Context, principal string) (a Account, err error) {
	err = s.read(ctx, func(tx querier) error {
		a, err = accountOf(tx, principal)
		return err
	})
	return a, err
}

// Accounts are those of all principals that have stored anything, by name.
func (s *Store) Accounts(ctx context.Context) (list []Account, err error) {
	err = s.read(ctx, func(tx querier) error {
		return each(tx, "SELECT principal, kind, items, bytes FROM account ORDER BY principal", nil, func(scan func(...any) error) error {
			var principal string
			var h Holding
			err := scan(&principal, &h.Kind, &h.Items, &h.Bytes)
			if n := len(list); n == 0 || list[n-1].Principal != principal {
				list = append(list, Account{Principal: principal})
			}
			a := &list[len(list)-1]
			a.Holdings = append(a.Holdings, h)
			return err
		})
	})
	return list, err
}

func accountOf(tx querier, principal string) (Account, error) {
	a := Account{Principal: principal}
	err := each(tx, "SELECT kind, items, bytes FROM account WHERE principal = ?", []any{principal}, func(scan func(...any) error) error {
		var h Holding
		err := scan(&h.Kind, &h.Items, &h.Bytes)
		a.Holdings = append(a.Holdings, h)
		return err
	})
	return a, err
}

// writeFor is write for what counts to a principal. Where its account would grow past the
// limits, nothing is written and the error is a [fault.LimitExceeded]. The account is read in
// the same transaction: what others write at the same time, in whatever process, is in it.
func (s *Store) writeFor(ctx context.Context, principal string, f func(tx *sql.Tx) error) error {
	return s.writeForWithin(ctx, patience, principal, f)
}

func (s *Store) writeForWithin(ctx context.Context, wait time.Duration, principal string, f func(tx *sql.Tx) error) error {
	if s.Limits == (Limits{}) {
		return s.writeWithin(ctx, wait, f)
	}
	if err := s.countLeft(ctx, wait); err != nil {
		return err
	}
	var after Account
	err := s.writeWithin(ctx, wait, func(tx *sql.Tx) error {
		err := f(tx)
		if err == nil {
			after, err = accountOf(tx, principal)
		}
		if err != nil || s.Limits.admit(Account{}, after) == nil {
			return err
		}
		before, err := s.Account(ctx, principal) // readers see what was there before: nobody else writes meanwhile
		if err != nil {
			return err
		}
		return s.Limits.admit(before, after)
	})
	if err == nil && s.Limits.Bytes > 0 && after.Bytes() > s.Limits.Bytes {
		if err := s.evict(0, principal); err != nil { // the next one to write tries again
			slog.Warn("a checkpoint could not give way", "principal", principal, "error", err)
		}
	}
	return err
}

// grow counts what an experiment stores beyond what was reserved for it.
func grow(tx *sql.Tx, experiment, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	_, err := tx.Exec("UPDATE experiment SET bytes = bytes + ?1, reserved = CASE reserved WHEN 0 THEN 0 ELSE reserved + ?1 END WHERE id = ?2",
		bytes, experiment)
	return err
}
