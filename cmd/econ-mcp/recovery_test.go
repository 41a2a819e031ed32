package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A small economy that lives long, and one that no test sees the end of.
const (
	smallEconomy = `{"parameters":{"num_households":1500,"burn_in_months":12,"random_state":2}}`
	largeEconomy = `{"parameters":{"num_households":6000,"burn_in_months":6}}`
)

// What a killed server had reported is kept, and what it had begun is carried to the same
// end.
func TestKilledServer(t *testing.T) {
	dir := t.TempDir()
	first := mustServe(t, dir)
	first.mustCall("batch_set_parameters", smallEconomy, nil)
	first.mustCall("start_simulation", `{"experiment_name":"cut","months":3000,"pause_at_month":2999}`, nil) // too fast machines wait
	kept := first.keptMonth("cut")
	before := first.path("cut", "real_gdp", kept)
	first.kill()

	second := mustServe(t, dir)
	found := second.status("cut", 0)
	if found.State != "interrupted" || found.Running || found.Month < kept || found.Month >= found.Total {
		t.Fatalf("%+v after month %d was reported", found, kept)
	}
	if after := second.path("cut", "real_gdp", kept); len(after.Months) != len(before.Months) || !bytes.Equal(after.Data, before.Data) {
		t.Errorf("the months up to %d are others than were told", kept)
	}
	var value struct {
		Value float64
	}
	second.mustCall("get_parameter", `{"parameter_name":"num_households"}`, &value)
	if value.Value != 1500 {
		t.Errorf("the workspace has %g households", value.Value)
	}
	second.mustRefuse("pause_simulation", `{"experiment_name":"cut"}`, "invalid_state", "interrupted", "resume_simulation")

	second.mustCall("resume_simulation", `{"experiment_name":"cut"}`, nil)
	second.until("cut", func(s simulationStatus) bool { return s.State == "completed" && s.Month == 3000 })
	if again := second.path("cut", "real_gdp", kept); !bytes.Equal(again.Data, before.Data) {
		t.Errorf("after the resumption the months up to %d are others", kept)
	}
	second.stdin.Close()
	if code := second.wait(); code != 0 {
		t.Errorf("exit code %d at the end of the input", code)
	}
	mustRerun(t, dir, "cut")
}

// A server that is killed while replications are added loses none that is done, and adds as
// many as it would have.
func TestKilledWhileReplicationsAreAdded(t *testing.T) {
	dir := t.TempDir()
	first := mustServe(t, dir)
	first.mustCall("batch_set_parameters", `{"parameters":{"num_households":1000,"burn_in_months":6}}`, nil)
	first.mustCall(
		"start_simulation",
		`{"experiment_name":"auto","months":200,"replications":"auto","plan":{"outcomes":["real_gdp"],"half_width":0.001,"max_replications":20}}`,
		nil,
	)
	first.until("auto", func(s simulationStatus) bool { return s.Running && s.Done == 10 && s.Count == 20 && s.Month == 200 })
	before := first.path("auto", "real_gdp", 200)
	first.kill()

	second := mustServe(t, dir)
	if s := second.status("auto", 0); s.State != "interrupted" || s.Done != 10 || s.Count != 20 || s.Month != 200 {
		t.Fatalf("%+v", s)
	}
	if after := second.path("auto", "real_gdp", 200); !bytes.Equal(after.Data, before.Data) {
		t.Error("what is read of an interrupted experiment is not of the replications that are done")
	}
	second.mustCall("resume_simulation", `{"experiment_name":"auto"}`, nil)
	second.until("auto", func(s simulationStatus) bool { return s.State == "completed" && s.Done == 20 && s.Count == 20 })
	second.mustEnd(syscall.SIGTERM, 0)
	mustRerun(t, dir, "auto")
}

// A server that is told to end saves what runs, answers nobody for longer than five
// seconds, and ends with code 0; so does one whose client is in the middle of a wait.
func TestTerminatedServer(t *testing.T) {
	dir := t.TempDir()
	first := mustServe(t, dir)
	first.mustCall("batch_set_parameters", largeEconomy, nil)
	first.mustCall("start_simulation", `{"experiment_name":"ended","months":6000,"replications":2}`, nil)
	reported := first.until("ended", func(s simulationStatus) bool { return s.Month > 5 })
	first.last++
	fmt.Fprintf(
		first.stdin,
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_simulation_status","arguments":{"wait_seconds":60}}}`+"\n",
		first.last,
	)
	first.mustEnd(syscall.SIGTERM, 0)

	second := mustServe(t, dir)
	found := second.status("ended", 0)
	if found.State != "interrupted" || found.Month < reported.Month {
		t.Errorf("%+v after month %d was reported", found, reported.Month)
	}
	second.mustCall("resume_simulation", `{"experiment_name":"ended"}`, nil)
	second.until("ended", func(s simulationStatus) bool { return s.Month > found.Month })
	second.mustCall("stop_simulation", `{"experiment_name":"ended"}`, nil)
	second.mustEnd(syscall.SIGINT, 0)
	mustRerun(t, dir, "ended")
}

// Two servers share a data folder, as those of two desktop clients do.
func TestTwoServers(t *testing.T) {
	dir := t.TempDir()
	one, two := mustServe(t, dir), mustStart(t, "econ-mcp", "serve", "--data", dir, "--workspace", "second")
	one.mustCall("batch_set_parameters", largeEconomy, nil)
	two.mustCall("batch_set_parameters", largeEconomy, nil)
	one.mustCall("start_simulation", `{"experiment_name":"ones","months":6000}`, nil)
	two.mustCall("start_simulation", `{"experiment_name":"twos","months":6000}`, nil)
	two.mustRefuse("start_simulation", `{"experiment_name":"ones"}`, "conflict", "ones")

	// Each sees the other's, and how it goes on, while both write.
	for _, look := range []struct {
		by         *agent
		experiment string
	}{{one, "twos"}, {two, "ones"}} {
		before := look.by.until(look.experiment, func(s simulationStatus) bool { return s.State == "running" && s.Month > 0 })
		after := look.by.until(look.experiment, func(s simulationStatus) bool { return s.Month > before.Month })
		if months := look.by.path(look.experiment, "cpi", after.Month).Months; len(months) == 0 || months[0] != 1 {
			t.Errorf("%s: months %v of %d", look.experiment, months, after.Month)
		}
		var list struct{ Total int }
		look.by.mustCall("list_history_experiments", `{"status":"running"}`, &list)
		if list.Total != 2 {
			t.Errorf("%d experiments are listed", list.Total)
		}
	}

	// Nobody steers what another process simulates.
	for name, arguments := range map[string]string{
		"pause_simulation":    `{"experiment_name":"ones"}`,
		"resume_simulation":   `{"experiment_name":"ones"}`,
		"stop_simulation":     `{"experiment_name":"ones"}`,
		"inject_intervention": `{"experiment_name":"ones","intervention_type":"shock","target_month":5999,"parameters":{"shock":"demand","size":0.1}}`,
	} {
		two.mustRefuse(name, arguments, "invalid_state", "another process runs it", "the program that started it")
	}
	if out, err := exec.Command("econ-mcp", "call", "--data", dir, "pause_simulation", "experiment_name=ones").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "another process runs it") {
		t.Errorf("a call paused it: %v %s", err, out)
	}
	if s := two.status("ones", 0); s.State != "running" {
		t.Errorf("after all that it is %s", s.State)
	}

	// What a killed process leaves behind can be gone on with by the other.
	one.kill()
	left := two.status("ones", 0)
	if left.State != "interrupted" {
		t.Fatalf("it is %s after its process was killed", left.State)
	}
	two.mustCall("resume_simulation", `{"experiment_name":"ones"}`, nil)
	two.until("ones", func(s simulationStatus) bool { return s.Month > left.Month })
	for _, name := range []string{"ones", "twos"} {
		two.mustCall("stop_simulation", fmt.Sprintf(`{"experiment_name":%q}`, name), nil)
	}
	mustRerun(t, dir, "ones") // while the server that holds the folder goes on
	two.mustEnd(syscall.SIGTERM, 0)
}

// A call that is interrupted saves what it has reached, says how to go on, and ends with
// the code of an interruption.
func TestInterruptedCall(t *testing.T) {
	dir := t.TempDir()
	set := exec.Command("econ-mcp", "call", "--data", dir, "batch_set_parameters", `parameters={"num_households":6000,"burn_in_months":6}`)
	if out, err := set.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	call := exec.Command("econ-mcp", "call", "--data", dir, "start_simulation", "experiment_name=cut", "months=6000")
	stderr, err := call.StderrPipe()
	must(t, err)
	must(t, call.Start())
	said := new(strings.Builder)
	interrupted := false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		fmt.Fprintln(said, lines.Text())
		if !interrupted && strings.Contains(lines.Text(), "cut: running, month ") {
			must(t, call.Process.Signal(syscall.SIGINT))
			interrupted = true // a second signal would end it at once
		}
	}
	exit, ok := errors.AsType[*exec.ExitError](call.Wait())
	if !ok || exit.ExitCode() != exitInterrupted {
		t.Errorf("exit %v, want code %d", exit, exitInterrupted)
	}
	if !strings.Contains(said.String(), "cut: interrupted in month ") ||
		!strings.Contains(said.String(), "econ-mcp call resume_simulation experiment_name=cut goes on with it") {
		t.Errorf("stderr: %s", said)
	}
	a := mustServe(t, dir)
	if s := a.status("cut", 0); s.State != "interrupted" {
		t.Errorf("it is %s", s.State)
	}
}

// stored asks the database, as another program does, for a number or text of an experiment.
func stored[T any](tb testing.TB, dir, query, experiment string) (value T) {
	tb.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "econ-mcp.db")+"?mode=ro")
	must(tb, err)
	defer db.Close()
	must(tb, db.QueryRow(query, experiment).Scan(&value))
	return value
}

// storedMonths is up to which month all runs of an experiment are on disk.
func storedMonths(tb testing.TB, dir, experiment string) int {
	tb.Helper()
	return stored[int](tb, dir, `SELECT min(n) FROM (SELECT (SELECT count(*) FROM monthly WHERE monthly.run = run.id) AS n FROM run
		JOIN arm ON arm.id = run.arm JOIN experiment ON experiment.id = arm.experiment WHERE experiment.name = ?)`, experiment)
}

// storedState is what its process said last of an experiment.
func storedState(tb testing.TB, dir, experiment string) string {
	tb.Helper()
	return stored[string](tb, dir, "SELECT state FROM experiment WHERE name = ?", experiment)
}

// Whatever signal tells a server to end, the months that it has simulated by then are stored.
func TestSignalsSaveWhatRuns(t *testing.T) {
	for _, end := range []syscall.Signal{syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(end.String(), func(t *testing.T) {
			dir := t.TempDir()
			a := mustServe(t, dir)
			a.mustCall("batch_set_parameters", largeEconomy, nil)
			a.mustCall("start_simulation", `{"experiment_name":"ended","months":6000}`, nil)
			reported := a.until("ended", func(s simulationStatus) bool { return s.Month > 5 })
			must(t, a.command.Process.Signal(end))
			if code := a.wait(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if got := storedMonths(t, dir, "ended"); got < reported.Month {
				t.Errorf("%d months are stored; %d were reported", got, reported.Month)
			}
			if stacks := strings.Contains(a.stderr.String(), "\ngoroutine "); stacks != (end == syscall.SIGQUIT) {
				t.Errorf("stderr: %.2000s", a.stderr.String())
			}
			if state := storedState(t, dir, "ended"); state != "interrupted" {
				t.Errorf("it is %s", state)
			}
		})
	}
}

// A server over HTTP, a question that is asked and an agent end at a hangup as a server on stdin
// does: what they have begun is interrupted, and its months are stored.
func TestHangupOfOthers(t *testing.T) {
	for what, args := range map[string][]string{
		"serve": {"serve", "--transport", "http", "--addr", "127.0.0.1:0"},
		"ask":   {"ask", "Does raising VAT from 8% to 15% reduce GDP?", "--households", "1500", "--months", "600", "--replications", "2"},
		"chat":  {"chat", "Does raising VAT from 8% to 15% reduce GDP over ten years?", "--yes"},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			process := exec.Command("econ-mcp", append(args, "--data", dir)...)
			stderr, err := process.StderrPipe()
			must(t, err)
			must(t, process.Start())
			defer process.Process.Kill()
			lines := bufio.NewScanner(stderr)
			if what == "serve" && lines.Scan() {
				_, url, _ := strings.Cut(lines.Text(), "url=")
				mustStartOverHTTP(t, strings.Fields(url)[0])
			}
			go io.Copy(io.Discard, stderr)

			watcher := mustStart(t, "econ-mcp", "serve", "--data", dir, "--workspace", "watcher") // the server over HTTP has default
			var list struct {
				Experiments []struct {
					Name string `json:"experiment_name"`
				}
			}
			for end := time.Now().Add(patience); len(list.Experiments) == 0 && time.Now().Before(end); {
				watcher.mustCall("list_history_experiments", `{}`, &list)
			}
			name := list.Experiments[0].Name
			months := 0
			if what != "chat" { // whose economy is too large for a test to wait for its months
				months = watcher.until(name, func(s simulationStatus) bool { return s.Month > 2 }).Month
			}
			watcher.mustEnd(syscall.SIGTERM, 0) // it would mark what a dead process leaves

			must(t, process.Process.Signal(syscall.SIGHUP))
			process.Wait()
			if code := process.ProcessState.ExitCode(); code < 0 {
				t.Errorf("it ended with %v", process.ProcessState)
			}
			if state := storedState(t, dir, name); state != "interrupted" || storedMonths(t, dir, name) < months {
				t.Errorf("it is %s with %d months", state, storedMonths(t, dir, name))
			}
		})
	}
}

// mustStartOverHTTP starts a long experiment.
func mustStartOverHTTP(tb testing.TB, url string) {
	tb.Helper()
	session := ""
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"batch_set_parameters","arguments":` + largeEconomy + `}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"start_simulation","arguments":{"months":6000}}}`,
	} {
		request, err := http.NewRequest("POST", url, strings.NewReader(body))
		must(tb, err)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			request.Header.Set("Mcp-Session-Id", session)
		}
		answer, err := http.DefaultClient.Do(request)
		must(tb, err)
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode >= 300 || strings.Contains(string(text), `"isError":true`) {
			tb.Fatalf("%s: %s %s %v", body, answer.Status, text, err)
		}
		session = cmp.Or(answer.Header.Get("Mcp-Session-Id"), session)
	}
}

// waitUntilSignal is a program that says that it was told to end, and does not.
func waitUntilSignal() {
	ctx, _ := untilSignal(context.Background(), io.Discard)
	fmt.Println("ready")
	<-ctx.Done()
	fmt.Println("told")
	io.Copy(io.Discard, os.Stdin)
}

// Whoever does not want to wait until all is saved sends another signal.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	for _, first := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		program := exec.Command("until-signal")
		stdin, err := program.StdinPipe()
		must(t, err)
		defer stdin.Close()
		stdout, err := program.StdoutPipe()
		must(t, err)
		must(t, program.Start())
		defer program.Process.Kill()
		lines := bufio.NewScanner(stdout)
		for _, word := range []string{"ready", "told"} {
			if !lines.Scan() || lines.Text() != word {
				t.Fatalf("%v: %q, want %q", first, lines.Text(), word)
			}
			if word == "ready" {
				must(t, program.Process.Signal(first))
			}
		}
		must(t, program.Process.Signal(syscall.SIGTERM))
		program.Wait()
		if status, ok := program.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGTERM {
			t.Errorf("after %v and SIGTERM: %v", first, program.ProcessState)
		}
	}
}

// Under nohup a hangup is nothing to a server.
func TestIgnoredHangupStaysIgnored(t *testing.T) {
	a := mustStart(t, "sh", "-c", `trap "" HUP; exec econ-mcp serve --data "$0"`, t.TempDir())
	must(t, a.command.Process.Signal(syscall.SIGHUP))
	a.mustCall("set_parameter", `{"parameter_name":"vat_rate","value":0.1}`, nil)
	a.stdin.Close()
	if code := a.wait(); code != 0 {
		t.Errorf("exit code %d at the end of the input", code)
	}
}
