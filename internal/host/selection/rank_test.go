package selection

import (
	"encoding/json"
	"testing"

	"econ-mcp/internal/host"
)

// labTools are of no server that the labelled requests are about.
func labTools() []host.Tool {
	tool := func(server, name, description, schema string) host.Tool {
		return host.Tool{Server: server, Name: name, Description: description, Input: json.RawMessage(schema)}
	}
	return []host.Tool{
		tool("lab", "set_option", "Set one option of the device.", `{"properties":{"option_name":{"type":"string"},"value":{"type":"number"}},"required":["option_name","value"]}`),
		tool("lab", "set_options", "Set several options of the device at once.", `{"properties":{"options":{"type":"object"}},"required":["options"]}`),
		tool("lab", "compare_samples", "Compare samples.", `{"properties":{"sample_names":{"type":"array","items":{"type":"string"}}},"required":["sample_names"]}`),
		tool("lab", "describe_sample", "Describe a sample.", `{"properties":{"sample_name":{"type":"string"}},"required":["sample_name"]}`),
		tool("lab", "measure_month", "Measure a month.", `{"properties":{"month":{"type":"integer"}},"required":["month"]}`),
		tool("lab", "measure_months", "Measure from one month to another.", `{"properties":{"from_month":{"type":"integer"},"to_month":{"type":"integer"}},"required":["from_month","to_month"]}`),
		tool("disk", "show_document", "Show a document.", `{"properties":{"path":{"type":"string"}},"required":["path"]}`),
		tool("forge", "show_document", "Show a document of a repository.", `{"properties":{"owner":{"type":"string"},"repo":{"type":"string"},"path":{"type":"string"}},"required":["owner","repo","path"]}`),
	}
}

func TestRankByLiterals(t *testing.T) {
	r := NewRanker(labTools(), Experience{})
	for request, want := range map[string]string{
		"gain_2 -> 0.5":                                     "lab.set_option",
		"gain_2 0.5, gain_3 0.7, please":                    "lab.set_options",
		"把 gain_2 改成 0.5、gain_3 改成 0.7":                     "lab.set_options",
		"compare s_01 vs s_02":                              "lab.compare_samples",
		"describe sample s_01":                              "lab.describe_sample",
		"measure month 12":                                  "lab.measure_month",
		"measure months 12 to 60":                           "lab.measure_months",
		"show the document /home/ana/a.md":                  "disk.show_document",
		"show the document a.md of octo/hello":              "forge.show_document",
		"show the document README.md of octo/hello.js":      "forge.show_document",
		"translate the document /home/ana/a.md into German": "",
		"is it going to rain in Zurich or Bern tomorrow?":   "",
	} {
		got := ""
		if ranked := r.Rank(request); len(ranked) > 0 {
			got = ranked[0].Tool.FullName()
		}
		if got != want {
			t.Errorf("%q needs %q, got %q", request, want, got)
		}
	}
}

// TestSearches: what is searched for need be no word that a tool has.
func TestSearches(t *testing.T) {
	tool := func(name, description, schema string) host.Tool {
		return host.Tool{Server: "mail", Name: name, Description: description, Input: json.RawMessage(schema)}
	}
	r := NewRanker([]host.Tool{
		tool("search_messages", "Search messages in the mailbox.", `{"properties":{"query":{"type":"string"}},"required":["query"]}`),
		tool("send_message", "Send a message.", `{"properties":{"to":{"type":"string"},"body":{"type":"string"}},"required":["to","body"]}`),
	}, Experience{})
	const request = "search my mailbox for invoices Vodafone March"
	if ranked := r.Rank(request); len(ranked) == 0 || ranked[0].Tool.Name != "search_messages" {
		t.Errorf("%q: %+v", request, ranked)
	}
	if ranked := r.Rank("bake invoices for Vodafone in March"); len(ranked) > 0 {
		t.Errorf("what no tool does got %s", ranked[0].Tool.Name)
	}
}

// TestNothingTakesIt: what has a definite look and fits no argument is for another server.
func TestNothingTakesIt(t *testing.T) {
	r := NewRanker(labTools()[:6], Experience{})
	if ranked := r.Rank("show the issues of octo/hello"); len(ranked) > 0 {
		t.Errorf("a request about a repository got %s", ranked[0].Tool.FullName())
	}
}
