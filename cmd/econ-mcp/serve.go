package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

const serveHelp = `Serves the tools to agents over the Model Context Protocol: on stdin and stdout, as
desktop clients start it, or over HTTP at /mcp.

Over HTTP the server answers this machine only, unless --addr says otherwise; it then
wants --auth-token-file, a file of lines

  PRINCIPAL ROLE TOKEN      with the role full or read-only, as
  alice full 3f9c0e5b7a1d4c62

or the same as a YAML list of {principal, role, token}; keep it readable by yourself
only. Each session edits parameters of its own; /mcp/w/NAME edits those of a named
workspace, which survive a restart. There are also /metrics, /healthz and /readyz.

At the end of its input, or at a signal, the server answers what it was asked, saves
the state of what runs, and ends within five seconds.`

// serveOptions are the flags of econ-mcp serve.
type serveOptions struct {
	transport string
	data      string
	lang      string
	workspace string
	tokenFile string
	profile   string // file for a profile of the processor
	http      mcpserver.HTTPConfig
	workshop  workshopOptions
}

func newServe() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the tools to agents (Model Context Protocol)",
		Long:  serveHelp,
		Example: `  econ-mcp serve
  econ-mcp serve --transport http --addr 127.0.0.1:8000
  econ-mcp serve --transport http --addr 0.0.0.0:8000 --auth-token-file tokens --allowed-host lab.example.org`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.define(cmd.Flags())
	dataFlag(cmd, &o.data)
	return cmd
}

// define makes the flags.
func (o *serveOptions) define(f *pflag.FlagSet) {
	f.StringVar(&o.transport, "transport", "stdio", "stdio or http")
	f.StringVar(&o.lang, "lang", "en", "language of titles: en or zh")
	f.StringVar(&o.workspace, "workspace", mcpserver.DefaultWorkspace, "workspace of a client on stdin, and of clients over HTTP without a session or a token")
	f.StringVar(&o.http.Addr, "addr", "127.0.0.1:8000", "address to listen on")
	f.StringVar(&o.tokenFile, "auth-token-file", "", "`file` of those who may call")
	f.BoolVar(&o.http.Insecure, "insecure", false, "listen beyond this machine without tokens")
	f.BoolVar(&o.http.LegacySSE, "legacy-sse", false, "serve the older HTTP+SSE transport too: GET /sse, POST /messages")
	f.StringSliceVar(&o.http.AllowedHosts, "allowed-host", nil, "another name of this server that clients may use (repeatable)")
	f.StringSliceVar(&o.http.AllowedOrigins, "allowed-origin", nil, "origin of a web page that may call, such as https://example.org (repeatable)")
	f.IntVar(&o.workshop.workers, "workers", 0, "experiments that advance at the same time, 0 = as many as threads")
	f.IntVar(&o.workshop.threads, "threads", 0, "threads that simulate, 0 = all cores; changes no result")
	f.Int64Var(&o.workshop.limits.HouseholdMonths, "max-household-months", 0, "households x months x replications x arms that one experiment may have, 0 = no limit (default over HTTP 2000000000)")
	f.IntVar(&o.workshop.limits.Running, "max-running", 0, "experiments of one principal at a time, queued ones included, 0 = no limit (default over HTTP 16)")
	f.Int64Var(&o.workshop.limits.StoredBytes, "max-stored-bytes", 0, "bytes that the experiments of one principal may take, 0 = no limit (default over HTTP 50 GiB)")
	f.IntVar(&o.http.MaxSessions, "max-sessions", 1000, "sessions at once, in equal shares for all principals")
	f.DurationVar(&o.http.SessionIdle, "session-idle", time.Hour, "end a session of which nothing is heard for this long")
	f.StringVar(&o.profile, "cpu-profile", "", "write a profile of the processor to this `file`")
	_ = f.MarkHidden("cpu-profile") // it is there
}

// httpOnly are the flags that mean nothing on stdin.
var httpOnly = []string{"addr", "auth-token-file", "insecure", "legacy-sse", "allowed-host", "allowed-origin", "max-sessions", "session-idle"}

// httpLimits are what one principal may ask for over HTTP where the operator says
// nothing: much for a laboratory, and not enough to fill a machine.
var httpLimits = lab.Limits{HouseholdMonths: 2e9, Running: 16, StoredBytes: 50 << 30}

// limits are what the operator says, else those of the transport.
func (o *serveOptions) limits(flags *pflag.FlagSet) lab.Limits {
	limits := o.workshop.limits
	if o.transport != "http" {
		return limits
	}
	if !flags.Changed("max-household-months") {
		limits.HouseholdMonths = httpLimits.HouseholdMonths
	}
	if !flags.Changed("max-running") {
		limits.Running = httpLimits.Running
	}
	if !flags.Changed("max-stored-bytes") {
		limits.StoredBytes = httpLimits.StoredBytes
	}
	return limits
}

// check refuses flags that are wrong, or do not go together, and reads the tokens, before
// anything is opened.
func (o *serveOptions) check(flags *pflag.FlagSet) (err error) {
	if err := mcpserver.CheckWorkspace(o.workspace); err != nil {
		return err
	}
	if o.lang != "en" && o.lang != "zh" {
		return fault.Range("--lang", o.lang, "en", "zh")
	}
	switch o.transport {
	case "http":
		if flags.Changed("auth-token-file") {
			if o.http.Tokens, err = readTokens(o.tokenFile); err != nil {
				return err
			}
		}
		if err := o.http.Check(); err != nil {
			return err
		}
	case "stdio":
		for _, name := range httpOnly {
			if flags.Changed(name) {
				e := fault.New(fault.WrongType, "--"+name, "--%s is for HTTP", name)
				e.Hint = "add --transport http"
				return e
			}
		}
	default:
		return fault.Range("--transport", o.transport, "stdio", "http")
	}
	if o.http.MaxSessions < 1 {
		return fault.Range("--max-sessions", fmt.Sprint(o.http.MaxSessions), "at least 1")
	}
	if o.http.SessionIdle < time.Second {
		return fault.Range("--session-idle", o.http.SessionIdle.String(), "at least 1s")
	}
	return nil
}

// readTokens reads the file that was named. A name that is empty, as of a variable that
// was not set, must not mean that everyone may call.
func readTokens(path string) ([]mcpserver.Token, error) {
	if path == "" {
		e := fault.New(fault.WrongType, "--auth-token-file", "--auth-token-file names no file")
		e.Hint = "name one, or leave the flag out"
		return nil, e
	}
	return mcpserver.ReadTokens(path, slog.Default())
}

func (o *serveOptions) run(cmd *cobra.Command) error {
	log := slog.Default()
	if err := o.check(cmd.Flags()); err != nil {
		return err
	}
	o.workshop.limits = o.limits(cmd.Flags())
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	processors := runtime.GOMAXPROCS(0)
	o.workshop.threads = cmp.Or(o.workshop.threads, processors)
	o.workshop.busy = func(busy bool) {
		// Go looks at the network only where a processor has nothing to do, and economies
		// always have: two more than simulate keep answers fast. When nothing is simulated,
		// they would only look for work and find none.
		if busy {
			runtime.GOMAXPROCS(processors + 2)
		} else {
			runtime.GOMAXPROCS(processors)
		}
	}
	// An answer leaves some kilobytes to collect, and the server itself holds little: it
	// would collect a hundred times a second. The collector counts these bytes, but they are
	// never touched and take no memory.
	ballast := make([]byte, 8<<20)
	defer runtime.KeepAlive(ballast)
	w, err := openWorkshop(o.data, o.workshop)
	if err != nil {
		return err
	}
	shelf := mcpserver.Shelf{Domain: w.domain}
	server, err := mcpserver.New(mcpserver.Config{
		Tools: w.tools, Resources: shelf, Templates: shelf.Templates(), Prompts: shelf.Prompts(), Instructions: mcpserver.Instructions,
		Version: sim.ModelVersion, Lang: o.lang, Workspace: o.workspace, Logger: log,
		SessionEnded: w.spaces.Close, Running: w.runs.Running,
		Halt: w.halt, Close: w.store.Close,
	})
	if err != nil {
		return errors.Join(err, w.close())
	}
	w.runs.Subscribe(announcer(server))
	defer time.AfterFunc(time.Second, giveBackProgram).Stop()
	if o.transport == "stdio" {
		// A client that is gone is an error of writing, not the end of the process:
		// what runs must be saved.
		signal.Ignore(syscall.SIGPIPE)
		return server.ServeStdio(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
	}
	return server.Listen(cmd.Context(), o.http, func(addr string) {
		log.Info("listening", "url", "http://"+addr+"/mcp", "data", w.dir)
	})
}

// announcer tells the server's clients what changes with an experiment: its resources
// while it runs, the list of resources when there is a new one.
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

// dataFolder is the folder that was given, else where the platform keeps the data of
// programs of a user.
func dataFolder(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	base := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(base) { // as the standard has it
		home, err := os.UserHomeDir()
		if err != nil {
			return "", &store.OpenError{Path: "the user's data folder", Reason: err.Error(), Hint: "choose a folder with --data"}
		}
		switch runtime.GOOS {
		case "windows":
			base = filepath.Join(home, "AppData", "Local")
		case "darwin":
			base = filepath.Join(home, "Library", "Application Support")
		default:
			base = filepath.Join(home, ".local", "share")
		}
	}
	return filepath.Join(base, "econ-mcp"), nil
}
