package param

import (
	"errors"
	"os"
	"path/filepath"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
)

// SaveConfigs writes configs under the names of the scenarios, all of them or none, and
// returns their paths. replace is asked of every preset or config that has such a name
// already: with its error nothing is written, else the config takes the place of one that
// is there. So does a file that cannot be loaded prevent it.
func (l *Library) SaveConfigs(list []scenario.Scenario, replace func(old scenario.Scenario) error) (paths []string, err error) {
	k := l.configFiles()
	release, err := l.hold(k)
	if err != nil {
		return nil, err
	}
	defer release()
	files := make([][]byte, len(list))
	for i, s := range list {
		if files[i], err = k.encode(s.Name, s, nil); err != nil {
			return nil, err
		}
		if err := k.admit(s.Name); err != nil {
			return nil, err
		}
		old, err := l.Scenario(s.Name)
		if fault.KindOf(err) == fault.NotFound {
			continue
		}
		if err == nil {
			err = replace(old)
		}
		if err != nil {
			return nil, err
		}
	}
	var undo []func() error
	for i, s := range list {
		path := filepath.Join(k.folder, s.Name+extension)
		before, err := readBounded(path)
		if err == nil || os.IsNotExist(err) {
			err = atomicfile.WriteFile(path, files[i], fileMode, !os.IsNotExist(err))
		}
		if err != nil {
			err = k.failed(s.Name, err)
			for _, f := range undo {
				err = errors.Join(err, f())
			}
			return nil, err
		}
		paths = append(paths, path)
		undo = append(undo, func() error {
			if before == nil {
				return os.Remove(path)
			}
			return atomicfile.WriteFile(path, before, fileMode, true)
		})
	}
	return paths, nil
}
