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

	_ "modernc.org/sqlite" // the database/sql driver
)

// Shelf is what the host remembers between two runs: the tools of each server, and how
// calls went. Several processes may use one at once.
type Shelf struct {
	db  *sql.DB
	now func() time.Time
}

// samplesKept is how many calls of a tool are remembered; older ones are forgotten.
const samplesKept = 200

const shelfSchema = `
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
CREATE TABLE IF NOT EXISTS precedent (
	request TEXT PRIMARY KEY,
	server  TEXT NOT NULL,
	tool    TEXT NOT NULL,
	at      INTEGER NOT NULL
) STRICT;
`

// OpenShelf opens the file, which it makes if there is none.
func OpenShelf(path string) (*Shelf, error) {
	name, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600) // what tools were called with is the user's alone
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
	if _, err := db.Exec(shelfSchema); err != nil {
		return nil, errors.Join(fmt.Errorf("%s cannot be used: %w", path, err), db.Close())
	}
	return &Shelf{db, time.Now}, nil
}

// Close closes the file.
func (s *Shelf) Close() error { return s.db.Close() }

// kept is what the shelf has of a server's tools.
type kept struct {
	tools    []Tool
	asked    time.Time
	expires  time.Time
	protocol string
	hash     string
}

// tools are those of a server as it is configured now; ok is false where none are kept.
func (s *Shelf) tools(id, fingerprint string) (k kept, ok bool, err error) {
	var asked, expires int64
	var data []byte
	err = s.db.QueryRow(`SELECT asked_at, expires_at, protocol, hash, tools FROM server WHERE id = ? AND fingerprint = ?`, id, fingerprint).
		Scan(&asked, &expires, &k.protocol, &k.hash, &data)
	if errors.Is(err, sql.ErrNoRows) {
		return k, false, nil
	}
	if err != nil {
		return k, false, err
	}
	if json.Unmarshal(data, &k.tools) != nil { // of another program, or damaged: it can be asked for again
		return kept{}, false, nil
	}
	k.asked, k.expires = time.UnixMilli(asked), time.UnixMilli(expires)
	return k, true, nil
}

// keep replaces the tools of a server, with what changed in them.
func (s *Shelf) keep(id, fingerprint string, k kept, changes []Change) error {
	data, err := json.Marshal(k.tools)
	if err != nil {
		return err
	}
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // without effect once it is committed
	_, err = tx.Exec(`INSERT OR REPLACE INTO server VALUES (?, ?, ?, ?, ?, ?, ?)`,
		id, fingerprint, k.asked.UnixMilli(), k.expires.UnixMilli(), k.protocol, k.hash, data)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM silence WHERE server = ?`, id); err != nil {
		return err
	}
	for _, c := range changes {
		details, err := json.Marshal(c.Details)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO change VALUES (?, ?, ?, ?, ?, ?)`, c.Server, c.Tool, c.Kind, string(details), c.Since.UnixMilli(), c.At.UnixMilli()); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// keepSilence remembers that a server did not answer in time.
func (s *Shelf) keepSilence(id, fingerprint, message string) error {
	_, err := s.db.Exec(`INSERT OR REPLACE INTO silence VALUES (?, ?, ?, ?)`, id, fingerprint, s.now().UnixMilli(), message)
	return err
}

// silence is when a server, as it is configured now, did not answer in time; ok is false where
// it did since, or was not asked.
func (s *Shelf) silence(id, fingerprint string) (at time.Time, message string, ok bool) {
	var milliseconds int64
	err := s.db.QueryRow(`SELECT at, message FROM silence WHERE server = ? AND fingerprint = ?`, id, fingerprint).Scan(&milliseconds, &message)
	return time.UnixMilli(milliseconds), message, err == nil
}

// Expire makes the tools of a server be asked for again.
func (s *Shelf) Expire(id string) error {
	_, err := s.db.Exec(`UPDATE server SET expires_at = 0 WHERE id = ?`, id)
	return err
}

// Change is a tool that a server listed otherwise than before.
type Change struct {
	Server  string    `json:"server"`
	Tool    string    `json:"tool"`
	Kind    string    `json:"kind"`    // added, removed, changed
	Details []string  `json:"details"` // arguments: "+overwrite", "-force", "~path"; or what else
	Since   time.Time `json:"since"`   // it was as before
	At      time.Time `json:"at"`      // it was seen
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
func (s *Shelf) Changes(since time.Time) ([]Change, error) {
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

// Record remembers a call. Arguments are kept of one that succeeded and that tell no
// secret: they are the example of how the tool is used.
func (s *Shelf) Record(r CallRecord) error {
	layer, arguments := "", string(r.Arguments)
	if r.Err != nil {
		layer, arguments = cmp.Or(string(LayerOf(r.Err)), "other"), ""
	}
	const longest = 2000
	if len(arguments) > longest || tellsSecret(arguments) {
		arguments = ""
	}
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // without effect once it is committed
	if _, err := tx.Exec(`INSERT INTO call (server, tool, at, duration, layer, arguments) VALUES (?, ?, ?, ?, ?, ?)`,
		r.Server, r.Tool, s.now().UnixMilli(), r.Duration.Microseconds(), layer, arguments); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM call WHERE server = ?1 AND tool = ?2 AND id <= (SELECT id FROM call WHERE server = ?1 AND tool = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)`,
		r.Server, r.Tool, samplesKept); err != nil {
		return err
	}
	return tx.Commit()
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
func (s *Shelf) Statistics() ([]Statistic, error) {
	rows, err := s.db.Query(`SELECT server, tool, at, duration, layer FROM call ORDER BY server, tool, id DESC`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list, durations := []Statistic{}, []int64{}
	finish := func() {
		if n := len(list); n > 0 {
			slices.Sort(durations)
			at := func(share float64) time.Duration {
				return time.Duration(durations[int(share*float64(len(durations)-1)+.5)]) * time.Microsecond
			}
			list[n-1].Median, list[n-1].P95 = at(.5), at(.95)
		}
		durations = durations[:0]
	}
	for rows.Next() {
		var server, tool, layer string
		var at, duration int64
		if err := rows.Scan(&server, &tool, &at, &duration, &layer); err != nil {
			return nil, err
		}
		if n := len(list); n == 0 || list[n-1].Server != server || list[n-1].Tool != tool {
			finish()
			list = append(list, Statistic{Server: server, Tool: tool, Last: time.UnixMilli(at), Failures: []Layer{}})
		}
		t := &list[len(list)-1]
		t.Calls++
		durations = append(durations, duration)
		if layer == "" {
			t.Successes++
		} else if !slices.Contains(t.Failures, Layer(layer)) {
			t.Failures = append(t.Failures, Layer(layer))
		}
	}
	finish()
	return list, rows.Err()
}

// Example is what a tool was called with when it last succeeded; ok is false where it
// never did, or where that tells a secret.
func (s *Shelf) Example(server, tool string) (arguments json.RawMessage, ok bool) {
	var text string
	err := s.db.QueryRow(`SELECT arguments FROM call WHERE server = ? AND tool = ? AND arguments <> '' ORDER BY id DESC LIMIT 1`, server, tool).Scan(&text)
	return json.RawMessage(text), err == nil
}

// Precedent is a request with the tool that a model chose for it.
type Precedent struct {
	Request string
	Server  string
	Tool    string
}

// precedentsKept is how many requests are remembered; older ones are forgotten.
const precedentsKept = 2000

// Remember keeps a precedent in the place of an earlier one for the same request. One that
// tells a secret, or is longer than a request is, is not kept.
func (s *Shelf) Remember(p Precedent) error {
	const longest = 1000
	if len(p.Request) > longest || tellsSecret(p.Request) {
		return nil
	}
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // without effect once it is committed
	if _, err := tx.Exec(`INSERT OR REPLACE INTO precedent VALUES (?, ?, ?, ?)`, p.Request, p.Server, p.Tool, s.now().UnixMilli()); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM precedent WHERE rowid <= (SELECT rowid FROM precedent ORDER BY rowid DESC LIMIT 1 OFFSET ?)`, precedentsKept); err != nil {
		return err
	}
	return tx.Commit()
}

// Forget drops the precedent of a request, and says how many there were: 1 or 0.
func (s *Shelf) Forget(request string) (int, error) {
	return s.drop(`DELETE FROM precedent WHERE request = ?`, request)
}

// ForgetPrecedents drops all of them, and says how many there were.
func (s *Shelf) ForgetPrecedents() (int, error) { return s.drop(`DELETE FROM precedent`) }

func (s *Shelf) drop(statement string, args ...any) (int, error) {
	result, err := s.db.Exec(statement, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// Precedents lists what is remembered, the oldest first.
func (s *Shelf) Precedents() ([]Precedent, error) {
	rows, err := s.db.Query(`SELECT request, server, tool FROM precedent ORDER BY rowid`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []Precedent{}
	for rows.Next() {
		var p Precedent
		if err := rows.Scan(&p.Request, &p.Server, &p.Tool); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, rows.Err()
}
