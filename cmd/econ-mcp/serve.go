package main

import (
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/mcpserver"
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
	http      mcpserver.HTTPConfig
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
	f := cmd.Flags()
	f.StringVar(&o.transport, "transport", "stdio", "stdio or http")
	f.StringVar(&o.data, "data", "", "folder of experiments, presets and configs (default econ-mcp in the user's data folder)")
	f.StringVar(&o.lang, "lang", "en", "language of titles: en or zh")
	f.StringVar(&o.workspace, "workspace", mcpserver.DefaultWorkspace, "workspace of a client on stdin, and of clients over HTTP without a session or a token")
	f.StringVar(&o.http.Addr, "addr", "127.0.0.1:8000", "address to listen on")
	f.StringVar(&o.tokenFile, "auth-token-file", "", "file of those who may call")
	f.BoolVar(&o.http.Insecure, "insecure", false, "listen beyond this machine without tokens")
	f.BoolVar(&o.http.LegacySSE, "legacy-sse", false, "serve the older HTTP+SSE transport too: GET /sse, POST /messages")
	f.StringSliceVar(&o.http.AllowedHosts, "allowed-host", nil, "another name of this server that clients may use (repeatable)")
	f.StringSliceVar(&o.http.AllowedOrigins, "allowed-origin", nil, "origin of a web page that may call, such as https://example.org (repeatable)")
	f.IntVar(&o.http.MaxSessions, "max-sessions", 1000, "sessions at once")
	f.DurationVar(&o.http.SessionIdle, "session-idle", time.Hour, "end a session of which nothing is heard for this long")
	return cmd
}

// httpOnly are the flags that mean nothing on stdin.
var httpOnly = []string{"addr", "auth-token-file", "insecure", "legacy-sse", "allowed-host", "allowed-origin", "max-sessions", "session-idle"}

func (o *serveOptions) check(flags *pflag.FlagSet) error {
	switch o.transport {
	case "http":
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

func (o *serveOptions) run(cmd *cobra.Command) error {
	log := slog.Default()
	if err := o.check(cmd.Flags()); err != nil {
		return err
	}
	if o.tokenFile != "" {
		var err error
		if o.http.Tokens, err = mcpserver.ReadTokens(o.tokenFile, log); err != nil {
			return err
		}
	}
	if o.data == "" {
		var err error
		if o.data, err = dataFolder(); err != nil {
			return err
		}
	}
	lab, err := catalogue(o.data)
	if err != nil {
		return err
	}
	config := lab.config
	config.Lang, config.Workspace, config.Logger = o.lang, o.workspace, log
	server, err := mcpserver.New(config)
	if err != nil {
		return err
	}
	if lab.announce != nil {
		lab.announce(server)
	}
	if o.transport == "stdio" {
		// A client that is gone is an error of writing, not the end of the process:
		// what runs must be saved.
		signal.Ignore(syscall.SIGPIPE)
		return server.ServeStdio(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
	}
	return server.Listen(cmd.Context(), o.http, func(addr string) {
		log.Info("listening", "url", "http://"+addr+"/mcp", "data", o.data)
	})
}

// dataFolder is where the platform keeps the data of programs of a user.
func dataFolder() (string, error) {
	base := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(base) { // as the standard has it
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("no folder for data: %w; give --data", err)
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
