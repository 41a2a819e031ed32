// Package atomicfile puts files into place whole or not at all. A file is written under a
// temporary name beside the one that it will have; its writer holds a lock on it, so that
// what a killed process left behind can be told from what another one is writing.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gofrs/flock"
)

// temporary is how the names of files begin that do not have their own yet.
const temporary = ".new-"

// isWindows: it neither renames nor removes a file that somebody has open. That is a lock
// already, and folders cannot be synced there.
const isWindows = runtime.GOOS == "windows"

// IsTemporary says whether a name is of a file that was not put into place.
func IsTemporary(name string) bool { return strings.HasPrefix(name, temporary) }

// File is a file that is being written.
type File struct {
	path string // that it will have
	mode fs.FileMode
	f    *os.File
	lock *flock.Flock // nil where files cannot be locked
}

// Create begins a file that will have a path and, whatever the umask, a mode. It removes
// what a killed process left of the same file.
func Create(path string, mode fs.FileMode) (*File, error) {
	folder, base := filepath.Split(path)
	if folder == "" {
		folder = "." // not the system's folder for temporary files
	}
	_, _ = sweep(folder, temporary+base+"-", true) // what cannot be removed is in nobody's way
	for {
		f, err := os.CreateTemp(folder, temporary+base+"-*")
		if err != nil {
			return nil, err
		}
		lock, err := take(f.Name())
		if lock != nil || err != nil { // where files cannot be locked, nobody removes it either
			return &File{path, mode, f, lock}, nil
		}
		f.Close() // a sweep was faster than the lock, and removes it
	}
}

// take takes the lock of a temporary file, nil where another process has it or has removed
// the file.
func take(path string) (*flock.Flock, error) {
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY)) // it makes no file
	if isWindows {
		return lock, nil
	}
	taken, err := lock.TryLock()
	if taken {
		if _, err = os.Lstat(path); err == nil {
			return lock, nil
		}
	}
	lock.Close()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return nil, err
}

// Name is its temporary name, for those that write into a file by its name.
func (f *File) Name() string { return f.f.Name() }

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) { return f.f.Write(p) }

// Replace puts the file into the place of one that may be there. It is durable when Replace
// returns. Where there is an error, what was there stays.
func (f *File) Replace() error { return f.put(os.Rename) }

// Add puts the file into place unless one is there: that is [fs.ErrExist], whoever writes at
// the same time. It is durable when Add returns.
func (f *File) Add() error { return f.put(link) }

func (f *File) put(move func(from, to string) error) error {
	defer f.Discard()
	err := errors.Join(f.f.Chmod(f.mode), f.f.Sync())
	if isWindows {
		err = errors.Join(err, f.f.Close())
	}
	if err == nil {
		err = move(f.f.Name(), f.path)
	}
	if err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(f.path))
}

// link gives a file its name, unless that is taken: a link fails then. File systems without
// links get a look first.
func link(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	return os.Rename(from, to)
}

// Discard removes a file that was not put into place; of one that was it changes nothing.
func (f *File) Discard() {
	f.f.Close()
	os.Remove(f.f.Name())
	if f.lock != nil {
		f.lock.Close()
	}
}

// WriteFile puts data into a file as a whole. Without replace, a file that is there is
// [fs.ErrExist].
func WriteFile(path string, data []byte, mode fs.FileMode, replace bool) error {
	f, err := Create(path, mode)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if replace {
		return f.Replace()
	}
	return f.Add()
}

// Left is what a killed process left behind.
type Left struct {
	Path  string
	Bytes int64
}

// Sweep removes the files of a folder that were not put into place and that nobody writes
// any more, and says which. A folder that does not exist has none.
func Sweep(folder string) ([]Left, error) { return sweep(folder, temporary, true) }

// Abandoned lists what [Sweep] would remove.
func Abandoned(folder string) ([]Left, error) { return sweep(folder, temporary, false) }

func sweep(folder, prefix string, remove bool) (left []Left, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		info, infoErr := entry.Info()
		if !strings.HasPrefix(entry.Name(), prefix) || infoErr != nil || !info.Mode().IsRegular() {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		lock, lockErr := take(path)
		if lock == nil {
			err = errors.Join(err, lockErr)
			continue
		}
		if remove {
			lockErr = os.Remove(path)
		}
		lock.Close()
		if lockErr != nil {
			err = errors.Join(err, lockErr)
			continue
		}
		left = append(left, Left{path, info.Size()})
	}
	return left, err
}

// SyncFolder makes the names in a folder durable, where the system can.
func SyncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !isWindows {
		return err
	}
	return nil
}
