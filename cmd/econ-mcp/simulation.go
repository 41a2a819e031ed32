package main

import (
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/term"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// simulation is what the commands that simulate have in common.
type simulation struct {
	choice
	flags        settingFlags
	pairs        []string // of --set
	replications int
	cacheFlags
}

// add declares the flags.
func (o *simulation) add(f *pflag.FlagSet, replications int, months string) {
	o.addWithoutMonths(f, replications)
	o.flags.add(f, "months", "num_iterations", months)
}

// addWithoutMonths declares the flags of a command that says itself how long it simulates.
func (o *simulation) addWithoutMonths(f *pflag.FlagSet, replications int) {
	f.StringVar(&o.preset, "preset", "baseline", "scenario to simulate (see econ-mcp presets)")
	f.StringVar(&o.config, "config", "", "scenario `file` (YAML) instead of a preset")
	f.StringArrayVar(&o.pairs, "set", nil, "change a parameter: `name=value` (repeatable)")
	f.IntVar(&o.replications, "replications", replications, "number of seeds; each arm runs once on each")
	o.flags.add(f, "households", "num_households", "size of the economy")
	o.flags.add(f, "burn-in", "burn_in_months", "months of burn-in")
	o.flags.add(f, "seed", "random_state", "base seed")
	o.flags.add(f, "threads", "max_concurrent_tasks", "threads, 0 = all cores; changes no result")
	o.cacheFlags.add(f)
}

// load checks the flags and reads what they choose; defaults hold where they say nothing else.
func (o *simulation) load(f *pflag.FlagSet, defaults ...setting) ([]lab.Arm, error) {
	if o.config != "" && f.Changed("preset") {
		return nil, fault.New(fault.Conflict, "--config", "--preset and --config both name a scenario; use one of them")
	}
	if err := checkReplications("--replications", o.replications); err != nil {
		return nil, err
	}
	return o.chosen(defaults...)
}

// chosen are the arms that the flags choose.
func (o *simulation) chosen(defaults ...setting) ([]lab.Arm, error) {
	given, err := o.flags.given(o.pairs)
	if err != nil {
		return nil, err
	}
	o.settings = append(defaults, given...)
	return o.arms()
}

func checkReplications(flag string, n int) error {
	if n < 1 || n > 10_000 {
		return fault.Range(flag, fmt.Sprint(n), "1 to 10000")
	}
	return nil
}

// cacheFlags choose a cache of burnt-in states.
type cacheFlags struct {
	none bool
	dir  string
}

func (c *cacheFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&c.none, "no-cache", false, "neither read nor write burnt-in states on disk")
	f.StringVar(&c.dir, "cache", "", "`folder` of burnt-in states (default econ-mcp/burn-in in the user's cache folder)")
}

// cache is the one that the flags ask for.
func (c cacheFlags) cache() run.Cache {
	if c.none {
		return run.Cache{}
	}
	if c.dir != "" {
		return run.Cache{Dir: c.dir}
	}
	base, err := os.UserCacheDir()
	if err != nil {
		slog.Warn("burnt-in states are not cached", "error", err)
		return run.Cache{}
	}
	return run.Cache{Dir: filepath.Join(base, "econ-mcp", "burn-in")}
}

// commandLine is the call that gives the same result, without the flags that change nothing in it.
func commandLine(cmd *cobra.Command) string {
	words := []string{"go run ./cmd/" + cmd.CommandPath()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		list, _ := f.Value.(pflag.SliceValue)
		switch kind := f.Value.Type(); {
		case slices.Contains([]string{"json", "format", "out", "scenario", "cache", "no-cache", "known", "threads", "figures", "lang"}, f.Name):
		case slices.Contains([]string{"on", "tasks", "memory", "program", "image", "volume", "token-file", "tls-ca", "wait"}, f.Name):
		case kind == "stringArray":
			for _, item := range list.GetSlice() {
				words = append(words, "--"+f.Name, item)
			}
		case kind == "stringSlice":
			words = append(words, "--"+f.Name, strings.Join(list.GetSlice(), ","))
		case kind == "bool":
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	return term.Printable(strings.Join(words, " "))
}
