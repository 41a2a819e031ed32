package selection

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"econ-mcp/internal/host"
)

// oddTools are many, of several servers and categories, with texts that begin and end in many ways.
func oddTools(n int) (tools []host.Tool) {
	for i := range n {
		tools = append(tools, host.Tool{
			Server: []string{"files", "表格", "7 zip "}[i%3], Category: []string{"", "2nd", "数据"}[i/3%3],
			Name:        fmt.Sprintf("%sSheet_%d%s", []string{"read", "写", "3d"}[i/9%3], i, []string{"", " ", "!"}[i/2%3]),
			Description: strings.Repeat("Counts the sheets of 12345 books (or 书). ", i%7),
			Input:       json.RawMessage(`{"properties":{"where":{"type":"string","description":"A path"}}}`),
		})
	}
	return tools
}

// What is added up while a budget is allotted is what the prompt has in the end.
func TestCostsOfPromptAddUp(t *testing.T) {
	tools := oddTools(1100)
	for _, language := range []string{"en", "zh"} {
		for _, budget := range []int{60, 61, 100, 333, 5_000, 20_000, 35_000} {
			p := newPrompt(tools, PromptOptions{Question: "count sheets of books", Budget: budget, Language: language})
			p.allot()
			if got, want := tokens(p.cost+thirds(p.l.head+p.end(p.shown))), Tokens(p.write()); got != want || got > budget || p.shown == 0 {
				t.Errorf("%s, %d: %d tools add up to %d tokens of %d", language, budget, p.shown, got, want)
			}
		}
	}
}

// The prompt is not written for each tool: it is made at each step of a chat.
func TestBudgetIsAllottedCheaply(t *testing.T) {
	tools := oddTools(1000)
	allocations := func(budget int) float64 {
		return testing.AllocsPerRun(1, func() { Prompt(tools, PromptOptions{Question: "count sheets of books", Budget: budget}) })
	}
	if all, some := allocations(0), allocations(20_000); some > 8*all {
		t.Errorf("%v allocations with a budget, %v without", some, all)
	}
}
