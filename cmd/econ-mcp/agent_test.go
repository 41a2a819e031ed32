package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// agent is a client of a server that runs as a process of its own, over its pipes.
type agent struct {
	tb      testing.TB
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
	stderr  bytes.Buffer
	last    int  // id of a request
	ended   bool // the process was waited for
}

// patience is how long a test waits for a server before it kills it.
const patience = 2 * time.Minute

// mustServe starts `econ-mcp serve` on a data folder and says hello. The server is
// killed at the end of the test if it still runs.
func mustServe(tb testing.TB, dir string) *agent {
	tb.Helper()
	return mustStart(tb, "econ-mcp", "serve", "--data", dir)
}

// mustStart is mustServe for a command that becomes the server.
func mustStart(tb testing.TB, name string, args ...string) *agent {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	a := &agent{tb: tb, command: exec.CommandContext(ctx, name, args...)}
	tb.Cleanup(func() {
		cancel()
		if !a.ended {
			a.command.Wait()
		}
	})
	a.command.Stderr = &a.stderr
	stdin, err := a.command.StdinPipe()
	must(tb, err)
	stdout, err := a.command.StdoutPipe()
	must(tb, err)
	a.stdin, a.stdout = stdin, bufio.NewReader(stdout)
	must(tb, a.command.Start())
	a.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	_, err = io.WriteString(a.stdin, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	must(tb, err)
	return a
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// request sends one and returns its result.
func (a *agent) request(method, params string) json.RawMessage {
	a.tb.Helper()
	a.last++
	_, err := fmt.Fprintf(a.stdin, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", a.last, method, params)
	must(a.tb, err)
	for {
		line, err := a.stdout.ReadBytes('\n')
		if err != nil {
			a.tb.Fatalf("%s: the server said %v; stderr: %s", method, err, a.stderr.String())
		}
		var message struct {
			ID     int
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(line, &message); err != nil {
			a.tb.Fatalf("no JSON on stdout: %s", line)
		}
		switch {
		case message.ID != a.last: // a notification
		case message.Error != nil:
			a.tb.Fatalf("%s %s: %s", method, params, message.Error)
		default:
			return message.Result
		}
	}
}

// callResult is the result of tools/call.
type callResult struct {
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

func (a *agent) tool(name, arguments string) (r callResult) {
	a.tb.Helper()
	must(a.tb, json.Unmarshal(a.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments)), &r))
	return r
}

// mustCall calls a tool and stores its result in out, which may be nil.
func (a *agent) mustCall(name, arguments string, out any) {
	a.tb.Helper()
	r := a.tool(name, arguments)
	if r.IsError {
		a.tb.Fatalf("%s %s: %s", name, arguments, r.Content[0].Text)
	}
	if out != nil {
		must(a.tb, json.Unmarshal(r.StructuredContent, out))
	}
}

// mustRefuse calls a tool that must answer with an error of a code, whose message and
// hint hold words.
func (a *agent) mustRefuse(name, arguments, code string, words ...string) {
	a.tb.Helper()
	r := a.tool(name, arguments)
	if !r.IsError {
		a.tb.Fatalf("%s %s was not refused: %s", name, arguments, r.StructuredContent)
	}
	var envelope struct {
		Error struct{ Code, Message, Hint string }
	}
	must(a.tb, json.Unmarshal([]byte(r.Content[0].Text), &envelope))
	if e := envelope.Error; e.Code != code || e.Hint == "" {
		a.tb.Errorf("%s %s: %s, want %s with a hint", name, arguments, r.Content[0].Text, code)
	}
	for _, word := range words {
		if !strings.Contains(r.Content[0].Text, word) {
			a.tb.Errorf("%s %s: %s does not mention %q", name, arguments, r.Content[0].Text, word)
		}
	}
}

// simulationStatus is the part of get_simulation_status that tests look at.
type simulationStatus struct {
	State   string `json:"run_status"`
	Running bool
	Month   int
	Total   int `json:"total_months"`
	Count   int `json:"replications"`
	Done    int `json:"replications_done"`
}

// status asks for it and waits up to some seconds for the end of the experiment.
func (a *agent) status(experiment string, waitSeconds float64) (s simulationStatus) {
	a.tb.Helper()
	a.mustCall("get_simulation_status", fmt.Sprintf(`{"experiment_name":%q,"wait_seconds":%g}`, experiment, waitSeconds), &s)
	return s
}

// until asks for the status until it is as wanted. An experiment that ends before fails
// the test.
func (a *agent) until(experiment string, wanted func(simulationStatus) bool) simulationStatus {
	a.tb.Helper()
	for end := time.Now().Add(patience); ; {
		s := a.status(experiment, 0.05)
		switch {
		case wanted(s):
			return s
		case !s.Running && s.State != "paused" || time.Now().After(end):
			a.tb.Fatalf("%s is %s in month %d of %d", experiment, s.State, s.Month, s.Total)
		}
	}
}

// keptMonth follows an experiment for a while and returns the last month that was
// reported as done more than a second ago.
func (a *agent) keptMonth(experiment string) int {
	a.tb.Helper()
	type report struct {
		at    time.Time
		month int
	}
	var reports []report
	a.until(experiment, func(s simulationStatus) bool {
		if s.Month > 0 {
			reports = append(reports, report{time.Now(), s.Month})
		}
		return len(reports) > 0 && time.Since(reports[0].at) > 1300*time.Millisecond
	})
	kept := 0
	for _, r := range reports {
		if time.Since(r.at) > time.Second {
			kept = r.month
		}
	}
	return kept
}

// path is a series as JSON, as the server writes it.
type path struct {
	Months []int
	Data   json.RawMessage
}

// path reads a series up to a month, of at most a hundred numbers.
func (a *agent) path(experiment, metric string, to int) (p path) {
	a.tb.Helper()
	a.mustCall("get_experiment_timeseries", fmt.Sprintf(`{"experiment_name":%q,"metric":%q,"to_month":%d,"every":%d}`,
		experiment, metric, to, 1+to/100), &p)
	return p
}

// kill ends the process as a power cut would.
func (a *agent) kill() {
	a.tb.Helper()
	must(a.tb, a.command.Process.Kill())
	a.wait()
}

// wait returns the exit code of the process, -1 where a signal ended it.
func (a *agent) wait() int {
	a.tb.Helper()
	a.ended = true
	io.Copy(io.Discard, a.stdout)
	a.command.Wait()
	return a.command.ProcessState.ExitCode()
}

// mustEnd has a signal end the process: within five seconds, with a code, and with
// nothing to complain of.
func (a *agent) mustEnd(signal os.Signal, code int) {
	a.tb.Helper()
	started := time.Now()
	must(a.tb, a.command.Process.Signal(signal))
	if got := a.wait(); got != code {
		a.tb.Errorf("exit code %d after %v, want %d", got, signal, code)
	}
	if took := time.Since(started); took > 5*time.Second {
		a.tb.Errorf("it ended %v after %v", took, signal)
	}
	if a.stderr.Len() > 0 {
		a.tb.Errorf("stderr: %s", a.stderr.String())
	}
}

// mustRerun simulates a stored experiment again in another process.
func mustRerun(tb testing.TB, dir, experiment string) {
	tb.Helper()
	out, err := exec.Command("econ-mcp", "rerun", "--data", dir, experiment).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("same bits in all of")) {
		tb.Errorf("rerun of %s: %v\n%s", experiment, err, out)
	}
}
