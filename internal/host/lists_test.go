package host_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/host"
)

func TestListsThatAreWrong(t *testing.T) {
	t.Parallel()
	for _, transport := range []host.Transport{host.Stdio, host.HTTP} {
		if _, err := mustHub(t, transport, "circle", nil).List(t.Context(), "sheets"); host.LayerOf(err) != host.LayerMalformed ||
			!strings.Contains(err.Error(), "repeats the cursor") {
			t.Errorf("%s: a list in a circle: %v", transport, err)
		}
		if _, err := mustHub(t, transport, "no end", nil).List(t.Context(), "sheets"); host.LayerOf(err) != host.LayerMalformed ||
			!strings.Contains(err.Error(), "more than 1000 pages") {
			t.Errorf("%s: a list without end: %v", transport, err)
		}
	}
}

// A tool whose schema cannot be used, or not as a whole, is listed and can be called; what is
// wrong stands beside it.
func TestSchemasThatAreWrong(t *testing.T) {
	t.Parallel()
	h := mustHub(t, host.Stdio, "broken schema", nil)
	l, err := h.List(t.Context(), "sheets")
	if err != nil || len(l.Tools) != 4 || len(l.Problems) != 1 || l.Problems[0].Tool != "echo" ||
		!strings.Contains(l.Problems[0].Message, "listed twice") {
		t.Fatalf("%+v, %v", l, err)
	}
	for i, c := range []struct{ name, problem, wrong, fits string }{
		{"bad", "its input schema cannot be used (type: ", "", `{"text":7}`},
		{"worse", "its input schema cannot be used (it is not an object): only the server checks its arguments", "", `{"text":7}`},
		{"elsewhere", "its input schema refers to https://example.com/point.json, other.json#/$defs/b, which is not fetched: " +
			"only the server checks those arguments", `{"at":1,"n":"x"}`, `{"at":1,"n":2}`},
		{"echo", "", `{"text":7}`, `{"text":"x"}`},
	} {
		tool := l.Tools[i]
		if tool.Name != c.name || !strings.HasPrefix(tool.Problem, c.problem) || (tool.Problem == "") != (c.problem == "") {
			t.Errorf("%s: %q, want %q", tool.Name, tool.Problem, c.problem)
		}
		if goTypes.MatchString(tool.Problem) || strings.Contains(string(tool.Input), "example.com") {
			t.Errorf("%s: %q, %s", c.name, tool.Problem, tool.Input)
		}
		if err := host.Validate(tool, json.RawMessage(c.wrong)); c.wrong != "" && host.LayerOf(err) != host.LayerValidation {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := host.Validate(tool, json.RawMessage(c.fits)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if r, err := call(h, "elsewhere", `{"at":1}`); err != nil || r.Text() != `{"at":1}` {
		t.Errorf("%q, %v", r.Text(), err)
	}
}

// What has the wrong type is named as the protocol names it.
func TestErrorsNameNoGoTypes(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`"result":7`:               "the result of the tool: it is a number where an object is needed",
		`"result":{"content":7}`:   "the result of the tool: content is a number where an array is needed",
		`"result":{"content":[7]}`: "the result of the tool: content is a number where an object is needed",
		`"result":{"content":[{"type":"text","text":7}]}`: "the result of the tool: content.text is a number where a string " +
			"is needed",
		`"result":{"content":[{"type":"resource","resource":{"uri":[]}}]}`: "the result of the tool: content.resource.uri is an array where " +
			"a string is needed",
		`"result":{"content":[],"isError":"yes"}`: "the result of the tool: isError is a string where true or false is needed",
		`"error":{"code":"x","message":"no"}`:     "",
		`"error":7`:                               "",
		`"result":null`:                           "",
		`"nothing":7`:                             "",
	} {
		for _, transport := range transports {
			t.Run(string(transport)+" "+body, func(t *testing.T) {
				t.Parallel()
				h := mustHub(t, transport, "answers "+body, func(s *host.Server) { s.Timeout = 2 * time.Second })
				_, err := call(h, "echo", `{"text":"x"}`)
				if err == nil || goTypes.MatchString(err.Error()) || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %q", err, want)
				}
			})
		}
	}
	for body, want := range map[string]string{
		`{"tools":7}`:                         "the answer to tools/list: tools is a number where an array is needed",
		`{"tools":[{"name":7}]}`:              "the tool: name is a number where a string is needed",
		`{"tools":[{"name":"a","_meta":[]}]}`: "the tool: _meta is an array where an object is needed",
		`{"tools":[],"ttlMs":"x"}`:            "the answer to tools/list: ttlMs is a string where a number is needed",
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			l, err := mustHub(t, host.Stdio, "lists "+body, nil).List(t.Context(), "sheets")
			told := fmt.Sprint(err, l.Problems)
			if goTypes.MatchString(strings.Trim(told, "[]<nil>")) || !strings.Contains(told, want) {
				t.Errorf("%s, want %q", told, want)
			}
		})
	}
}

func TestChatterIsNoError(t *testing.T) {
	t.Parallel()
	// Two calls at once: which of them a line was meant for cannot be known.
	h := mustHub(t, host.Stdio, "chatter", nil)
	if err := h.Connect(t.Context(), "sheets"); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			if r, err := call(h, "wait", "{}"); err != nil || r.Text() != "waited" {
				t.Errorf("%v %v", r, err)
			}
		})
	}
	wait.Wait()
	// Nor is an answer that is late malformed for it.
	_, err := h.Call(t.Context(), host.Call{Server: "sheets", Tool: "wait", Timeout: 50 * time.Millisecond})
	if host.LayerOf(err) != host.LayerTimeout || !strings.Contains(err.Error(), "listening on nothing in particular") {
		t.Errorf("%v", err)
	}
}

func TestChangedToolsAreTold(t *testing.T) {
	t.Parallel()
	for _, transport := range []host.Transport{host.Stdio, host.HTTP} {
		h := mustHub(t, transport, "change", nil)
		told := make(chan string, 1)
		h.OnChanged(func(server string) { told <- server })
		if _, err := call(h, "echo", `{"text":"x"}`); err != nil {
			t.Fatal(err)
		}
		select {
		case server := <-told:
			if server != "sheets" {
				t.Errorf("%s: told of %q", transport, server)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s: nothing was told", transport)
		}
	}
}
