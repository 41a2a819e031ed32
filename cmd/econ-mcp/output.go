package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
)

var errFolder = errors.New("is a folder")

// checkedWriter remembers its first error and writes nothing after it, so that
// a table of many lines is checked once, at its end.
type checkedWriter struct {
	io.Writer
	err error
}

// Write implements [io.Writer].
func (w *checkedWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.Writer.Write(p)
	w.err = err
	return n, err
}

// output is where a result goes: standard output; a regular file, which is
// replaced when the new one is complete; or a pipe or a device, which is written
// to as it is. What is not standard output is opened with the first write: a pipe
// waits for its reader, and a run of hours leaves no half of a file.
type output struct {
	checkedWriter
	name   string // as the flag has it; empty for standard output
	path   string // of a regular file; empty for a pipe or a device
	mode   fs.FileMode
	device *os.File         // nil for what is none, and before the first write
	file   *atomicfile.File // nil for what is none, and before the first write
}

// prepareFolder makes a folder for results where there is none, and refuses one in which no file
// can be made.
func prepareFolder(flag, folder string) error {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		if err := fault.CheckFileName(flag, filepath.Base(filepath.Clean(folder))); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return unusable(flag, folder, err)
	}
	if err := probe(folder); err != nil {
		return unusable(flag, folder, err)
	}
	return nil
}

// probe makes a file in a folder and removes it.
func probe(folder string) error {
	f, err := atomicfile.Create(filepath.Join(folder, "probe"), 0o600)
	if err == nil {
		f.Discard()
	}
	return err
}

// destination follows symbolic links to what they name, which need not exist.
func destination(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	for range 10 {
		link, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	return path
}

// openOutput takes the file that a flag names, or stdout for an empty path. Commands do so
// before they simulate: what cannot be written is refused then.
func openOutput(flag, path string, stdout io.Writer) (*output, error) {
	if path == "" {
		return &output{checkedWriter: checkedWriter{Writer: stdout}}, nil
	}
	o := &output{name: path, mode: 0o644}
	if err := o.check(); err != nil {
		return nil, unusable(flag, path, err)
	}
	o.Writer = opening{o}
	return o, nil
}

// check finds out whether the file can be written, and leaves it as it is.
func (o *output) check() error {
	info, err := os.Stat(o.name)
	if err == nil {
		if info.IsDir() {
			return errFolder
		}
		if info.Mode()&fs.ModeNamedPipe != 0 { // opening it would wait for its reader
			return nil
		}
		f, err := os.OpenFile(o.name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		f.Close()
		if !info.Mode().IsRegular() {
			return nil
		}
		o.mode = info.Mode().Perm()
	}
	o.path = destination(o.name)
	return probe(filepath.Dir(o.path))
}

func (o *output) open() (err error) {
	switch {
	case o.file != nil || o.device != nil || o.name == "":
	case o.path == "":
		o.device, err = os.OpenFile(o.name, os.O_WRONLY, 0)
	default:
		o.file, err = atomicfile.Create(o.path, o.mode)
	}
	return err
}

// opening writes to a file that it opens first.
type opening struct{ to *output }

// Write implements [io.Writer].
func (w opening) Write(p []byte) (int, error) {
	if err := w.to.open(); err != nil {
		return 0, err
	}
	if w.to.device != nil {
		return w.to.device.Write(p)
	}
	return w.to.file.Write(p)
}

// commit gives a complete file its name, or says what could not be written.
func (o *output) commit() error {
	if o.err != nil || o.name == "" {
		return o.err
	}
	if err := o.open(); err != nil { // empty
		return err
	}
	if o.device != nil {
		return o.device.Close()
	}
	return o.file.Replace()
}

// discard closes what was not committed and removes a file that is not complete. After a commit it
// finds nothing to do.
func (o *output) discard() {
	if o.device != nil {
		o.device.Close()
	}
	if o.file != nil {
		o.file.Discard()
	}
}

// writeFile replaces the file that a flag names when the new one is complete.
func writeFile(flag, path string, data []byte) error {
	o, err := openOutput(flag, path, nil)
	if err != nil {
		return err
	}
	defer o.discard()
	_, err = o.Write(data)
	if err == nil {
		err = o.commit()
	}
	if err != nil {
		return unusable(flag, path, err)
	}
	return nil
}
