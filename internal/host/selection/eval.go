package selection

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"econ-mcp/internal/host"
)

//go:embed testdata/tools_*.json testdata/held_out.jsonl
var labelled embed.FS

// Labelled is a request with the tool that it needs.
type Labelled struct {
	Request string   `json:"request"`
	Tools   []string `json:"tools"` // "server.tool"; several where one does what the other does, none where no tool fits
}

// ToolList is what a server lists, as it was when it was asked.
type ToolList struct {
	Package string      `json:"package"`
	Version string      `json:"version"`
	Licence string      `json:"licence"`
	Tools   []host.Tool `json:"tools"`
}

// LabelledTools are the lists of the three servers that the labelled requests are about.
func LabelledTools() (list []ToolList, err error) {
	for _, server := range []string{"econ", "github", "files"} {
		data, err := labelled.ReadFile("testdata/tools_" + server + ".json")
		if err != nil {
			return nil, err
		}
		var l ToolList
		if err := json.Unmarshal(data, &l); err != nil {
			return nil, fmt.Errorf("the tools of %s cannot be read: %w", server, err)
		}
		list = append(list, l)
	}
	return list, nil
}

// KnownRequests are requests in English and Chinese with the tools that they need: the
// examples that the ranker knows, and on which its words may be tuned.
func KnownRequests() ([]Labelled, error) { return parseLabelled("examples.jsonl", knownRequests) }

// HeldOutRequests are those that say how good it is: written by other people, and not
// looked at by whoever tunes it.
func HeldOutRequests() ([]Labelled, error) {
	data, err := labelled.ReadFile("testdata/held_out.jsonl")
	if err != nil {
		return nil, err
	}
	return parseLabelled("held_out.jsonl", data)
}

func parseLabelled(file string, data []byte) (list []Labelled, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	for {
		var l Labelled
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("labelled request %d of %s cannot be read: %w", len(list)+1, file, err)
		}
		list = append(list, l)
	}
}

// Accuracy is how often a ranker is right.
type Accuracy struct {
	Requests int `json:"requests"` // that need a tool
	Top1     int `json:"top1"`     // of them: it comes first
	Top3     int `json:"top3"`     // of them: it is among the first three
	NoTool   int `json:"no_tool"`  // requests that fit no tool
	Refused  int `json:"refused"`  // of them: none was given
}

// Share is a count as a share; that of nothing is 1.
func Share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Miss is a request to which the right tool did not come first.
type Miss struct {
	Labelled
	Got []string `json:"got"` // the first three
}

// Evaluation is how a ranker does on labelled requests.
type Evaluation struct {
	Tools   int      `json:"tools"`
	HeldOut Accuracy `json:"held_out"`       // requests of others
	Words   Accuracy `json:"held_out_words"` // the same, as if no examples were known: as of a server that nobody has seen
	Known   Accuracy `json:"known_words"`    // the examples, as if they were not known
	Misses  []Miss   `json:"misses"`         // of these last ones
	Prompts Prompts  `json:"prompts"`
}

// Prompts says what prompts under a budget hold of what requests need.
type Prompts struct {
	Budget   int `json:"budget"`   // tokens
	Largest  int `json:"largest"`  // prompt, in tokens
	Requests int `json:"requests"` // that need a tool
	InFull   int `json:"in_full"`  // of them: the tool is in the prompt with its arguments
	Named    int `json:"named"`    // of them: it is there by name and one line at least
}

// promptBudget is what the prompts of an evaluation may take: of 4,000 tokens, what the
// explanation of how tools are called leaves to the tools.
const promptBudget = 3600

// EvaluateLabelled is [Evaluate] on the labelled requests and tools that come with this
// package.
func EvaluateLabelled() (Evaluation, error) {
	lists, err := LabelledTools()
	if err != nil {
		return Evaluation{}, err
	}
	known, err := KnownRequests()
	if err != nil {
		return Evaluation{}, err
	}
	heldOut, err := HeldOutRequests()
	if err != nil {
		return Evaluation{}, err
	}
	var tools []host.Tool
	for _, l := range lists {
		tools = append(tools, l.Tools...)
	}
	return Evaluate(tools, known, heldOut), nil
}

// Evaluate ranks the tools for each request, and writes a prompt for each that is held out.
func Evaluate(tools []host.Tool, known, heldOut []Labelled) Evaluation {
	r, words := NewRanker(tools, Experience{}), newRanker(tools, Experience{}, newExamples())
	e := Evaluation{Tools: len(tools), Misses: []Miss{}, Prompts: Prompts{Budget: promptBudget}}
	for _, l := range known {
		if got, right := e.Known.add(words, l); !right {
			e.Misses = append(e.Misses, Miss{l, got})
		}
	}
	for _, l := range heldOut {
		e.Words.add(words, l)
		e.HeldOut.add(r, l)
		e.Prompts.add(tools, l, r)
	}
	return e
}

// add ranks the tools for a request and counts whether that was right. It gives the first
// three.
func (a *Accuracy) add(r *Ranker, l Labelled) (got []string, right bool) {
	got = []string{}
	for _, c := range r.Rank(l.Request) {
		if got = append(got, c.Tool.FullName()); len(got) == 3 {
			break
		}
	}
	if len(l.Tools) == 0 {
		a.NoTool++
		if right = len(got) == 0; right {
			a.Refused++
		}
		return got, right
	}
	at := slices.IndexFunc(got, func(name string) bool { return slices.Contains(l.Tools, name) })
	a.Requests++
	if at == 0 {
		a.Top1++
	}
	if at >= 0 {
		a.Top3++
	}
	return got, at == 0
}

// add writes the prompt for a request and looks what it holds.
func (p *Prompts) add(tools []host.Tool, l Labelled, r *Ranker) {
	text, levels := writePrompt(tools, PromptOptions{Question: l.Request, Budget: p.Budget, Ranker: r})
	p.Largest = max(p.Largest, Tokens(text))
	if len(l.Tools) == 0 {
		return
	}
	best := counted
	for i, t := range tools {
		if slices.Contains(l.Tools, t.FullName()) {
			best = max(best, levels[i])
		}
	}
	p.Requests++
	if best >= named {
		p.Named++
	}
	if best == full {
		p.InFull++
	}
}
