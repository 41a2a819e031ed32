package param

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
)

// DeletePreset removes a preset. A built-in one is a conflict, one that does not exist is
// [fault.NotFound], and one that is another's is forbidden, also where it is shared.
func (l *Library) DeletePreset(ctx context.Context, name string, by access.Caller) error {
	return l.remove(ctx, l.presetFiles(), name, by)
}

// DeleteConfig removes a config, with the errors of [Library.DeletePreset].
func (l *Library) DeleteConfig(ctx context.Context, name string, by access.Caller) error {
	return l.remove(ctx, l.configFiles(), name, by)
}

func (l *Library) remove(ctx context.Context, k kind, name string, by access.Caller) error {
	if err := fault.CheckName(k.field, name); err != nil {
		return err
	}
	if slices.Contains(k.builtIn, name) {
		return fault.New(fault.Conflict, k.field, "preset %q is built in and cannot be deleted", name).
			WithHint("only presets that were saved can be deleted: list_presets says which are built in")
	}
	release, err := l.hold(k)
	if err != nil {
		return err
	}
	defer release()
	owners, err := l.ownersOf(ctx, k)
	if err != nil {
		return err
	}
	names, err := k.names()
	if err != nil {
		return err
	}
	// By the list: where case does not count, the file system would take another name for this one.
	if !slices.Contains(names, name) {
		saved := slices.DeleteFunc(names, func(name string) bool { return slices.Contains(k.builtIn, name) })
		return unknown(k.field, k.noun, name, saved)
	}
	if err := by.May(access.Delete, access.Thing{Kind: k.noun, Name: name, Field: k.field, Owner: owners[name]}); err != nil {
		return err
	}
	path := filepath.Join(k.folder, name+extension)
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		err := errors.New("it is a folder")
		return unusable("the file of the "+k.noun+" "+strconv.Quote(name), path, err)
	}
	switch err := os.Remove(path); {
	case errors.Is(err, fs.ErrNotExist): // removed by hand meanwhile
		return unknown(k.field, k.noun, name, nil)
	case err != nil:
		return unusable("the folder of the "+k.noun+"s", k.folder, err)
	}
	// The file is gone, and a name without one is free for everybody: this cannot fail any more. What
	// is not forgotten here the next save forgets.
	if err := l.forget(context.WithoutCancel(ctx), k); err != nil {
		slog.Warn("a deleted file still counts to its owner, until the next one is saved", k.noun, name, "error", err)
	}
	return nil
}

// forget has nothing count that is not there.
func (l *Library) forget(ctx context.Context, k kind) error {
	if l.owners == nil {
		return nil
	}
	names, err := k.names()
	if err != nil {
		return err
	}
	return l.owners.KeepSaved(ctx, k.noun, names)
}
