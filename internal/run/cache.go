package run

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// DefaultCacheBytes bounds a cache that sets no bound of its own.
const DefaultCacheBytes = 4 << 30

// Cache keeps burnt-in states on disk as <Dir>/<key>.snap. A file appears under
// its name only when it is complete, so that processes may share a folder and a
// crash leaves no broken state. The files that were not used for longest are
// removed when all together exceed MaxBytes.
//
// A cache only saves time: what it cannot read it warns of, removes and has
// simulated again, and what it cannot write it warns of.
type Cache struct {
	Dir      string // "" = no cache
	MaxBytes int64  // 0 = DefaultCacheBytes
}

const (
	snapshotSuffix = ".snap"
	olderTemporary = ".tmp" // of files that earlier versions were writing when they were killed
)

func (c Cache) path(key string) string { return filepath.Join(c.Dir, key+snapshotSuffix) }

// Has says whether the end of the burn-in of s with a seed is in the cache.
func (c Cache) Has(s scenario.Scenario, seed uint64) bool {
	if c.Dir == "" {
		return false
	}
	_, err := os.Stat(c.path(s.BurnInKey(seed)))
	return err == nil
}

// load returns the economy stored under key, or nil. One that is not at the end
// of a burn-in with parameters p counts as broken.
func (c Cache) load(key string, p sim.Params, threads int) *sim.Economy {
	if c.Dir == "" {
		return nil
	}
	path := c.path(key)
	e, err := readEconomy(path, p, threads)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		slog.Warn("cached burn-in cannot be used and is simulated again", "file", path, "error", err)
		os.Remove(path)
		return nil
	}
	now := time.Now()
	os.Chtimes(path, now, now) // used last; a failure only makes it look older
	return e
}

func readEconomy(path string, p sim.Params, threads int) (*sim.Economy, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	e, err := sim.ReadSnapshot(f, threads)
	if err != nil {
		return nil, err
	}
	if differ := sim.Diff(e.Params(), p); len(differ) > 0 || e.Month() != 0 {
		e.Close()
		return nil, fmt.Errorf("holds another economy: month %d, other values of %s", e.Month(), strings.Join(differ, ", "))
	}
	return e, nil
}

// store keeps e under key and makes room for it.
func (c Cache) store(key string, e *sim.Economy) {
	if c.Dir == "" {
		return
	}
	err := c.write(key, e)
	if err == nil {
		_, _, err = c.Trim()
	}
	if err != nil {
		slog.Warn("burn-in could not be cached", "folder", c.Dir, "error", err)
	}
}

func (c Cache) write(key string, e *sim.Economy) error {
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return err
	}
	f, err := atomicfile.Create(c.path(key), 0o600)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := e.WriteSnapshot(f); err != nil {
		return err
	}
	return f.Replace()
}

// Trim removes the states that were not used for longest until the rest fits the bound of
// the cache, and temporary files whose process is gone. It says how many files went and how
// many bytes they had. A cache whose MaxBytes is 1 is emptied.
func (c Cache) Trim() (files int, bytes int64, err error) {
	entries, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	remove := func(file fs.FileInfo) error {
		err := os.Remove(filepath.Join(c.Dir, file.Name()))
		if err == nil {
			files++
			bytes += file.Size()
		}
		return err
	}
	abandoned, _ := atomicfile.Sweep(c.Dir) // what cannot be removed now may be the next time
	for _, file := range abandoned {
		files++
		bytes += file.Bytes
	}
	var states []fs.FileInfo
	var total int64
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // another process removed it
		}
		switch filepath.Ext(info.Name()) {
		case snapshotSuffix:
			total += info.Size()
			states = append(states, info)
		case olderTemporary:
			if time.Since(info.ModTime()) > time.Hour { // else its process may live
				remove(info)
			}
		}
	}
	slices.SortFunc(states, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	limit := cmp.Or(c.MaxBytes, DefaultCacheBytes)
	for _, state := range states {
		if total <= limit {
			break
		}
		if err := remove(state); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return files, bytes, err
		}
		total -= state.Size()
	}
	return files, bytes, nil
}
