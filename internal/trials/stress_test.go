package trials

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// Pairs are of different parameters, none twice; more of a seed begin with the same, and other seeds have others.
func TestDrawPairs(t *testing.T) {
	ends := rangeEnds()
	n := len(ends)
	if got := len(endPairs(ends)); got != 4*n*(n-1)/2 {
		t.Errorf("%d pairs of %d parameters", got, n)
	}
	few, more := drawPairs(endPairs(ends), 20, 1), drawPairs(endPairs(ends), 500, 1)
	if !slices.Equal(few, more[:20]) || slices.Equal(few, drawPairs(endPairs(ends), 20, 2)) {
		t.Error("the pairs do not follow from the seed")
	}
	seen := map[[2]rangeEnd]bool{}
	for _, pair := range drawPairs(endPairs(ends), len(endPairs(ends)), 3) {
		if seen[pair] || pair[0].name == pair[1].name {
			t.Fatalf("%v", pair)
		}
		seen[pair] = true
	}
	for _, end := range ends {
		row, err := sim.Lookup(end[0].name)
		if err != nil || !row.Live || end[0].value != row.Min || end[1].value != row.Max {
			t.Errorf("%v", end)
		}
	}
}

// A small stress: all is counted, and the threads change nothing.
func TestStress(t *testing.T) {
	run := func(threads int) *StressReport {
		s := tiny(t)
		s.Params.NumIterations = 24
		r, err := Stress{Scenario: s, Pairs: 6, Threads: threads}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run(2)
	if len(r.Pairs) != 6 || len(r.Known) != len(presets.Names()) || !r.Rows()[0].Pass() || !r.Rows()[1].Pass() {
		t.Errorf("%+v", r.Rows())
	}
	for _, e := range slices.Concat(r.Pairs, r.Known) {
		if e.Months != 24 || e.Refused != "" {
			t.Errorf("%s: %d months, %s", e.Name, e.Months, e.Refused)
		}
	}
	if one := run(1); one.Markdown() != r.Markdown() {
		t.Errorf("one thread:\n%s\ntwo:\n%s", one.Markdown(), r.Markdown())
	}
}

// A change in force from month 1 on makes an economy implausible, and a run of it warns.
func TestStressedPair(t *testing.T) {
	s := tiny(t)
	s.Params.NumIterations = 60
	stress := Stress{Scenario: s, Threads: 1}
	e := stress.under([2]rangeEnd{{"separation_rate", .2}, {"job_search_intensity", 1}})
	if err := stress.live(t.Context(), &e, 1); err != nil {
		t.Fatal(err)
	}
	if e.Name != "separation_rate 0.2, job_search_intensity 1" || e.Months != 60 || !e.sound() || e.Found == nil || e.Warnings != len(e.Found) {
		t.Errorf("%+v", e)
	}
	refused := stress.under([2]rangeEnd{{"vat_rate", 7}, {"job_search_intensity", 1}})
	if !strings.Contains(refused.Refused, "vat_rate = 7") {
		t.Errorf("%+v", refused)
	}
}

// What ends an economy early is told apart: the books, the size of money, a refusal.
func TestStressFailures(t *testing.T) {
	audit := fmt.Errorf("month 3: %w", &sim.AuditError{Month: 3, Identity: "deposits", Amount: 1})
	money, memory := fault.New(fault.LimitExceeded, "num_iterations", "too much"), fault.New(fault.LimitExceeded, "num_households", "too large")
	refusal, pair := fault.New(fault.Conflict, "vat_rate", "no"), []sim.ParameterChange{{Name: "vat_rate", Value: 0.}}
	for name, test := range map[string]struct {
		err      error
		of, want StressedEconomy
	}{
		"none":     {nil, StressedEconomy{Months: 24}, StressedEconomy{Months: 24}},
		"audit":    {audit, StressedEconomy{Months: 2}, StressedEconomy{Months: 2, Failure: audit.Error()}},
		"money":    {money, StressedEconomy{Months: 9}, StressedEconomy{Months: 9, Outgrown: true}},
		"burn-in":  {money, StressedEconomy{}, StressedEconomy{Failure: "limit_exceeded: too much"}},
		"refusal":  {refusal, StressedEconomy{Changes: pair}, StressedEconomy{Changes: pair, Refused: "conflict: no"}},
		"preset":   {refusal, StressedEconomy{}, StressedEconomy{Failure: "conflict: no"}},
		"memory":   {memory, StressedEconomy{Changes: pair}, StressedEconomy{Changes: pair, Failure: "limit_exceeded: too large"}},
		"internal": {errors.New("broken"), StressedEconomy{}, StressedEconomy{Failure: "broken"}},
	} {
		e := test.of
		e.fail(test.err)
		if fmt.Sprint(e) != fmt.Sprint(test.want) {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if e := (StressedEconomy{Failure: "audit"}); e.sound() {
		t.Error("a failure is sound")
	}
}

// The counts, on hand-made economies.
func TestStressReport(t *testing.T) {
	change := func(a string, x float64, b string, y float64) []sim.ParameterChange {
		return []sim.ParameterChange{{Name: a, Value: x}, {Name: b, Value: y}}
	}
	found := func(kind sim.ImplausibleKind, month int, worst float64) []sim.Implausible {
		return []sim.Implausible{{Kind: kind, Month: month, Worst: worst}}
	}
	r := &StressReport{Of: 100, Parameters: 5, Pairs: []StressedEconomy{
		{Name: "a", Months: 24, Changes: change("vat_rate", 0, "minimum_wage", 1), Found: found(sim.MassUnemployment, 5, .6), Warnings: 1},
		{Name: "b", Months: 24, Changes: change("vat_rate", .6, "minimum_wage", 1), Found: found(sim.MassUnemployment, 9, .8), Warnings: 0},
		{Name: "c", Months: 24, Changes: change("vat_rate", .6, "loan_spread", 0)},
		{Name: "d", Refused: "conflict", Changes: change("vat_rate", .6, "loan_spread", .3)},
		{Name: "e", Months: 3, Failure: "audit", Changes: change("loan_spread", .3, "minimum_wage", 0)},
		{Name: "f", Months: 9, Outgrown: true, Changes: change("loan_spread", .3, "vat_rate", 0), Found: found(sim.WildInflation, 2, -.7), Warnings: 1},
	}, Known: []StressedEconomy{{Name: "baseline", Months: 24}, {Name: "crisis", Months: 24, NotFinite: []string{"hhi"}}}}
	rows := r.Rows()
	for i, want := range []StressRow{{Met: 5, Of: 7}, {Met: 2, Of: 3}, {Met: 2, Of: 2}} {
		if rows[i].Met != want.Met || rows[i].Of != want.Of || rows[i].Pass() != (i == 2) {
			t.Errorf("%+v, want %+v", rows[i], want)
		}
	}
	if n, of := r.ImplausiblePairs(); n != 3 || of != 5 || r.Refused() != 1 || r.Outgrown() != 1 {
		t.Errorf("%d of %d, %d refused, %d outgrown", n, of, r.Refused(), r.Outgrown())
	}
	if c := r.Counts(); c[0].Pairs != 2 || c[0].Worst[0].Economy != "b" || c[1].Pairs != 1 || c[2].Pairs != 0 {
		t.Errorf("%+v", c)
	}
	if ends := r.Ends(); len(ends) != 4 || ends[0] != (StressedEnd{"minimum_wage", 1, 2, 2}) || ends[1].Parameter != "vat_rate" || ends[1].Value != 0 {
		t.Errorf("%+v", ends)
	}
	few := &StressReport{Of: 100, Pairs: make([]StressedEconomy, 16)}
	if text := few.DrawnText(); !strings.Contains(text, "up to 17 % of all") { // 1 - .05^(1/16) = .171
		t.Error(text)
	}
	if text := r.DrawnText(); strings.Contains(text, "unsound") {
		t.Errorf("one failed: %s", text)
	}
	if problems := r.Problems(); len(problems) != 3 {
		t.Errorf("%q", problems)
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"pairs_implausible":3`) || !strings.Contains(string(text), `"worst":-0.7`) {
		t.Errorf("%s, %v", text, err)
	}
	for _, part := range []string{"6 of 100 pairs", "1 are refused", "| unemployment | 2 | b | 9 | 0.8", "| `minimum_wage` | 1 | 2 | 2 |", "- e: failed: audit"} {
		if md := r.Markdown(); !strings.Contains(md, part) {
			t.Errorf("%q is not in\n%s", part, md)
		}
	}
	if err := func() error { _, err := Stress{Scenario: tiny(t), Pairs: 1 << 30}.Run(t.Context()); return err }(); err == nil {
		t.Error("more pairs than there are")
	}
}
