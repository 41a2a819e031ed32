package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

var errFolder = errors.New("is a folder")

// output is where a result goes: standard output, or a file that appears under
// its name only when it is complete.
type output struct {
	io.Writer
	temporary *os.File // nil for standard output
	path      string
}

// prepareOutput refuses, before anything is simulated, places that cannot be
// written to. Either may be empty.
func prepareOutput(path, folder string) error {
	if path != "" {
		info, err := os.Stat(filepath.Dir(path))
		if err == nil && !info.IsDir() {
			err = os.ErrInvalid
		}
		if err != nil {
			return unreadable("--out", path, err)
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return unreadable("--out", path, &os.PathError{Op: "write", Path: path, Err: errFolder})
		}
	}
	if folder != "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return unreadable("--plot", folder, err)
		}
	}
	return nil
}

// openOutput opens the file, or returns stdout for an empty path.
func openOutput(path string, stdout io.Writer) (*output, error) {
	if path == "" {
		return &output{Writer: stdout}, nil
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, unreadable("--out", path, err)
	}
	return &output{Writer: f, temporary: f, path: path}, nil
}

// commit gives a complete file its name.
func (o *output) commit() error {
	if o.temporary == nil {
		return nil
	}
	if err := o.temporary.Chmod(0o644); err != nil {
		return err
	}
	if err := o.temporary.Close(); err != nil {
		return err
	}
	if err := os.Rename(o.temporary.Name(), o.path); err != nil {
		return err
	}
	o.temporary = nil
	return nil
}

// discard removes a file that was not committed.
func (o *output) discard() {
	if o.temporary != nil {
		o.temporary.Close()
		os.Remove(o.temporary.Name())
	}
}
