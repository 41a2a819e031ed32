package selection

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
)

// Model is a language model that answers in a JSON schema.
type Model interface {
	Complete(ctx context.Context, system, user string, schema json.RawMessage) (json.RawMessage, error)
}

// Decision says what came of a request.
type Decision string

const (
	Taken  Decision = "taken"   // one tool
	Asks   Decision = "ask"     // somebody has to choose among the alternatives
	NoTool Decision = "no_tool" // none does it
)

// Choice is the tool for a request.
type Choice struct {
	Decision     Decision `json:"decision"`
	Tool         string   `json:"tool"`   // "" unless one is taken
	Server       string   `json:"server"` // its server
	Reason       string   `json:"reason"`
	Goal         string   `json:"goal"`               // what the request wants: in the model's words, else the request
	Score        float64  `json:"score"`              // of the best by scoring; of the tool where a model took it
	Margin       float64  `json:"margin"`             // share of its score by which the best is ahead of the next; 0 where a model took it
	Fallback     string   `json:"fallback,omitempty"` // why the model's answer was not used, where it was not
	Alternatives []Ranked `json:"alternatives"`       // by scoring, the best first: candidates beside the one that is taken
}

// noTool is what a model answers where no tool fits.
const noTool = "none"

// The best tool is taken, if it only reads, from this margin on, and where it has so much of what the
// words of the request could reach: where little of it is found, one word by chance is ahead of all others.
const (
	clearMargin = 0.3
	mostOf      = 0.4
)

// Select chooses the tool for a request. With a model, it decides; without one, or where it fails or
// names a tool that does not exist, scoring does, which takes a tool only where it is clearly ahead and
// its server says that it only reads. An error is that of a context that has ended.
func (r *Ranker) Select(ctx context.Context, request string, m Model) (Choice, error) {
	c := r.byScore(request)
	if m == nil || len(r.tools) == 0 {
		return c, nil
	}
	answer, i, err := r.ask(ctx, request, m)
	switch {
	case ctx.Err() != nil:
		return Choice{}, ctx.Err()
	case err != nil:
		c.Fallback = err.Error()
		return c, nil
	}
	chosen := Choice{Decision: NoTool, Reason: answer.Reason, Goal: cmp.Or(answer.Goal, oneLine(request)), Alternatives: []Ranked{}}
	for _, other := range r.Rank(request) {
		if other.at == i {
			chosen.Score = other.Score
		} else {
			chosen.Alternatives = append(chosen.Alternatives, other)
		}
	}
	if i >= 0 {
		chosen.Decision, chosen.Tool, chosen.Server = Taken, r.tools[i].Name, r.tools[i].Server
	}
	return chosen, nil
}

// byScore chooses by scoring.
func (r *Ranker) byScore(request string) Choice {
	ranked := r.Rank(request)
	c := Choice{Decision: NoTool, Reason: "no tool does what the request asks for", Goal: oneLine(request), Alternatives: ranked}
	if len(ranked) == 0 {
		return c
	}
	best, t := ranked[0], r.tools[ranked[0].at]
	c.Score, c.Margin = best.Score, 1
	if len(ranked) > 1 {
		c.Margin = math.Round(1000*(1-ranked[1].Score/best.Score)) / 1000
	}
	switch {
	case c.Margin < clearMargin:
		c.Decision, c.Reason = Asks, "several tools may be meant"
	case best.words < mostOf:
		c.Decision, c.Reason = Asks, "no tool has most of what the request says"
	case t.Hints.ReadOnly == nil || !*t.Hints.ReadOnly:
		c.Decision, c.Reason = Asks, t.FullName()+" is the most likely, but may change something"
	default:
		c.Decision, c.Tool, c.Server, c.Reason, c.Alternatives = Taken, t.Name, t.Server, best.Reason, ranked[1:]
	}
	return c
}

// answer is what a model answers.
type answer struct {
	Tool   string `json:"tool"`
	Reason string `json:"reason"`
	Goal   string `json:"goal"`
}

// ask lets a model choose: i is the place of its tool, -1 where it says that none fits.
func (r *Ranker) ask(ctx context.Context, request string, m Model) (a answer, i int, err error) {
	raw, err := m.Complete(ctx, r.selectionPrompt(request), request, r.answerSchema())
	if err != nil {
		return a, 0, fmt.Errorf("the model failed: %w", err)
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return a, 0, fmt.Errorf("the model's answer is not of the schema: %w", err)
	}
	if a.Tool == noTool {
		return a, -1, nil
	}
	i = slices.IndexFunc(r.tools, func(t host.Tool) bool { return t.FullName() == a.Tool || t.Name == a.Tool })
	if i < 0 {
		return a, 0, fmt.Errorf("the model named a tool that does not exist: %q", a.Tool)
	}
	return a, i, nil
}

// schemasKept is how many tokens of full schemas a model is told of.
const schemasKept = 30000

// selectionPrompt tells a model what to choose from, the most relevant first: with the full schemas, and by
// name and one line where these would have more than schemasKept tokens.
func (r *Ranker) selectionPrompt(request string) string {
	var b strings.Builder
	b.WriteString("Choose the one tool that does what the user asks for. " +
		"Answer " + noTool + " where no tool does it: a tool that only has to do with the same things is not enough. " +
		"Say in goal what the user wants to have in the end, and in reason why this tool gets there, " +
		"each in one sentence in the language of the user.\n\nThe tools, one a line:\n")
	left := schemasKept
	for _, i := range r.Relevant(request) {
		t := r.tools[i]
		line, err := json.Marshal(struct {
			Tool        string          `json:"tool"`
			Title       string          `json:"title,omitempty"`
			Description string          `json:"description"`
			Hints       host.Hints      `json:"hints"`
			Input       json.RawMessage `json:"inputSchema"`
		}{t.FullName(), t.Title, t.Description, t.Hints, t.Input})
		size := Tokens(string(line))
		if err != nil || size > left { // err: a schema that is no JSON; the tool can still be named
			short := fault.Shorten(oneLine(cmp.Or(firstSentence(t.Description), t.Title)), 80)
			line, _ = json.Marshal(map[string]string{"tool": t.FullName(), "description": short})
		} else {
			left -= size
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// answerSchema is what a model has to answer in.
func (r *Ranker) answerSchema() json.RawMessage {
	names := []string{noTool}
	for _, t := range r.tools {
		names = append(names, t.FullName())
	}
	list, _ := json.Marshal(names) // texts always encode
	return json.RawMessage(`{"type":"object",` +
		`"properties":{"goal":{"type":"string"},"reason":{"type":"string"},"tool":{"type":"string","enum":` + string(list) + `}},` +
		`"required":["tool","reason","goal"],"additionalProperties":false}`)
}
