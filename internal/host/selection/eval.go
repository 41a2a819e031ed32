package selection

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"econ-mcp/internal/host"
)

// labelled are the tools of several servers, as their public packages list them, and requests with the
// tools that they need.
//
//go:embed testdata/tools/*.json testdata/development.jsonl
var labelled embed.FS

// Labelled is a request with the tool that it needs.
type Labelled struct {
	Request string   `json:"request"`
	Tools   []string `json:"tools"` // "server.tool"; several where either is right, none where no tool does it
}

// ToolList is what a server lists, as it was when it was asked.
type ToolList struct {
	Source  string      `json:"source"` // package or documentation
	Version string      `json:"version"`
	Tools   []host.Tool `json:"tools"`
}

// LabelledTools are the lists of the servers that the labelled requests are about, by server.
func LabelledTools() (lists []ToolList, err error) {
	files, _ := labelled.ReadDir("testdata/tools") // what is embedded can be read
	for _, f := range files {
		data, _ := labelled.ReadFile("testdata/tools/" + f.Name())
		var l ToolList
		if err := json.Unmarshal(data, &l); err != nil {
			return nil, fmt.Errorf("the tools of %s cannot be read: %w", f.Name(), err)
		}
		lists = append(lists, l)
	}
	return lists, nil
}

// DevelopmentRequests are those on which the ranking was tuned: they say less than requests that others
// wrote.
func DevelopmentRequests() ([]Labelled, error) {
	data, _ := labelled.ReadFile("testdata/development.jsonl") // what is embedded can be read
	return ReadLabelled(data)
}

// ReadLabelled reads labelled requests, one JSON object a line.
func ReadLabelled(data []byte) (list []Labelled, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	for {
		var l Labelled
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("labelled request %d cannot be read: %w", len(list)+1, err)
		}
		list = append(list, l)
	}
}

// Accuracy is how often a ranking is right for a group of requests.
type Accuracy struct {
	Group    string `json:"group"`
	Requests int    `json:"requests"`
	First    int    `json:"first"`   // the right tool comes first, or none is offered where none is right
	Offered  int    `json:"offered"` // it is among those that are offered, or none is
	Taken    int    `json:"taken"`   // one was taken without asking
	Wrong    int    `json:"wrong"`   // of those: another than the right one
}

// Miss is a request to which the right tool did not come first.
type Miss struct {
	Labelled
	Got []Ranked `json:"got"`
}

// Evaluation is how a ranking does on labelled requests.
type Evaluation struct {
	Tools  int        `json:"tools"`
	Groups []Accuracy `json:"groups"` // by server and language, all last
	Misses []Miss     `json:"misses"`
}

// Evaluate ranks the tools of all labelled lists for each request.
func Evaluate(requests []Labelled) (Evaluation, error) {
	lists, err := LabelledTools()
	if err != nil {
		return Evaluation{}, err
	}
	var tools []host.Tool
	known := map[string]bool{}
	for _, l := range lists {
		tools = append(tools, l.Tools...)
		for _, t := range l.Tools {
			known[t.FullName()] = true
		}
	}
	r := NewRanker(tools)
	e := Evaluation{Tools: len(tools), Misses: []Miss{}}
	for _, name := range groups {
		e.Groups = append(e.Groups, Accuracy{Group: name})
	}
	for _, l := range requests {
		for _, name := range l.Tools {
			if !known[name] {
				return e, fmt.Errorf("%q needs %s, which no server has", l.Request, name)
			}
		}
		c := r.byScore(l.Request)
		got := r.Rank(l.Request)
		right := func(t Ranked) bool { return slices.Contains(l.Tools, t.Server+"."+t.Tool) }
		first := len(got) == 0 && len(l.Tools) == 0 || len(got) > 0 && right(got[0])
		for _, g := range []*Accuracy{&e.Groups[l.group()], &e.Groups[len(e.Groups)-1]} {
			g.Requests++
			g.First += count(first)
			g.Offered += count(first || slices.ContainsFunc(got, right))
			g.Taken += count(c.Decision == Taken)
			g.Wrong += count(c.Decision == Taken && !first)
		}
		if !first {
			e.Misses = append(e.Misses, Miss{l, got})
		}
	}
	return e, nil
}

var groups = []string{
	"own tools, English", "own tools, Chinese", "others' tools, English", "others' tools, Chinese",
	"no tool, English", "no tool, Chinese", "all",
}

// group is the index of a request's group: by whose tools it is for, and its language.
func (l Labelled) group() int {
	at := 0
	switch {
	case len(l.Tools) == 0:
		at = 4
	case !strings.HasPrefix(l.Tools[0], "econ."):
		at = 2
	}
	return at + count(strings.ContainsFunc(l.Request, isHan))
}

func count(holds bool) int {
	if holds {
		return 1
	}
	return 0
}
