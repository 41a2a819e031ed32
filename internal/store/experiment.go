package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"econ-mcp/internal/fault"
)

// Experiment is everything about an experiment but its months.
type Experiment struct {
	Name         string
	CreatedAt    time.Time // to the millisecond
	Principal    string    // who started it; "" = the operator
	Shared       bool      // others that may write may steer it
	Question     string
	Plan         json.RawMessage // what it is judged by, said before its first month
	Seed         uint64          // from which the seeds of the runs are derived
	Months       int             // to be simulated
	Replications int             // of each arm, that count: all but those under way
	Households   int
	Firms        int

	ModelVersion, CodeVersion, GoVersion, Arch string // of the program that started it

	State   string // queued, burn_in, running, paused, stopped, interrupted, completed or failed
	Month   int    // the last month that is on record for all runs; 0 = none
	Message string // why it is in this state, where there is more to say

	// Reserved is what it may come to store at most, in bytes; 0 = it has ended, or was begun by
	// a program that reserved nothing. To Create, it is what its runs may come to store.
	Reserved int64

	Arms []Arm
	Runs []Run // arm by arm

	// Underway are the runs of further replications, arm by arm, which count once all of
	// them have ended: see [Journal.Extend]. Nothing else in this package reads them.
	Underway []Run

	Captured    *Capture // nil = it is not
	HasAnalysis bool

	Cursor string // of the list that begins after it, see [Filter]
}

// Arm is one scenario of an experiment.
type Arm struct {
	Name         string
	Scenario     []byte // complete, as YAML, with what has been injected since
	Hash         string
	BurntInApart []string // parameters for which the arm has its own burn-in
	Data         string   // what it simulates, whatever months and seed; to Create only
}

// data is what its arms simulate.
func (x Experiment) data() (list []string) {
	for _, a := range x.Arms {
		if a.Data != "" {
			list = append(list, a.Data)
		}
	}
	return list
}

// Run is one replication of an arm.
type Run struct {
	ID          string // NAME/ARM/REPLICATION
	Arm         string
	Replication int // from 1
	Seed        uint64
	Month       int    // the last one on record; 0 = none
	StateHash   string // of the economy at the run's end; "" = it has not ended
	Began       []int  // month in which each intervention of the arm began, 0 = it did not
}

// liveStates are those of an experiment that some process works on, and endedStates those of one
// with which nobody goes on; an interrupted one is in neither. live and ended are the same as SQL.
var (
	liveStates  = []string{"queued", "burn_in", "running", "paused"}
	endedStates = []string{"completed", "stopped", "failed"}
	live        = "('" + strings.Join(liveStates, "', '") + "')"
	ended       = "('" + strings.Join(endedStates, "', '") + "')"
)

// Create records a new experiment in the state "queued", with a run for each
// arm and seed, and gives it to this process. Runs, Replications, State and
// Month of x are set here, as is CreatedAt where it is zero. The experiment is
// durable when Create returns. Where its principal has no room for what it may come to store,
// the error is a [fault.LimitExceeded]. A name that is taken is a [fault.Conflict] or,
// with rename, gets the first of the suffixes _2, _3, … that is free, whoever
// asks at the same time: the journal knows the name.
func (s *Store) Create(ctx context.Context, x Experiment, seeds []uint64, rename bool) (*Journal, error) {
	if len(x.Arms) == 0 || len(seeds) == 0 {
		return nil, fault.New(fault.Internal, "", "experiment %q has %d arms and %d seeds; it needs one of each at least", x.Name, len(x.Arms),
			len(seeds))
	}
	x.Replications = len(seeds)
	x.CreatedAt = orNow(x.CreatedAt)
	var j *Journal
	var lock *flock.Flock
	err := s.writeFor(ctx, x.Principal, func(tx *sql.Tx) error {
		name, err := freeName(tx, x.Name, rename)
		if err != nil {
			return err
		}
		x.Name = name
		id, err := s.insertExperiment(tx, x)
		if err != nil {
			return err
		}
		runs, err := insertRuns(tx, id, x.Arms, seeds)
		if err != nil {
			return err
		}
		if err := enter(tx, id, x, x.data()); err != nil {
			return err
		}
		// Nobody else knows the number before the transaction ends, so the lock
		// is free; when others see the experiment, it is taken.
		if lock, err = s.lock(id); err != nil {
			return err
		}
		j = newJournal(s, id, name, x.Principal, lock, runs, len(seeds))
		return nil
	})
	if err != nil {
		if lock != nil {
			lock.Close()
		}
		return nil, err
	}
	s.enter(j)
	return j, nil
}

// longestStem is how much of a name stays where a suffix would make it too long.
const longestStem = 90

// freeName returns name or, if it may be changed, the first free variant of it. A name that differs
// from another in case only is taken: as folders of exports, some systems could not keep both.
func freeName(tx *sql.Tx, name string, rename bool) (string, error) {
	stem := name[:min(len(name), longestStem)]
	taken := map[string]string{} // in lower case -> as it is
	err := each(tx, "SELECT name FROM experiment WHERE lower(substr(name, 1, ?)) = lower(?)", []any{len(stem), stem},
		func(scan func(...any) error) error {
			var other string
			err := scan(&other)
			if key := strings.ToLower(other); taken[key] != name {
				taken[key] = other
			}
			return err
		})
	if err != nil {
		return "", err
	}
	for n, candidate := 2, name; ; n++ {
		other, there := taken[strings.ToLower(candidate)]
		if !there {
			return candidate, nil
		}
		if !rename {
			e := fault.New(fault.Conflict, "experiment_name", "experiment %q already exists", other)
			if other != name {
				e.Message += fmt.Sprintf(", and some systems cannot keep %q beside it", name)
			}
			return "", e.WithHint("choose another name, or none to get a new one")
		}
		if candidate = name + "_" + strconv.Itoa(n); len(candidate) > fault.LongestName {
			candidate = stem + "_" + strconv.Itoa(n)
		}
	}
}

func (s *Store) insertExperiment(tx *sql.Tx, x Experiment) (id int64, err error) {
	plan := cmp.Or(string(x.Plan), "null")
	size := s.room(len(plan)+len(x.Question)+rowBytes) + rowBytes + int64(len(x.Arms)*x.Replications*runBytes)
	for _, a := range x.Arms {
		size += s.room(len(a.Scenario)+rowBytes) + rowBytes
	}
	result, err := tx.Exec(`INSERT INTO experiment (name, created_at, principal, shared, question, plan, seed, months, replications,
			households, firms, model_version, code_version, go_version, arch, state, bytes, reserved)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?)`,
		x.Name, formatTime(x.CreatedAt), x.Principal, x.Shared, x.Question, plan, strconv.FormatUint(x.Seed, 10), x.Months, x.Replications,
		x.Households, x.Firms, x.ModelVersion, x.CodeVersion, x.GoVersion, x.Arch, size, size+x.Reserved)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// insertRuns writes arms and runs and returns the runs by arm and replication.
func insertRuns(tx *sql.Tx, experiment int64, arms []Arm, seeds []uint64) ([][]journalRun, error) {
	runs := make([][]journalRun, len(arms))
	for i, a := range arms {
		result, err := tx.Exec("INSERT INTO arm (experiment, number, name, scenario, hash, burnt_in_apart) VALUES (?, ?, ?, ?, ?, ?)",
			experiment, i+1, a.Name, string(a.Scenario), a.Hash, jsonText(a.BurntInApart))
		if err != nil {
			return nil, err
		}
		arm, err := result.LastInsertId()
		if err != nil {
			return nil, err
		}
		if runs[i], err = insertReplications(tx, arm, 0, seeds); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// insertReplications writes a run of an arm for each seed, after a number of others.
func insertReplications(tx *sql.Tx, arm int64, after int, seeds []uint64) (runs []journalRun, err error) {
	for r, seed := range seeds {
		result, err := tx.Exec("INSERT INTO run (arm, replication, seed) VALUES (?, ?, ?)", arm, after+r+1, strconv.FormatUint(seed, 10))
		if err != nil {
			return nil, err
		}
		id, err := result.LastInsertId()
		if err != nil {
			return nil, err
		}
		runs = append(runs, journalRun{id: id})
	}
	return runs, nil
}

// jsonText is a list of names or numbers as JSON, [] where it is nil.
func jsonText[T string | int | int64](list []T) string {
	text, err := json.Marshal(append([]T{}, list...))
	if err != nil {
		panic(err) // there is no such list
	}
	return string(text)
}

// Experiment returns an experiment by its name. One that is not there is a
// [fault.NotFound] with the nearest names. One whose process has died without
// saying so is "interrupted".
func (s *Store) Experiment(ctx context.Context, name string) (Experiment, error) {
	x, _, err := s.settled(ctx, name)
	return x, err
}

// settled is Experiment with the number of the experiment.
func (s *Store) settled(ctx context.Context, name string) (x Experiment, id int64, err error) {
	newest := s.unwritten(name)
	x, id, err = s.experiment(ctx, name)
	if err != nil || s.journal(name) != nil || !slices.Contains(liveStates, x.State) {
		newest.addTo(&x)
		return x, id, err
	}
	dead, err := s.markInterrupted(id)
	if err != nil { // the disk is full or taken: it is so all the same, and the next reader marks it
		slog.Warn("the death of a process could not be recorded", "experiment", name, "error", err)
		if dead {
			x.State, x.Message = "interrupted", ownerDied
		}
		return x, id, nil
	}
	if dead {
		return s.experiment(ctx, name)
	}
	return x, id, nil
}

// experiment reads an experiment as it is on record, and its number.
func (s *Store) experiment(ctx context.Context, name string) (x Experiment, id int64, err error) {
	err = s.read(ctx, func(tx querier) error {
		if id, err = experimentID(tx, name); err != nil {
			return err
		}
		list, err := load(tx, []int64{id})
		if err == nil {
			x = list[0]
		}
		return err
	})
	return x, id, err
}

// experimentID finds an experiment by its name.
func experimentID(tx querier, name string) (id int64, err error) {
	err = tx.QueryRow("SELECT id FROM experiment WHERE name = ?", name).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	const recent = 1000 // names in which to look for what was meant
	names, err := column[string](tx, "SELECT name FROM experiment ORDER BY id DESC LIMIT ?", recent)
	if err != nil {
		return 0, err
	}
	return 0, fault.In("experiment_name", fault.Unknown(fault.NotFound, "experiment", name, names))
}

// column reads a query of one column.
func column[T any](tx querier, query string, args ...any) ([]T, error) {
	var list []T
	err := each(tx, query, args, func(scan func(...any) error) error {
		var v T
		err := scan(&v)
		list = append(list, v)
		return err
	})
	return list, err
}

// each calls f for each row of a query.
func each(tx querier, query string, args []any, f func(scan func(...any) error) error) error {
	rows, err := tx.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// load reads experiments by their numbers, newest first.
func load(tx querier, ids []int64) ([]Experiment, error) {
	var list []Experiment
	at := make(map[int64]int, len(ids)) // number -> place in list
	err := each(tx, `SELECT id, name, created_at, principal, shared, question, plan, seed, months, replications, households, firms,
			model_version, code_version, go_version, arch, state, month, message, reserved,
			EXISTS (SELECT 1 FROM analysis WHERE analysis.experiment = experiment.id)
		FROM experiment WHERE id IN `+listed+` ORDER BY id DESC`, []any{jsonText(ids)},
		func(scan func(...any) error) error {
			var x Experiment
			var id int64
			var created, plan, seed string
			err := scan(&id, &x.Name, &created, &x.Principal, &x.Shared, &x.Question, &plan, &seed, &x.Months, &x.Replications, &x.Households, &x.Firms,
				&x.ModelVersion, &x.CodeVersion, &x.GoVersion, &x.Arch, &x.State, &x.Month, &x.Message, &x.Reserved,
				&x.HasAnalysis)
			if err != nil {
				return err
			}
			x.Plan, x.Cursor = json.RawMessage(plan), cursorOf(id)
			var errTime, errSeed error
			x.CreatedAt, errTime = parseTime(created)
			x.Seed, errSeed = strconv.ParseUint(seed, 10, 64)
			at[id] = len(list)
			list = append(list, x)
			return errors.Join(errTime, errSeed)
		})
	if err != nil {
		return nil, err
	}
	of := func(id int64) *Experiment { return &list[at[id]] }
	if err := loadArms(tx, ids, of); err != nil {
		return nil, err
	}
	if err := loadRuns(tx, ids, of); err != nil {
		return nil, err
	}
	return list, loadCaptures(tx, ids, func(id int64, c *Capture) { of(id).Captured = c })
}

func loadArms(tx querier, ids []int64, of func(id int64) *Experiment) error {
	return each(tx, "SELECT experiment, name, scenario, hash, burnt_in_apart FROM arm WHERE experiment IN "+listed+
		" ORDER BY experiment, number", []any{jsonText(ids)},
		func(scan func(...any) error) error {
			var a Arm
			var id int64
			var apart string
			if err := scan(&id, &a.Name, &a.Scenario, &a.Hash, &apart); err != nil {
				return err
			}
			x := of(id)
			x.Arms = append(x.Arms, a)
			return json.Unmarshal([]byte(apart), &x.Arms[len(x.Arms)-1].BurntInApart)
		})
}

func loadRuns(tx querier, ids []int64, of func(id int64) *Experiment) error {
	return each(tx, `SELECT arm.experiment, arm.name, run.replication, run.seed, run.month, run.state_hash, run.began
		FROM run JOIN arm ON arm.id = run.arm WHERE arm.experiment IN `+listed+` ORDER BY arm.experiment, arm.number, run.replication`,
		[]any{jsonText(ids)},
		func(scan func(...any) error) error {
			var r Run
			var id int64
			var seed, began string
			if err := scan(&id, &r.Arm, &r.Replication, &seed, &r.Month, &r.StateHash, &began); err != nil {
				return err
			}
			x := of(id)
			r.ID = fmt.Sprintf("%s/%s/%d", x.Name, r.Arm, r.Replication)
			var err error
			r.Seed, err = strconv.ParseUint(seed, 10, 64)
			err = errors.Join(err, json.Unmarshal([]byte(began), &r.Began))
			if r.Replication > x.Replications {
				x.Underway = append(x.Underway, r)
			} else {
				x.Runs = append(x.Runs, r)
			}
			return err
		})
}

// listed is the numbers of a list that is given as JSON, as SQL.
const listed = "(SELECT value FROM json_each(?))"

// Filter says which experiments [Store.List] gives; the zero value means all.
type Filter struct {
	Limit         int    // at most so many; 0 = 20
	Cursor        string // of the list before this one
	State         string // of the runs, such as "running"
	CaptureStatus string // of the research; only captured ones have one
	Tag           string
	Search        string // words that all occur in name, question, hypothesis, expected outcome or notes
	CapturedOnly  bool
	ByName        bool // in the order of names, in the place of the newest first
}

const defaultLimit = 20

// List gives experiments, newest first or by name, with the number of all that fit the
// filter and the cursor of the next list, "" after the last. Experiments that
// are created meanwhile do not move those on later lists.
func (s *Store) List(ctx context.Context, f Filter) (list []Experiment, total int, next string, err error) {
	after, order, err := f.after()
	if err != nil {
		return nil, 0, "", err
	}
	if _, err := s.Recover(ctx); ctx.Err() != nil {
		return nil, 0, "", ctx.Err()
	} else if err != nil { // the next reader tries again
		slog.Warn("the death of a process could not be recorded", "error", err)
	}
	newest := make(map[string]unwritten)
	for _, j := range s.live() {
		newest[j.name] = s.unwritten(j.name)
	}
	where, args := f.where()
	limit := cmp.Or(f.Limit, defaultLimit)
	err = s.read(ctx, func(tx querier) error {
		if err := tx.QueryRow("SELECT count(*) FROM experiment LEFT JOIN capture ON capture.experiment = id WHERE "+where,
			args...).Scan(&total); err != nil {
			return err
		}
		ids, err := column[int64](tx, "SELECT id FROM experiment LEFT JOIN capture ON capture.experiment = id WHERE "+where+
			" AND "+order+" LIMIT ?", append(slices.Clip(args), after, limit+1)...)
		if err != nil || len(ids) == 0 {
			return err
		}
		more := len(ids) > limit
		if list, err = load(tx, ids[:min(len(ids), limit)]); err != nil {
			return err
		}
		if f.ByName {
			slices.SortFunc(list, func(a, b Experiment) int { return strings.Compare(a.Name, b.Name) })
			for i := range list {
				list[i].Cursor = list[i].Name
			}
		}
		if more {
			next = list[len(list)-1].Cursor
		}
		return nil
	})
	for i := range list {
		u := newest[list[i].Name]
		u.addTo(&list[i])
	}
	return list, total, next, err
}

func cursorOf(id int64) string { return strconv.FormatInt(id, 10) }

// after is where the list goes on, and the condition and the order in which that is meant, as SQL.
func (f Filter) after() (cursor any, order string, err error) {
	if f.ByName {
		return f.Cursor, "name > ? ORDER BY name", nil
	}
	const newest = "id < ? ORDER BY id DESC"
	if f.Cursor == "" {
		return int64(math.MaxInt64), newest, nil
	}
	id, err := strconv.ParseInt(f.Cursor, 10, 64)
	if err != nil {
		return nil, "", fault.New(fault.WrongType, "cursor", "cursor %.40q is not one that a list gave", f.Cursor).
			WithHint("leave it out to begin with the newest")
	}
	return id, newest, nil
}

// where is the filter as SQL over experiment and capture.
func (f Filter) where() (string, []any) {
	var conditions []string
	var args []any
	add := func(condition string, values ...any) {
		conditions = append(conditions, condition)
		args = append(args, values...)
	}
	add("true")
	if f.CapturedOnly {
		add("status IS NOT NULL")
	}
	if f.State != "" {
		add("state = ?", f.State)
	}
	if f.CaptureStatus != "" {
		add("status = ?", f.CaptureStatus)
	}
	if f.Tag != "" {
		add("EXISTS (SELECT 1 FROM tag WHERE tag.experiment = id AND tag = ?)", f.Tag)
	}
	for _, word := range strings.Fields(f.Search) {
		pattern := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(word) + "%"
		add(`concat_ws(char(10), name, experiment.question, capture.question, hypothesis, expected_outcome, notes) LIKE ? ESCAPE '\'`, pattern)
	}
	return strings.Join(conditions, " AND "), args
}
