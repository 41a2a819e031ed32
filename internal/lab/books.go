package lab

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Booked is the books of a month of a run. A store keeps indicators and no books: the run was simulated again for them.
type Booked struct {
	Experiment  string
	Arm         string
	Replication int // from 1
	First, Last int // months of which there are books
	Compared    int // months of the run whose numbers are those that are stored, to the bit: all up to the last simulated
	sim.Books
}

// mostBooks is of how many months of a run books are kept, and keptRuns of how many runs: 4 kB a month.
const (
	mostBooks = 600
	keptRuns  = 4
)

// keptBooks are the books of the runs that were asked for last. The zero value is ready for use.
type keptBooks struct {
	start  sync.Once
	making *semaphore.Weighted // held while a run is simulated again: who asks for the same waits and finds it
	mu     sync.Mutex
	list   []runBooks // the latest at the end
}

// runBooks are the books of successive months of a run.
type runBooks struct {
	key      string
	compared int // months that are those of the store
	months   []sim.Books
}

// BooksAtHand is [Laboratory.Books] where that takes no time: nil where the run would have to be simulated again.
func (l *Laboratory) BooksAtHand(ctx context.Context, name, arm string, replication, month int) (*Booked, error) {
	x, i, month, err := l.bookedAt(ctx, name, arm, replication, month)
	if err != nil {
		return nil, err
	}
	b, _ := l.booked.find(x, i, replication, month)
	return b, nil
}

// Books returns the books of a month of a run: no arm means the treatment, replication 0 the first, month 0 the latest. The run
// is simulated again up to its last month, which takes up to some ten seconds; books of later calls are at hand. A run that gives
// other numbers than are stored, or that would take too long, has none.
func (l *Laboratory) Books(ctx context.Context, name, arm string, replication, month int) (Booked, error) {
	x, i, month, err := l.bookedAt(ctx, name, arm, replication, month)
	if err != nil {
		return Booked{}, err
	}
	k := &l.booked
	if b, _ := k.find(x, i, replication, month); b != nil {
		return *b, nil
	}
	k.start.Do(func() { k.making = semaphore.NewWeighted(1) })
	if err := k.making.Acquire(ctx, 1); err != nil {
		return Booked{}, err
	}
	defer k.making.Release(1)
	b, key := k.find(x, i, replication, month)
	if b == nil {
		months, err := l.booksOf(ctx, x, i, max(1, replication), month)
		if err != nil {
			return Booked{}, err
		}
		made := runBooks{key, x.Month, months}
		k.keep(made)
		b = newBooked(x, i, replication, made, month)
	}
	return *b, nil
}

// bookedAt finds what books are asked for.
func (l *Laboratory) bookedAt(ctx context.Context, name, arm string, replication, month int) (x store.Experiment, i, at int, err error) {
	if x, i, err = l.found(ctx, name, arm); err != nil {
		return x, i, 0, err
	}
	if err := hasReplication(replication, x.Replications); err != nil {
		return x, i, 0, err
	}
	if at, err = monthOf(x, month); err != nil {
		return x, i, 0, err
	}
	return x, i, at, ofThisModel(x, at, "choose an experiment of this version, or simulate it again")
}

// booksOf simulates a run again, compares it with what is stored, and returns the books of its months up to the last, of them
// the last [mostBooks] that include a month.
func (l *Laboratory) booksOf(ctx context.Context, x store.Experiment, arm, replication, month int) (books []sim.Books, err error) {
	s, err := scenarioOf(x, arm)
	if err != nil {
		return nil, err
	}
	months, seed := x.Month, run.ReplicationSeed(x.Seed, replication-1)
	if !l.Cache.Has(s, seed) {
		months += s.BurnIn.BurnInMonths
	}
	if float64(x.Households)*float64(months) > mostReplayed {
		return nil, fault.New(
			fault.LimitExceeded, "experiment_name",
			"%d months of %d households would have to be simulated again for the books of %s, which takes too long", months, x.Households, x.Name,
		).WithHint("choose a shorter or smaller experiment")
	}
	until := max(x.Month, mostBooks)
	if month <= x.Month-mostBooks {
		until = month + mostBooks/2
	}
	records := make([]sim.Record, 0, x.Month)
	err = l.Runs.ReplayMonths(ctx, s, seed, x.Month, func(e *sim.Economy) error {
		records = append(records, *e.Latest())
		if n := e.Month(); n > until-mostBooks && n <= until {
			books = append(books, e.Books())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.look(ctx, x.Name)
	differs, field, err := l.Store.Compare(ctx, x.Name, x.Arms[arm].Name, replication, records)
	if err == nil && differs > 0 && differs <= x.Month { // later months may have come meanwhile
		err = fault.New(
			fault.InvalidState, "experiment_name", "simulated again, %s of %s in month %d is not what is stored: it has no books that can be shown",
			field, x.Name, differs,
		).WithHint("econ-mcp rerun " + x.Name + " compares all of its runs")
	}
	return books, err
}

func newBooked(x store.Experiment, arm, replication int, of runBooks, month int) *Booked {
	first := of.months[0].Month
	return &Booked{
		Experiment: x.Name, Arm: x.Arms[arm].Name, Replication: max(1, replication), First: first, Last: first + len(of.months) - 1,
		Compared: of.compared, Books: of.months[month-first],
	}
}

// find returns the books of a month, which then are the latest, or nil, and the key under which they are kept.
func (k *keptBooks) find(x store.Experiment, arm, replication, month int) (*Booked, string) {
	scenario := sha256.Sum256(x.Arms[arm].Scenario)
	key := fmt.Sprintf("%s %d %d %d %x", x.Name, x.CreatedAt.UnixNano(), arm, max(1, replication), scenario)
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, kept := range k.list {
		if first := kept.months[0].Month; kept.key == key && month >= first && month < first+len(kept.months) {
			k.list = append(slices.Delete(k.list, i, i+1), kept)
			return newBooked(x, arm, replication, kept, month), key
		}
	}
	return nil, key
}

// keep adds books in the place of those of the same run, and gives up those that were not used for longest.
func (k *keptBooks) keep(of runBooks) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = slices.DeleteFunc(k.list, func(old runBooks) bool { return old.key == of.key })
	k.list = append(k.list, of)
	k.list = k.list[max(0, len(k.list)-keptRuns):]
}
