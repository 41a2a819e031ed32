package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/internal/mcpserver"
	"econ-mcp/tools/toolstest"
)

// A principal that may only read may compare: what is counted thereby, under its name, is
// nothing that anybody edits. It may not change what is.
func TestReadersMayCompare(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("set_parameter", `{"parameter_name":"vat_rate","value":0.2}`)
	d.Run("x", `"control":"baseline","replications":3`)
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("eve read-only fedcba9876543210\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tokens, err := mcpserver.ReadTokens(path, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	server, err := d.Server(mcpserver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(server.Handler(mcpserver.HTTPConfig{Addr: "127.0.0.1:0", Tokens: tokens}))
	t.Cleanup(web.Close)
	call := func(tool, arguments string) (isError bool, structured json.RawMessage) {
		t.Helper()
		const revision = "2026-07-28"
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{
			"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{}}}}`, tool, arguments, revision)
		r, err := http.NewRequestWithContext(t.Context(), "POST", web.URL+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Authorization": "Bearer fedcba9876543210",
			"Mcp-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": tool,
		} {
			r.Header.Set(name, value)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var m struct {
			Error  json.RawMessage
			Result struct {
				IsError           bool
				StructuredContent json.RawMessage
			}
		}
		if err := json.NewDecoder(response.Body).Decode(&m); m.Error != nil || err != nil {
			t.Fatalf("%s: %s, %v", tool, m.Error, err)
		}
		return m.Result.IsError, m.Result.StructuredContent
	}
	for n, metric := range []string{"exports", "imports", "exports"} {
		var c struct{ Asked int }
		isError, answer := call("compare_experiments", `{"experiment_names":["x"],"metrics":["`+metric+`"]}`)
		if err := json.Unmarshal(answer, &c); isError || err != nil || c.Asked != min(n+1, 2) {
			t.Errorf("%s: %.300s, %v", metric, answer, err)
		}
	}
	all, err := d.Store.Ask(context.Background(), []string{"x"}, nil, "")
	if err != nil || len(all) != 2 || all[0].By != "eve" || all[0].Times+all[1].Times != 3 {
		t.Errorf("counted %+v, %v", all, err)
	}
	if isError, answer := call("analyze_experiment", `{"experiment_name":"x"}`); !isError {
		t.Errorf("a reader stored an analysis: %.300s", answer)
	}
}
