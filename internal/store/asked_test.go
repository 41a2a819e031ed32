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

// simulating creates an experiment whose arms simulate such data.
func simulating(t *testing.T, s *store.Store, name string, seed uint64, data ...string) {
	t.Helper()
	x := experiment(name)
	x.Seed, x.Arms = seed, nil
	for i, d := range data {
		x.Arms = append(x.Arms, store.Arm{Name: fmt.Sprint("arm", i), Scenario: []byte("s"), Data: d})
	}
	j, err := s.Create(context.Background(), x, seeds, false)
	must(t, err)
	must(t, j.Close())
}

// What simulates the same has one ledger, whatever it is called, whoever deletes it; each question has its number.
func TestQuestionsAreOfWhatIsSimulated(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	simulating(t, s, "a", 1, "control", "vat")
	simulating(t, s, "b", 2, "control", "vat", "wage")
	simulating(t, s, "c", 1, "control", "wage")
	simulating(t, s, "d", 1, "vat")
	for n, c := range []struct{ of, asked, by, want string }{
		{"a", "1 2", "ada", "1 1 ada, 2 1 ada"},
		{"a", "3", "ada", "1 1 ada, 2 1 ada, 3 2 ada"},
		{"b", "3 4", "ada", "1 1 ada, 2 1 ada, 3 2 ada, 4 3 ada"}, // 3 is what was asked of a
		{"b", "1", "bob", "1 1 ada, 2 1 ada, 3 2 ada, 4 3 ada, 1 1 bob"},
		{"c", "5", "ada", "3 2 ada, 4 3 ada, 1 1 bob, 5 4 ada"}, // shares two arms with b, one with a
		{"d", "6", "ada", "6 1 ada"},                            // one arm is nothing that was compared
		{"d a", "7", "ada", "1 1 ada, 2 1 ada, 3 2 ada, 4 3 ada, 1 1 bob, 6 1 ada, 7 4 ada"},
	} {
		var asked []store.Asked
		for h := range strings.FieldsSeq(c.asked) {
			asked = append(asked, store.Asked{Hypothesis: h, P: .5})
		}
		all, err := s.Ask(context.Background(), strings.Fields(c.of), asked, c.by)
		must(t, err)
		var got []string
		for _, a := range all {
			got = append(got, fmt.Sprintf("%s %d %s", a.Hypothesis, a.Question, a.By))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%d. asked of %s: %s, want %s", n, c.of, strings.Join(got, ", "), c.want)
		}
	}
	_, err := s.Delete(context.Background(), "a")
	must(t, err)
	simulating(t, s, "again", 1, "vat", "control")
	if all, err := s.Ask(context.Background(), []string{"again"}, nil, ""); err != nil || len(all) != 6 {
		t.Errorf("of what simulates the same as one that was deleted: %s, %v", hypotheses(all), err)
	}
}

// The register keeps what was planned and when it was looked at first, when the experiments are gone.
func TestRegister(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	ctx := context.Background()
	simulating(t, s, "a", 1, "control", "vat")
	must(t, s.Look(ctx, "a", []string{"control", "vat"}))
	simulating(t, s, "b", 2, "control", "vat")
	must(t, s.Look(ctx, "a", []string{"control", "vat"})) // again
	simulating(t, s, "c", 2, "wage", "vat")
	simulating(t, s, "d", 2, "wage")
	if seen, err := s.Looked(ctx, []string{"b", "a", "none"}); err != nil || len(seen) != 1 || !seen["a"] {
		t.Errorf("looked at: %v, %v", seen, err)
	}
	_, err := s.Delete(ctx, "a")
	must(t, err)
	must(t, s.Close())
	s = mustOpen(t, dir)
	list, err := s.Relatives(ctx, "b", []string{"control", "vat"})
	must(t, err)
	if len(list) != 3 || list[0].Name != "a" || list[0].Seed != 1 || !list[0].Deleted || list[1].Seed != 2 || list[1].Look != nil ||
		list[1].Deleted || len(list[2].Data) != 2 {
		t.Fatalf("relatives %+v", list)
	}
	if look := list[0].Look; look == nil || look.Newest != list[0].Number {
		t.Errorf("look %+v", look)
	}
	wantKind(t, s.Look(ctx, "a", nil), fault.NotFound, "a")
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
