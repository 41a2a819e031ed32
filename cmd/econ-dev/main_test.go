package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/internal/mcpserver/bench"
	"econ-mcp/sim"
)

// TestMain is the bare server, when this program is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "bare-server" {
		if err := execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func mustExecute(tb testing.TB, args ...string) string {
	tb.Helper()
	var out, log bytes.Buffer
	if err := execute(tb.Context(), args, &out, &log); err != nil {
		tb.Fatalf("econ-dev %s: %v\n%s", strings.Join(args, " "), err, log.String())
	}
	return out.String()
}

// The figures are those of the machine; that there are all of them is tested.
func TestServer(t *testing.T) {
	program := filepath.Join(t.TempDir(), "econ-mcp")
	if out, err := exec.Command("go", "build", "-o", program, "econ-mcp/cmd/econ-mcp").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	text := mustExecute(t, "server", "--program", program, "--only", "stdio,http",
		"--seconds", "0.02", "--rounds", "1", "--callers", "1,3", "--households", "500")
	for _, want := range []string{
		"stdio, get_parameter, 3 callers ", "http, get_economic_indicators, 3 callers, busy ",
		"beside a bare mcp-go server", "p99 at 3 callers while 2 simulations run",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not print %q:\n%s", want, text)
		}
	}
	var r bench.Report
	data := mustExecute(t, "server", "--program", program, "--only", "memory", "--format", "json")
	if err := json.Unmarshal([]byte(data), &r); err != nil || r.Memory.Sessions != 100 || len(r.Targets) == 0 || r.Targets[0].Unit != "MB" {
		t.Errorf("%v: %s", err, data)
	}
}

func TestServerRefusesWrongFlags(t *testing.T) {
	for args, want := range map[string]string{
		"--only stdin": "stdio", "--callers 0": "1 to 200", "--seconds 0": "0.01 to 600", "--program no-such": "go build",
	} {
		err := execute(t.Context(), append([]string{"server"}, strings.Fields(args)...), new(bytes.Buffer), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// Estimates are held against real servers. .ci/long memory does the same with all sizes.
func TestMemory(t *testing.T) {
	program := filepath.Join(t.TempDir(), "econ-mcp")
	if out, err := exec.Command("go", "build", "-o", program, "econ-mcp/cmd/econ-mcp").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	text := mustExecute(t, "memory", "--program", program, "--households", "1000,50000", "--threads", "2,16",
		"--replications", "1,4", "--months", "12")
	if lines := strings.Count(text, "\n"); lines != 1+2*2*2*2 {
		t.Errorf("%d lines:\n%s", lines, text)
	}
	err := execute(t.Context(), []string{"memory", "--program", program, "--households", "1000", "--threads", "1", "--replications", "1",
		"--within", "0.000001"}, new(bytes.Buffer), new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "of 2 are off") {
		t.Errorf("estimates to the byte: %v", err)
	}
}

// before are the defaults without what was not yet in the baseline when the peaks were measured (model 0.5.0).
func before() sim.Params {
	p := sim.Defaults()
	p.EnableHouseholdTypes, p.EnableOpenEntry, p.OverdraftMonths, p.OwnershipRisk = false, false, 0, 0
	p.SkillLoss, p.SkillTail, p.SearchFatigue, p.BenefitSearchElasticity = 0, 0, 0, 0
	p.FirmProductivityDispersion, p.FirmDemandDispersion, p.WageRentSharing, p.WageSizePremium = 0, 0, 0, 0
	p.QuitMemoryMonths, p.SafetyStock, p.SupplierStockRequirement, p.OvertimeLimit = 0, 0, 0, 0
	return p
}

// The peaks of all sizes, as econ-dev memory --format json measured them last.
func TestEstimatesOfMeasuredPeaks(t *testing.T) {
	data, err := os.ReadFile("testdata/memory.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []memoryRow
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	largest := 0
	for _, r := range rows {
		bytes, err := estimated(r.Experiment, before())
		if err != nil {
			t.Fatal(err)
		}
		if off := float64(r.Rest+bytes)/float64(r.Peak) - 1; math.Abs(off) > .25 {
			t.Errorf("%+v: %d bytes at the peak, estimated are %d: off by %.0f %%", r.Experiment, r.Peak, r.Rest+bytes, 100*off)
		}
		largest = max(largest, r.Households)
	}
	if len(rows) < 50 || largest < 5_000_000 {
		t.Errorf("%d experiments of up to %d households were measured", len(rows), largest)
	}
}
