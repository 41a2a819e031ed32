package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/host/model"
	"econ-mcp/internal/host/selection"
)

// A budget is for all that a model without function calling is told of tools.
func TestADescriptionKeepsWithinItsBudget(t *testing.T) {
	lists, err := selection.LabelledTools()
	if err != nil {
		t.Fatal(err)
	}
	var tools []host.Tool
	for _, l := range lists {
		tools = append(tools, l.Tools...)
	}
	for _, language := range []string{"en", "zh"} {
		for budget := 600; budget <= 6000; budget += 450 {
			text := chat.Description(tools, selection.PromptOptions{Question: "compare two experiments", Budget: budget, Language: language})
			if n := selection.Tokens(text); n > budget || n < budget/2 || !strings.HasPrefix(text, model.Instructions(language)) ||
				!strings.Contains(text, "compare_experiments") {
				t.Errorf("%s: %d tokens with a budget of %d", language, n, budget)
			}
		}
	}
	if got := chat.Description(nil, selection.PromptOptions{}); got != "" {
		t.Errorf("without tools: %q", got)
	}
}

// A provider takes 128 functions, and a budget may have room for fewer: those that the
// question is about are among them.
func TestTheMostRelevantToolsAreOffered(t *testing.T) {
	t.Parallel()
	s := mcpserver.NewMCPServer("many", "1", mcpserver.WithToolCapabilities(false))
	nothing := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(""), nil
	}
	for i := range 140 {
		s.AddTool(mcp.NewTool(fmt.Sprintf("tool_%03d", i), mcp.WithDescription("Weigh a pear.")), nothing)
	}
	s.AddTool(mcp.NewTool("zz_paint_fence", mcp.WithDescription("Paint a fence.")), nothing)
	router := mustRouterTo(t, mustServe(t, s))
	for _, c := range []struct{ budget, most int }{{0, 128}, {100, 5}} {
		e := mustEndpoint(t, says("Done."))
		client, err := model.New(model.Settings{Provider: "openai", Model: "m", BaseURL: e.url})
		if err != nil {
			t.Fatal(err)
		}
		session := &chat.Session{Router: router, Provider: client, Agent: host.Agent{ToolCalling: true}, Budget: c.budget}
		if _, err := session.Answer(t.Context(), "Please paint the fence"); err != nil {
			t.Fatal(err)
		}
		var sent struct {
			Tools []struct {
				Function struct{ Name string }
			}
		}
		if err := json.Unmarshal([]byte(e.requests()[0]), &sent); err != nil {
			t.Fatal(err)
		}
		if n := len(sent.Tools); n == 0 || n > c.most || n < 3 || !strings.Contains(e.requests()[0], "zz_paint_fence") {
			t.Errorf("budget %d: %d tools", c.budget, n)
		}
	}
}
