package selection

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/host"
)

// Model is a language model that answers in a JSON schema.
type Model interface {
	Complete(ctx context.Context, system, user string, schema json.RawMessage) (json.RawMessage, error)
}

// Choice is the tool for a request.
type Choice struct {
	Tool         string        `json:"tool"`
	Server       string        `json:"server"`
	Reason       string        `json:"reason"`
	Goal         string        `json:"goal"`               // what the request wants: in the model's words, else the request
	Score        float64       `json:"score"`              // of the words; 0 for a tool that only the model sees a reason for
	Fallback     string        `json:"fallback,omitempty"` // why the model's answer was not used, where it was not
	Alternatives []Alternative `json:"alternatives"`       // the next ones by their words, at most three
}

// Alternative is another tool that fits a request.
type Alternative struct {
	Tool   string  `json:"tool"`
	Server string  `json:"server"`
	Score  float64 `json:"score"`
	Reason string  `json:"reason"`
}

// noTool is what a model answers where no tool fits.
const noTool = "none"

// alternativesKept is how many other tools a choice tells of.
const alternativesKept = 3

// Select chooses the tool for a request; ok is false where none fits. With a model, it
// decides; without one, or where it fails or names a tool that does not exist, the words
// do. An error is that of a context that has ended.
func (r *Ranker) Select(ctx context.Context, request string, m Model) (c Choice, ok bool, err error) {
	ranked := r.Rank(request)
	fallback := ""
	if m != nil && len(r.tools) > 0 {
		answer, i, err := r.ask(ctx, request, m)
		switch {
		case ctx.Err() != nil:
			return Choice{}, false, ctx.Err()
		case err != nil:
			fallback = err.Error()
		case i < 0:
			return Choice{Reason: answer.Reason, Goal: answer.Goal, Alternatives: alternatives(ranked, nil)}, false, nil
		default:
			t := r.tools[i]
			c := Choice{Tool: t.Name, Server: t.Server, Reason: answer.Reason, Goal: cmp.Or(answer.Goal, oneLine(request)), Alternatives: alternatives(ranked, &t)}
			for _, other := range ranked {
				if sameTool(other.Tool, t) {
					c.Score = other.Score
				}
			}
			return c, true, nil
		}
	}
	c = Choice{Goal: oneLine(request), Fallback: fallback, Alternatives: alternatives(ranked, nil)}
	if len(ranked) == 0 {
		c.Reason = "no tool does what the request asks for"
		return c, false, nil
	}
	best := ranked[0]
	c.Tool, c.Server, c.Reason, c.Score = best.Tool.Name, best.Tool.Server, best.Reason, best.Score
	c.Alternatives = alternatives(ranked, &best.Tool)
	return c, true, nil
}

func sameTool(a, b host.Tool) bool { return a.Server == b.Server && a.Name == b.Name }

// alternatives are the first of a ranking but the chosen one.
func alternatives(ranked []Ranked, chosen *host.Tool) []Alternative {
	list := []Alternative{}
	for _, c := range ranked {
		if len(list) < alternativesKept && (chosen == nil || !sameTool(c.Tool, *chosen)) {
			list = append(list, Alternative{c.Tool.Name, c.Tool.Server, c.Score, c.Reason})
		}
	}
	return list
}

// answer is what a model answers.
type answer struct {
	Tool   string `json:"tool"`
	Reason string `json:"reason"`
	Goal   string `json:"goal"`
}

// ask lets a model choose: i is the place of its tool, -1 where it says that none fits.
func (r *Ranker) ask(ctx context.Context, request string, m Model) (a answer, i int, err error) {
	raw, err := m.Complete(ctx, r.selectionPrompt(), request, r.answerSchema())
	if err != nil {
		return a, 0, fmt.Errorf("the model failed: %w", err)
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return a, 0, fmt.Errorf("the model's answer is not of the schema: %w", err)
	}
	if a.Tool == noTool {
		return a, -1, nil
	}
	i = slices.IndexFunc(r.tools, func(t host.Tool) bool { return t.FullName() == a.Tool })
	if i < 0 {
		i = slices.IndexFunc(r.tools, func(t host.Tool) bool { return t.Name == a.Tool })
	}
	if i < 0 {
		return a, 0, fmt.Errorf("the model named a tool that does not exist: %q", a.Tool)
	}
	return a, i, nil
}

// selectionPrompt tells a model what to choose from, with the full schemas.
func (r *Ranker) selectionPrompt() string {
	var b strings.Builder
	b.WriteString("Choose the one tool that does what the user asks for. Answer " + noTool + " where no tool does it: a tool that only has to do with the same things is not enough. " +
		"Say in goal what the user wants to have in the end, and in reason why this tool gets there, each in one sentence in the language of the user.\n\nThe tools, one a line:\n")
	for _, t := range r.tools {
		line, err := json.Marshal(struct {
			Tool        string          `json:"tool"`
			Title       string          `json:"title,omitempty"`
			Description string          `json:"description"`
			Hints       host.Hints      `json:"hints"`
			Input       json.RawMessage `json:"inputSchema"`
		}{t.FullName(), t.Title, t.Description, t.Hints, t.Input})
		if err != nil { // a schema that is no JSON: the tool can still be named
			line = []byte(fmt.Sprintf("{\"tool\":%q}", t.FullName()))
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// answerSchema is what a model has to answer in.
func (r *Ranker) answerSchema() json.RawMessage {
	type text struct {
		Type string   `json:"type"`
		Enum []string `json:"enum,omitempty"`
	}
	names := []string{noTool}
	for _, t := range r.tools {
		names = append(names, t.FullName())
	}
	schema := struct {
		Type       string          `json:"type"`
		Properties map[string]text `json:"properties"`
		Required   []string        `json:"required"`
		Additional bool            `json:"additionalProperties"`
	}{"object", map[string]text{"tool": {"string", names}, "reason": {Type: "string"}, "goal": {Type: "string"}}, []string{"tool", "reason", "goal"}, false}
	raw, _ := json.Marshal(schema) // texts always encode
	return raw
}
