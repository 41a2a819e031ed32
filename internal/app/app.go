// Package app puts the product together: it opens a data folder with everything that the
// domains need, lists the 39 tools that work on it, and offers those with resources and
// prompts as a server of the protocol.
package app

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/param"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/internal/sweep/hosted"
	"econ-mcp/internal/web"
	"econ-mcp/presets"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// App is an open data folder.
type App struct {
	Dir     string
	Store   *store.Store
	Library *param.Library
	Spaces  *param.Spaces
	Runs    *run.Manager
	Lab     *lab.Laboratory
	Sweeps  *hosted.Sweeps

	ends context.Context // is done when what runs is halted
	end  context.CancelFunc

	Left []atomicfile.Left // what killed processes had left half written, and Open has removed
}

// Options are what an operator may set. The zero value takes all cores and sets no limit.
type Options struct {
	Runs    run.Settings // its Cache is the folder's
	Limits  lab.Limits
	Stored  store.Limits
	Version string           // of the program, for what is stored
	Now     func() time.Time // nil = time.Now
}

// closeTime is how long running simulations have to end their month and be saved, of the
// five seconds in which a program that is told to end does so.
const closeTime = 3 * time.Second

// Open opens a data folder, and makes it where it does not exist. A folder that cannot be
// used is a [*store.OpenError].
func Open(dir string, o Options) (*App, error) {
	a := &App{Dir: dir}
	a.ends, a.end = context.WithCancel(context.Background())
	var err error
	if a.Store, err = store.Open(dir); err != nil {
		return nil, err
	}
	a.Store.Limits = o.Stored
	if a.Library, err = param.OpenLibrary(dir, a.Store); err == nil {
		_, err = a.Store.Recover(context.Background())
	}
	if err != nil {
		a.Store.Close()
		return nil, store.Unusable(dir, err)
	}
	a.Left = sweep(dir)
	o.Runs.Cache = run.Cache{Dir: filepath.Join(dir, burnIns)}
	a.Spaces = param.NewSpaces(a.Library, a.Store)
	a.Runs = run.NewManager(o.Runs)
	a.Lab = &lab.Laboratory{
		Runs: a.Runs, Store: a.Store, Scenarios: a.Library, Cache: o.Runs.Cache, Limits: o.Limits, Version: o.Version, Now: o.Now,
	}
	a.Sweeps = &hosted.Sweeps{
		Dir: filepath.Join(dir, "sweeps"), Scenarios: builtIn{}, Cache: o.Runs.Cache, Threads: o.Runs.Threads, Now: o.Now,
		Limits: hosted.Limits{Economies: mostOfSweep, HouseholdMonths: o.Limits.HouseholdMonths, Running: o.Limits.Running, Bytes: o.Stored.Bytes},
	}
	return a, nil
}

// builtIn finds the scenarios that a sweep names: those of users can change, and a sweep must stay what it is, also for the command.
type builtIn struct{}

func (builtIn) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

const burnIns = "burn-in"

// mostOfSweep bounds the economies of a sweep in the server, whose scenarios it holds in memory: half a gigabyte.
const mostOfSweep = 100_000

// folders are those of a data folder in which files are put into place.
var folders = []string{"", param.PresetFolder, param.ConfigFolder, burnIns}

// sweep removes what killed processes left half written.
func sweep(dir string) (all []atomicfile.Left) {
	for _, folder := range folders {
		left, err := atomicfile.Sweep(filepath.Join(dir, folder))
		if err != nil { // it is in nobody's way
			slog.Warn("what a killed process left cannot be removed", "error", err)
		}
		all = append(all, left...)
	}
	return all
}

// Server makes a server of the tools, resources and prompts. What config says of them, of
// the version and of the end is filled in; tools that config has come after the 39, instructions after those
// of the program. Clients hear of changes of experiments.
func (a *App) Server(config mcpserver.Config) (*mcpserver.Server, error) {
	r := resources{a}
	config.Tools, config.Version = append(a.Tools(), config.Tools...), sim.ModelVersion
	config.Instructions = instructions + config.Instructions
	config.Resources, config.Templates, config.Prompts = r, r.templates(), r.prompts()
	config.Views = views()
	config.SessionPrefix, config.SessionEnded = param.SessionPrefix, a.Spaces.Close
	config.Running, config.Halt, config.Close = a.running, a.Halt, a.Store.Close
	config.Stored, config.StoredLimit = a.stored, a.Store.Limits.Bytes
	server, err := mcpserver.New(config)
	if err != nil {
		return nil, err
	}
	a.Runs.Subscribe(announcer(server))
	return server, nil
}

// Site is the window on the folder. Who may look at it is the caller's to say.
func (a *App) Site(log *slog.Logger) *web.Site {
	return &web.Site{Lab: a.Lab, Library: a.Library, Sweeps: a.Sweeps, Version: sim.ModelVersion, Ends: a.ends, Now: a.Lab.Now, Log: log}
}

// Resource reads a resource, as the operator.
func (a *App) Resource(ctx context.Context, uri string) (mcpserver.Content, error) {
	return resources{a}.Read(ctx, &tools.Call{Caller: access.Operator()}, uri)
}

// stored is the bytes of all accounts, by principal.
func (a *App) stored() map[string]int64 {
	list, err := a.Store.Accounts(context.Background())
	if err != nil {
		slog.Warn("what principals have stored could not be read", "error", err)
	}
	bytes := map[string]int64{}
	for _, account := range list {
		bytes[account.Principal] = account.Bytes()
	}
	return bytes
}

// announcer tells clients what changes with an experiment: its resources while it runs,
// the list of resources when there is a new one.
func announcer(server *mcpserver.Server) func(name string, s run.Status) {
	known := map[string]bool{}
	return func(name string, _ run.Status) {
		if !known[name] {
			known[name] = true
			server.ResourcesChanged()
		}
		for _, link := range tools.ExperimentLinks(name) {
			server.ResourceUpdated(link.URI)
		}
	}
}

// running is how many experiments and sweeps run or wait.
func (a *App) running() int { return a.Runs.Running() + a.Sweeps.Running() }

// Halt has what runs end its month, and saves it. A month that takes longer than ctx
// allows is given up: those before it are kept.
func (a *App) Halt(ctx context.Context) error {
	a.end()
	sweeps := make(chan error, 1)
	go func() { sweeps <- a.Sweeps.Close(ctx) }()
	err := a.Runs.Close(ctx)
	if err := <-sweeps; err != nil {
		slog.Warn("a sweep could not end in time: economies that had not ended are simulated again when it goes on")
	}
	if err == nil || ctx.Err() == nil {
		return err
	}
	for _, s := range a.Runs.Live() {
		if s.Month == 0 {
			slog.Warn("an experiment is given up in its burn-in, which is simulated again when it is resumed", "experiment", s.Name)
			continue
		}
		slog.Warn("a month that takes long is given up; those before it are kept", "experiment", s.Name, "month", s.Month+1)
	}
	return nil
}

// Close ends what runs, saves it, and closes the store.
func (a *App) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	return errors.Join(a.Halt(ctx), a.Store.Close())
}
