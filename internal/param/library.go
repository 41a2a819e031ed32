// Package param holds what a caller edits: the parameters, plans and place of one
// workspace ([Workspace]), and the scenarios that users keep as files ([Library]).
package param

import (
	"context"
	"errors"
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

	"github.com/gofrs/flock"

	"econ-mcp/internal/access"
	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
)

// PresetFolder and ConfigFolder are where a data folder has its files.
const (
	PresetFolder = "presets"
	ConfigFolder = "configs"
)

const (
	extension = ".yaml"
	fileMode  = 0o600 // for its user alone, whatever the umask
)

// Library holds scenarios by name: the built-in presets, and the presets and configs of
// users, which are YAML files that they may edit, add and remove by hand. It is safe for
// many goroutines, and for several processes on one folder.
type Library struct {
	presets, configs, locks string // folders

	owners Owners // nil = all is the operator's

	mu sync.Mutex // see hold
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
	access.Owner
	Problem error // why it cannot be loaded: a [*fault.Error] with line and column
}

// Page is a part of a list.
type Page struct {
	Entries []Entry
	Total   int
	Next    string // the name to go on after; empty at the end
}

// Owners keeps whose presets and configs are. Those that it does not know are the operator's,
// such as files that were put there by hand.
type Owners interface {
	// SavedBy says whose the files of a kind are, preset or config, by name.
	SavedBy(ctx context.Context, kind string) (map[string]access.Owner, error)
	// SetSavedBy notes whose a file is and how large it is going to be, before it is written.
	// Where its owner may not store as much, the error is a [fault.LimitExceeded].
	SetSavedBy(ctx context.Context, kind, name string, o access.Owner, bytes int64) error
	// KeepSaved forgets the files of a kind that are not among those that are there.
	KeepSaved(ctx context.Context, kind string, there []string) error
}

// Saving is who saves, and how.
type Saving struct {
	By        access.Caller
	Overwrite bool  // what has the name already; that of another must be shared
	Shared    *bool // others may overwrite it; nil = as before, and not where it is new
}

// OpenLibrary opens the folders presets and configs in dir, and that of locks, and makes them
// where they are missing. Without owners all is the operator's.
func OpenLibrary(dir string, owners Owners) (*Library, error) {
	l := &Library{
		presets: filepath.Join(dir, PresetFolder), configs: filepath.Join(dir, ConfigFolder), locks: filepath.Join(dir, "locks"),
		owners: owners,
	}
	for _, folder := range []string{l.presets, l.configs, l.locks} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, unusable("a folder of the library", folder, err)
		}
	}
	return l, nil
}

// Files lists the files of [PresetFolder] or [ConfigFolder] in dir, each with its problem if it
// cannot be loaded. It makes no folder.
func Files(dir, folder string) (list []Entry, err error) {
	k := kind{folder: filepath.Join(dir, folder), noun: strings.TrimSuffix(folder, "s")}
	if _, err := os.Stat(k.folder); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names, err := k.names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		_, e, err := k.read(name, fresh())
		if fault.KindOf(err) == fault.NotFound {
			continue // removed meanwhile
		}
		e.Name, e.Problem = name, err
		list = append(list, e)
	}
	return list, nil
}

// PresetPage lists at most limit presets (0 = all), by name, that come after the given
// one. A file that cannot be loaded is listed with its problem.
func (l *Library) PresetPage(ctx context.Context, after string, limit int) (Page, error) {
	return l.page(ctx, l.presetFiles(), after, limit)
}

// ConfigPage lists configs as [Library.PresetPage] lists presets.
func (l *Library) ConfigPage(ctx context.Context, after string, limit int) (Page, error) {
	return l.page(ctx, l.configFiles(), after, limit)
}

// Preset loads a preset. A built-in one comes before a file of the same name.
func (l *Library) Preset(name string) (scenario.Scenario, Entry, error) {
	return l.load(l.presetFiles(), l.configFiles(), name, fresh())
}

// Config loads a config.
func (l *Library) Config(name string) (scenario.Scenario, Entry, error) {
	return l.config(name, fresh())
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
		return scenario.Scenario{}, unknown(
			"name",
			"preset or config",
			name,
			slices.Concat(l.presetFiles().offered(), l.configFiles().offered()),
		)
	case missing:
		return config, otherErr
	case otherMissing:
		return s, err
	case err != nil || otherErr != nil || s.Hash() != config.Hash():
		return scenario.Scenario{}, fault.New(fault.Conflict, "name", "%q is a preset and a config, and they differ", name).
			WithHint("save one of them under another name")
	}
	return s, nil
}

// SavePreset writes a preset. With only, the file holds just these parameters, and the
// others must have their defaults. A name that is taken is a conflict, unless Overwrite
// is given and it is not built in; one that is another's is forbidden.
func (l *Library) SavePreset(ctx context.Context, name string, s scenario.Scenario, only []string, as Saving) (Entry, error) {
	return l.save(ctx, l.presetFiles(), name, s, only, as)
}

// SaveConfig writes a config with all parameters. A name that is taken, also by a
// built-in preset, is a conflict; Overwrite allows to replace a config.
func (l *Library) SaveConfig(ctx context.Context, name string, s scenario.Scenario, as Saving) (Entry, error) {
	return l.save(ctx, l.configFiles(), name, s, nil, as)
}

func fresh() scenario.Scenario { return scenario.New("", defaults) }

func (l *Library) config(name string, base scenario.Scenario) (scenario.Scenario, Entry, error) {
	return l.load(l.configFiles(), l.presetFiles(), name, base)
}

// load loads a preset or config over a scenario. One that is missing may be of the other kind.
func (l *Library) load(k, other kind, name string, base scenario.Scenario) (scenario.Scenario, Entry, error) {
	if err := fault.CheckName(k.field, name); err != nil {
		return scenario.Scenario{}, Entry{}, err
	}
	s, e, err := k.read(name, base)
	if fault.KindOf(err) != fault.NotFound {
		return s, e, err
	}
	missing := unknown(k.field, k.noun, name, k.offered())
	if slices.Contains(other.offered(), name) {
		missing.Hint = "a " + other.noun + " of that name is there: " + other.load
	}
	return s, e, missing
}

func unknown(field, what, name string, names []string) *fault.Error {
	e := fault.Unknown(fault.NotFound, what, name, names)
	e.Field = field
	return e
}

// names lists what there is, without reading the files. Where the folder cannot be listed nobody
// may take a name for free, or what is known of a file for outdated.
func (k kind) names() ([]string, error) {
	names := slices.Clone(k.builtIn)
	files, err := os.ReadDir(k.folder)
	if err != nil {
		return nil, unusable("the folder of the "+k.noun+"s", k.folder, err)
	}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), extension); ok && !strings.HasPrefix(name, ".") && !slices.Contains(k.builtIn, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// offered are names to suggest: where the folder cannot be listed, those that are built in.
func (k kind) offered() []string {
	names, err := k.names()
	if err != nil {
		return k.builtIn
	}
	return names
}

func (l *Library) page(ctx context.Context, k kind, after string, limit int) (Page, error) {
	owners, err := l.ownersOf(ctx, k)
	if err != nil {
		return Page{}, err
	}
	names, err := k.names()
	if err != nil {
		return Page{}, err
	}
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
		_, e, err := k.read(name, fresh())
		if fault.KindOf(err) == fault.NotFound {
			continue // removed meanwhile
		}
		e.Name, e.Problem, e.Owner = name, err, owners[name]
		page.Entries = append(page.Entries, e)
	}
	return page, nil
}

// read loads what is built in, or a file, over a scenario. The entry is filled in as far as
// possible.
func (k kind) read(name string, base scenario.Scenario) (scenario.Scenario, Entry, error) {
	if slices.Contains(k.builtIn, name) {
		text, err := presets.Text(name)
		if err != nil {
			return scenario.Scenario{}, Entry{}, err
		}
		s, named, err := scenario.Overlay(base, name, text)
		return s, Entry{Name: name, Description: s.Description, Size: int64(len(text)), Parameters: named, BuiltIn: true, Problem: err}, err
	}
	e := Entry{Name: name, Path: filepath.Join(k.folder, name+extension)}
	broken := func(err error) error {
		return unusable(fmt.Sprintf("the file of the %s %q", k.noun, name), e.Path, err)
	}
	if err := fault.CheckName("name", name); err != nil {
		return scenario.Scenario{}, e, err
	}
	info, err := os.Stat(e.Path)
	switch {
	case os.IsNotExist(err):
		return scenario.Scenario{}, e, fault.New(fault.NotFound, "name", "file %q does not exist", name)
	case err != nil:
		return scenario.Scenario{}, e, broken(err)
	case !info.Mode().IsRegular():
		return scenario.Scenario{}, e, broken(errors.New("it is not a file"))
	}
	e.Size, e.ModifiedAt, e.CreatedAt = info.Size(), info.ModTime().UTC(), info.ModTime().UTC()
	data, err := readBounded(e.Path)
	if err != nil {
		return scenario.Scenario{}, e, broken(err)
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
	builtIn      []string
	field        string // of the tools below
	save, load   string // the tools
}

func (l *Library) presetFiles() kind {
	return kind{l.presets, "preset", presets.Names(), "name", "save_preset", "load_preset"}
}

func (l *Library) configFiles() kind {
	return kind{l.configs, "config", nil, "config_name", "save_current_config_to_yaml", "load_yaml_config"}
}

// check refuses a name that a user may not give.
func (k kind) check(name string) error {
	if err := fault.CheckName(k.field, name); err != nil {
		return err
	}
	if i := slices.IndexFunc(presets.Names(), func(builtIn string) bool { return strings.EqualFold(builtIn, name) }); i >= 0 {
		return fault.New(fault.Conflict, k.field, "%q is a built-in preset", presets.Names()[i]).
			WithHint("choose another name, such as " + strconv.Quote("my_"+name))
	}
	return nil
}

// encode is the file of a scenario under a name.
func (k kind) encode(name string, s scenario.Scenario, only []string) ([]byte, error) {
	s.Name = name
	s.CreatedAt = time.Now().UTC().Truncate(time.Second)
	data := s.Encode()
	if only != nil {
		data = s.EncodeOnly(only)
	}
	_, err := scenario.Decode(name, data) // what is saved can be loaded
	return data, err
}

// admit refuses a new name that is none of a file on some systems, or is there in other case: where
// both are one file, one would overwrite the other. The caller holds the folder.
func (k kind) admit(name string) error {
	if err := k.check(name); err != nil {
		return err
	}
	names, err := k.names()
	if err != nil {
		return err
	}
	if slices.Contains(names, name) {
		return nil
	}
	if err := fault.CheckNewName(k.field, name); err != nil {
		return err
	}
	i := slices.IndexFunc(names, func(there string) bool { return strings.EqualFold(there, name) })
	if i < 0 {
		return nil
	}
	e := fault.New(fault.Conflict, k.field, "%s %q already exists, and some systems cannot keep %q beside it", k.noun, names[i], name).
		WithHint("choose another name, or save it as " + strconv.Quote(names[i]) + " with overwrite=true")
	e.Allowed = []string{names[i]}
	return e
}

// holdTime is how long a save waits for those of other processes.
const holdTime = 10 * time.Second

// hold keeps all others, also in other processes, from saving in a folder until release is called.
// Links alone are not enough: names that differ in case only can both be new.
func (l *Library) hold(k kind) (release func(), err error) {
	l.mu.Lock()
	lock := flock.New(filepath.Join(l.locks, k.noun+"s.lock"))
	ctx, cancel := context.WithTimeout(context.Background(), holdTime)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, time.Millisecond); err != nil {
		lock.Close()
		l.mu.Unlock()
		return nil, unusable("the folder of the "+k.noun+"s", lock.Path(), err)
	}
	return func() {
		lock.Close()
		l.mu.Unlock()
	}, nil
}

// failed says why a file could not be written.
func (k kind) failed(name string, err error) error {
	if !errors.Is(err, fs.ErrExist) {
		return unusable("the folder of the "+k.noun+"s", k.folder, err)
	}
	return fault.New(fault.Conflict, k.field, "%s %q already exists", k.noun, name).
		WithHint("choose another name, or give overwrite=true to " + k.save)
}

func (l *Library) save(ctx context.Context, k kind, name string, s scenario.Scenario, only []string, as Saving) (Entry, error) {
	release, err := l.hold(k)
	if err != nil {
		return Entry{}, err
	}
	defer release()
	c, err := l.claim(ctx, k, name, as)
	if err != nil {
		return Entry{}, err
	}
	return l.put(ctx, c, s, only)
}

// claim is the right to write a file in a folder that is held.
type claim struct {
	kind      kind
	name      string
	overwrite bool
	owner     access.Owner
	before    *access.Owner // to whom the file that is there counts; nil = there is none, or to nobody
}

func (c claim) path() string { return filepath.Join(c.kind.folder, c.name+extension) }

// claim gets the right to write a file for who saves; the caller holds the folder. Whose the file
// is then is noted before it is written: a name without a file is free for everybody.
func (l *Library) claim(ctx context.Context, k kind, name string, as Saving) (claim, error) {
	if err := k.admit(name); err != nil {
		return claim{}, err
	}
	owners, err := l.ownersOf(ctx, k)
	if err != nil {
		return claim{}, err
	}
	names, err := k.names()
	if err != nil {
		return claim{}, err
	}
	c := claim{kind: k, name: name, overwrite: as.Overwrite, owner: access.Owner{Principal: as.By.Principal}}
	if slices.Contains(names, name) {
		if !as.Overwrite {
			return claim{}, k.failed(name, fs.ErrExist)
		}
		before, counts := owners[name]
		if c.owner = before; counts {
			c.before = &before
		}
		thing := access.Thing{Kind: k.noun, Name: name, Field: k.field, Owner: before}
		err := as.By.May("overwrite", thing)
		if err == nil && as.Shared != nil {
			err = as.By.May(access.Share, thing)
		}
		if err != nil {
			return claim{}, err
		}
	}
	if as.Shared != nil {
		c.owner.Shared = *as.Shared
	}
	return c, nil
}

// put writes the file, once it counts to its owner.
func (l *Library) put(ctx context.Context, c claim, s scenario.Scenario, only []string) (Entry, error) {
	data, err := c.kind.encode(c.name, s, only)
	if err == nil {
		err = l.note(ctx, c, len(data))
	}
	if err != nil {
		return Entry{}, err
	}
	before := int64(0)
	if info, err := os.Stat(c.path()); err == nil {
		before = info.Size()
	}
	e, err := c.write(data)
	if err != nil && e.Path == "" {
		if left := l.unnote(ctx, c, before); left != nil {
			err = errors.Join(err, left)
		}
	}
	return e, err
}

// unnote has what is there, of so many bytes, count again as it did before a claim.
func (l *Library) unnote(ctx context.Context, c claim, bytes int64) error {
	if l.owners == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if c.before != nil {
		return l.owners.SetSavedBy(ctx, c.kind.noun, c.name, *c.before, bytes)
	}
	names, err := c.kind.names()
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(names, func(name string) bool { return name == c.name })
	return l.owners.KeepSaved(ctx, c.kind.noun, others)
}

// note has what is about to be written count to its owner.
func (l *Library) note(ctx context.Context, c claim, bytes int) error {
	if l.owners == nil {
		return nil
	}
	if err := l.forget(ctx, c.kind); err != nil { // what was removed by hand makes room
		return err
	}
	return l.owners.SetSavedBy(ctx, c.kind.noun, c.name, c.owner, int64(bytes))
}

// write writes the file. Where that fails, the entry has no path.
func (c claim) write(data []byte) (Entry, error) {
	if err := atomicfile.WriteFile(c.path(), data, fileMode, c.overwrite); err != nil {
		return Entry{}, c.kind.failed(c.name, err)
	}
	_, e, err := c.kind.read(c.name, fresh())
	e.Owner = c.owner
	return e, err
}

// ownersOf says whose the files of a kind are.
func (l *Library) ownersOf(ctx context.Context, k kind) (map[string]access.Owner, error) {
	if l.owners == nil {
		return nil, nil
	}
	return l.owners.SavedBy(ctx, k.noun)
}

func unusable(what, path string, err error) error {
	return fault.New(fault.Internal, "", "%s cannot be used", what).WithDetail("%s: %v", path, err).
		WithHint("look at the folder's permissions and free space")
}
