package main

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/store"
)

// owner is the principal of all commands: who owns the process.
const owner = ""

// dataFlag adds the flag for the data folder.
func dataFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "data", "", "`folder` of experiments, presets and configs (default: econ-mcp in the user's data folder)")
}

// openApp opens the data folder, "" meaning the user's own.
func openApp(data string, o app.Options) (*app.App, error) {
	dir, err := dataFolder(data)
	if err != nil {
		return nil, err
	}
	o.Version = version()
	return app.Open(dir, o)
}

// withApp opens the data folder for one piece of work.
func withApp(data string, o app.Options, work func(a *app.App) error) error {
	a, err := openApp(data, o)
	if err != nil {
		return err
	}
	return cmp.Or(work(a), a.Close())
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
