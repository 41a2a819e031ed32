package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/store"
)

var (
	quotaAgents = flag.Int("quota-agents", 6, "agents that fill an account in TestQuota")
	quotaBytes  = flag.Int64("quota-bytes", 4_000_000, "limit of the account")
)

// webAgent is a client over HTTP, in a workspace of its own.
type webAgent struct {
	tb         testing.TB
	url, token string
	session    string
	name       string
	kept       []string // what it was told is stored, as KIND NAME
	experiment string   // the last that it started
	calls      int
}

func (a *webAgent) post(method, params string) []byte {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	r, err := http.NewRequest(http.MethodPost, a.url+"/w/"+a.name, strings.NewReader(body))
	must(a.tb, err)
	r.Header.Set("Authorization", "Bearer "+a.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if a.session != "" {
		r.Header.Set("Mcp-Session-Id", a.session)
	}
	answer, err := http.DefaultClient.Do(r)
	must(a.tb, err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	must(a.tb, err)
	if answer.StatusCode != http.StatusOK {
		a.tb.Fatalf("%s: %s %s", params, answer.Status, data)
	}
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		a.session = id
	}
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") { // the last event is the answer
		events := bytes.Split(bytes.TrimSpace(data), []byte("\n\n"))
		_, data, _ = bytes.Cut(events[len(events)-1], []byte("data: "))
	}
	return data
}

// call calls a tool and says whether it was done, or refused because the account is full. Any
// other error ends the test.
func (a *webAgent) call(tool, arguments string, out any) (done bool) {
	a.tb.Helper()
	a.calls++
	var message struct {
		Result callResult
		Error  json.RawMessage
	}
	data := a.post("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	if err := json.Unmarshal(data, &message); err != nil || message.Error != nil {
		a.tb.Fatalf("%s: %v: %s", tool, err, data)
	}
	r := message.Result
	if !r.IsError {
		if out != nil {
			must(a.tb, json.Unmarshal(r.StructuredContent, out))
		}
		return true
	}
	if text := r.Content[0].Text; !strings.Contains(text, "limit_exceeded") || !strings.Contains(text, "stored_bytes") {
		a.tb.Fatalf("%s %s: %s", tool, arguments, text)
	}
	return false
}

// store does what is to be remembered.
func (a *webAgent) store(kind, name, tool, arguments string) (done bool) {
	a.tb.Helper()
	if done = a.call(tool, arguments, nil); done {
		a.kept = append(a.kept, kind+" "+name)
	}
	return done
}

const quotaEconomy = `{"parameters":{"num_households":500,"burn_in_months":1,"num_iterations":12,"vat_rate":0.15}}`

// round tries everything that stores anything, and says whether something was done that takes
// much.
func (a *webAgent) round(n int) (more bool) {
	try := func(done bool) {
		if done {
			more = true
		}
	}
	name := fmt.Sprintf("%s-%d", a.name, n)
	months, paused, pause := 6+n%12, n%3 == 0, ""
	if paused {
		pause = `,"pause_at_month":3`
	}
	started := a.store("experiment", name, "start_simulation", fmt.Sprintf(
		`{"experiment_name":%q,"months":%d%s,"control":"baseline_small","replications":%d,"wait_seconds":30}`,
		name, months, pause, 1+n%2))
	try(started)
	if started {
		a.experiment = name
		if paused {
			a.call("inject_intervention", fmt.Sprintf(
				`{"experiment_name":%q,"target_month":%d,"intervention_type":"parameter_change","parameters":{"vat_rate":0.2},"description":%q}`,
				name, months, strings.Repeat("d", 100)), nil)
			a.call("resume_simulation", fmt.Sprintf(`{"experiment_name":%q}`, name), nil)
			a.call("get_simulation_status", fmt.Sprintf(`{"experiment_name":%q,"wait_seconds":30}`, name), nil)
		}
		a.call("capture_experiment", fmt.Sprintf(`{"experiment_name":%q,"notes":%q}`, name, strings.Repeat("n", 1000*(n%8))), nil)
	}
	if a.experiment != "" {
		try(a.store("analysis", a.experiment, "analyze_experiment", fmt.Sprintf(`{"experiment_name":%q,"window":[2,%d]}`, a.experiment, 3+n%3)))
		a.call("compare_experiments", fmt.Sprintf(`{"experiment_names":[%q],"window":[1,%d]}`, a.experiment, 4+n%2), nil)
	}
	try(a.store("preset", name, "save_preset", fmt.Sprintf(`{"name":%q}`, name)))
	try(a.store("config", name, "save_current_config_to_yaml", fmt.Sprintf(`{"config_name":%q}`, name)))
	other := &webAgent{tb: a.tb, url: a.url, token: a.token, name: name}
	other.hello()
	done := other.call("set_parameter", `{"parameter_name":"vat_rate","value":0.11}`, nil)
	if try(done); done {
		a.kept = append(a.kept, "workspace "+name)
	}
	return more
}

func (a *webAgent) hello() {
	a.post("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
}

// The account of a principal holds, however many agents fill it at the same time: what is really on disk is
// at most 5 % more than the limit, and what was answered as stored is there. Nobody else notices.
func TestQuota(t *testing.T) {
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens")
	must(t, os.WriteFile(tokens, []byte("ada full "+strings.Repeat("a", 32)+"\nbob full "+strings.Repeat("b", 32)+"\n"), 0o600))
	data := filepath.Join(dir, "data")
	agents := make([]*webAgent, *quotaAgents)
	bob := &webAgent{name: "bob", token: strings.Repeat("b", 32)}
	t.Run("agents", func(t *testing.T) {
		url := serveHTTP(t, "econ-mcp", "--data", data, "--auth-token-file", tokens, "--max-running", "0",
			"--max-stored-bytes", fmt.Sprint(*quotaBytes))
		baseline := &webAgent{tb: t, url: url, token: bob.token, name: "baseline"}
		baseline.hello()
		baseline.call("batch_set_parameters", strings.Replace(quotaEconomy, "0.15", "0.14", 1), nil)
		baseline.call("save_preset", `{"name":"baseline_small"}`, nil)
		var group sync.WaitGroup
		for i := range agents {
			a := &webAgent{tb: t, url: url, token: strings.Repeat("a", 32), name: fmt.Sprint("a", i)}
			agents[i] = a
			group.Go(func() {
				a.hello()
				if !a.call("batch_set_parameters", quotaEconomy, nil) {
					return // the others were faster
				}
				for n := 0; a.round(n); n++ {
				}
			})
		}
		bob.tb, bob.url = t, url
		bob.hello()
		if !bob.call("batch_set_parameters", quotaEconomy, nil) {
			t.Error("bob has no room for a workspace")
		}
		for n := range 3 {
			if !bob.round(n) {
				t.Error("bob is refused")
			}
		}
		group.Wait()
		r, err := http.NewRequest(http.MethodGet, strings.TrimSuffix(url, "/mcp")+"/metrics", nil)
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+bob.token)
		metrics, err := http.DefaultClient.Do(r)
		must(t, err)
		defer metrics.Body.Close()
		text, err := io.ReadAll(metrics.Body)
		must(t, err)
		for _, want := range []string{`econ_mcp_stored_bytes{principal="ada"} `, "econ_mcp_stored_bytes_limit "} {
			if !strings.Contains(string(text), "\n"+want) {
				t.Errorf("/metrics has no %s", want)
			}
		}
	})
	if t.Failed() {
		return
	}

	db, err := sql.Open("sqlite", "file:"+filepath.Join(data, "econ-mcp.db")+"?mode=ro")
	must(t, err)
	defer db.Close()
	number := func(query string, args ...any) (n int64) {
		t.Helper()
		must(t, db.QueryRow(query, args...).Scan(&n))
		return n
	}
	counted := number("SELECT sum(bytes) FROM account WHERE principal = 'ada'")
	others := number("SELECT sum(bytes) FROM account WHERE principal <> 'ada'")
	blank := blankBytes(t)
	real := number("SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size") -
		blank
	for _, folder := range []string{"presets", "configs", "checkpoints"} {
		must(t, os.MkdirAll(filepath.Join(data, folder), 0o700))
		must(t, filepath.WalkDir(filepath.Join(data, folder), func(_ string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			real += info.Size()
			return err
		}))
	}
	calls, kept := 0, 0
	for _, a := range agents {
		calls, kept = calls+a.calls, kept+len(a.kept)
	}
	t.Logf("%d agents, %d calls, %d stored: limit %d, counted %d of ada and %d of others, on disk %d (%+.1f %%)", len(agents), calls, kept,
		*quotaBytes, counted, others, real, 100*(float64(real)/float64(counted+others)-1))
	if counted > *quotaBytes || counted < *quotaBytes*8/10 {
		t.Errorf("the limit is %d, and %d bytes are counted", *quotaBytes, counted)
	}
	if mine := real - others; mine > *quotaBytes*105/100 {
		t.Errorf("the limit is %d, and %d bytes are on disk", *quotaBytes, mine)
	}
	// The first page of each table was there before, and has room for some rows.
	if all := counted + others; all < real*95/100 || all > (real+blank)*105/100 {
		t.Errorf("%d bytes are on disk, and %d are counted", real, all)
	}
	analyses := map[string]int64{}
	for _, a := range append(agents, bob) {
		for _, entry := range a.kept {
			kind, name, _ := strings.Cut(entry, " ")
			there := int64(0)
			switch kind {
			case "experiment":
				there = number("SELECT count(*) FROM experiment WHERE name = ? AND state = 'completed' AND month = months", name)
			case "workspace":
				there = number("SELECT count(*) FROM workspace WHERE name LIKE '%/' || ?", name)
			case "analysis":
				analyses[name]++
				there = number("SELECT count(*) FROM analysis JOIN experiment ON experiment.id = experiment WHERE name = ?", name) - analyses[name] + 1
			default:
				if _, err := os.Stat(filepath.Join(data, kind+"s", name+".yaml")); err == nil {
					there = 1
				}
			}
			if there < 1 {
				t.Errorf("%s was stored and is not there", entry)
			}
		}
	}
}

// blankBytes is what a database takes with nothing in it.
func blankBytes(tb testing.TB) int64 {
	tb.Helper()
	dir := tb.TempDir()
	s, err := store.Open(dir)
	must(tb, err)
	must(tb, s.Close())
	info, err := os.Stat(filepath.Join(dir, "econ-mcp.db"))
	must(tb, err)
	return info.Size()
}
