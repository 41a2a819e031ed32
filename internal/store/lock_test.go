package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

// helperFolder names the folder in which this test binary, run again as another
// process, works on an experiment until it is killed.
const helperFolder = "ECON_MCP_STORE_HELPER"

const helperCheckpoint = 20 // months from one checkpoint to the next

// help creates the experiment "killed" and writes months and checkpoints for
// ever. It prints what is durable: "state M" and "checkpoint M".
func help(dir string) {
	check := func(err error) {
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
	}
	s, err := store.Open(dir)
	check(err)
	j, err := s.Create(context.Background(), experiment("killed"), seeds, false)
	check(err)
	for month := 1; ; month++ {
		for arm := range 2 {
			for r := range 2 {
				check(j.Months(arm, r, months(10*arm+r, month, month)))
			}
		}
		if month%7 == 0 {
			check(j.State("running", month, ""))
			fmt.Println("state", month)
		}
		if month%helperCheckpoint == 0 {
			check(j.Checkpoint(month, snapshot(month)))
			fmt.Println("checkpoint", month)
		}
	}
}

// snapshot writes states that tell run and month.
func snapshot(month int) func(arm, replication int, w io.Writer) error {
	return func(arm, replication int, w io.Writer) error {
		_, err := fmt.Fprintf(w, "%d/%d at %d\n%s", arm, replication, month, strings.Repeat("state ", 1000))
		return err
	}
}

// TestOwnerIsKilled: of two processes that share a folder, one is killed in the
// middle of its work.
func TestOwnerIsKilled(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	own := mustCreate(t, s, "own")

	helper := exec.Command(os.Args[0])
	helper.Env = append(os.Environ(), helperFolder+"="+dir)
	out, err := helper.StdoutPipe()
	must(t, err)
	must(t, helper.Start())
	defer helper.Process.Kill()
	lines := bufio.NewScanner(out)
	durable := map[string]int{} // the last month of each kind that it said is durable
	listen := func(until int) {
		for durable["state"] < until && lines.Scan() {
			what, month, _ := strings.Cut(lines.Text(), " ")
			m, err := strconv.Atoi(month)
			if err != nil {
				t.Fatal(lines.Text())
			}
			durable[what] = m
		}
	}
	listen(3 * helperCheckpoint)

	// While it lives, it is the other's, and may be read.
	if x := mustExperiment(t, s, "killed"); x.State != "running" || x.Month < durable["state"] {
		t.Errorf("while it runs it is %s in month %d; %d are durable", x.State, x.Month, durable["state"])
	}
	_, err = s.Take(context.Background(), "killed")
	wantKind(t, err, fault.InvalidState, "another process")
	if marked, err := s.Recover(context.Background()); err != nil || len(marked) != 0 {
		t.Errorf("marked %v, %v", marked, err)
	}

	listen(durable["state"] + 3*helperCheckpoint)
	must(t, helper.Process.Kill())
	listen(math.MaxInt) // to what it said before it died
	helper.Wait()

	x := mustExperiment(t, s, "killed")
	if x.State != "interrupted" || x.Message == "" {
		t.Errorf("after its death it is %s, %q", x.State, x.Message)
	}
	if x.Month < durable["state"] || x.Month < durable["checkpoint"] || durable["checkpoint"] == 0 {
		t.Errorf("%d months are there; it said that these are durable: %v", x.Month, durable)
	}
	for i, arm := range x.Arms {
		for r := range 2 {
			got := mustRecords(t, s, "killed", arm.Name, r+1, 0, 0, 0)
			if len(got) < x.Month || !sameBits(got, months(10*i+r, 1, len(got))) {
				t.Errorf("%s/%d has %d months, or with other bits", arm.Name, r+1, len(got))
			}
		}
	}
	month, open, err := s.Checkpoint(context.Background(), "killed")
	must(t, err)
	if month < durable["checkpoint"] {
		t.Fatalf("the checkpoint of month %d is there; that of %d was durable", month, durable["checkpoint"])
	}
	if got := mustRead(t, open, "treatment", 1); !strings.HasPrefix(got, fmt.Sprintf("1/1 at %d\n", month)) {
		t.Errorf("the checkpoint holds %.20q", got)
	}
	sets, err := filepath.Glob(filepath.Join(dir, "checkpoints", "*", "*"))
	if err != nil || len(sets) != 1 {
		t.Errorf("sets %v: what the process left unfinished is still there", sets)
	}

	if own.State("running", 0, "") != nil || mustExperiment(t, s, "own").State != "running" {
		t.Error("this process's experiment was marked")
	}
	j, err := s.Take(context.Background(), "killed")
	must(t, err)
	must(t, j.Months(0, 1, months(1, month+1, x.Month+50)))
	must(t, j.State("running", x.Month, ""))
	if x := mustExperiment(t, s, "killed"); x.State != "running" {
		t.Errorf("taken over it is %s", x.State)
	}
}

func TestRecover(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	for name, state := range map[string]string{"a": "queued", "b": "burn_in", "c": "running", "d": "paused", "e": "completed", "f": "stopped",
		"g": "failed", "h": "running"} {
		j := mustCreate(t, s, name)
		must(t, j.State(state, 0, "why"))
		if name != "h" {
			must(t, j.Close())
		}
	}
	// List marks, too: the filter sees what is true.
	list, _, _, err := s.List(context.Background(), store.Filter{State: "running"})
	if err != nil || names(list) != "h" {
		t.Errorf("running: %s, %v", names(list), err)
	}
	list, _, _, err = s.List(context.Background(), store.Filter{State: "interrupted"})
	if err != nil || len(list) != 4 {
		t.Errorf("interrupted: %s, %v", names(list), err)
	}
	if x := mustExperiment(t, s, "f"); x.State != "stopped" || x.Message != "why" {
		t.Errorf("what had ended is %s, %q", x.State, x.Message)
	}

	// Two stores are two processes as far as locks go.
	other := mustOpen(t, dir)
	if marked, err := other.Recover(context.Background()); err != nil || len(marked) != 0 {
		t.Errorf("marked %v, %v", marked, err)
	}
	_, err = other.Take(context.Background(), "h")
	wantKind(t, err, fault.InvalidState)
	j, err := other.Take(context.Background(), "c")
	must(t, err)
	_, err = s.Take(context.Background(), "c")
	wantKind(t, err, fault.InvalidState, "another process")
	must(t, j.State("running", 0, ""))
	must(t, j.Close())
	if marked, err := s.Recover(context.Background()); err != nil || len(marked) != 1 || marked[0] != "c" {
		t.Errorf("marked %v, %v", marked, err)
	}
}
