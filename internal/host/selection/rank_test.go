package selection_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/selection"
)

func labelledTools(tb testing.TB) (tools []host.Tool) {
	tb.Helper()
	lists, err := selection.LabelledTools()
	if err != nil {
		tb.Fatal(err)
	}
	for _, l := range lists {
		tools = append(tools, l.Tools...)
	}
	return tools
}

func name(c selection.Ranked) string { return c.Server + "." + c.Tool }

// first is the tool that comes first for a request; "" = none fits.
func first(r *selection.Ranker, request string) string {
	if list := r.Rank(request); len(list) > 0 {
		return name(list[0])
	}
	return ""
}

// The issue that this ranking answers names these: they belong to other servers, though ours has tools
// that sound alike.
func TestOurToolsAreNotPreferred(t *testing.T) {
	r := selection.NewRanker(labelledTools(t))
	for _, request := range []string{
		"add a person to the knowledge graph", "list the tables", "把实体从知识图谱中删除", "simulate a research query", "show the environment variables",
	} {
		if got := first(r, request); strings.HasPrefix(got, "econ.") {
			t.Errorf("%q: %s", request, got)
		}
	}
}

// The ranking does not look at a server's name: only a request that has "server.tool" says which.
func TestServersAreAlike(t *testing.T) {
	tools := labelledTools(t)
	renamed := slices.Clone(tools)
	for i := range renamed {
		renamed[i].Server = map[string]string{"econ": "memory", "memory": "econ"}[tools[i].Server]
	}
	before, after := selection.NewRanker(tools), selection.NewRanker(renamed)
	requests, err := selection.DevelopmentRequests()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range requests {
		a, b := before.Rank(l.Request), after.Rank(l.Request)
		if !slices.EqualFunc(a, b, func(a, b selection.Ranked) bool { return a.Tool == b.Tool && a.Score == b.Score }) {
			t.Errorf("%q: %v, with other names of servers %v", l.Request, a, b)
		}
	}
}

func tool(name, description, schema string) host.Tool {
	return host.Tool{Server: "s", Name: name, Description: description, Input: json.RawMessage(schema)}
}

func TestRank(t *testing.T) {
	r := selection.NewRanker([]host.Tool{
		tool("read_sheet", "Read the cells of a sheet.", `{"properties":{"path":{"type":"string"}},"required":["path"]}`),
		tool("deleteSheet", "Delete a sheet.", `{"properties":{"path":{"type":"string"}},"required":["path"]}`),
		tool("run_job", "Run a job.", `{"properties":{"job":{"type":"string"}},"required":["job"]}`),
		tool("check_job", "Check a job without running it.", `{"properties":{"job":{"type":"string"}},"required":["job"]}`),
		tool("get_page", "Get a page.", `{"properties":{"url":{"type":"string"}},"required":["url"]}`),
		tool("get_row", "Get a row.", `{"properties":{"number":{"type":"integer"}},"required":["number"]}`),
		tool("paint", "Paint something.", `{"properties":{"colour":{"enum":["scarlet","azure"]}}}`),
		tool("查询订单", "查询一张订单的物流情况", ``),
	})
	for request, want := range map[string]string{
		"read the sheet":              "s.read_sheet",
		"fetch the sheets":            "s.read_sheet", // a synonym, another form
		"读取工作表":                       "s.read_sheet",
		"把这个工作表删掉":                    "s.deleteSheet",
		"remove that sheet":           "s.deleteSheet", // camel case
		"don't run the job, check it": "s.check_job",
		"先别运行作业，只检查一下":                "s.check_job",
		"run the job":                 "s.run_job",
		"get https://example.org":     "s.get_page", // the value decides
		"get 12":                      "s.get_row",
		"paint it scarlet":            "s.paint", // a choice of an argument
		"订单的物流":                       "s.查询订单",  // by pairs of characters
		"please call run_job":         "s.run_job",
		"sing me a song":              "",
		"":                            "",
	} {
		if got := first(r, request); got != want {
			t.Errorf("%q: %q, want %q", request, got, want)
		}
	}
	list := r.Rank("read the sheet /data/a.xlsx")
	if want := `"read" in the name; "sheet" in the name; can fill path=/data/a.xlsx`; len(list) == 0 || list[0].Reason != want {
		t.Errorf("%+v", list)
	}
	if list := r.Rank("run read get delete check sheet job page row"); len(list) > 5 {
		t.Errorf("%d candidates", len(list))
	}
}

// A model that no tool is found for is told of all of them all the same, those nearest first.
func TestRelevant(t *testing.T) {
	r := selection.NewRanker([]host.Tool{tool("a", "", ``), tool("b", "Count zebras.", ``), tool("c", "", ``)})
	places := r.Relevant("why do zebras have stripes, and who painted them when the world was young?")
	if !slices.Equal(places, []int{1, 0, 2}) {
		t.Errorf("%v", places)
	}
}
