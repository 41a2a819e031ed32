package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/run"
)

// newOpen makes econ-mcp open.
func newOpen() *cobra.Command {
	var addr string
	var threads int
	var stay bool
	cmd := &cobra.Command{
		Use:   "open",
		Short: "Open the pages in a browser",
		Long: `Serves the pages to this machine alone and opens them in the browser: ask in plain words, watch
experiments run and steer them, read effects, compare, sweep, and look into the model. Nobody else
gets in: the address carries a code that is good once. The command ends with Ctrl-C; what runs is
saved then, and can go on later.

To share the pages with others, or beside agents: econ-mcp serve --transport http.`,
		Example: "  econ-mcp open\n  econ-mcp open --addr 127.0.0.1:8765 --no-browser",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config := mcpserver.HTTPConfig{Addr: addr, Tokens: []mcpserver.Token{mcpserver.NewToken(access.Operator(), rand.Text())}}
			if err := config.Check(); err != nil {
				return err
			}
			if !mcpserver.IsLoopback(addr) {
				return fault.New(fault.OutOfRange, "--addr", "%s can be reached from other machines", addr).
					WithHint("share the pages by econ-mcp serve --transport http --auth-token-file")
			}
			cores := runtime.GOMAXPROCS(0)
			runtime.GOMAXPROCS(cores + 1) // as in serve: one that polls the network
			a, err := openApp(cmd, app.Options{Runs: run.Settings{Threads: cmp.Or(threads, cores)}})
			if err != nil {
				return err
			}
			site := a.Site(slog.Default())
			site.Known = mcpserver.Welcome
			server, err := a.Server(mcpserver.Config{Logger: slog.Default(), Site: site.Handler()})
			if err != nil {
				return errors.Join(err, a.Close())
			}
			return server.Listen(cmd.Context(), config, func(addr string) {
				address := "http://" + addr + "/login#code=" + site.Code()
				fmt.Fprintln(cmd.OutOrStdout(), address)
				if stay {
					return
				}
				if err := browse(address); err != nil {
					fmt.Fprintf(cmd.ErrOrStderr(), "no browser could be opened (%v): open the address yourself\n", err)
				}
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&addr, "addr", "127.0.0.1:0", "address of this machine to listen on; port 0 = any that is free")
	f.IntVar(&threads, "threads", 0, "threads that simulate, 0 = all cores; changes no result")
	f.BoolVar(&stay, "no-browser", false, "print the address only")
	dataFlag(f)
	return cmd
}

// browse opens an address in the browser of the desktop.
func browse(address string) error {
	cmd := exec.Command("xdg-open", address)
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", address)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // whether it could open anything, the person sees
	return nil
}
