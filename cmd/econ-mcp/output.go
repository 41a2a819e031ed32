package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
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
// to as it is.
type output struct {
	checkedWriter
	file *os.File // nil for standard output
	path string   // that file gets when it is complete; empty for a pipe or a device
	mode fs.FileMode
}

// prepareOutput refuses, before anything is simulated, places that cannot be
// written to. Either may be empty.
func prepareOutput(path, folder string) error {
	if path != "" {
		if err := checkFile(path); err != nil {
			return unusable("--out", path, err)
		}
	}
	if folder != "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return unusable("--plot", folder, err)
		}
		if err := checkFolder(folder); err != nil {
			return unusable("--plot", folder, err)
		}
	}
	return nil
}

// checkFile says why the file cannot be written. A pipe is not opened: that
// would wait for its reader.
func checkFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkFolder(filepath.Dir(destination(path)))
	case err != nil:
		return err
	case info.IsDir():
		return errFolder
	case !info.Mode().IsRegular():
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	f.Close()
	return checkFolder(filepath.Dir(destination(path)))
}

// checkFolder says why no file can be made in the folder.
func checkFolder(folder string) error {
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return syscall.ENOTDIR
	}
	f, err := os.CreateTemp(folder, ".econ-mcp.*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
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

// openOutput opens the file, or returns stdout for an empty path.
func openOutput(path string, stdout io.Writer) (*output, error) {
	if path == "" {
		return &output{checkedWriter: checkedWriter{Writer: stdout}}, nil
	}
	o := &output{mode: 0o644}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		o.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	} else {
		if err == nil {
			o.mode = info.Mode().Perm()
		}
		o.path = destination(path)
		o.file, err = os.CreateTemp(filepath.Dir(o.path), "."+filepath.Base(o.path)+".*")
	}
	if err != nil {
		return nil, unusable("--out", path, err)
	}
	o.Writer = o.file
	return o, nil
}

// commit gives a complete file its name, or says what could not be written.
func (o *output) commit() error {
	if o.err != nil || o.file == nil {
		return o.err
	}
	if o.path == "" {
		f := o.file
		o.file = nil
		return f.Close()
	}
	if err := o.file.Chmod(o.mode); err != nil {
		return err
	}
	if err := o.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(o.file.Name(), o.path); err != nil {
		return err
	}
	o.file = nil
	return nil
}

// discard closes what was not committed and removes a file that is not
// complete.
func (o *output) discard() {
	if o.file == nil {
		return
	}
	o.file.Close()
	if o.path != "" {
		os.Remove(o.file.Name())
	}
}

// writeOutput writes to the file, or to stdout for an empty path.
func writeOutput(path string, stdout io.Writer, write func(io.Writer) error) error {
	out, err := openOutput(path, stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := write(out); err != nil {
		return err
	}
	return out.commit()
}
