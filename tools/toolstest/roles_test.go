package toolstest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/mcpserver"
	"econ-mcp/tools/toolstest"
)

var update = flag.Bool("update", false, "write the table of docs/SECURITY.md anew")

// roles are the columns of the table: who calls what changes something of alice's.
var roles = []struct{ principal, role, column string }{
	{"eve", "read-only", "`read-only`"},
	{"alice", "full", "`full`, what is its own"},
	{"bob", "full", "`full`, what is another's"},
	{"root", "admin", "`admin`, what is another's"},
}

func tokenOf(principal string) string { return strings.Repeat(principal+"-", 5) }

// served has a server over HTTP answer callers with tokens of all roles, and returns how one calls:
// the code of the error, "" where there is none.
func served(t *testing.T, d *toolstest.Harness) (call func(principal, tool, arguments string) (code, text string)) {
	t.Helper()
	var lines []string
	for _, r := range roles {
		lines = append(lines, strings.Join([]string{r.principal, r.role, tokenOf(r.principal)}, " "))
	}
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	tokens, err := mcpserver.ReadTokens(path, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	server, err := d.Server(mcpserver.Config{Tools: d.Toolset("+admin")})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(server.Handler(mcpserver.HTTPConfig{Addr: "127.0.0.1:0", Tokens: tokens}))
	t.Cleanup(web.Close)
	clients := map[string]*remote{}
	return func(principal, tool, arguments string) (code, text string) {
		t.Helper()
		r := clients[principal]
		if r == nil {
			r = &remote{t: t, url: web.URL, token: tokenOf(principal)}
			r.send("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"roles","version":"1"}}`)
			clients[principal] = r
		}
		text = r.send("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
		var reply struct {
			Error  json.RawMessage
			Result struct {
				IsError bool
				Content []struct{ Text string }
			}
		}
		if err := json.Unmarshal([]byte(text), &reply); err != nil || reply.Error != nil {
			t.Fatalf("%s %s: %.500s, %v", tool, arguments, text, err)
		}
		if !reply.Result.IsError {
			return "", text
		}
		var told struct {
			Error struct{ Code, Message string }
		}
		if err := json.Unmarshal([]byte(reply.Result.Content[0].Text), &told); err != nil {
			t.Fatal(err)
		}
		return told.Error.Code, told.Error.Message
	}
}

// prepared has alice make what others then try to change: the experiments done and paused, with an
// intervention to come, and a preset and a config.
func prepared(t *testing.T, d *toolstest.Harness, call func(principal, tool, arguments string) (code, text string)) {
	t.Helper()
	for _, c := range []struct{ tool, arguments string }{
		{"batch_set_parameters", `{"parameters":{"num_households":500,"burn_in_months":6,"num_iterations":12,"vat_rate":0.12}}`},
		{"start_simulation", `{"experiment_name":"done","control":"baseline","replications":2,"wait_seconds":60}`},
		{"start_simulation", `{"experiment_name":"paused","pause_at_month":6,"wait_seconds":60}`},
		{"inject_intervention", `{"intervention_type":"policy","target_month":10,"parameters":{"policy":"minimum_wage","level":0.5},"experiment_name":"paused"}`},
		{"capture_experiment", `{"experiment_name":"done"}`},
		{"analyze_experiment", `{"experiment_name":"done"}`},
		{"save_preset", `{"name":"mine"}`},
		{"save_current_config_to_yaml", `{"config_name":"mine"}`},
		{"generate_config_from_question", `{"question":"What if VAT rises to 20%?"}`},
	} {
		if code, text := call("alice", c.tool, c.arguments); code != "" {
			t.Fatalf("%s: %s, %s", c.tool, code, text)
		}
	}
	d.Rest()
}

// Every tool is tried by every role, on what is its own and on what is another's. Whoever is
// refused has changed nothing, and is told whose it is. The table of docs/SECURITY.md is what came
// out.
func TestRoles(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)

	type toolCall = struct{ tool, arguments string }
	calls := append(slices.Clone(rightCalls), toolCall{"stop_simulation", `{"experiment_name":"paused"}`},
		toolCall{"delete_experiment", `{"experiment_name":"done"}`}, toolCall{"delete_preset", `{"name":"mine"}`},
		toolCall{"delete_config", `{"config_name":"mine"}`})
	may := map[string]map[string]bool{} // tool, principal
	var tools []string
	for _, r := range roles {
		d := toolstest.New(t, toolstest.Settings{})
		call := served(t, d)
		prepared(t, d, call)
		for _, c := range calls {
			state := d.State()
			code, text := call(r.principal, c.tool, c.arguments)
			if may[c.tool] == nil {
				may[c.tool] = map[string]bool{}
				tools = append(tools, c.tool)
			}
			switch code {
			case "forbidden":
				if after := d.State(); !maps.Equal(after, state) {
					t.Errorf("%s by %s is forbidden and changed something", c.tool, r.role)
				}
				if r.role == "full" && !strings.Contains(text, "belongs to alice") {
					t.Errorf("%s by %s: %s", c.tool, r.principal, text)
				}
				if !strings.Contains(log.String(), "forbidden") || !strings.Contains(log.String(), "by="+r.principal) {
					t.Errorf("%s by %s is not in the log", c.tool, r.principal)
				}
			case "", "invalid_state": // not before the experiment is in another state, or not any more
				may[c.tool][r.principal] = may[c.tool][r.principal] || code == ""
			case "not_found": // what the caller could not start
			default:
				t.Errorf("%s by %s: %s, %s", c.tool, r.principal, code, text)
			}
			d.Rest()
		}
	}
	if len(tools) != 39+3 {
		t.Errorf("%d tools, want the 39 and three of +admin", len(tools))
	}
	compareTable(t, rolesTable(tools, may))
}

func rolesTable(tools []string, may map[string]map[string]bool) string {
	var b strings.Builder
	b.WriteString("| tool |")
	for _, r := range roles {
		b.WriteString(" " + r.column + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat(":---:|", len(roles)) + "\n")
	for _, tool := range tools {
		b.WriteString("| " + tool + " |")
		for _, r := range roles {
			b.WriteString(map[bool]string{true: " yes |", false: " no |"}[may[tool][r.principal]])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// compareTable compares a table with the one of docs/SECURITY.md, or puts it there.
func compareTable(t *testing.T, table string) {
	t.Helper()
	const path, begin, end = "../../docs/SECURITY.md", "<!-- roles: go test ./tools/toolstest -update -->\n", "<!-- /roles -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), begin)
	there, tail, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the table", path)
	}
	if there == table {
		return
	}
	if !*update {
		t.Fatalf("%s has another table: go test ./tools/toolstest -update\n%s", path, table)
	}
	if err := os.WriteFile(path, []byte(head+begin+table+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What is shared others steer and overwrite, but only its owner says whether it is shared.
func TestShared(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	call := served(t, d)
	prepared(t, d, call)
	for _, c := range []struct{ principal, tool, arguments, code string }{
		{"bob", "update_experiment_status", `{"experiment_name":"paused","shared":true}`, "forbidden"},
		{"bob", "save_preset", `{"name":"mine","overwrite":true,"shared":true}`, "forbidden"},
		{"alice", "update_experiment_status", `{"experiment_name":"paused","shared":true}`, ""},
		{"alice", "save_preset", `{"name":"mine","overwrite":true,"shared":true}`, ""},
		{"alice", "save_current_config_to_yaml", `{"config_name":"mine","overwrite":true,"shared":true}`, ""},
		{"bob", "cancel_intervention", `{"intervention_id":"paused/main/1"}`, ""},
		{"bob", "resume_simulation", `{"experiment_name":"paused","pause_at_month":8}`, ""},
		{"eve", "stop_simulation", `{"experiment_name":"paused"}`, "forbidden"},
		{"bob", "update_experiment_status", `{"experiment_name":"paused","shared":false}`, "forbidden"},
		{"bob", "save_preset", `{"name":"mine","overwrite":true}`, ""},
		{"bob", "save_preset", `{"name":"mine","overwrite":true,"shared":false}`, "forbidden"},
		{"alice", "save_preset", `{"name":"mine","overwrite":true}`, ""}, // it is still hers, and still shared
		{"bob", "save_current_config_to_yaml", `{"config_name":"mine","overwrite":true}`, ""},
		{"bob", "save_preset", `{"name":"copy"}`, ""},
		{"bob", "load_preset", `{"name":"mine","apply":true}`, ""},
		{"bob", "delete_preset", `{"name":"mine"}`, "forbidden"}, // what is shared may be changed, not removed
		{"bob", "delete_config", `{"config_name":"mine"}`, "forbidden"},
		{"bob", "delete_experiment", `{"experiment_name":"done"}`, "forbidden"},
		{"alice", "update_experiment_status", `{"experiment_name":"done","shared":true}`, ""},
		{"bob", "delete_experiment", `{"experiment_name":"done"}`, "forbidden"},
		{"alice", "update_experiment_status", `{"experiment_name":"paused","shared":false}`, ""},
		{"bob", "stop_simulation", `{"experiment_name":"paused"}`, "forbidden"},
		{"alice", "update_experiment_status", `{"experiment_name":"paused"}`, "required"},
		{"bob", "batch_set_parameters", `{"parameters":{"vat_rate":0.2},"scenario_name":"mine"}`, "conflict"},
		{"root", "stop_simulation", `{"experiment_name":"paused"}`, ""},
	} {
		if code, text := call(c.principal, c.tool, c.arguments); code != c.code {
			t.Errorf("%s by %s: %q, want %q: %.300s", c.tool, c.principal, code, c.code, text)
		}
		d.Rest()
	}
	_, text := call("eve", "get_experiment_timeseries", `{"experiment_name":"done","metric":"real_gdp","chart":true}`)
	if !strings.Contains(text, `{"type":"image","data":"iVBOR`) || !strings.Contains(text, `"mimeType":"image/png"`) { // a PNG begins so
		t.Errorf("no image: %.600s", text)
	}
	_, text = call("eve", "list_presets", `{}`)
	if !strings.Contains(text, `"owner":"alice"`) || !strings.Contains(text, `"owner":"bob"`) {
		t.Errorf("the list does not say whose presets are: %.600s", text)
	}
	if _, text = call("bob", "list_history_experiments", `{}`); !strings.Contains(text, `"owner":"alice"`) {
		t.Errorf("the list does not say whose experiments are: %.600s", text)
	}
}
