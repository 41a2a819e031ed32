package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestExitCodes(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	small := "run --households 600 --burn-in 0 --months 12 --no-cache"
	for _, c := range []struct {
		name string
		ctx  context.Context
		args string
		want int
	}{
		{"ok", t.Context(), "presets", exitOK},
		{"run", t.Context(), small, exitOK},
		{"unknown command", t.Context(), "runn", exitUsage},
		{"unknown flag", t.Context(), "run --foo", exitUsage},
		{"wrong type of flag", t.Context(), "run --replications many", exitUsage},
		{"missing value", t.Context(), "run --set", exitUsage},
		{"help on nothing", t.Context(), "help nope", exitUsage},
		{"help", t.Context(), "help run", exitOK},
		{"argument", t.Context(), "bench now", exitUsage},
		{"unknown parameter", t.Context(), "run --set foo=1", exitUsage},
		{"out of range", t.Context(), "bench --set vat_rate=7", exitUsage},
		{"unknown preset", t.Context(), "validate --preset foo", exitUsage},
		{"cross check", t.Context(), "run --households 100", exitUsage},
		{"interrupted", cancelled, small, exitInterrupted},
		{"interrupted benchmark", cancelled, "bench --households 600", exitInterrupted},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if got := execute(c.ctx, strings.Fields(c.args), &stdout, &stderr); got != c.want {
				t.Fatalf("exit code %d, want %d; stderr: %s", got, c.want, stderr.String())
			}
			if c.want == exitOK {
				return
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout: %s", stdout.String())
			}
			if n := strings.Count(stderr.String(), "\n"); n != 1 {
				t.Errorf("%d lines on stderr: %s", n, stderr.String())
			}
		})
	}
}
