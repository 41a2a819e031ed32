package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

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

// closeTime is how long running simulations have to end their month and be saved.
const closeTime = 4 * time.Second

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
		return nil, err
	}
	if _, err := w.store.Recover(); err != nil {
		w.store.Close()
		return nil, err
	}
	cache := run.Cache{Dir: filepath.Join(dir, "burn-in")}
	w.spaces = param.NewSpaces(w.library, w.store)
	w.runs = run.NewManager(run.Settings{Workers: o.workers, Threads: o.threads, Cache: cache, Busy: o.busy})
	w.lab = &lab.Laboratory{Runs: w.runs, Store: w.store, Scenarios: w.library, Cache: cache, Limits: o.limits, Version: version()}
	w.domain = mcpserver.Domain{Spaces: w.spaces, Library: w.library, Lab: w.lab}
	w.tools = mcpserver.Catalogue(w.domain)
	return w, nil
}

// close saves what is running and closes the store.
func (w *workshop) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	err := w.runs.Close(ctx)
	if e := w.store.Close(); err == nil {
		err = e
	}
	return err
}

// dataFlag adds the flag for the data folder.
func dataFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "data", "", "data `folder` (default: econ-mcp in the user's data folder)")
}
