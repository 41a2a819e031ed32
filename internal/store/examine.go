package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	codes "modernc.org/sqlite/lib"

	"econ-mcp/sim"
)

// FindingKind says what a finding means for those who work with a data folder.
type FindingKind string

const (
	Damaged      FindingKind = "damaged"      // it cannot be read, wholly or in part
	Inconsistent FindingKind = "inconsistent" // it can be read, and contradicts what else is stored
	LeftOver     FindingKind = "left_over"    // nobody needs it
	Exposed      FindingKind = "exposed"      // others on the system can read or write it
	Scarce       FindingKind = "scarce"       // there is little left of it
)

// Finding is something in a data folder that a user may have to do something about.
type Finding struct {
	Kind       FindingKind
	Where      string // file or folder, within the data folder
	Experiment string // "" = it belongs to none
	Message    string // what is found
	Hint       string // the next move
}

// Examination is what [Examine] has found.
type Examination struct {
	Findings    []Finding
	Experiments int
	Months      int      // that can be read, of all runs together
	Whole       []string // experiments of which everything can be read
}

const (
	restore   = "restore a copy of " + fileName
	exportAll = restore + "; without one, save each experiment that is whole (econ-mcp export NAME --out FOLDER) and go on in another folder"
)

// Examine looks at everything that a store keeps in a folder, and changes nothing. A damaged
// part does not keep it from the others. hash gives the hash of a scenario as this program
// stores it, "" of one that it cannot tell of. A folder without a store is an [*OpenError].
func Examine(ctx context.Context, dir string, hash func(scenario []byte) (string, error)) (Examination, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Examination{}, openError(dir, err)
	}
	e := &examiner{dir: dir, path: filepath.Join(dir, fileName), hash: hash}
	log, logErr := os.Stat(e.path + logSuffix)
	info, err := os.Stat(e.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && logErr == nil && log.Size() > 0:
		e.find(Damaged, fileName, "", "it is missing, and its log is there", "put it back beside its log, or "+restore)
	case errors.Is(err, fs.ErrNotExist):
		return Examination{}, &OpenError{Path: dir, Reason: "it has no " + fileName, Hint: "name a data folder with --data"}
	case err != nil:
		return Examination{}, openError(e.path, err)
	case info.Size() == 0:
		e.find(Damaged, fileName, "", "it is empty: its content was cut off", restore)
	default:
		e.database(ctx)
	}
	return e.Examination, ctx.Err()
}

type examiner struct {
	Examination
	dir, path string
	hash      func([]byte) (string, error)

	layouts map[int64]layout
}

func (e *examiner) find(kind FindingKind, where, experiment, message, hint string) {
	e.Findings = append(e.Findings, Finding{kind, where, experiment, message, hint})
}

// database examines the database and the files that it names. Where no other process has it
// open, there is no log, and SQLite is told that nobody writes: it would make a log otherwise.
// Should somebody begin to write meanwhile, it is examined once more as others' is.
func (e *examiner) database(ctx context.Context) {
	source := dataSource(e.path, reading, openPatience)
	if before := e.stamp(); !before.log {
		e.examine(ctx, source+"&immutable=1")
		if e.stamp() == before {
			return
		}
		e.Examination = Examination{}
	}
	e.examine(ctx, source)
}

// stamp tells whether the database was written to.
type stamp struct {
	log     bool // is there
	size    int64
	changed time.Time
}

func (e *examiner) stamp() (s stamp) {
	_, err := os.Stat(e.path + logSuffix)
	s.log = err == nil
	if info, err := os.Stat(e.path); err == nil {
		s.size, s.changed = info.Size(), info.ModTime()
	}
	return s
}

func (e *examiner) examine(ctx context.Context, source string) {
	db, err := sql.Open("sqlite", source)
	if err != nil {
		panic(err) // the driver is linked in
	}
	defer db.Close()
	e.layouts = make(map[int64]layout)
	if !e.header(ctx, db) {
		return
	}
	e.pages(ctx, db)
	e.references(ctx, db)
	ids, err := e.experiments(ctx, db)
	if err != nil {
		e.unreadable("the list of experiments", err)
		return
	}
	e.orphans(ids)
}

// unreadable notes an error of the database.
func (e *examiner) unreadable(what string, err error) {
	e.find(Damaged, fileName, "", fmt.Sprintf("%s cannot be read: %v", what, err), exportAll)
}

// header says whether the file is a database that this program can read.
func (e *examiner) header(ctx context.Context, db *sql.DB) bool {
	var application, version int
	err := db.QueryRowContext(ctx, "SELECT (SELECT application_id FROM pragma_application_id), "+
		"(SELECT user_version FROM pragma_user_version) FROM (SELECT count(*) FROM sqlite_schema)").Scan(&application, &version)
	switch code, _ := sqliteCode(err); {
	case err != nil && code == codes.SQLITE_READONLY: // SQLite has to roll it back first
		e.find(Damaged, fileName, "", "a transaction was not finished: "+err.Error(), "open the folder once, with econ-mcp list")
	case err != nil:
		told := openError(e.path, err)
		hint := strings.TrimSuffix(told.Hint, ", "+elsewhere)
		if code == codes.SQLITE_CORRUPT || code == codes.SQLITE_NOTADB {
			hint = restore + ", or move it away"
		}
		e.find(Damaged, fileName, "", told.Reason, hint)
	case application != applicationID:
		e.find(Damaged, fileName, "", "it is a database of another program", "move that file away, or "+restore)
	case version > len(migrations):
		told := newerSchema(e.path, version)
		e.find(Inconsistent, fileName, "", told.Reason, strings.TrimSuffix(told.Hint, ", "+elsewhere))
	default:
		return true
	}
	return false
}

// treePage finds the pages in the sentences of SQLite, each with the root of its tree.
var treePage = regexp.MustCompile(`Tree (\d+) page (\d+)`)

// tableDamage is what SQLite says of a damaged table and its indexes.
type tableDamage struct {
	table string
	pages []int  // that cannot be read
	said  string // what else is wrong, in its words; "" = nothing
}

// String is a phrase such as "pages 7, 9 of the table monthly cannot be read".
func (d tableDamage) String() string {
	if len(d.pages) == 0 {
		return fmt.Sprintf("the table %s is damaged: %s", d.table, d.said)
	}
	const most = 8
	var list []string
	for _, page := range d.pages[:min(most, len(d.pages))] {
		list = append(list, strconv.Itoa(page))
	}
	noun := "page"
	if len(d.pages) > 1 {
		noun = "pages"
	}
	more := ""
	if len(d.pages) > most {
		more = fmt.Sprintf(" and %d more", len(d.pages)-most)
	}
	return fmt.Sprintf("%s %s%s of the table %s cannot be read", noun, strings.Join(list, ", "), more, d.table)
}

// damagedTables has SQLite check each table with its indexes.
func damagedTables(ctx context.Context, db *sql.DB) (damaged []tableDamage, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	q := autoCommit{conn, ctx}
	tables, err := column[string](q, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rootpage")
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		d := tableDamage{table: table}
		err := each(q, "SELECT integrity_check FROM pragma_integrity_check(?)", []any{table}, func(scan func(...any) error) error {
			var text string
			if err := scan(&text); err != nil || text == "ok" {
				return err
			}
			for _, found := range treePage.FindAllStringSubmatch(text, -1) {
				page, _ := strconv.Atoi(found[2]) // digits
				d.pages = append(d.pages, page)
			}
			if d.said == "" && !strings.HasPrefix(text, "***") {
				d.said = text
			}
			return nil
		})
		if ctx.Err() != nil {
			return damaged, ctx.Err()
		}
		if err != nil && d.said == "" {
			d.said = err.Error()
		}
		if len(d.pages) > 0 || d.said != "" {
			slices.Sort(d.pages)
			d.pages = slices.Compact(d.pages)
			damaged = append(damaged, d)
		}
	}
	return damaged, nil
}

// autoCommit is a querier outside a transaction: each query has a state of its own, so that
// long checks do not keep the log from being emptied.
type autoCommit struct {
	conn *sql.Conn
	ctx  context.Context
}

// Query implements [querier].
func (c autoCommit) Query(query string, args ...any) (*sql.Rows, error) {
	return c.conn.QueryContext(c.ctx, query, args...)
}

// QueryRow implements [querier].
func (c autoCommit) QueryRow(query string, args ...any) *sql.Row {
	return c.conn.QueryRowContext(c.ctx, query, args...)
}

func (e *examiner) pages(ctx context.Context, db *sql.DB) {
	damaged, err := damagedTables(ctx, db)
	for _, d := range damaged {
		e.find(Damaged, fileName, "", d.String(), exportAll)
	}
	if err != nil {
		e.unreadable("the list of tables", err)
	}
}

// references finds rows that name others which are not there.
func (e *examiner) references(ctx context.Context, db *sql.DB) {
	rows := make(map[string]int)
	err := e.each(ctx, db, "SELECT \"table\", parent FROM pragma_foreign_key_check", func(scan func(...any) error) error {
		var table, parent string
		err := scan(&table, &parent)
		rows[table+" belong to no "+parent]++
		return err
	})
	for _, what := range slices.Sorted(maps.Keys(rows)) {
		e.find(Inconsistent, fileName, "", fmt.Sprintf("%d rows of %s", rows[what], what), restore)
	}
	if err != nil && len(e.Findings) == 0 { // else the reason is among them
		e.unreadable("which row belongs to which", err)
	}
}

func (e *examiner) each(ctx context.Context, db *sql.DB, query string, f func(scan func(...any) error) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return each(autoCommit{conn, ctx}, query, nil, f)
}

// examined is an experiment that is looked at.
type examined struct {
	id                int64
	name, state       string
	month, counted    int
	version           string // of the model
	problems, damaged []string
}

// experiments examines each experiment in a transaction of its own, and returns the numbers of all.
func (e *examiner) experiments(ctx context.Context, db *sql.DB) (ids []int64, err error) {
	var all []*examined
	err = e.each(ctx, db, "SELECT id, name, state, month, replications, model_version FROM experiment ORDER BY id",
		func(scan func(...any) error) error {
			x := &examined{}
			err := scan(&x.id, &x.name, &x.state, &x.month, &x.counted, &x.version)
			all = append(all, x)
			return err
		})
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		ids = append(ids, x.id)
		if err := e.experiment(ctx, db, x); err != nil {
			return ids, err
		}
	}
	return ids, nil
}

func (e *examiner) experiment(ctx context.Context, db *sql.DB, x *examined) error {
	tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	q := reader{tx, ctx}
	// It may have gone on, or be gone, since it was listed.
	err = q.QueryRow("SELECT state, month, replications FROM experiment WHERE id = ?", x.id).Scan(&x.state, &x.month, &x.counted)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = e.arms(q, x)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		x.damaged = append(x.damaged, err.Error())
	}
	tx.Rollback() // files are compared with what is noted now
	e.checkpoint(ctx, db, x)
	e.Experiments++
	for _, f := range []struct {
		kind     FindingKind
		problems []string
		hint     string
	}{
		{Damaged, x.damaged, restore + "; what can be read of it, and the other experiments, stay"},
		{Inconsistent, x.problems, restore + ", or remove it with econ-mcp delete " + x.name},
	} {
		if len(f.problems) > 0 {
			e.find(f.kind, fileName, x.name, firstOf(f.problems), f.hint)
		}
	}
	if len(x.damaged)+len(x.problems) == 0 {
		e.Whole = append(e.Whole, x.name)
	}
	return nil
}

// firstOf is the first of many sentences, with the number of others.
func firstOf(sentences []string) string {
	const most = 3
	text := strings.Join(sentences[:min(most, len(sentences))], "; ")
	if more := len(sentences) - most; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

func (e *examiner) arms(q querier, x *examined) error {
	type arm struct {
		id             int64
		name, text, is string
	}
	var arms []arm
	err := each(q, "SELECT id, name, scenario, hash FROM arm WHERE experiment = ? ORDER BY number", []any{x.id},
		func(scan func(...any) error) error {
			var a arm
			err := scan(&a.id, &a.name, &a.text, &a.is)
			arms = append(arms, a)
			return err
		})
	if err != nil {
		return fmt.Errorf("its arms cannot be read: %w", err)
	}
	common := -1 // month that all runs have that count
	for _, a := range arms {
		if x.version == sim.ModelVersion { // another one may count other things into the hash
			if hash, err := e.hash([]byte(a.text)); err != nil {
				x.problems = append(x.problems, fmt.Sprintf("the scenario of %s cannot be read: %v", a.name, err))
			} else if hash != "" && hash != a.is {
				x.problems = append(x.problems, fmt.Sprintf("the scenario of %s is not the one whose hash is stored", a.name))
			}
		}
		last, err := e.runs(q, x, a.id, a.name)
		if err != nil {
			return fmt.Errorf("the runs of %s cannot be read: %w", a.name, err)
		}
		if common < 0 || last < common {
			common = last
		}
	}
	if !slices.Contains(liveStates, x.state) && x.month > common {
		x.problems = append(x.problems, fmt.Sprintf("it is %s in month %d, and its runs have %d months", x.state, x.month, max(common, 0)))
	}
	return nil
}

// runs examines the runs of an arm, and returns the last month that all have which count.
func (e *examiner) runs(q querier, x *examined, arm int64, name string) (common int, err error) {
	type run struct {
		id                 int64
		replication, month int
	}
	var runs []run
	err = each(q, "SELECT id, replication, month FROM run WHERE arm = ? ORDER BY replication", []any{arm},
		func(scan func(...any) error) error {
			var r run
			err := scan(&r.id, &r.replication, &r.month)
			runs = append(runs, r)
			return err
		})
	common = -1
	for _, r := range runs {
		where := fmt.Sprintf("%s/%d", name, r.replication)
		last, problem, err := e.months(q, r.id)
		switch {
		case err != nil:
			x.damaged = append(x.damaged, fmt.Sprintf("%s: the months after %d cannot be read: %v", where, last, err))
		case problem != "":
			x.problems = append(x.problems, where+": "+problem)
		case last != r.month:
			x.problems = append(x.problems, fmt.Sprintf("%s: there are %d months, and it says %d", where, last, r.month))
		}
		if r.replication <= x.counted && (common < 0 || r.month < common) {
			common = r.month
		}
	}
	return common, err
}

// months reads the months of a run, which must follow each other and be what they say. last is the
// last one before the first problem or error.
func (e *examiner) months(q querier, run int64) (last int, problem string, err error) {
	err = each(q, "SELECT month, layout, record FROM monthly WHERE run = ? ORDER BY month", []any{run}, func(scan func(...any) error) error {
		var month int
		var number int64
		var blob sql.RawBytes
		if err := scan(&month, &number, &blob); err != nil {
			return err
		}
		if problem != "" {
			return nil
		}
		if month != last+1 {
			problem = fmt.Sprintf("month %d is followed by month %d", last, month)
			return nil
		}
		l, err := e.layoutOf(q, number)
		if err != nil {
			return err
		}
		record, err := l.decode(blob)
		switch {
		case err != nil:
			problem = fmt.Sprintf("month %d cannot be decoded: %v", month, err)
		case record.Month != month:
			problem = fmt.Sprintf("month %d holds the numbers of month %d", month, record.Month)
		default:
			last = month
			e.Months++
		}
		return nil
	})
	return last, problem, err
}

func (e *examiner) layoutOf(q querier, number int64) (layout, error) {
	if l, ok := e.layouts[number]; ok {
		return l, nil
	}
	var names string
	if err := q.QueryRow("SELECT fields FROM layout WHERE id = ?", number).Scan(&names); err != nil {
		return layout{}, fmt.Errorf("layout %d: %w", number, err)
	}
	e.layouts[number] = newLayout(names)
	return e.layouts[number], nil
}

// checkpoint examines the states from which an experiment goes on. A process that works on it
// replaces them as it goes on, so they are looked at while there is none.
func (e *examiner) checkpoint(ctx context.Context, db *sql.DB, x *examined) {
	if e.isOwned(x.id) {
		return
	}
	where := filepath.Join(checkpointFolder, strconv.FormatInt(x.id, 10))
	sets, _ := os.ReadDir(filepath.Join(e.dir, where)) // without the folder there is none
	var folder, state string
	var bytes int64
	err := db.QueryRowContext(ctx, "SELECT folder, checkpoint.bytes, state FROM checkpoint JOIN experiment ON experiment.id = experiment "+
		"WHERE experiment = ?", x.id).Scan(&folder, &bytes, &state)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		x.damaged = append(x.damaged, "where its checkpoint is cannot be read: "+err.Error())
		return
	}
	noted := err == nil
	files, err := os.ReadDir(filepath.Join(e.dir, where, folder))
	for _, file := range files {
		if info, err := file.Info(); err == nil {
			bytes -= info.Size()
		}
	}
	if e.isOwned(x.id) { // by now
		return
	}
	for _, set := range sets {
		if set.Name() != folder {
			e.find(LeftOver, filepath.Join(where, set.Name()), x.name, "a checkpoint that was not finished", "econ-mcp gc removes it")
		}
	}
	if noted && !slices.Contains(endedStates, state) && (err != nil || bytes != 0) {
		e.find(Damaged, filepath.Join(where, folder), x.name, "files of its checkpoint are missing or cut",
			"nothing is lost but time: it is simulated again from its first month, with the same bits, by econ-mcp call resume_simulation "+
				"experiment_name="+x.name)
	}
}

// isOwned says whether a process works on an experiment. It makes no lock.
func (e *examiner) isOwned(id int64) bool {
	path := filepath.Join(e.dir, lockFolder, strconv.FormatInt(id, 10)+lockSuffix)
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer lock.Close()
	locked, err := lock.TryLock()
	return !locked && !errors.Is(err, fs.ErrNotExist)
}

// orphans finds locks and checkpoints of experiments that are not there.
func (e *examiner) orphans(ids []int64) {
	for _, folder := range []string{checkpointFolder, lockFolder} {
		entries, _ := os.ReadDir(filepath.Join(e.dir, folder)) // a folder that is not there has none
		for _, entry := range entries {
			id, err := strconv.ParseInt(strings.TrimSuffix(entry.Name(), lockSuffix), 10, 64)
			if err != nil || slices.Contains(ids, id) || e.isOwned(id) { // one that is being made is owned
				continue
			}
			e.find(LeftOver, filepath.Join(folder, entry.Name()), "", "it belongs to no experiment", "econ-mcp gc removes it")
		}
	}
}
