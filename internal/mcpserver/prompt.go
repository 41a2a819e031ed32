package mcpserver

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
)

// Prompt is a text with blanks that a user can choose in a client.
type Prompt struct {
	Name        string
	Title       string
	TitleZH     string
	Description string
	Arguments   []Argument

	// Text is the prompt with its blanks filled in. All required arguments are there.
	Text func(arguments map[string]string) string

	Complete Completer // of its arguments; may be nil
}

// Completer lists the values of an argument that begin with a prefix.
type Completer func(ctx context.Context, argument, prefix string) ([]string, error)

// Argument is a blank in a prompt.
type Argument struct {
	Name, Description string
	Required          bool
}

func (p Prompt) describe(lang string) mcp.Prompt {
	d := mcp.NewPrompt(p.Name, mcp.WithPromptTitle(inLanguage(lang, p.Title, p.TitleZH)), mcp.WithPromptDescription(p.Description))
	for _, a := range p.Arguments {
		d.Arguments = append(d.Arguments, mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
	}
	return d
}

// getPrompt answers prompts/get.
func (x *exchange) getPrompt() *reply {
	name, ok := text(x.m.Params.Name)
	if !ok || name == "" {
		return failure(x.m.ID, mcp.INVALID_PARAMS, "name must be the name of a prompt")
	}
	if answer := x.server.prompts[name]; answer != nil {
		return answer(x)
	}
	names := slices.Sorted(maps.Keys(x.server.prompts))
	return x.refuse(fault.Unknown(fault.NotFound, "prompt", name, names), mcp.INVALID_PARAMS, "")
}

// usePrompt fills in a prompt.
func (x *exchange) usePrompt(p Prompt) *reply {
	filled, err := x.fillIn(p)
	if err != nil {
		return x.refuse(err, mcp.INVALID_PARAMS, "")
	}
	return x.finish(mustMarshal(promptResult{p.Description, []promptMessage{{mcp.RoleUser, mcp.NewTextContent(filled)}}}), false)
}

type promptResult struct {
	Description string          `json:"description,omitempty"`
	Messages    []promptMessage `json:"messages"`
}

type promptMessage struct {
	Role    mcp.Role        `json:"role"`
	Content mcp.TextContent `json:"content"`
}

func (x *exchange) fillIn(p Prompt) (string, error) {
	arguments := make(map[string]string)
	if raw := x.m.Params.Arguments; len(raw) > 0 {
		if err := json.Unmarshal(raw, &arguments); err != nil {
			return "", fault.New(fault.WrongType, "arguments", "arguments is an object of strings: %v", err)
		}
	}
	for _, a := range p.Arguments {
		if a.Required && arguments[a.Name] == "" {
			return "", fault.Missing(a.Name, "give "+a.Name+": "+a.Description)
		}
	}
	return p.Text(arguments), nil
}
