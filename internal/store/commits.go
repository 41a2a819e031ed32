package store

import (
	"context"
	"database/sql"
	"os"
	"runtime"
	"slices"
	"sync"
)

// commits tells states of the database apart without a query. SQLite keeps the header of
// its write-ahead log in memory that all processes share: the first bytes of the file
// econ-mcp.db-shm. Every commit changes the counter and the checksums in it, and SQLite
// itself looks there whether what a connection has cached is still so
// (https://sqlite.org/walformat.html, "The WAL-Index File Format").
type commits struct {
	file *indexFile // nil where it cannot be read: then no state is known
	conn *sql.Conn  // keeps the file, which the last connection of all processes removes

	mu        sync.Mutex
	at        header
	revisions map[string]int64 // of workspaces, in that state
}

// header is that of the log.
type header [48]byte

// mostRevisions is how many workspaces are remembered at a time.
const mostRevisions = 1000

// isShared says whether a file shows at once what another process has written to it in
// memory, as it does where files and memory have one cache.
const isShared = runtime.GOOS == "linux" || runtime.GOOS == "darwin" || runtime.GOOS == "freebsd"

// watchCommits takes a connection for itself. Without one, or without the file, the store
// works as well, and only asks more often.
func watchCommits(db *sql.DB, path string) *commits {
	c := &commits{revisions: make(map[string]int64)}
	if !isShared {
		return c
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return c
	}
	var tables int // a connection holds the file once it has read
	if err = conn.QueryRowContext(context.Background(), "SELECT count(*) FROM sqlite_schema").Scan(&tables); err == nil {
		c.file, err = openIndex(path + "-shm")
	}
	if err != nil {
		_ = conn.Close() // nothing was written
		return c
	}
	c.conn = conn
	return c
}

// state is the state of the database: as long as it is the same, nothing was committed.
// It is not known while somebody commits.
func (c *commits) state() (state header, ok bool) {
	if c.file == nil {
		return state, false
	}
	var twice [2 * len(state)]byte // a writer changes the second, then the first
	if _, err := c.file.ReadAt(twice[:], 0); err != nil {
		return state, false
	}
	state = header(twice[:len(state)])
	return state, state == header(twice[len(state):])
}

// revision is that of a workspace in a state, if it is remembered.
func (c *commits) revision(state header, name string) (revision int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == state {
		revision, ok = c.revisions[name]
	}
	return revision, ok
}

// remember keeps the revision of a workspace that was read in a state, or after it.
func (c *commits) remember(state header, name string, revision int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at != state || len(c.revisions) >= mostRevisions {
		clear(c.revisions)
	}
	c.at = state
	c.revisions[name] = revision
}

// leave gives the connection back.
func (c *commits) leave() error {
	if c.conn == nil {
		return nil
	}
	return c.conn.Close()
}

// close closes the file, after all connections of the store.
func (c *commits) close() error {
	if c.file == nil {
		return nil
	}
	return c.file.release()
}

// indexFile is a file that stores of this process share.
type indexFile struct {
	*os.File
	info  os.FileInfo
	users int
}

// indexFiles are those that are open: each once, until no store of this process uses it,
// because to close a file releases all locks that SQLite holds on it in the process.
var indexFiles struct {
	sync.Mutex
	open []*indexFile
}

func openIndex(path string) (*indexFile, error) {
	indexFiles.Lock()
	defer indexFiles.Unlock()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(indexFiles.open, func(x *indexFile) bool { return os.SameFile(x.info, info) })
	if i < 0 {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		i = len(indexFiles.open)
		indexFiles.open = append(indexFiles.open, &indexFile{File: f, info: info})
	}
	x := indexFiles.open[i]
	x.users++
	return x, nil
}

func (x *indexFile) release() error {
	indexFiles.Lock()
	defer indexFiles.Unlock()
	if x.users--; x.users > 0 {
		return nil
	}
	indexFiles.open = slices.DeleteFunc(indexFiles.open, func(other *indexFile) bool { return other == x })
	return x.Close()
}
