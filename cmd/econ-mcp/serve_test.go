package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"econ-mcp/internal/lab"
)

func TestLimitsOfTransports(t *testing.T) {
	for args, want := range map[string]lab.Limits{
		"":                 {},
		"--max-running 3":  {Running: 3},
		"--transport http": {HouseholdMonths: 2e9, Running: 16, StoredBytes: 50 << 30},
		"--transport http --max-running 0 --max-stored-bytes 7": {HouseholdMonths: 2e9, StoredBytes: 7},
	} {
		var o serveOptions
		flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
		o.define(flags)
		if err := flags.Parse(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		if got := o.limited(flags); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
}
