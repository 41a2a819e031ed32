package param

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"econ-mcp/internal/access"
	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
)

// SaveConfigs writes configs under the names of the scenarios, all of them or none, and
// returns their paths. replace is asked of every preset or config that has such a name
// already: with its error nothing is written, else the config takes the place of one that
// is there. So does a file that cannot be loaded prevent it, and one of another principal that is
// another scenario; one that is the same is left as it is.
func (l *Library) SaveConfigs(
	ctx context.Context, by access.Caller, list []scenario.Scenario, replace func(old scenario.Scenario) error,
) (paths []string, err error) {
	k := l.configFiles()
	release, err := l.hold(k)
	if err != nil {
		return nil, err
	}
	defer release()
	owners, err := l.ownersOf(ctx, k)
	if err != nil {
		return nil, err
	}
	there, err := k.names()
	if err != nil {
		return nil, err
	}
	claims := make([]*claim, len(list)) // nil = it is there as it should be, and another's
	for i, s := range list {
		if err := k.admit(s.Name); err != nil {
			return nil, err
		}
		old, err := l.Scenario(s.Name)
		if err == nil {
			if err := replace(old); err != nil {
				return nil, err
			}
			// What was found may be a preset.
			if old.Hash() == s.Hash() && slices.Contains(there, s.Name) && owners[s.Name].Principal != by.Principal {
				continue
			}
		} else if fault.KindOf(err) != fault.NotFound {
			return nil, err
		}
		c, err := l.claim(ctx, k, s.Name, Saving{By: by, Overwrite: true})
		if err != nil {
			return nil, err
		}
		claims[i] = &c
	}
	var undo []func() error
	for i, s := range list {
		path := filepath.Join(k.folder, s.Name+extension)
		paths = append(paths, path)
		if claims[i] == nil {
			continue
		}
		before, err := readBounded(path)
		if err == nil || os.IsNotExist(err) {
			undo = append(undo, func() error { return l.putBack(ctx, *claims[i], before) })
			_, err = l.put(ctx, *claims[i], s, nil)
		} else {
			err = k.failed(s.Name, err)
		}
		if err != nil {
			for _, f := range undo {
				err = errors.Join(err, f())
			}
			return nil, err
		}
	}
	return paths, nil
}

// putBack has a file hold what it held before it was written under a claim, nil = it was not there,
// and count as it did.
func (l *Library) putBack(ctx context.Context, c claim, before []byte) error {
	now, err := readBounded(c.path())
	switch {
	case before == nil && os.IsNotExist(err), before != nil && err == nil && bytes.Equal(now, before):
		err = nil
	case before == nil:
		err = os.Remove(c.path())
	default:
		err = atomicfile.WriteFile(c.path(), before, fileMode, true)
	}
	if err != nil {
		return c.kind.failed(c.name, err) // it counts as it is
	}
	return l.unnote(ctx, c, int64(len(before)))
}
