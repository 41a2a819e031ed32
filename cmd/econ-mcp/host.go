package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/host/model"
	"econ-mcp/internal/store"
	"econ-mcp/internal/term"
	"econ-mcp/sim"
)

// builtIn is the server that needs no configuration: this program. It has a workspace of
// its own, so that what an agent loads there replaces nothing of the user's.
const builtIn = "econ"

func newHost() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "host",
		Short: "Use this and other MCP servers: list, select and call their tools",
		Long: `The other side of the protocol: what lets a script, or econ-mcp chat, use MCP servers.
They are those of --config, a file as Claude Desktop and Cursor have it, and this program
itself under the name econ. See docs/HOST.md.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newHostServers(), newHostTools(), newHostRefresh(), newHostPrompt(), newHostSelect(), newHostCall(), newHostStats(),
		newHostEval())
	return cmd
}

// hostOptions are the flags that all commands of the host have.
type hostOptions struct {
	config, log string
	timeout     time.Duration // instead of that of each server; 0 = theirs
}

func (o *hostOptions) define(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.config, "config", "",
		"`file` of servers (default: mcp.json in econ-mcp in the user's folder of configurations, if there is one)")
	f.StringVar(&o.log, "log", "off", "what the host logs to stderr: debug, info, warn, error or off")
	storeFlags(cmd, "print JSON")
}

// hostSession is the host with all that its commands need.
type hostSession struct {
	path      string // of the configuration; "" = there is none
	config    host.Config
	folder    string // of data
	hub       *host.Hub
	cache     *host.Cache
	router    *chat.Router
	log       *slog.Logger
	ownServer bool // the built-in server is not another one of the same name
}

// open reads the configuration and opens the store. Nothing is connected yet. The native tools,
// nil = none, keep their notes in the data folder.
func (o *hostOptions) open(cmd *cobra.Command, native *chat.NativeSettings) (*hostSession, error) {
	d := &hostSession{}
	// A host mostly waits for servers, of which the machine may run ten: it trades time for memory.
	debug.SetGCPercent(25)
	var err error
	if d.log, err = o.logger(cmd.ErrOrStderr()); err != nil {
		return nil, err
	}
	if err := o.read(d); err != nil {
		return nil, err
	}
	if d.folder, err = dataFolder(cmd); err != nil {
		return nil, err
	}
	if err := d.addOwn(cmd); err != nil {
		return nil, err
	}
	for i := range d.config.Servers {
		d.config.Servers[i].Timeout = cmp.Or(o.timeout, d.config.Servers[i].Timeout)
	}
	if err := os.MkdirAll(d.folder, 0o700); err != nil {
		return nil, store.Unusable(d.folder, err)
	}
	if d.cache, err = host.OpenCache(filepath.Join(d.folder, "host.db")); err != nil {
		return nil, store.Unusable(d.folder, err)
	}
	d.hub = host.NewHub(d.config.Servers, host.Settings{Version: sim.ModelVersion, Log: d.log})
	var tools []chat.Native
	if native != nil {
		native.Notes = filepath.Join(d.folder, "notes")
		tools = chat.NativeTools(*native)
	}
	d.router = chat.NewRouter(d.hub, d.cache, tools, d.log)
	return d, nil
}

// read reads the configuration: the file that is named, or the usual one if it is there.
func (o *hostOptions) read(d *hostSession) error {
	d.path = o.config
	if d.path == "" {
		folder, err := os.UserConfigDir()
		if err != nil {
			return nil // there is no usual place
		}
		d.path = filepath.Join(folder, "econ-mcp", "mcp.json")
		if _, err := os.Stat(d.path); errors.Is(err, fs.ErrNotExist) {
			d.path = ""
			return nil
		}
	}
	var err error
	d.config, err = host.ReadConfig(d.path)
	return err
}

// addOwn adds this program, unless the configuration has a server of that name.
func (d *hostSession) addOwn(cmd *cobra.Command) error {
	if slices.ContainsFunc(d.config.Servers, func(s host.Server) bool { return s.ID == builtIn }) {
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the built-in server cannot be started: %w", err)
	}
	args := []string{"serve", "--workspace", "host"}
	if data, _ := cmd.Flags().GetString("data"); data != "" {
		folder, err := filepath.Abs(data)
		if err != nil {
			return err
		}
		args = append(args, "--data", folder)
	}
	d.ownServer = true
	d.config.Servers = append(d.config.Servers, host.Server{
		ID: builtIn, Transport: host.Stdio, Command: program, Args: args, Active: true, Timeout: 5 * time.Minute, Retries: host.DefaultRetries,
	})
	return nil
}

func (d *hostSession) close() error {
	d.hub.Close()
	return d.cache.Close()
}

// with opens the host, calls f with it, and closes it.
func (o *hostOptions) with(cmd *cobra.Command, native *chat.NativeSettings, f func(ctx context.Context, d *hostSession) error) error {
	d, err := o.open(cmd, native)
	if err != nil {
		return hostFault(err)
	}
	for _, w := range d.config.Warnings {
		warn(cmd.ErrOrStderr(), w.Error())
	}
	return hostFault(cmp.Or(f(cmd.Context(), d), d.close()))
}

// logLevels are what --log may be.
var logLevels = []string{"debug", "info", "warn", "error", "off"}

func (o *hostOptions) logger(w io.Writer) (*slog.Logger, error) {
	if o.log == "off" {
		return slog.New(slog.DiscardHandler), nil
	}
	var level slog.Level
	if !slices.Contains(logLevels, o.log) || level.UnmarshalText([]byte(o.log)) != nil {
		return nil, fault.Range("--log", fmt.Sprintf("%q", o.log), logLevels...)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})), nil
}

// discover finds the tools of all servers, and warns of those that could not be asked.
func (d *hostSession) discover(ctx context.Context, refresh bool, warnings io.Writer) (host.Found, error) {
	found, err := d.router.Discover(ctx, "", refresh)
	tellFound(warnings, found)
	return found, err
}

// warn prints a warning.
func warn(w io.Writer, text string) { fmt.Fprintln(w, "econ-mcp: warning:", term.Printable(text)) }

// warnDropped warns of tools that are not described to a model for lack of room.
func warnDropped(w io.Writer, names []string) {
	if len(names) > 0 {
		warn(w, "no room for the schemas of "+strings.Join(names, ", "))
	}
}

// tellFound warns of servers that could not be asked, and notes what has changed.
func tellFound(warnings io.Writer, found host.Found) {
	for _, f := range found.Failures {
		warn(warnings, f.Error())
	}
	for _, c := range found.Changes {
		fmt.Fprintln(warnings, "econ-mcp: note:", term.Printable(changeText(c, time.Now())))
	}
}

// changeText says what changed since a tool was last listed, such as "econ: tool write_data
// changed since yesterday: +overwrite".
func changeText(c host.Change, now time.Time) string {
	text := fmt.Sprintf("%s: tool %s %s since %s", c.Server, c.Tool, c.Kind, ago(c.Since, now))
	if len(c.Details) > 0 {
		text += ": " + strings.Join(c.Details, ", ")
	}
	return text
}

// ago writes a past time as people say it.
func ago(t, now time.Time) string {
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC) }
	switch days := int(day(now.Local()).Sub(day(t.Local())).Hours() / 24); {
	case days <= 0:
		return "today " + t.Local().Format("15:04")
	case days == 1:
		return "yesterday"
	case days < 14:
		return fmt.Sprintf("%d days ago", days)
	}
	return t.Local().Format("2006-01-02")
}

// hostFault gives errors of the host a code and a next move, as all commands have them.
func hostFault(err error) error {
	if _, known := errors.AsType[*fault.Error](err); err == nil || known {
		return err
	}
	if e, ok := errors.AsType[*host.ConfigError](err); ok {
		kind := fault.WrongType
		if e.Line == 0 {
			kind = fault.NotFound
		}
		return fault.New(kind, "--config", "%s", e.Error())
	}
	_, stopped := errors.AsType[*chat.Stopped](err)
	if e, ok := errors.AsType[*host.Error](err); ok && !stopped {
		kinds := map[host.Layer]fault.Kind{
			host.LayerUnknown: fault.NotFound, host.LayerValidation: fault.WrongType, host.LayerRefused: fault.InvalidState,
			host.LayerConfiguration: fault.WrongType,
		}
		told := fault.New(cmp.Or(kinds[e.Layer], fault.Internal), cmp.Or(e.Tool, e.Server), "%s", err.Error())
		told.Allowed = e.Nearest
		switch e.Layer {
		case host.LayerUnknown:
			if len(e.Nearest) == 0 {
				told.Hint = "econ-mcp host tools lists them"
			}
		case host.LayerValidation:
			told.Hint = "econ-mcp host tools " + (host.Tool{Server: e.Server, Name: e.Tool}).FullName() + " shows its schema"
		case host.LayerConnection, host.LayerTimeout:
			told.Hint = "econ-mcp host servers says how all servers are"
		}
		return &hostError{told, e}
	}
	return err
}

// hostError is an error of a server, or of a call to it, as commands tell it.
type hostError struct {
	told  *fault.Error
	cause *host.Error
}

// Error leaves out the code of errors that are not the caller's.
func (e *hostError) Error() string {
	if e.told.Kind == fault.Internal {
		return strings.TrimPrefix(e.told.Error(), string(fault.Internal)+": ")
	}
	return e.told.Error()
}

// Unwrap gives the error that has a code.
func (e *hostError) Unwrap() error { return e.told }

// modelOptions are the flags that say which model is asked.
type modelOptions struct {
	provider, model, baseURL string
	textCalls                bool
	silence                  time.Duration
}

// noModel stands for no provider.
const noModel = "none"

func (o *modelOptions) define(f *pflag.FlagSet, silence time.Duration) {
	f.StringVar(&o.provider, "provider", noModel,
		"none, openai (and what speaks like it: Ollama, vLLM) or anthropic; keys are those of OPENAI_API_KEY and ANTHROPIC_API_KEY")
	f.StringVar(&o.model, "model", "", "the model, as its provider calls it")
	f.StringVar(&o.baseURL, "base-url", "", "`URL` of the provider, such as http://localhost:11434/v1 (default: the provider's own)")
	f.DurationVar(&o.silence, "answer-timeout", silence, "how long the model may say nothing before it is given up, 0 = for ever")
}

// client is the connection to the model; nil where there is none.
func (o *modelOptions) client(log *slog.Logger) (*model.Client, error) {
	if o.silence < 0 {
		return nil, fault.Range("--answer-timeout", o.silence.String(), "0s or more")
	}
	if o.provider == noModel {
		for _, f := range []struct {
			flag  string
			given bool
		}{{"--model", o.model != ""}, {"--base-url", o.baseURL != ""}, {"--text-calls", o.textCalls}} {
			if f.given {
				return nil, fault.New(fault.Conflict, f.flag, "%s means nothing without a provider", f.flag).
					WithHint("add --provider openai or --provider anthropic")
			}
		}
		return nil, nil
	}
	if !slices.Contains(providers(), o.provider) {
		return nil, fault.Range("--provider", fmt.Sprintf("%q", o.provider), providers()...)
	}
	key := os.Getenv(model.KeyVariable(o.provider))
	return model.New(model.Settings{
		Provider: o.provider, Model: o.model, BaseURL: o.baseURL, Key: key, TextCalls: o.textCalls, Silence: o.silence, Log: log,
	})
}

// hostTools are the tools that servers listed when they were last asked, for completion: nothing
// is connected.
func hostTools(cmd *cobra.Command) []host.Tool {
	if folderWith(cmd, "host.db") == "" {
		return nil
	}
	o := hostOptions{log: "off"}
	o.config, _ = cmd.Flags().GetString("config")
	d, err := o.open(cmd, nil)
	if err != nil {
		return nil
	}
	defer d.close()
	found, _ := d.router.Discover(cmd.Context(), host.Native, false) // of the servers comes what is kept, as far as it can be read
	return found.Tools
}
