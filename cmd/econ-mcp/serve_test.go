package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/store"
)

func TestLimitsOfTransports(t *testing.T) {
	type limits struct {
		lab.Limits
		stored store.Limits
	}
	for args, want := range map[string]limits{
		"":                {},
		"--max-running 3": {Limits: lab.Limits{Running: 3}},
		"--transport http": {
			lab.Limits{HouseholdMonths: 2e9, Running: 16},
			store.Limits{Bytes: 50 << 30, Workspaces: 200, Presets: 500, Configs: 500, Analyses: 10_000},
		},
		"--transport http --max-running 0 --max-stored-bytes 7 --max-analyses 0": {
			lab.Limits{HouseholdMonths: 2e9}, store.Limits{Bytes: 7, Workspaces: 200, Presets: 500, Configs: 500},
		},
	} {
		var o serveOptions
		flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
		o.define(flags)
		if err := flags.Parse(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		o.limit(flags)
		if got := (limits{o.limits, o.stored}); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
}
