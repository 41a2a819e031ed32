package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/param"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/tools"
)

// workshop is the laboratory of a data folder with everything that its tools need.
type workshop struct {
	dir     string
	store   *store.Store
	library *param.Library
	spaces  *param.Spaces
	runs    *run.Manager
	lab     *lab.Laboratory
	domain  mcpserver.Domain
	tools   []tools.Tool
}

// workshopOptions are what an operator may set.
type workshopOptions struct {
	workers, threads int // 0 = from the number of cores
	limits           lab.Limits
	busy             func(bool) // see [run.Settings]
}

// closeTime is how long running simulations have to end their month and be saved, of the
// five seconds in which a program that is told to end does so.
const closeTime = 3 * time.Second

// openWorkshop opens the data folder, "" meaning the user's own.
func openWorkshop(dir string, o workshopOptions) (*workshop, error) {
	dir, err := dataFolder(dir)
	if err != nil {
		return nil, err
	}
	w := &workshop{dir: dir}
	if w.store, err = store.Open(dir); err != nil {
		return nil, err
	}
	if w.library, err = param.OpenLibrary(dir); err != nil {
		w.store.Close()
		return nil, unusableFolder(dir, err)
	}
	if _, err := w.store.Recover(); err != nil {
		w.store.Close()
		return nil, unusableFolder(dir, err)
	}
	cache := run.Cache{Dir: filepath.Join(dir, "burn-in")}
	w.spaces = param.NewSpaces(w.library, w.store)
	w.runs = run.NewManager(run.Settings{Workers: o.workers, Threads: o.threads, Cache: cache, Busy: o.busy})
	w.lab = &lab.Laboratory{Runs: w.runs, Store: w.store, Scenarios: w.library, Cache: cache, Limits: o.limits, Version: version()}
	w.domain = mcpserver.Domain{Spaces: w.spaces, Library: w.library, Lab: w.lab}
	w.tools = mcpserver.Catalogue(w.domain)
	return w, nil
}

// unusableFolder says that the data folder cannot be used, which has an exit code of its own.
func unusableFolder(dir string, err error) error {
	e := &store.OpenError{Path: dir, Reason: err.Error(), Hint: "see to its permissions and free space, or choose another folder with --data"}
	if known, ok := errors.AsType[*fault.Error](err); ok {
		e.Reason = known.Message
	}
	return e
}

// halt has what runs end its month, and saves it. A month that takes longer than ctx
// allows is given up: those before it are kept.
func (w *workshop) halt(ctx context.Context) error {
	err := w.runs.Close(ctx)
	if err == nil || ctx.Err() == nil {
		return err
	}
	for _, s := range w.runs.Live() {
		if s.Month == 0 {
			slog.Warn("an experiment is given up in its burn-in, which is simulated again when it is resumed", "experiment", s.Name)
			continue
		}
		slog.Warn("a month that takes long is given up; those before it are kept", "experiment", s.Name, "month", s.Month+1)
	}
	return nil
}

// close ends what runs, saves it, and closes the store.
func (w *workshop) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	return errors.Join(w.halt(ctx), w.store.Close())
}

// dataFlag adds the flag for the data folder.
func dataFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "data", "", "`folder` of experiments, presets and configs (default: econ-mcp in the user's data folder)")
}
