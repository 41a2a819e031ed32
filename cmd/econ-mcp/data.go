package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/app"
	"econ-mcp/internal/store"
)

// owner is the principal of all commands: the user who runs the process.
const owner = ""

// storeFlags adds the flags of commands that read or change what is stored.
func storeFlags(cmd *cobra.Command, jsonUsage string) {
	cmd.Flags().Bool("json", false, jsonUsage)
	dataFlag(cmd.Flags())
}

// dataFlag adds the flag for the data folder.
func dataFlag(f *pflag.FlagSet) {
	f.String("data", "", "`folder` of experiments, presets and configs (default: econ-mcp in the user's data folder)")
}

// openApp opens the data folder of a call.
func openApp(cmd *cobra.Command, o app.Options) (*app.App, error) {
	dir, err := dataFolder(cmd)
	if err != nil {
		return nil, err
	}
	o.Version = version()
	return app.Open(dir, o)
}

// withApp opens the data folder for one piece of work.
func withApp(cmd *cobra.Command, o app.Options, work func(a *app.App) error) error {
	a, err := openApp(cmd, o)
	if err != nil {
		return err
	}
	return cmp.Or(work(a), a.Close())
}

// withReader is withApp for work that only reads: where there is no data folder yet, an empty one is
// read in its place, and none is made.
func withReader(cmd *cobra.Command, o app.Options, work func(a *app.App) error) error {
	dir, err := dataFolder(cmd)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return withApp(cmd, o, work)
	}
	empty, err := os.MkdirTemp("", "econ-mcp-")
	if err != nil {
		return &store.OpenError{Path: dir, Reason: err.Error(), Hint: "choose a folder with --data"}
	}
	defer os.RemoveAll(empty)
	o.Version = version()
	a, err := app.Open(empty, o)
	if err != nil {
		return err
	}
	return cmp.Or(work(a), a.Close())
}

// dataFolder is the folder of --data, else where the platform keeps the data of programs of a
// user.
func dataFolder(cmd *cobra.Command) (string, error) {
	if given, _ := cmd.Flags().GetString("data"); given != "" {
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
