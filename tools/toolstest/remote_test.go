package toolstest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/run"
	"econ-mcp/tools/toolstest"
)

// rightCalls are one or more of each tool that succeed where the experiments done (control and
// treatment) and paused (one arm) are there, in this order.
var rightCalls = []struct{ tool, arguments string }{
	{"get_all_parameters", `{}`},
	{"get_parameter", `{"parameter_name":"vat_rate"}`},
	{"set_parameter", `{"parameter_name":"vat_rate","value":0.12}`},
	{"batch_set_parameters", `{"parameters":{"vat_rate":0.13}}`},
	{"validate_parameters", `{"parameters":{"vat_rate":0.13}}`},
	{"get_parameter_ranges", `{}`},
	{"save_preset", `{"name":"mine","overwrite":true}`},
	{"load_preset", `{"name":"mine"}`},
	{"list_presets", `{}`},
	{"save_current_config_to_yaml", `{"config_name":"mine","overwrite":true}`},
	{"load_yaml_config", `{"config_name":"mine"}`},
	{"list_yaml_configs", `{}`},
	{"analyze_question", `{"question":"What if VAT rises to 20%?"}`},
	{"generate_config_from_question", `{"question":"What if VAT rises to 20%?"}`},
	{"get_experiment_workflow", `{"question":"What if VAT rises to 20%?"}`},
	{"inject_intervention", `{"intervention_type":"policy","target_month":9,"parameters":{"policy":"minimum_wage","level":0.5},` +
		`"experiment_name":"paused"}`},
	{"list_pending_interventions", `{"experiment_name":"paused"}`},
	{"cancel_intervention", `{"intervention_id":"paused/main/1"}`},
	{"get_simulation_status", `{"experiment_name":"done"}`},
	{"get_simulation_status", `{"experiment_name":"paused"}`},
	{"get_economic_indicators", `{"experiment_name":"done"}`},
	{"get_all_economic_indicators", `{"experiment_name":"done"}`},
	{"get_household_summary", `{"experiment_name":"done"}`},
	{"get_firm_summary", `{"experiment_name":"done"}`},
	{"list_history_experiments", `{}`},
	{"generate_experiment_report", `{"experiment_name":"done"}`},
	{"get_experiment_summary", `{"experiment_name":"done"}`},
	{"get_experiment_timeseries", `{"experiment_name":"done","metric":"real_gdp"}`},
	{"compare_experiments", `{"experiment_names":["done"],"metrics":["hhi"]}`},
	{"get_monthly_statistics", `{"experiment_name":"done","stat_type":"household"}`},
	{"capture_experiment", `{"experiment_name":"done"}`},
	{"update_experiment_status", `{"experiment_name":"done","status":"completed"}`},
	{"analyze_experiment", `{"experiment_name":"done"}`},
	{"get_analysis_result", `{"experiment_name":"done"}`},
	{"list_experiments", `{}`},
	{"start_simulation", `{"experiment_name":"short","months":1,"wait_seconds":1}`},
	{"start_simulation", `{"inquiry":{"background":{"set":{"num_households":500}},"arms":{"a":{"set":{"vat_rate":"9%"}},"b":{"doses":{"parameter":"vat_rate",` +
		`"values":["10%"]}}},"design":{"months":1,"burn_in":2,"replications":1}},"experiment_name":"arms","wait_seconds":5}`},
	{"stop_simulation", `{"experiment_name":"short"}`}, // which has ended: the only one that is refused
	{"pause_simulation", `{"experiment_name":"paused"}`},
	{"resume_simulation", `{"experiment_name":"paused","pause_at_month":8}`},
	{"reset_parameters", `{"parameters":["vat_rate"]}`},
}

// remote is a client over HTTP.
type remote struct {
	t       *testing.T
	url     string
	token   string // "" = none
	session string
}

// send posts a message and returns what comes back, as it comes.
func (r *remote) send(method, params string) string {
	r.t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	url := r.url + "/mcp/w/" + toolstest.Workspace // of small economies
	request, err := http.NewRequestWithContext(r.t.Context(), "POST", url, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if r.token != "" {
		request.Header.Set("Authorization", "Bearer "+r.token)
	}
	if r.session != "" {
		request.Header.Set("Mcp-Session-Id", r.session)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	if id := response.Header.Get("Mcp-Session-Id"); id != "" {
		r.session = id
	}
	return string(text)
}

// everything calls all tools, also wrongly if that is wanted, reads all resources, and asks for all
// completions and prompts. It returns what it was told.
func (r *remote) everything(wrongly bool) []string {
	r.t.Helper()
	var told []string
	ask := func(method, params string) { told = append(told, r.send(method, params)) }
	call := func(tool, arguments string) { ask("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`) }
	for _, c := range rightCalls {
		call(c.tool, c.arguments)
		if !wrongly {
			continue
		}
		for _, wrong := range wrongCalls[c.tool] {
			if len(wrong.arguments) < 1000 && json.Valid([]byte(wrong.arguments)) {
				call(c.tool, wrong.arguments)
			}
		}
		for _, member := range []string{"name", "config_name", "control", "base_config_name"} {
			call(c.tool, strings.Replace(c.arguments, "{", `{"`+member+`":"../../etc/passwd",`, 1))
			call(c.tool, `{"`+member+`":"folder"}`)
		}
	}
	call("load_preset", `{"name":"folder"}`)
	call("start_simulation", `{"control":"folder"}`)
	for _, uri := range []string{"econ://parameters", "econ://model", "econ://nothing", "file:///etc/passwd"} {
		ask("resources/read", `{"uri":"`+uri+`"}`)
	}
	for _, name := range []string{"report.md", "report.html", "report.json", "report.zh.md", "timeseries.csv", "scenario.yaml", "summary.json",
		"figures/effects.svg", "figures/nothing.svg"} {
		for _, experiment := range []string{"done", "nothing", ".."} {
			ask("resources/read", `{"uri":"econ://experiments/`+experiment+`/`+name+`"}`)
		}
	}
	ask("resources/list", `{}`)
	ask("resources/list", `{"cursor":"nonsense"}`)
	ask("resources/templates/list", `{}`)
	ask("prompts/list", `{}`)
	for _, name := range []string{"policy_experiment", "compare_policies", "explain_result"} {
		ask("prompts/get", `{"name":"`+name+`","arguments":{"question":"Why?","policies":"ubi","experiment_name":"done"}}`)
		for _, argument := range []string{"experiment_name", "policies"} {
			ask("completion/complete", `{"ref":{"type":"ref/prompt","name":"`+name+`"},"argument":{"name":"`+argument+`","value":"d"}}`)
		}
	}
	ask("completion/complete",
		`{"ref":{"type":"ref/resource","uri":"econ://experiments/{name}/report.md"},"argument":{"name":"name","value":"d"}}`)
	return told
}

// Nothing that is sent over HTTP tells of the machine: no path, no SQL, no word of the database. What
// failed inside is in the log, under an id that the client was told.
func TestRemoteClientsAreToldNothingOfTheMachine(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("set_parameter", `{"parameter_name":"vat_rate","value":0.12}`)
	d.Run("done", `"control":"baseline","replications":2`)
	d.Call("start_simulation", `{"experiment_name":"paused","pause_at_month":6}`)
	d.Wait("paused", "paused")
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	server, err := d.Server(mcpserver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(server.Handler(mcpserver.HTTPConfig{Addr: "127.0.0.1:0"}))
	defer web.Close()
	r := &remote{t: t, url: web.URL}
	r.send("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"stranger","version":"1"}}`)
	r.send("logging/setLevel", `{"level":"debug"}`)

	under := regexp.MustCompile(`its log has more under ([A-Z0-9]+)`)
	tellTale := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(filepath.Base(filepath.Dir(d.Dir))) + `|/home/|/tmp/|sqlite|sql:|sql logic|` +
		`constraint failed|no such (file|table)|(is|not) a (directory|database)|malformed|database is closed|on fire`)
	internal := func(when string, wrongly bool, atLeast int) {
		t.Helper()
		failed := 0
		for _, told := range r.everything(wrongly) {
			if at := tellTale.FindStringIndex(told); at != nil {
				t.Errorf("%s: a client is told %.500q", when, told[max(0, at[0]-200):])
			}
			for _, id := range under.FindAllStringSubmatch(told, -1) {
				failed++
				if !strings.Contains(log.String(), "id="+id[1]) {
					t.Errorf("%s: the log has nothing under %s", when, id[1])
				}
			}
		}
		if failed < atLeast {
			t.Errorf("%s: %d calls failed, want %d at least", when, failed, atLeast)
		}
	}
	internal("all is well", true, 0)
	saved := r.send("tools/call", `{"name":"save_preset","arguments":{"name":"mine","overwrite":true}}`) +
		r.send("tools/call", `{"name":"save_current_config_to_yaml","arguments":{"config_name":"mine","overwrite":true}}`)
	for _, path := range []string{`"path":"presets/mine.yaml"`, `"path":"configs/mine.yaml"`} {
		if !strings.Contains(saved, path) {
			t.Errorf("no %s: %s", path, saved)
		}
	}
	if t.Failed() {
		return
	}

	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"presets", "configs"} {
		path := filepath.Join(d.Dir, folder, "folder.yaml")
		must(os.RemoveAll(path))
		must(os.Mkdir(path, 0o755))
	}
	internal("a folder where a file should be", false, 2)
	must(os.Rename(filepath.Join(d.Dir, "presets"), filepath.Join(d.Dir, "away")))
	d.Write("presets", "")
	internal("no folder of presets", false, 2)

	raw := d.Database()
	defer raw.Close()
	statement := func(text string) {
		t.Helper()
		_, err := raw.Exec(text)
		must(err)
	}
	d.Call("resume_simulation", `{"experiment_name":"paused","pause_at_month":9}`)
	d.Wait("paused", "paused")
	for _, table := range []string{"monthly", "workspace", "experiment"} {
		for _, act := range []string{"INSERT", "UPDATE"} {
			statement("CREATE TRIGGER " + table + act + " BEFORE " + act + " ON " + table + " BEGIN SELECT RAISE(ABORT, 'the disk " + d.Dir +
				" is on fire'); END")
		}
	}
	resumed := r.send("tools/call", `{"name":"resume_simulation","arguments":{"experiment_name":"paused"}}`)
	s, err := d.Runs.Wait(t.Context(), "paused", nil)
	for err == nil && s.State == run.StatePaused && t.Context().Err() == nil { // it has not heard of it yet
		s, err = d.Runs.Wait(t.Context(), "paused", nil)
	}
	if err != nil || s.State != run.StateInterrupted || !strings.Contains(s.Message, "cannot be recorded") || !under.MatchString(resumed) {
		t.Errorf("what cannot be recorded is %s (%s, %v); the client was told %s", s.State, s.Message, err, resumed)
	}
	internal("nothing can be written", false, 5)
	for _, table := range []string{"workspace", "asked", "analysis"} {
		statement("DROP TABLE " + table)
	}
	internal("tables are missing", false, 20)
	must(os.Truncate(filepath.Join(d.Dir, "econ-mcp.db"), 100))
	must(os.Truncate(filepath.Join(d.Dir, "econ-mcp.db-wal"), 0))
	internal("the database is cut off", false, 20)
	must(d.Store.Close())
	internal("the database is closed", true, 50)
	d.App = nil
	if !strings.Contains(log.String(), "is on fire") || !strings.Contains(log.String(), d.Dir) {
		t.Errorf("the log does not say what failed: %.2000s", log.String())
	}
}
