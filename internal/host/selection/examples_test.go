package selection_test

import (
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/selection"
)

// first is the tool that comes first for a request; "" = none fits.
func first(r *selection.Ranker, request string) string {
	if list := r.Rank(request); len(list) > 0 {
		return list[0].Tool.FullName()
	}
	return ""
}

// What people say for a tool of ours is known, whatever the server is called.
func TestExamplesAreKnown(t *testing.T) {
	tools := labelledTools(t)
	for i := range tools {
		if tools[i].Server == "econ" {
			tools[i].Server = "lab"
		}
	}
	r := selection.NewRanker(tools, selection.Experience{})
	const request = "hold the experiment for a while, I will be back later"
	list := r.Rank(request)
	if len(list) == 0 || list[0].Tool.FullName() != "lab.pause_simulation" || !strings.Contains(list[0].Reason, "requests for it say") {
		t.Errorf("%q: %+v", request, list)
	}
}

// Tools that nobody has seen stand their ground beside those that there are examples of.
func TestExamplesLeaveRoomForOthers(t *testing.T) {
	sheets := []host.Tool{
		{Server: "excel", Name: "read_sheet", Description: "Read the cells of a sheet of a workbook."},
		{Server: "mail", Name: "send_email", Description: "Send an email."},
		{Server: "excel", Name: "draw_chart", Description: "Draw a chart of columns."},
	}
	r := selection.NewRanker(slices.Concat(labelledTools(t), sheets), selection.Experience{})
	for request, want := range map[string]string{
		"read the sheet":                   "excel.read_sheet",
		"send an email to Ana":             "mail.send_email",
		"draw a chart of columns B and C":  "excel.draw_chart",
		"read the file /data/notes.txt":    "files.read_text_file",
		"open an issue: the build is slow": "github.create_issue",
	} {
		if got := first(r, request); got != want {
			t.Errorf("%q: %s, want %s", request, got, want)
		}
	}
}

// A question about the economy is for the experiment that answers it.
func TestEconomicQuestionsAreForTheWorkflow(t *testing.T) {
	r := selection.NewRanker(labelledTools(t), selection.Experience{})
	for _, question := range []string{
		"How will AI agents reshape the labor market?", "Would a robot tax reduce inequality?", "人工智能代理将如何重塑劳动力市场？", "提高最低工资会导致失业吗？",
	} {
		if got := first(r, question); got != "econ.get_experiment_workflow" {
			t.Errorf("%q: %s", question, got)
		}
	}
}

// A model that no tool is found for is told of those nearest to the question all the same.
func TestRelevantWhereNoneFits(t *testing.T) {
	tools := labelledTools(t)
	slices.Reverse(tools)
	r := selection.NewRanker(tools, selection.Experience{})
	const question = "Who pays for a VAT rise?"
	list := r.Relevant(question)
	at := slices.IndexFunc(list, func(tool host.Tool) bool { return tool.Name == "get_experiment_workflow" })
	if first(r, question) != "" || len(list) != len(tools) || at < 0 || at > 4 {
		t.Errorf("get_experiment_workflow stands at %d of %d, first %s", at, len(list), first(r, question))
	}
}

// What a model has chosen is known the next time, of the tool of that server.
func TestPrecedents(t *testing.T) {
	tools := []host.Tool{
		{Server: "a", Name: "drop", Description: "Delete a sheet."},
		{Server: "b", Name: "drop", Description: "Delete a sheet."},
		{Server: "a", Name: "read", Description: "Read a sheet."},
	}
	const request, alike = "tidy up the quarterly junk", "please tidy that junk up"
	before := selection.NewRanker(tools, selection.Experience{})
	if a, b := first(before, request), first(before, alike); a != "" || b != "" {
		t.Fatalf("without precedents: %s, %s", a, b)
	}
	after := selection.NewRanker(tools, selection.Experience{Precedents: []host.Precedent{
		{Request: request, Server: "b", Tool: "drop"}, {Request: "get rid of the old junk", Server: "b", Tool: "drop"},
	}})
	if a, b := first(after, request), first(after, alike); a != "b.drop" || b != "b.drop" {
		t.Errorf("with precedents: %s, %s", a, b)
	}
	if got := first(after, "read the sheet"); got != "a.read" {
		t.Errorf("another request: %s", got)
	}
	if got := first(after, "sing a song"); got != "" {
		t.Errorf("a request for nothing of this: %s", got)
	}
}
