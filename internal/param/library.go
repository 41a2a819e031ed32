// Package param holds what a caller edits: the parameters, plans and place of one
// workspace ([Workspace]), and the scenarios that users keep as files ([Library]).
package param

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
)

const extension = ".yaml"

// Library holds scenarios by name: the built-in presets, and the presets and configs of
// users, which are YAML files that they may edit, add and remove by hand. It is safe for
// many goroutines, and for several processes on one folder.
type Library struct {
	presets, configs string // folders

	mu sync.Mutex // one file is written at a time
}

// Entry is what is known of a preset or config without running it.
type Entry struct {
	Name        string
	Description string
	CreatedAt   time.Time // as the file says, else when it was last changed; zero if built in
	ModifiedAt  time.Time // zero if built in
	Size        int64     // bytes
	Parameters  []string  // that the file names, in its order
	BuiltIn     bool
	Path        string // empty if built in
	Problem     error  // why it cannot be loaded: a [*fault.Error] with line and column
}

// Page is a part of a list.
type Page struct {
	Entries []Entry
	Total   int
	Next    string // the name to go on after; empty at the end
}

// OpenLibrary opens the folders presets and configs in dir, and makes them where they are
// missing.
func OpenLibrary(dir string) (*Library, error) {
	l := &Library{presets: filepath.Join(dir, "presets"), configs: filepath.Join(dir, "configs")}
	for _, folder := range []string{l.presets, l.configs} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, unusable(folder, err)
		}
	}
	return l, nil
}

// PresetPage lists at most limit presets (0 = all), by name, that come after the given
// one. A file that cannot be loaded is listed with its problem.
func (l *Library) PresetPage(after string, limit int) (Page, error) {
	return l.page(l.presets, presets.Names(), after, limit)
}

// ConfigPage lists configs as [Library.PresetPage] lists presets.
func (l *Library) ConfigPage(after string, limit int) (Page, error) {
	return l.page(l.configs, nil, after, limit)
}

// Preset loads a preset. A built-in one comes before a file of the same name.
func (l *Library) Preset(name string) (scenario.Scenario, Entry, error) {
	s, e, _, err := l.preset(name, fresh())
	return s, e, err
}

// Config loads a config.
func (l *Library) Config(name string) (scenario.Scenario, Entry, error) {
	s, e, _, err := l.config(name, fresh())
	return s, e, err
}

// Scenario loads what a name stands for where any scenario may be meant: a built-in
// preset (baseline among them), a preset or a config. A name that is both a preset and a
// config of users, and not the same economy, is a conflict.
func (l *Library) Scenario(name string) (scenario.Scenario, error) {
	if err := fault.CheckName("name", name); err != nil {
		return scenario.Scenario{}, err
	}
	s, e, err := l.Preset(name)
	if e.BuiltIn {
		return s, err
	}
	config, _, otherErr := l.Config(name)
	missing, otherMissing := fault.KindOf(err) == fault.NotFound, fault.KindOf(otherErr) == fault.NotFound
	switch {
	case missing && otherMissing:
		return scenario.Scenario{}, unknown("name", name, slices.Concat(l.names(l.presets, presets.Names()), l.names(l.configs, nil)))
	case missing:
		return config, otherErr
	case otherMissing:
		return s, err
	case err != nil || otherErr != nil || s.Hash() != config.Hash():
		e := fault.New(fault.Conflict, "name", "%q is a preset and a config, and they differ", name)
		e.Hint = "save one of them under another name"
		return scenario.Scenario{}, e
	}
	return s, nil
}

// SavePreset writes a preset. With only, the file holds just these parameters, and the
// others must have their defaults. A name that is taken is a conflict, unless overwrite
// is given and it is not built in.
func (l *Library) SavePreset(name string, s scenario.Scenario, only []string, overwrite bool) (Entry, error) {
	return l.save(presetFiles(l), name, s, only, overwrite)
}

// SaveConfig writes a config with all parameters. A name that is taken, also by a
// built-in preset, is a conflict; overwrite allows to replace a config.
func (l *Library) SaveConfig(name string, s scenario.Scenario, overwrite bool) (Entry, error) {
	return l.save(configFiles(l), name, s, nil, overwrite)
}

func fresh() scenario.Scenario { return scenario.New("", defaults) }

// preset loads a preset over a scenario and returns the names of its parameters.
func (l *Library) preset(name string, base scenario.Scenario) (scenario.Scenario, Entry, []string, error) {
	if err := fault.CheckName("name", name); err != nil {
		return scenario.Scenario{}, Entry{}, nil, err
	}
	if slices.Contains(presets.Names(), name) {
		text, err := presets.Text(name)
		if err != nil {
			return scenario.Scenario{}, Entry{}, nil, err
		}
		s, named, err := scenario.Overlay(base, name, text)
		return s, Entry{Name: name, Description: s.Description, Size: int64(len(text)), Parameters: named, BuiltIn: true, Problem: err}, named, err
	}
	s, e, err := read(l.presets, name, base)
	if fault.KindOf(err) == fault.NotFound {
		err = l.missing("name", name, l.presets, presets.Names(), "a config of that name is there: load_yaml_config", l.configs)
	}
	return s, e, e.Parameters, err
}

func (l *Library) config(name string, base scenario.Scenario) (scenario.Scenario, Entry, []string, error) {
	if err := fault.CheckName("config_name", name); err != nil {
		return scenario.Scenario{}, Entry{}, nil, err
	}
	s, e, err := read(l.configs, name, base)
	if fault.KindOf(err) == fault.NotFound {
		err = l.missing("config_name", name, l.configs, nil, "a preset of that name is there: load_preset", l.presets, presets.Names()...)
	}
	return s, e, e.Parameters, err
}

// missing says that a name is not in a folder, and whether it is in the other one.
func (l *Library) missing(field, name, folder string, builtIn []string, elsewhere, other string, otherBuiltIn ...string) error {
	e := unknown(field, name, l.names(folder, builtIn))
	if slices.Contains(l.names(other, otherBuiltIn), name) {
		e.Hint = elsewhere
	}
	return e
}

func unknown(field, name string, names []string) *fault.Error {
	e := fault.Unknown(fault.NotFound, name, names)
	e.Field = field
	return e
}

// names lists what a folder holds, without reading the files.
func (l *Library) names(folder string, builtIn []string) []string {
	names := slices.Clone(builtIn)
	files, _ := os.ReadDir(folder) // a folder that cannot be read holds nothing to offer
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), extension); ok && !strings.HasPrefix(name, ".") && !slices.Contains(builtIn, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (l *Library) page(folder string, builtIn []string, after string, limit int) (Page, error) {
	if _, err := os.ReadDir(folder); err != nil {
		return Page{}, unusable(folder, err)
	}
	names := l.names(folder, builtIn)
	page := Page{Total: len(names)}
	from, found := slices.BinarySearch(names, after)
	if found {
		from++
	}
	rest := names[from:]
	if limit > 0 && len(rest) > limit {
		rest = rest[:limit]
		page.Next = rest[limit-1]
	}
	for _, name := range rest {
		var e Entry
		var err error
		if slices.Contains(builtIn, name) {
			_, e, err = l.Preset(name)
		} else {
			_, e, err = read(folder, name, fresh())
		}
		if fault.KindOf(err) == fault.NotFound {
			continue // removed meanwhile
		}
		e.Name, e.Problem = name, err
		page.Entries = append(page.Entries, e)
	}
	return page, nil
}

// read loads a file over a scenario. The entry is filled in as far as possible.
func read(folder, name string, base scenario.Scenario) (scenario.Scenario, Entry, error) {
	e := Entry{Name: name, Path: filepath.Join(folder, name+extension)}
	if err := fault.CheckName("name", name); err != nil {
		return scenario.Scenario{}, e, err
	}
	info, err := os.Stat(e.Path)
	switch {
	case os.IsNotExist(err):
		return scenario.Scenario{}, e, fault.New(fault.NotFound, "name", "%q is not there", name)
	case err != nil:
		return scenario.Scenario{}, e, unusable(e.Path, err)
	case !info.Mode().IsRegular():
		return scenario.Scenario{}, e, unusable(e.Path, fmt.Errorf("it is no file"))
	}
	e.Size, e.ModifiedAt, e.CreatedAt = info.Size(), info.ModTime().UTC(), info.ModTime().UTC()
	data, err := readBounded(e.Path)
	if err != nil {
		return scenario.Scenario{}, e, unusable(e.Path, err)
	}
	s, named, err := scenario.Overlay(base, name, data)
	if err != nil {
		return scenario.Scenario{}, e, err
	}
	e.Description, e.Parameters = s.Description, named
	if !s.CreatedAt.IsZero() {
		e.CreatedAt = s.CreatedAt
	}
	return s, e, nil
}

// readBounded reads a file up to a little more than a scenario may have.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 2<<20))
}

// kind is one of the two kinds of files.
type kind struct {
	folder, noun string
	field, tool  string // of the tool that saves one
}

func presetFiles(l *Library) kind { return kind{l.presets, "preset", "name", "save_preset"} }
func configFiles(l *Library) kind {
	return kind{l.configs, "config", "config_name", "save_current_config_to_yaml"}
}

// encode is the file of a scenario under a name that a user may give it.
func (k kind) encode(name string, s scenario.Scenario, only []string) ([]byte, error) {
	if err := fault.CheckName(k.field, name); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(presets.Names(), func(builtIn string) bool { return strings.EqualFold(builtIn, name) }); i >= 0 {
		e := fault.New(fault.Conflict, k.field, "%q is a built-in preset", presets.Names()[i])
		e.Hint = "choose another name, such as " + strconv.Quote("my_"+name)
		return nil, e
	}
	s.Name = name
	s.CreatedAt = time.Now().UTC().Truncate(time.Second)
	data := s.Encode()
	if only != nil {
		data = s.EncodeOnly(only)
	}
	_, err := scenario.Decode(name, data) // what is saved can be loaded
	return data, err
}

// failed says why a file could not be written.
func (k kind) failed(name string, err error) error {
	if !os.IsExist(err) {
		return unusable(k.folder, err)
	}
	e := fault.New(fault.Conflict, k.field, "there is a %s %q already", k.noun, name)
	e.Hint = "choose another name, or give overwrite=true to " + k.tool
	return e
}

func (l *Library) save(k kind, name string, s scenario.Scenario, only []string, overwrite bool) (Entry, error) {
	data, err := k.encode(name, s, only)
	if err != nil {
		return Entry{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := writeFile(filepath.Join(k.folder, name+extension), data, overwrite); err != nil {
		return Entry{}, k.failed(name, err)
	}
	_, e, err := read(k.folder, name, fresh())
	return e, err
}

// writeFile puts a file into place whole or not at all, and for good when it returns.
func writeFile(path string, data []byte, overwrite bool) (err error) {
	folder := filepath.Dir(path)
	f, err := os.CreateTemp(folder, ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // what is left of it
	_, writeErr := f.Write(data)
	if err := cmp.Or(writeErr, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	if overwrite {
		err = os.Rename(f.Name(), path)
	} else {
		err = putNew(f.Name(), path)
	}
	if err != nil {
		return err
	}
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	_ = d.Sync() // not every file system can
	return d.Close()
}

// putNew gives a file its name, unless that is taken: a link fails then, whoever else
// writes. File systems without links get a look first.
func putNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil || os.IsExist(err) {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(from, to)
}

func unusable(path string, err error) error {
	e := fault.New(fault.Internal, "", "%s: %v", path, err)
	e.Hint = "look at the folder's permissions and free space"
	return e
}
