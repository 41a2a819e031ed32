package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/tools/admin"
	labtools "econ-mcp/tools/lab"
)

const serveHelp = `Serves the tools to agents over the Model Context Protocol: on stdin and stdout, as
desktop clients start it, or over HTTP at /mcp.

Over HTTP the server answers this machine only, unless --addr says otherwise; it then
wants --auth-token-file, a file of lines

  PRINCIPAL ROLE TOKEN      with the role read-only, full or admin, as
  alice full 3f9c0e5b7a1d4c62

or the same as a YAML list of {principal, role, token}; keep it readable by yourself
only. The role full changes what is its own or was shared, admin everything. Each session
edits parameters of its own; /mcp/w/NAME edits those of a named workspace, which survive a
restart. There are also /metrics, /healthz and /readyz, and at / the pages of econ-mcp open, for
browsers: with tokens they ask for one.

With --cluster it is also the broker of sweeps on machines that come and go (econ-mcp worker), at
--cluster-addr; beyond this machine it wants a token and a certificate.

At the end of its input, or at a signal (Ctrl-C, SIGTERM, SIGHUP, SIGQUIT), the server
answers what it was asked, saves the state of what runs, and ends within five seconds.`

// serveOptions are the flags of econ-mcp serve.
type serveOptions struct {
	transport string
	lang      string
	workspace string
	tokenFile string
	toolsets  []string
	http      mcpserver.HTTPConfig
	runs      run.Settings
	limits    lab.Limits
	stored    store.Limits
	cluster   clusterFlags
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
	dataFlag(cmd.Flags())
	return cmd
}

// define makes the flags.
func (o *serveOptions) define(f *pflag.FlagSet) {
	f.StringVar(&o.transport, "transport", "stdio", "stdio or http")
	f.StringVar(&o.lang, "lang", "en", "language of titles: en or zh")
	f.StringSliceVar(&o.toolsets, "toolsets", nil, "tools beyond the 39: "+admin.Toolset+" deletes experiments, presets and configs, "+labtools.Toolset+" runs sweeps")
	f.StringVar(&o.workspace, "workspace", mcpserver.DefaultWorkspace,
		"workspace of a client on stdin, and of clients over HTTP without a session or a token (default: the first of default, default-2, "+
			"… that no other server has)")
	f.Lookup("workspace").DefValue = "" // the help says it
	f.StringVar(&o.http.Addr, "addr", "127.0.0.1:8000", "address to listen on")
	f.StringVar(&o.tokenFile, "auth-token-file", "", "`file` of those who may call")
	f.BoolVar(&o.http.Insecure, "insecure", false, "listen beyond this machine without tokens")
	f.BoolVar(&o.http.LegacySSE, "legacy-sse", false, "serve the older HTTP+SSE transport too: GET /sse, POST /messages")
	f.StringSliceVar(&o.http.AllowedHosts, "allowed-host", nil, "another name of this server that clients may use (repeatable)")
	f.StringSliceVar(&o.http.AllowedOrigins, "allowed-origin", nil,
		"origin of a web page that may call, such as https://example.org (repeatable)")
	f.IntVar(&o.runs.Workers, "workers", 0, "experiments that advance at the same time, 0 = as many as threads")
	f.IntVar(&o.runs.Threads, "threads", 0, "threads that simulate, 0 = all cores; changes no result")
	f.Int64Var(&o.limits.HouseholdMonths, "max-household-months", 0,
		"households x months x replications x arms that one experiment may have, 0 = no limit (default over HTTP 2000000000)")
	f.IntVar(&o.limits.Running, "max-running", 0,
		"experiments of one principal at a time, queued ones included, 0 = no limit (default over HTTP 16)")
	f.Int64Var(&o.stored.Bytes, "max-stored-bytes", 0,
		"bytes that one principal may store, with what its experiments may still come to, 0 = no limit (default over HTTP 50 GiB)")
	f.IntVar(&o.stored.Workspaces, "max-workspaces", 0, "named workspaces of one principal, 0 = no limit (default over HTTP 200)")
	f.IntVar(&o.stored.Presets, "max-presets", 0, "presets that one principal saved, 0 = no limit (default over HTTP 500)")
	f.IntVar(&o.stored.Configs, "max-configs", 0, "configs that one principal saved, 0 = no limit (default over HTTP 500)")
	f.IntVar(&o.stored.Analyses, "max-analyses", 0, "analyses that one principal stored, 0 = no limit (default over HTTP 10000)")
	f.IntVar(&o.http.MaxSessions, "max-sessions", 1000, "sessions at once, in equal shares for all principals")
	f.IntVar(&o.http.MaxConnections, "max-connections", 2000,
		"connections at once; of those on which no token was shown, the oldest makes room for a new one")
	f.IntVar(&o.http.MaxConnectionsPerAddress, "max-connections-per-address", 0,
		"connections of one address at once, 0 = 500, and of this machine, where a proxy may be, all")
	o.cluster.add(f)
	f.DurationVar(&o.http.SessionIdle, "session-idle", time.Hour, "end a session of which nothing is heard for this long")
}

// httpOnly are the flags that mean nothing on stdin.
var httpOnly = []string{"addr", "auth-token-file", "insecure", "legacy-sse", "allowed-host", "allowed-origin", "max-sessions",
	"max-connections", "max-connections-per-address", "session-idle"}

// httpLimits are what one principal may ask for over HTTP where the operator says
// nothing: much for a laboratory, and not enough to fill a machine.
var httpLimits = map[string]string{
	"max-household-months": "2000000000", "max-running": "16", "max-stored-bytes": "53687091200",
	"max-workspaces": "200", "max-presets": "500", "max-configs": "500", "max-analyses": "10000",
}

// limit sets the limits that the operator leaves to the transport.
func (o *serveOptions) limit(flags *pflag.FlagSet) {
	for flag, limit := range httpLimits {
		if o.transport == "http" && !flags.Changed(flag) {
			_ = flags.Set(flag, limit) // a flag that is there, and a number
		}
	}
}

// check refuses flags that are wrong, or do not go together, and reads the tokens, before
// anything is opened.
func (o *serveOptions) check(flags *pflag.FlagSet) (err error) {
	if err := mcpserver.CheckWorkspace(o.workspace); err != nil {
		return err
	}
	if err := checkChoice("--lang", o.lang, report.Languages...); err != nil {
		return err
	}
	for _, set := range o.toolsets {
		if err := checkChoice("--toolsets", set, admin.Toolset, labtools.Toolset); err != nil {
			return err
		}
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
				return fault.New(fault.WrongType, "--"+name, "--%s is for HTTP", name).WithHint("add --transport http")
			}
		}
	default:
		return fault.Range("--transport", o.transport, "stdio", "http")
	}
	if o.http.MaxSessions < 1 {
		return fault.Range("--max-sessions", fmt.Sprint(o.http.MaxSessions), "at least 1")
	}
	if o.http.MaxConnections < 1 {
		return fault.Range("--max-connections", fmt.Sprint(o.http.MaxConnections), "at least 1")
	}
	if o.http.MaxConnectionsPerAddress < 0 {
		return fault.Range("--max-connections-per-address", fmt.Sprint(o.http.MaxConnectionsPerAddress), "at least 0")
	}
	if o.http.SessionIdle < time.Second {
		return fault.Range("--session-idle", o.http.SessionIdle.String(), "at least 1s")
	}
	return o.cluster.check(flags)
}

// readTokens reads the file of --auth-token-file. An empty name, as from a variable that is not
// set, must not mean that everyone may call.
func readTokens(path string) ([]mcpserver.Token, error) {
	if path == "" {
		return nil, fault.New(fault.WrongType, "--auth-token-file", "--auth-token-file names no file").WithHint("name one, or leave the flag out")
	}
	return mcpserver.ReadTokens(path, slog.Default())
}

func (o *serveOptions) run(cmd *cobra.Command) error {
	log := slog.Default()
	if err := o.check(cmd.Flags()); err != nil {
		return err
	}
	// Simulations keep all of Go's processors busy, and the network is polled by an idle one:
	// one more than simulate keeps answers fast.
	cores := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(cores + 1)
	o.runs.Threads = cmp.Or(o.runs.Threads, cores)
	o.limit(cmd.Flags())
	a, err := openApp(cmd, app.Options{Runs: o.runs, Limits: o.limits, Stored: o.stored})
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("workspace") { // who names one may mean to share it
		held, release, err := a.HoldWorkspace(o.workspace)
		if err != nil {
			return errors.Join(err, a.Close())
		}
		defer release()
		if held != o.workspace {
			log.Warn("another process has the workspace, and this one has its own; --workspace shares one", "taken", o.workspace, "workspace", held)
		}
		o.workspace = held
	}
	config := mcpserver.Config{Lang: o.lang, Workspace: o.workspace, Logger: log}
	const roomOfName = 30 // instructions have so much left; who chose a longer one knows it
	if o.transport == "stdio" && o.workspace != mcpserver.DefaultWorkspace && len(o.workspace) <= roomOfName {
		config.Instructions = "\nYour workspace is " + o.workspace + "."
	}
	for _, set := range slices.Compact(slices.Sorted(slices.Values(o.toolsets))) {
		config.Tools = append(config.Tools, a.Toolset(set)...)
	}
	if o.transport == "http" {
		site := a.Site(log)
		site.Known, site.Everyone = mcpserver.Welcome, len(o.http.Tokens) == 0
		if tokens := o.http.Tokens; len(tokens) > 0 {
			site.Login = func(secret string) (access.Caller, bool) { return mcpserver.Find(tokens, secret) }
		}
		config.Site = site.Handler()
	}
	server, err := a.Server(config)
	if err != nil {
		return errors.Join(err, a.Close())
	}
	closeBroker, err := o.cluster.start(a.Dir, log)
	if err != nil {
		return errors.Join(err, a.Close())
	}
	defer closeBroker()
	if o.transport == "stdio" {
		// When the client is gone, writing must fail and not end the process: what runs is
		// saved first.
		signal.Ignore(syscall.SIGPIPE)
		return server.ServeStdio(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
	}
	return server.Listen(cmd.Context(), o.http, func(addr string) {
		log.Info("listening", "url", "http://"+addr+"/mcp", "pages", "http://"+addr+"/", "data", a.Dir)
	})
}
