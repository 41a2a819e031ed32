package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/param"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
)

// Examination is what [Examine] has found in a data folder.
type Examination struct {
	store.Examination
	Scenarios       int   // presets and configs of users
	FreeDisk        int64 // bytes for this user; -1 = unknown
	AvailableMemory int64 // bytes that a simulation may take; -1 = unknown
}

// scarce is the free disk below which there is little left: what is stored of some large
// experiments.
const scarce = 256 << 20

// Examine looks at all of a data folder and changes nothing. A folder without a store is a
// [*store.OpenError].
func Examine(ctx context.Context, dir string) (x Examination, err error) {
	if x.Examination, err = store.Examine(ctx, dir, hashOf); err != nil {
		return x, err
	}
	x.scenarios(dir)
	x.leftOvers(dir)
	x.exposed(dir)
	x.AvailableMemory = run.AvailableMemory()
	if x.AvailableMemory == math.MaxInt64 {
		x.AvailableMemory = -1
	}
	if x.FreeDisk = freeDisk(dir); x.FreeDisk >= 0 && x.FreeDisk < scarce {
		x.find(store.Scarce, ".", "the disk has "+run.Bytes(x.FreeDisk)+" free", "free some space; econ-mcp gc gives back what is not needed")
	}
	return x, nil
}

// hashOf is the hash of a scenario that this program's catalogue covers. One that it would write
// otherwise is of a program with other parameters, whose hash counts those: there is none.
func hashOf(text []byte) (string, error) {
	s, err := scenario.DecodeStored("", text)
	if err != nil || !bytes.Equal(s.Encode(), text) {
		return "", err
	}
	return s.Hash(), nil
}

func (x *Examination) find(kind store.FindingKind, where, message, hint string) {
	x.Findings = append(x.Findings, store.Finding{Kind: kind, Where: where, Message: message, Hint: hint})
}

// scenarios finds presets and configs that cannot be loaded.
func (x *Examination) scenarios(dir string) {
	for _, folder := range []string{param.PresetFolder, param.ConfigFolder} {
		entries, err := param.Files(dir, folder)
		if err != nil {
			x.find(store.Damaged, folder, err.Error(), "give this user the right to read it")
		}
		for _, e := range entries {
			x.Scenarios++
			if e.Problem == nil {
				continue
			}
			message, hint := e.Problem.Error(), "mend the file, or delete it"
			if known, ok := errors.AsType[*fault.Error](e.Problem); ok {
				message = known.Message
			}
			x.find(store.Damaged, filepath.Join(folder, filepath.Base(e.Path)), message, hint)
		}
	}
}

// leftOvers finds files that killed processes left half written.
func (x *Examination) leftOvers(dir string) {
	for _, folder := range folders {
		left, _ := atomicfile.Abandoned(filepath.Join(dir, folder)) // what cannot be read is another finding
		for _, file := range left {
			x.find(store.LeftOver, filepath.Join(folder, filepath.Base(file.Path)), "a file that a killed process left half written",
				"econ-mcp gc removes it")
		}
	}
}

// exposed tells what others on the system can read or write. Below a folder that they cannot enter
// it is nothing. Windows has other rights than these.
func (x *Examination) exposed(dir string) {
	const others = 0o077
	if runtime.GOOS == "windows" {
		return
	}
	if followed, err := filepath.EvalSymlinks(dir); err == nil {
		dir = followed
	}
	read, written, first := 0, 0, ""
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error { // it returns no other error
		if err != nil {
			return nil
		}
		info, err := entry.Info()
		if err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return nil
		}
		mode := info.Mode().Perm()
		switch {
		case entry.IsDir() && mode&others == 0:
			return fs.SkipDir
		case entry.IsDir() && mode&0o022 == 0, mode&others == 0:
			return nil
		}
		if read++; mode&0o022 != 0 {
			written++
		}
		if within, err := filepath.Rel(dir, path); first == "" && err == nil {
			first = fmt.Sprintf("%s (%04o)", within, mode)
		}
		return nil
	})
	if read == 0 {
		return
	}
	message := fmt.Sprintf("others on this system can read %d of its files, such as %s", read, first)
	if written > 0 {
		message += fmt.Sprintf(", and change %d", written)
	}
	x.find(store.Exposed, ".", message, "chmod -R go= "+dir+" makes it yours alone, unless it is shared on purpose")
}
