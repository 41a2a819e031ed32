package selection_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/selection"
)

// oddTools are listed as no server should.
var oddTools = []host.Tool{
	{},
	{Server: "x", Name: "a_b", Input: json.RawMessage(`{`)},
	{Server: "x", Name: "a_b", Input: json.RawMessage(`{"properties":[]}`)},
	{Server: "x", Name: "读取", Description: "读取文件", Input: json.RawMessage(`null`)},
	{
		Server: "\x00", Name: "\xff\xfe", Description: "\xff",
		Input: json.RawMessage(`{"properties":{"":{"type":[]},"a":7,"b":{"enum":[null,1,{}]}},"required":["",1]}`),
	},
}

// manyOf repeats a text, in which %d is a number, up to 100 kB; less where the tests are to
// be short.
func manyOf(text string) string {
	size := 100_000
	if testing.Short() {
		size = 6000
	}
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(strings.ReplaceAll(text, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// Whatever a request is made of, it is ranked, and does not take minutes: what takes time with
// the square of its length would not end before the test does.
func TestRankOddRequests(t *testing.T) {
	rankers := map[string]*selection.Ranker{}
	for name, tools := range map[string][]host.Tool{"none": nil, "odd": oddTools, "labelled": labelledTools(t)} {
		rankers[name] = selection.NewRanker(tools)
	}
	requests := []string{"", " \n\t", "read\x00file", "\xff\xfe", "📄➡️📁 👩‍👩‍👧", "，。？！；：“”", "“", "{}[]()``''\"\"", "a", "读"}
	for _, text := range []string{
		"a", "A", "aB", "a_", "a=", "a.", "/", "./", "~/x ", `C:\`, "*", "{", "“a ", "\xff", "\x00", "📄", "读", "不要", "not ", "don't ", "or read ",
		"month %d to 9 ",
		"%d ", "run_%d ", "/data/a%d.csv ", "of octo/hello%d.js ", `{"a%d": 1} `, "x_%d = 5 ", "called x%d ", "read the file ", "把文件读取出来，",
		"读取文件 name%d ", "read_text_file",
	} {
		requests = append(requests, manyOf(text))
	}
	for _, request := range requests {
		for name, r := range rankers {
			if got := r.Rank(request); name == "none" && len(got) > 0 {
				t.Errorf("%.20q: %d tools of none", request, len(got))
			}
		}
	}
}

// What stands before or after what was pasted into a request says what is wanted.
func TestRankLongRequests(t *testing.T) {
	r := selection.NewRanker(labelledTools(t))
	const want, request = "files.read_text_file", "read the file /data/notes.txt"
	pasted := strings.Repeat("所有的 lorem ipsum dolor sit amet, ", 5000)
	for _, text := range []string{request, request + "\n" + pasted, pasted + "\n" + request} {
		if got := r.Rank(text); !slices.ContainsFunc(got, func(c selection.Ranked) bool { return name(c) == want }) {
			t.Errorf("%.40q and so on: %d tools, without %s", text, len(got), want)
		}
	}
}

// A server that lists a description without end keeps nobody waiting, nor loses its tool.
func TestRankLongDescriptions(t *testing.T) {
	for _, text := range []string{"not ", "读取文件", "read or "} {
		r := selection.NewRanker([]host.Tool{{Server: "x", Name: "read_sheet", Description: manyOf(text)}})
		if got := first(r, "read the sheet"); got != "x.read_sheet" {
			t.Errorf("%q and so on: %q", text, got)
		}
	}
}

// BenchmarkRankLongRequest is 100 kB pasted as a request: a fraction of a second.
func BenchmarkRankLongRequest(b *testing.B) {
	r := selection.NewRanker(labelledTools(b))
	for name, request := range map[string]string{"English": manyOf("do not read the file, or "), "Chinese": manyOf("把文件读取出来，")} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.Rank(request)
			}
		})
	}
}

// Rankers are made and used side by side, and all say the same.
func TestRankSideBySide(t *testing.T) {
	tools := labelledTools(t)
	answers := make([]string, 8)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() {
			r := selection.NewRanker(tools)
			for _, request := range []string{"list the tables", "read the file /data/notes.txt", "把实验停掉，不要保存"} {
				list, err := json.Marshal(r.Rank(request))
				if err != nil {
					t.Error(err)
				}
				answers[i] += string(list)
			}
		})
	}
	wait.Wait()
	for _, a := range answers[1:] {
		if a != answers[0] {
			t.Fatalf("one says\n%s\nanother\n%s", answers[0], a)
		}
	}
}
