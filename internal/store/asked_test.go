package store_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

// hypotheses are what a ledger holds, as hypothesis, p-value, times and who asked.
func hypotheses(list []store.Asked) string {
	var lines []string
	for _, a := range list {
		lines = append(lines, fmt.Sprintf("%s %g %d %s", a.Hypothesis, a.P, a.Times, a.By))
	}
	return strings.Join(lines, "; ")
}

func TestAsk(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	for _, name := range []string{"a", "b", "c"} {
		must(t, mustCreate(t, s, name).Close())
	}
	for _, c := range []struct {
		of    string
		asked []store.Asked
		by    string
		want  string
	}{
		{"a", nil, "ada", ""},
		{"a", []store.Asked{{Hypothesis: "a: cpi", P: .04}, {Hypothesis: "a: hhi", P: math.NaN()}}, "ada", "a: cpi 0.04 1 ada; a: hhi NaN 1 ada"},
		{"a", []store.Asked{{Hypothesis: "a: cpi", P: .03}}, "bob", "a: cpi 0.04 1 ada; a: hhi NaN 1 ada; a: cpi 0.03 1 bob"},
		{"a", []store.Asked{{Hypothesis: "a: cpi", P: .02}}, "bob", "a: cpi 0.04 1 ada; a: hhi NaN 1 ada; a: cpi 0.02 2 bob"},
		// again: counts once, for each who asks
		{"b", []store.Asked{{Hypothesis: "b: cpi", P: .5}}, "bob", "b: cpi 0.5 1 bob"},
		// another experiment has its own
		{"a b", []store.Asked{{Hypothesis: "d: b - a", P: .1}}, "eve",
			"a: cpi 0.04 1 ada; a: hhi NaN 1 ada; a: cpi 0.02 2 bob; b: cpi 0.5 1 bob; d: b - a 0.1 1 eve"}, // of both: counts for each, once in the answer
		{"a", nil, "ada", "a: cpi 0.04 1 ada; a: hhi NaN 1 ada; a: cpi 0.02 2 bob; d: b - a 0.1 1 eve"},
		{"c", nil, "ada", ""},
	} {
		got, err := s.Ask(context.Background(), strings.Fields(c.of), c.asked, c.by)
		must(t, err)
		if hypotheses(got) != c.want {
			t.Errorf("%s asked of %s, got\n%s, want\n%s", hypotheses(c.asked), c.of, hypotheses(got), c.want)
		}
	}
	_, err := s.Ask(context.Background(), []string{"a", "d"}, []store.Asked{{Hypothesis: "e"}}, "ada")
	wantKind(t, err, fault.NotFound, "d")
	if all, err := s.Ask(context.Background(), []string{"a"}, nil, ""); err != nil || len(all) != 4 {
		t.Errorf("a refused question is counted: %s, %v", hypotheses(all), err)
	}
	// Of another experiment with its name, nothing was asked.
	_, err = s.Delete(context.Background(), "a")
	must(t, err)
	must(t, mustCreate(t, s, "a").Close())
	if all, err := s.Ask(context.Background(), []string{"a"}, nil, ""); err != nil || len(all) != 0 {
		t.Errorf("of one that was deleted, this is left: %s, %v", hypotheses(all), err)
	}
}

// Two processes that ask at once lose nothing, and each sees what it asked.
func TestAskAtOnce(t *testing.T) {
	dir := t.TempDir()
	stores := []*store.Store{mustOpen(t, dir), mustOpen(t, dir)}
	must(t, mustCreate(t, stores[0], "x").Close())
	const askers, questions = 6, 10
	var asking sync.WaitGroup
	for k := range askers {
		asking.Go(func() {
			for q := range questions {
				own, shared := fmt.Sprintf("%d: %d", k, q), fmt.Sprintf("all: %d", q)
				all, err := stores[k%2].Ask(context.Background(), []string{"x"}, []store.Asked{{Hypothesis: own}, {Hypothesis: shared}}, "ada")
				if text := hypotheses(all); err != nil || !strings.Contains(text, own) || !strings.Contains(text, shared) {
					t.Errorf("%s: %v, answered %s", own, err, text)
				}
			}
		})
	}
	asking.Wait()
	all, err := stores[1].Ask(context.Background(), []string{"x"}, nil, "")
	if must(t, err); len(all) != askers*questions+questions {
		t.Errorf("%d hypotheses, want %d", len(all), askers*questions+questions)
	}
	for _, a := range all {
		want := 1
		if strings.HasPrefix(a.Hypothesis, "all") {
			want = askers
		}
		if a.Times != want {
			t.Errorf("%s was asked %d times, want %d", a.Hypothesis, a.Times, want)
		}
	}
}

// askerFolder names the folder in which this test binary, run again as another process,
// asks until it is killed.
const askerFolder = "ECON_MCP_STORE_ASKER"

func askForEver(dir string) {
	s, err := store.Open(dir)
	for q := 1; err == nil; q++ {
		if _, err = s.Ask(context.Background(), []string{"x"}, []store.Asked{{Hypothesis: fmt.Sprint(q), P: .5}}, "killed"); err == nil {
			fmt.Println(q)
		}
	}
	fmt.Println("error", err)
	os.Exit(1)
}

// What was answered is counted, even if the process that answered is killed at once.
func TestAskerIsKilled(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	must(t, mustCreate(t, s, "x").Close())
	asker := exec.Command(os.Args[0])
	asker.Env = append(os.Environ(), askerFolder+"="+dir)
	out, err := asker.StdoutPipe()
	must(t, err)
	must(t, asker.Start())
	defer asker.Process.Kill()
	last, answered := "", 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if last, answered = lines.Text(), answered+1; answered == 20 {
			must(t, asker.Process.Kill())
		}
	}
	asker.Wait()
	all, err := s.Ask(context.Background(), []string{"x"}, nil, "")
	if must(t, err); answered < 20 || len(all) < answered || last != fmt.Sprint(answered) {
		t.Errorf("%d hypotheses are counted; %d were answered, the last is %s", len(all), answered, last)
	}
}
