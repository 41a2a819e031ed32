package mcpserver_test

import (
	"encoding/json"
	"fmt"
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
	s := (&fixture{}).listenWith(t, mcpserver.HTTPConfig{Tokens: tokensOf(t, "eve read-only fedcba9876543210\n")}, func(c *mcpserver.Config) { c.Tools = d.Tools })
	call := func(tool, arguments string) (isError bool, structured json.RawMessage) {
		t.Helper()
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,%s}}`, tool, arguments, modernMeta)
		m := s.modern("tools/call", tool).with("Authorization", "Bearer fedcba9876543210").post("/mcp", body)[0]
		var r struct {
			IsError           bool
			StructuredContent json.RawMessage
		}
		if err := json.Unmarshal(m.Result, &r); m.Error != nil || err != nil {
			t.Fatalf("%s: %+v, %v", tool, m.Error, err)
		}
		return r.IsError, r.StructuredContent
	}
	for n, metric := range []string{"exports", "imports", "exports"} {
		var c struct{ Asked int }
		isError, answer := call("compare_experiments", `{"experiment_names":["x"],"metrics":["`+metric+`"]}`)
		if err := json.Unmarshal(answer, &c); isError || err != nil || c.Asked != min(n+1, 2) {
			t.Errorf("%s: %.300s, %v", metric, answer, err)
		}
	}
	all, err := d.Store.Ask([]string{"x"}, nil, "")
	if err != nil || len(all) != 2 || all[0].By != "eve" || all[0].Times+all[1].Times != 3 {
		t.Errorf("counted %+v, %v", all, err)
	}
	if isError, answer := call("analyze_experiment", `{"experiment_name":"x"}`); !isError {
		t.Errorf("a reader stored an analysis: %.300s", answer)
	}
}
