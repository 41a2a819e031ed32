package main

import (
	"strings"
	"testing"
)

// Two clients that start the program on one folder do not edit each other's parameters: the second
// has a workspace of its own, and is told so. When the first is gone, its workspace is there again.
func TestTwoProcessesHaveTheirOwnWorkspaces(t *testing.T) {
	dir := t.TempDir()
	workspace := func(a *agent) (name string, vat float64) {
		t.Helper()
		var list struct {
			Workspace  string
			Categories map[string][]struct {
				Name  string
				Value any
			}
		}
		a.mustCall("get_all_parameters", `{}`, &list)
		for _, rows := range list.Categories {
			for _, row := range rows {
				if row.Name == "vat_rate" {
					vat, _ = row.Value.(float64)
				}
			}
		}
		return list.Workspace, vat
	}
	first, second := mustServe(t, dir), mustServe(t, dir)
	first.tool("set_parameter", `{"name":"vat_rate","value":0.3}`)
	if name, vat := workspace(first); name != "default" || vat != .3 {
		t.Errorf("the first has %s, with a VAT of %g", name, vat)
	}
	if name, vat := workspace(second); name != "default-2" || vat == .3 {
		t.Errorf("the second has %s, with a VAT of %g", name, vat)
	}
	second.stdin.Close()
	second.wait()
	first.stdin.Close()
	first.wait()
	if !strings.Contains(second.stderr.String(), "default-2") {
		t.Errorf("the log of the second says %q", second.stderr.String())
	}
	third := mustServe(t, dir)
	if name, vat := workspace(third); name != "default" || vat != .3 {
		t.Errorf("after both have ended there is %s, with a VAT of %g", name, vat)
	}
	shared := mustStart(t, "econ-mcp", "serve", "--data", dir, "--workspace", "default")
	if name, vat := workspace(shared); name != "default" || vat != .3 {
		t.Errorf("who names a workspace shares it: %s, with a VAT of %g", name, vat)
	}
}
