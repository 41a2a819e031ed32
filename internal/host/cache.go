package host

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite" // also the database/sql driver

	"econ-mcp/internal/fault"
)

// Cache is what the host remembers between two runs: the tools of each server, and how
// calls went. Several processes may share one file.
type Cache struct {
	db  *sql.DB
	now func() time.Time
}

// samplesKept is how many calls of a tool are remembered; older ones are forgotten.
const samplesKept = 200

// cacheVersion is the version of the schema, stored as the file's user_version. The first programs
// wrote none (0): their files lack some of these tables, and may have one of requests, which is
// dropped.
const cacheVersion = 1

const cacheSchema = `
CREATE TABLE IF NOT EXISTS server (
	id          TEXT PRIMARY KEY,
	fingerprint TEXT NOT NULL,    -- of its configuration
	asked_at    INTEGER NOT NULL, -- Unix milliseconds, as all times here
	expires_at  INTEGER NOT NULL,
	protocol    TEXT NOT NULL,
	hash        TEXT NOT NULL,    -- of the tools
	tools       BLOB NOT NULL     -- JSON
) STRICT;
CREATE TABLE IF NOT EXISTS silence (
	server      TEXT PRIMARY KEY, -- that did not answer in time
	fingerprint TEXT NOT NULL,    -- of its configuration
	at          INTEGER NOT NULL,
	message     TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS change (
	server  TEXT NOT NULL,
	tool    TEXT NOT NULL,
	kind    TEXT NOT NULL,
	details TEXT NOT NULL, -- JSON list
	since   INTEGER NOT NULL,
	at      INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS call (
	id        INTEGER PRIMARY KEY,
	server    TEXT NOT NULL,
	tool      TEXT NOT NULL,
	at        INTEGER NOT NULL,
	duration  INTEGER NOT NULL, -- microseconds
	layer     TEXT NOT NULL,    -- where it failed; empty = it did not
	arguments TEXT NOT NULL     -- of a call that did not fail
) STRICT;
CREATE INDEX IF NOT EXISTS call_by_tool ON call (server, tool, id);
DROP TABLE IF EXISTS precedent;
`

// OpenCache opens the file, or creates it. A file of a newer program is a [fault.InvalidState] and
// stays as it is.
func OpenCache(path string) (*Cache, error) {
	name, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600) // arguments of calls are private
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w", path, err)
	}
	query := url.Values{"_pragma": {"journal_mode(WAL)", "busy_timeout(5000)", "synchronous(NORMAL)"}, "_txlock": {"immediate"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: name}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	// While another process makes the file, SQLite refuses some steps without waiting.
	err = migrateCache(db, path)
	for try := 0; isBusy(err) && try < 100; try++ {
		time.Sleep(20 * time.Millisecond)
		err = migrateCache(db, path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s cannot be used: %w", path, err), db.Close())
	}
	return &Cache{db, time.Now}, nil
}

// isBusy says whether another connection holds the lock.
func isBusy(err error) bool {
	const busy = 5 // of the codes of SQLite
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == busy
}

// migrateCache brings the schema up to date and refuses a newer one. Two processes may do so at the
// same time: the statements can be repeated.
func migrateCache(db *sql.DB, path string) error {
	var version int
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil || version == cacheVersion {
		return err
	}
	if version > cacheVersion {
		const newer = "%s was written by a newer econ-mcp (schema %d; this one knows %d)"
		return fault.New(fault.InvalidState, "", newer, path, version, cacheVersion).WithHint("install the newer econ-mcp")
	}
	return inTransaction(db, func(tx *sql.Tx) error {
		_, err := tx.Exec(cacheSchema + fmt.Sprintf("PRAGMA user_version = %d", cacheVersion))
		return err
	})
}

// inTransaction commits what f writes, or nothing of it if f fails.
func inTransaction(db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // without effect once it is committed
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Close closes the file.
func (s *Cache) Close() error { return s.db.Close() }

// kept is what the cache has of a server's tools.
type kept struct {
	Listing
	asked   time.Time
	expires time.Time
}

// tools reads the tools kept of a server with this configuration; ok is false if there are none.
func (s *Cache) tools(id, fingerprint string) (k kept, ok bool, err error) {
	var asked, expires int64
	var data []byte
	err = s.db.QueryRow(`SELECT asked_at, expires_at, tools FROM server WHERE id = ? AND fingerprint = ?`, id, fingerprint).
		Scan(&asked, &expires, &data)
	if errors.Is(err, sql.ErrNoRows) {
		return k, false, nil
	}
	if err != nil {
		return k, false, err
	}
	// Earlier programs kept the tools alone.
	if json.Unmarshal(data, &k.Listing) != nil && json.Unmarshal(data, &k.Tools) != nil { // damaged: the server is asked again
		return kept{}, false, nil
	}
	k.asked, k.expires = time.UnixMilli(asked), time.UnixMilli(expires)
	return k, true, nil
}

// keep replaces the tools of a server, with what changed in them.
func (s *Cache) keep(id, fingerprint string, k kept, changes []Change) error {
	data, _ := json.Marshal(k.Listing) // what was read as JSON always encodes
	return inTransaction(s.db, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT OR REPLACE INTO server VALUES (?, ?, ?, ?, ?, ?, ?)`,
			id, fingerprint, k.asked.UnixMilli(), k.expires.UnixMilli(), k.Protocol, hashOf(k.Tools), data)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(`DELETE FROM silence WHERE server = ?`, id); err != nil {
			return err
		}
		for _, c := range changes {
			details, _ := json.Marshal(c.Details) // texts always encode
			if _, err := tx.Exec(`INSERT INTO change VALUES (?, ?, ?, ?, ?, ?)`,
				c.Server, c.Tool, c.Kind, string(details), c.Since.UnixMilli(), c.At.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}

// keepSilence remembers that a server did not answer in time.
func (s *Cache) keepSilence(id, fingerprint, message string) error {
	_, err := s.db.Exec(`INSERT OR REPLACE INTO silence VALUES (?, ?, ?, ?)`, id, fingerprint, s.now().UnixMilli(), message)
	return err
}

// silence says when a server with this configuration last failed to answer in time; ok is false
// if it has answered since, or was never asked.
func (s *Cache) silence(id, fingerprint string) (at time.Time, message string, ok bool) {
	var milliseconds int64
	err := s.db.QueryRow(`SELECT at, message FROM silence WHERE server = ? AND fingerprint = ?`, id, fingerprint).Scan(&milliseconds, &message)
	return time.UnixMilli(milliseconds), message, err == nil
}

// Expire marks the tools of a server as out of date.
func (s *Cache) Expire(id string) error {
	_, err := s.db.Exec(`UPDATE server SET expires_at = 0 WHERE id = ?`, id)
	return err
}

// Change is a tool that a server now lists differently.
type Change struct {
	Server  string    `json:"server"`
	Tool    string    `json:"tool"`
	Kind    string    `json:"kind"`    // added, removed, changed
	Details []string  `json:"details"` // arguments: "+overwrite", "-force", "~path"; or what else
	Since   time.Time `json:"since"`   // when it was last seen unchanged
	At      time.Time `json:"at"`      // when the change was seen
}

// String puts a change into words, such as "tool write_data changed: +overwrite".
func (c Change) String() string {
	text := fmt.Sprintf("tool %s %s", c.Tool, c.Kind)
	if len(c.Details) > 0 {
		text += ": " + strings.Join(c.Details, ", ")
	}
	return text
}

// Changes lists what changed since a time, the latest first.
func (s *Cache) Changes(since time.Time) ([]Change, error) {
	rows, err := s.db.Query(`SELECT server, tool, kind, details, since, at FROM change WHERE at >= ? ORDER BY rowid DESC`, since.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []Change{}
	for rows.Next() {
		var c Change
		var details string
		var since, at int64
		if err := rows.Scan(&c.Server, &c.Tool, &c.Kind, &details, &since, &at); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(details), &c.Details); err != nil {
			return nil, err
		}
		c.Since, c.At = time.UnixMilli(since), time.UnixMilli(at)
		list = append(list, c)
	}
	return list, rows.Err()
}

// CallRecord is how a call went.
type CallRecord struct {
	Server, Tool string
	Arguments    json.RawMessage
	Duration     time.Duration
	Err          error // nil = it succeeded
}

// Record remembers a call. The arguments of a call that succeeded are kept as an example of how
// the tool is used, unless they may hold a secret.
func (s *Cache) Record(r CallRecord) error {
	layer, arguments := "", string(r.Arguments)
	if r.Err != nil {
		layer, arguments = cmp.Or(string(LayerOf(r.Err)), "other"), ""
	}
	const longest = 2000
	if len(arguments) > longest || tellsSecret(arguments) {
		arguments = ""
	}
	return inTransaction(s.db, func(tx *sql.Tx) error {
		if _, err := tx.Exec(`INSERT INTO call (server, tool, at, duration, layer, arguments) VALUES (?, ?, ?, ?, ?, ?)`,
			r.Server, r.Tool, s.now().UnixMilli(), r.Duration.Microseconds(), layer, arguments); err != nil {
			return err
		}
		_, err := tx.Exec(`DELETE FROM call WHERE server = ?1 AND tool = ?2
			AND id <= (SELECT id FROM call WHERE server = ?1 AND tool = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)`,
			r.Server, r.Tool, samplesKept)
		return err
	})
}

// Statistic is how the last calls of a tool went.
type Statistic struct {
	Server    string        `json:"server"`
	Tool      string        `json:"tool"`
	Calls     int           `json:"calls"` // of those remembered
	Successes int           `json:"successes"`
	Median    time.Duration `json:"median_ns"`
	P95       time.Duration `json:"p95_ns"`
	Last      time.Time     `json:"last"`
	Failures  []Layer       `json:"failures"` // layers of the failures, each once, the latest first
}

// Statistics lists how calls went, by server and tool.
func (s *Cache) Statistics() ([]Statistic, error) {
	rows, err := s.db.Query(`SELECT server, tool, at, duration, layer FROM call ORDER BY server, tool, id DESC`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list, durations := []Statistic{}, [][]int64{}
	for rows.Next() {
		var server, tool, layer string
		var at, duration int64
		if err := rows.Scan(&server, &tool, &at, &duration, &layer); err != nil {
			return nil, err
		}
		if n := len(list); n == 0 || list[n-1].Server != server || list[n-1].Tool != tool {
			list = append(list, Statistic{Server: server, Tool: tool, Last: time.UnixMilli(at), Failures: []Layer{}})
			durations = append(durations, nil)
		}
		last := len(list) - 1
		durations[last] = append(durations[last], duration)
		t := &list[last]
		t.Calls++
		if layer == "" {
			t.Successes++
		} else if !slices.Contains(t.Failures, Layer(layer)) {
			t.Failures = append(t.Failures, Layer(layer))
		}
	}
	for i, d := range durations {
		slices.Sort(d)
		list[i].Median, list[i].P95 = quantile(d, .5), quantile(d, .95)
	}
	return list, rows.Err()
}

// quantile is the nearest one of sorted microseconds.
func quantile(sorted []int64, share float64) time.Duration {
	return time.Duration(sorted[int(share*float64(len(sorted)-1)+.5)]) * time.Microsecond
}

// Example is the arguments with which a tool last succeeded; ok is false if there are none.
func (s *Cache) Example(server, tool string) (arguments json.RawMessage, ok bool) {
	var text string
	err := s.db.QueryRow(`SELECT arguments FROM call WHERE server = ? AND tool = ? AND arguments <> ''
		ORDER BY id DESC LIMIT 1`, server, tool).Scan(&text)
	return json.RawMessage(text), err == nil
}
