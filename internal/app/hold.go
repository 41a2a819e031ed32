package app

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"econ-mcp/internal/fault"
)

// heldFolder has a lock for each workspace that a process has to itself.
const heldFolder = "workspaces"

// mostHeld is how many processes may have a workspace of their own in one data folder.
const mostHeld = 1000

// HoldWorkspace takes a workspace for this process alone, until release or its end: the one of a name
// or, where another process has that, NAME-2, NAME-3 and so on, the first that is free. Two clients that
// start the same program on one folder would otherwise edit each other's parameters.
func (a *App) HoldWorkspace(name string) (held string, release func() error, err error) {
	folder := filepath.Join(a.Dir, heldFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", nil, err
	}
	for n := 1; n <= mostHeld; n++ {
		held := name
		if n > 1 {
			held = fmt.Sprintf("%s-%d", name, n)
		}
		lock := flock.New(filepath.Join(folder, held+".lock"), flock.SetPermissions(0o600))
		locked, err := lock.TryLock()
		if err != nil {
			return "", nil, err
		}
		if locked {
			return held, lock.Close, nil
		}
	}
	return "", nil, fault.New(fault.LimitExceeded, "--workspace", "%d processes have workspaces of their own here", mostHeld).
		WithHint("end some, or name one with --workspace")
}
