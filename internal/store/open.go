package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	codes "modernc.org/sqlite/lib"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

const (
	applicationID = 0x45434F4E // "ECON": what the file says of its owner

	openPatience  = 2 * time.Second  // how long Open waits for a lock
	closePatience = time.Second      // how long Close does
	patience      = 10 * time.Second // how long everything else does
	patienceAgain = time.Second      // how long a journal does that has waited in vain

	readPatience = 100 * time.Millisecond // how long a reader does that found a dead process

	longestNap = 50 * time.Millisecond // between two looks whether another program still writes

	pageSize = "page_size(16384)" // of a new file: several months a page

	// What the store makes is for its user alone, whatever the umask. The log of the
	// database has the mode of the database.
	folderMode = 0o700
	fileMode   = 0o600
)

// OpenError says why a store cannot be opened. The database was left as it was.
type OpenError struct {
	Path   string // the file or folder concerned
	Reason string // what is wrong with it
	Hint   string // the next move
	err    error
}

// Error gives the sentence, such as "cannot open /data/econ-mcp.db: it is
// locked by another program; close that program …".
func (e *OpenError) Error() string {
	return fmt.Sprintf("cannot open %s: %s; %s", e.Path, e.Reason, e.Hint)
}

// Unwrap returns what the system or SQLite said.
func (e *OpenError) Unwrap() error { return e.err }

const elsewhere = "or choose another folder with --data"

// openError explains an error; one that is explained already stays.
func openError(path string, err error) *OpenError {
	if e, ok := errors.AsType[*OpenError](err); ok {
		return e
	}
	e := &OpenError{Path: path, err: err, Reason: err.Error(), Hint: "see to it that the file is on a healthy local disk, " + elsewhere}
	code, _ := sqliteCode(err)
	switch {
	case errors.Is(err, fs.ErrPermission):
		code = codes.SQLITE_PERM
	case errors.Is(err, syscall.ENOSPC):
		code = codes.SQLITE_FULL
	}
	if p, ok := openProblems[code]; ok {
		e.Reason, e.Hint = p.reason, p.move+", "+elsewhere
	}
	if code == codes.SQLITE_CORRUPT {
		e.Reason += ": " + err.Error()
	}
	return e
}

type openProblem struct{ reason, move string }

var (
	isLocked = openProblem{
		"it is locked by another program",
		"close the program that holds it, such as an SQLite shell in the middle of a transaction",
	}
	isClosedToUs = openProblem{
		"the file or its folder cannot be read and written",
		"give this user the right to read and write both",
	}
)

// openProblems says what a code of SQLite means for a database that is opened, and the next move.
var openProblems = map[int]openProblem{
	codes.SQLITE_BUSY:     isLocked,
	codes.SQLITE_LOCKED:   isLocked,
	codes.SQLITE_FULL:     {"the disk is full", "free some space"},
	codes.SQLITE_NOTADB:   {"it is not a database", "move that file away"},
	codes.SQLITE_CORRUPT:  {"it is damaged", "restore a copy of it, or move it away; econ-mcp doctor says what can still be read"},
	codes.SQLITE_READONLY: {"it cannot be written", "give this user the right to write to the file and its folder"},
	codes.SQLITE_CANTOPEN: isClosedToUs,
	codes.SQLITE_PERM:     isClosedToUs,
	codes.SQLITE_AUTH:     isClosedToUs,
}

// Unusable says that a data folder cannot be used, for a reason found after the database
// was opened.
func Unusable(dir string, err error) *OpenError {
	e := &OpenError{Path: dir, Reason: err.Error(), Hint: "check its permissions and free space, " + elsewhere, err: err}
	if known, ok := errors.AsType[*fault.Error](err); ok {
		e.Reason = known.Text()
		if known.Hint != "" {
			e.Hint = known.Hint + ", " + elsewhere
		}
	}
	return e
}

// prepareFolder makes the folder and looks at what lies where the database
// belongs, which is made where there is nothing. It does not open the file: to close it
// again would release the locks that SQLite may hold on it elsewhere in this process.
func prepareFolder(dir, path string) error {
	if err := os.MkdirAll(filepath.Join(dir, lockFolder), folderMode); err != nil {
		hint := "give this user the right to write there, " + elsewhere
		if info, statErr := os.Stat(dir); statErr == nil && !info.IsDir() {
			hint = "move that file away, " + elsewhere
		}
		return &OpenError{Path: dir, Reason: err.Error(), Hint: hint, err: err}
	}
	log, logErr := os.Stat(path + logSuffix) // first: where another process makes the file now, the log comes after it
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && logErr == nil && log.Size() > 0: // SQLite would remove it
		return &OpenError{
			Path: path, Reason: "it is missing, and its log " + fileName + logSuffix + " holds what was written last",
			Hint: "put the database back beside its log, or move the log away, " + elsewhere,
		}
	case errors.Is(err, fs.ErrNotExist):
		return create(path)
	case err != nil:
		return openError(path, err)
	case !info.Mode().IsRegular():
		return &OpenError{Path: path, Reason: "it is a folder or device and not a file", Hint: "move it away, " + elsewhere}
	case info.Size() == 0:
		return &OpenError{Path: path, Reason: "it is empty: its content was cut off", Hint: "restore a copy of it, or move it away, " + elsewhere}
	}
	return nil
}

// create puts a new database into place, whole: nobody ever sees one without tables. Where
// another process does so at the same time, its database is used.
func create(path string) error {
	data, err := blank()
	if err == nil {
		err = atomicfile.WriteFile(path, data, fileMode, false)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return openError(path, err)
	}
	return nil
}

// blank is the file of a database of the current schema without rows.
func blank() (data []byte, err error) {
	db, err := sql.Open("sqlite", "file::memory:?_pragma="+pageSize)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(context.Background()) // another connection would have another database
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := migrate(conn); err != nil {
		return nil, err
	}
	err = conn.Raw(func(c any) error {
		data, err = c.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	return data, err
}

type connection int

const (
	reading connection = iota
	writing
)

// openPool names the pool of connections to the file; none is made yet.
func openPool(path string, a connection, patience time.Duration, size int) *sql.DB {
	db, err := sql.Open("sqlite", dataSource(path, a, patience))
	if err != nil {
		panic(err) // the driver is linked in
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db
}

// dataSource is the URI of the file with what holds for each connection. The
// writer waits for the disk at each commit (synchronous FULL): there are few of
// them, and what they reported as kept survives a power cut.
func dataSource(path string, a connection, patience time.Duration) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	q := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds())}}
	if a == reading {
		q.Set("mode", "ro")
	} else {
		q.Set("_txlock", "immediate")
		for _, pragma := range []string{"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"} {
			q.Add("_pragma", pragma)
		}
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String()
}

// inspect refuses a database that is not ours or newer than this program,
// before anything may write to it.
func inspect(path string) error {
	db := openPool(path, reading, openPatience, 1)
	defer db.Close()
	var application, version, tables int
	var size int64
	cut := false
	err := inspected(db, func(tx *sql.Tx) error {
		err := tx.QueryRow(`SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
			(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size), count(*) FROM sqlite_schema`).
			Scan(&application, &version, &size, &tables)
		// What the log holds need not be in the file yet; this state keeps it from being emptied. SQLite
		// notices by itself where whole pages are missing.
		log, logErr := os.Stat(path + logSuffix)
		if info, statErr := os.Stat(path); statErr == nil && (logErr != nil || log.Size() == 0) {
			cut = info.Size() < size
		}
		return err
	})
	switch code, _ := sqliteCode(err); {
	case code == codes.SQLITE_READONLY:
		return nil // an unfinished transaction of ours is to be rolled back, which takes a writer
	case err != nil:
		return err
	case cut:
		return &OpenError{Path: path, Reason: fmt.Sprintf("it is damaged: it is shorter than the %d bytes that it says", size),
			Hint: openProblems[codes.SQLITE_CORRUPT].move + ", " + elsewhere}
	case tables > 0 && (application != applicationID || version == 0):
		return &OpenError{Path: path, Reason: "it is a database of another program", Hint: "move that file away, " + elsewhere}
	case version > len(migrations):
		return newerSchema(path, version)
	}
	return nil
}

// inspected runs f on one state of the database, which nobody changes meanwhile.
func inspected(db *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return f(tx)
}

func newerSchema(path string, version int) *OpenError {
	return &OpenError{
		Path:   path,
		Reason: fmt.Sprintf("it was written by a newer econ-mcp (schema %d; this one knows %d)", version, len(migrations)),
		Hint:   "install the newer econ-mcp, " + elsewhere,
	}
}

// begin brings the schema up to date and prepares what all calls need.
func (s *Store) begin() error {
	conn, err := connect(s.writer)
	if err != nil {
		return err
	}
	defer conn.Close() // back to the pool
	ctx := context.Background()
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return errors.New("its disk does not support a write-ahead log")
	}
	if err := conn.QueryRowContext(ctx, "PRAGMA page_size").Scan(&s.page); err != nil {
		return err
	}
	if err := inTransaction(conn, s.keepOlder); err != nil {
		return err
	}
	if err := migrate(conn); err != nil {
		return err
	}
	if err := inTransaction(conn, s.count); err != nil {
		return err
	}
	if err := s.findLayout(conn); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil { // from here on, see beginWrite
		return err
	}
	s.workspace, err = s.readers.PrepareContext(ctx, otherWorkspace)
	return err
}

// connect makes the writer's connection. Two processes that are the first to use the file,
// at the same moment, get in each other's way, and SQLite does not wait then.
func connect(db *sql.DB) (*sql.Conn, error) {
	for end := time.Now().Add(openPatience); ; time.Sleep(10 * time.Millisecond) {
		conn, err := db.Conn(context.Background())
		if code, _ := sqliteCode(err); code != codes.SQLITE_BUSY || time.Now().After(end) {
			return conn, err
		}
	}
}

//go:embed migration/*.sql
var migrationFiles embed.FS

// migrations are the scripts by schema version; the first leads to version 1.
var migrations = loadMigrations()

func loadMigrations() []string {
	files, err := migrationFiles.ReadDir("migration") // in the order of their names
	if err != nil {
		panic(err) // they are part of the program
	}
	var scripts []string
	for i, file := range files {
		if !strings.HasPrefix(file.Name(), fmt.Sprintf("%04d_", i+1)) {
			panic(fmt.Sprintf("store: migration %s is not number %d", file.Name(), i+1))
		}
		script, err := migrationFiles.ReadFile("migration/" + file.Name())
		if err != nil {
			panic(err)
		}
		scripts = append(scripts, string(script))
	}
	return scripts
}

// migrate applies the missing migrations, each in its transaction. The first one also shows
// that the file can be written.
func migrate(conn *sql.Conn) error {
	for version := -1; version < len(migrations); {
		err := inTransaction(conn, func(tx *sql.Tx) error {
			var err error
			version, err = migrateOnce(tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// findLayout finds, or adds, the layout of this program's records.
func (s *Store) findLayout(conn *sql.Conn) error {
	return inTransaction(conn, func(tx *sql.Tx) error {
		names := strings.Join(fields, "\n")
		if _, err := tx.Exec("INSERT INTO layout (fields) VALUES (?) ON CONFLICT DO NOTHING", names); err != nil {
			return err
		}
		return tx.QueryRow("SELECT id FROM layout WHERE fields = ?", names).Scan(&s.layout)
	})
}

// migrateOnce applies the next migration, if there is one, and returns the
// version that is reached.
func migrateOnce(tx *sql.Tx) (version int, err error) {
	if err := tx.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version > len(migrations) {
		return 0, newerSchema(fileName, version) // another process brought it there since inspect
	}
	if version == len(migrations) {
		return version, nil
	}
	if _, err := tx.Exec(migrations[version]); err != nil {
		return 0, fmt.Errorf("migration %d: %w", version+1, err)
	}
	version++
	_, err = tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", version))
	return version, err
}

func inTransaction(conn *sql.Conn, f func(tx *sql.Tx) error) error {
	tx, err := conn.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// insertMonth writes a row of monthly: run, month, layout, record, indicators.
var insertMonth = func() string {
	var columns strings.Builder
	for _, indicator := range sim.Indicators() {
		columns.WriteString(", " + indicator.Name)
	}
	return "INSERT INTO monthly (run, month, layout, record" + columns.String() + ") VALUES (?, ?, ?, ?" +
		strings.Repeat(", ?", int(sim.NumIndicators)) + ")"
}()
