package lab_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// ruled is a scenario with a rule that is on while a tenth of capacity idles, and a condition.
func ruled(t *testing.T) lab.Order {
	s := mustScenario(t, "num_households", 500)
	s.Interventions = []sim.Intervention{
		{Type: sim.TypePolicy, TargetMonth: 2, When: "vacancy_rate > 0.05", Until: "vacancy_rate < 0.04",
			Policy: sim.PolicyChange{Policy: "stimulus", Level: .05}},
		vat(3, "month >= 5"),
		{Type: sim.TypeParameterChange, TargetMonth: 1, Parameters: []sim.ParameterChange{{Name: "max_policy_rate", Value: .3}},
			When: "month >= 3", Until: "month == 2"},
	}
	return lab.Order{Scenario: s, Control: "baseline", Replications: 4, Months: 30}
}

// onByHand says in which months a rule was on, month by month from the series, without the program's
// own reading of conditions.
func onByHand(vacancies []float64, from int, high, low float64) (months []int) {
	on := false
	for month := 1; month <= len(vacancies); month++ {
		if on {
			months = append(months, month)
		}
		if x := vacancies[month-1]; month >= from {
			on = x >= low && (on || x > high)
		}
	}
	return months
}

func monthsOf(spans []sim.Span) (months []int) {
	for _, s := range spans {
		for m := s.From; m <= s.To; m++ {
			months = append(months, m)
		}
	}
	return months
}

// A rule that was interrupted while it was on goes on with the same bits; when it was on is told
// alike while it lives and afterwards, and is what the series say.
func TestRuleGoesOn(t *testing.T) {
	w := newWorkshop(t, run.Settings{CheckpointEvery: time.Millisecond})
	o := ruled(t)
	o.Name = "straight"
	w.start(o)
	w.wait("straight", run.StateCompleted)
	hashes := w.hashes("straight")

	series, err := w.Store.Series(t.Context(), "straight", "treatment", []sim.Indicator{sim.VacancyRate}, 1, 30, 1)
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	for _, values := range series.Values {
		all = append(all, values[0]...)
	}
	slices.Sort(all)
	high, low := all[len(all)*5/8], all[len(all)*3/8]

	o.Scenario.Interventions[0].When = fmt.Sprintf("vacancy_rate > %g", high)
	o.Scenario.Interventions[0].Until = fmt.Sprintf("vacancy_rate < %g", low)
	o.Name = "whole"
	w.start(o)
	w.wait("whole", run.StateCompleted)
	o.Name, o.PauseAt = "parts", 8
	w.start(o)
	w.wait("parts", run.StatePaused)
	for _, month := range []int{13, 19, 0} {
		live, err := w.Planned(context.Background(), "parts")
		if err != nil {
			t.Fatal(err)
		}
		w.close()
		w.open()
		stored, err := w.Planned(context.Background(), "parts")
		if err != nil || !reflect.DeepEqual(live, stored) {
			t.Errorf("interrupted: %+v, %v\nlive: %+v", stored, err, live)
		}
		if _, err := w.Resume(t.Context(), "parts", month, access.Operator()); err != nil {
			t.Fatal(err)
		}
		state := run.StatePaused
		if month == 0 {
			state = run.StateCompleted
		}
		w.wait("parts", state)
	}
	if !slices.Equal(w.hashes("whole"), w.hashes("parts")) || slices.Equal(w.hashes("whole"), hashes) {
		t.Error("interruptions change bits, or the rule none")
	}

	series, err = w.Store.Series(t.Context(), "parts", "treatment", []sim.Indicator{sim.VacancyRate}, 1, 30, 1)
	if err != nil {
		t.Fatal(err)
	}
	planned, err := w.Planned(context.Background(), "parts")
	if err != nil {
		t.Fatal(err)
	}
	switches := 0
	for r, values := range series.Values {
		spans := planned[0].InForce.Spans[r]
		switches += len(spans)
		if got, want := monthsOf(spans), onByHand(values[0], 2, high, low); !slices.Equal(got, want) {
			t.Errorf("replication %d: on in %v, want %v", r+1, got, want)
		}
	}
	if switches <= len(series.Values) || planned[0].State != lab.Executed {
		t.Errorf("it was switched on %d times in %d replications, and is %s", switches, len(series.Values), planned[0].State)
	}
	if f := planned[1].InForce; f.Replications() != 4 || f.Mean() != 25 || planned[2].InForce.Mean() != 27 {
		t.Errorf("a condition: %+v", f)
	}
}

// The report says when rules and conditions were on, draws it, and the export has it replication by
// replication.
func TestRuleIsReported(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	w := newWorkshop(t, run.Settings{})
	o := ruled(t)
	o.Name, o.Months = "x", 12
	o.Scenario.Interventions[0].When, o.Scenario.Interventions[0].Until = "month == 3 or month == 8", "month == 5"
	started, err := w.Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(started.Warnings) != 0 {
		t.Errorf("warned of %q", started.Warnings)
	}
	w.wait("x", run.StateCompleted)
	for language, parts := range map[string][]string{
		"en": {"on in 4 of 4 replications, for 6 months on average; months 4–5, 9–12", "When conditions were met", "figures/conditions.svg"},
		"zh": {"4次重复中有4次生效，平均6个月；第4–5, 9–12个月", "条件何时满足"},
	} {
		text, err := w.Report(context.Background(), "x", "markdown", language, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s: the report lacks %q", language, part)
			}
		}
	}
	files, err := w.Package(context.Background(), "x", "en", "")
	if err != nil {
		t.Fatal(err)
	}
	var table string
	var drawn int
	for _, f := range files {
		if f.Path == "interventions.csv" {
			table = string(f.Data)
		}
		if strings.HasPrefix(f.Path, "figures/conditions.") {
			drawn++
		}
	}
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if drawn != 3 || len(lines) != 1+4*2+4+4 || lines[0] != "arm,intervention,what,when,until,replication,seed,from_month,to_month" ||
		lines[2] != "treatment,1,policy stimulus 0.05,month == 3 or month == 8,month == 5,1,1,9,12" {
		t.Errorf("%d figures, %d lines:\n%s", drawn, len(lines), table)
	}
}

// What lies outside of what was estimated is said by arm too, of events as of the background.
func TestExtrapolationIsWarnedOf(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	q := w.inquired("background: {set: {num_households: 500, dismissal_rate: 0.5}}\n"+
		"arms: {a: {events: [{set: {consumption_habit: 0.95}}]}}\ndesign: {months: 2, replications: 2, burn_in: 3}", "x")
	want := []string{
		"dismissal_rate = 0.5 extrapolates: estimated within 0.06 to 0.3",
		"arm a: consumption_habit = 0.95 extrapolates: estimated within 0.45 to 0.92",
	}
	if !slices.Equal(q.Warnings, want) {
		t.Errorf("%q, want %q", q.Warnings, want)
	}
}

// What an order holds that can do nothing is said when it starts, by arm; an inquiry says it before.
func TestIdleIsWarnedOf(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	q := w.inquired("background: {set: {num_households: 500, policy_rate_rule: taylor}}\n"+
		"arms: {a: {set: {fixed_policy_rate: 9%}}, b: {events: [{policy: robot_tax, level: 50%}]}, "+
		"c: {events: [{set: {vat_rate: 8%, income_tax_rate: 23%}}]}}\n"+
		"design: {months: 2, replications: 2, burn_in: 3}", "x")
	want := []string{
		"arm a: fixed_policy_rate does nothing without policy_rate_rule = fixed",
		"arm b: policy robot_tax does nothing without an ai_adoption_rate above 0", "arm c: vat_rate is 0.08 already",
	}
	if !slices.Equal(q.Warnings, want) {
		t.Errorf("%q, want %q", q.Warnings, want)
	}
	// In Chinese where the question is; and of two that set one parameter, which of them wins: rules come after events.
	said, err := w.Inquire(mustInquiry(t, "question: 若失业率超过8%就把增值税降到5%，会怎样？\n"+
		"background: {set: {num_households: 500, policy_rate_rule: taylor}, events: [{set: {fixed_policy_rate: 9%}}]}\n"+
		"arms: {a: {rules: [{when: unemployment_rate > 8%, until: unemployment_rate < 6.5%, do: {set: {vat_rate: 5%}}}], "+
		"events: [{set: {vat_rate: 12%}}]}, b: {events: [{policy: robot_tax, level: 50%}]}}\n"+
		"design: {months: 2, replications: 2, burn_in: 3}"), "", "")
	want = []string{
		"若无 policy_rate_rule = fixed，fixed_policy_rate 不起作用",
		"组 a：“vat_rate 0.12”与“vat_rate 0.05”都设定 vat_rate：两者同时有效时，以排在后面的后者为准",
		"组 b：若无大于 0 的 ai_adoption_rate，政策 robot_tax 不起作用",
	}
	if err != nil || !slices.Equal(said.Warnings, want) {
		t.Errorf("%q, want %q, %v", said.Warnings, want, err)
	}
	s := mustScenario(t, "num_households", 500, "policy_rate_rule", "taylor")
	s.Interventions = []sim.Intervention{{Type: sim.TypeParameterChange, TargetMonth: 1,
		Parameters: []sim.ParameterChange{{Name: "fixed_policy_rate", Value: .1}}}}
	started, err := w.Start(context.Background(), lab.Order{Name: "y", Scenario: s, Replications: 1, Months: 60, PauseAt: 1})
	if err != nil || !slices.Equal(started.Warnings, []string{"fixed_policy_rate does nothing without policy_rate_rule = fixed"}) {
		t.Errorf("%q, %v", started.Warnings, err)
	}
	w.wait("y", run.StatePaused)
	p, err := w.Inject(t.Context(), "y", "", sim.Intervention{Type: sim.TypePolicy, TargetMonth: 5,
		Policy: sim.PolicyChange{Policy: "robot_tax", Level: .5}}, access.Operator())
	if err != nil || !slices.Equal(p.Warnings, []string{"policy robot_tax does nothing without an ai_adoption_rate above 0"}) {
		t.Errorf("%q, %v", p.Warnings, err)
	}
}

// A comparison says of a rule that never came into force, or not in all replications, that it did not:
// no difference is then no effect.
func TestRuleThatNeverComesOn(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	const text = "background: {set: {num_households: 500}}\narms:\n" +
		"  never: {rules: [{when: unemployment_rate > 99%, until: unemployment_rate < 50%, do: {policy: stimulus, level: 5%}}]}\n" +
		"  some: {rules: [{when: vacancy_rate > THRESHOLD, until: vacancy_rate < 0.1%, do: {policy: stimulus, level: 5%}}]}\n" +
		"outcomes: [{metric: real_gdp, window: [1, 4]}]\ndesign: {months: 4, replications: 4, burn_in: 3}"
	w.inquired(strings.Replace(text, "THRESHOLD", "90%", 1), "first")
	series, err := w.Store.Series(t.Context(), "first", "control", []sim.Indicator{sim.VacancyRate}, 1, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	var most []float64 // before the last month
	for _, values := range series.Values {
		most = append(most, slices.Max(values[0]))
	}
	slices.Sort(most)
	w.inquired(strings.Replace(text, "THRESHOLD", fmt.Sprint((most[1]+most[2])/2), 1), "second")
	c := w.compared("", inference.Choice{}, "second")
	warned := strings.Join(c.Warnings, "\n")
	for _, part := range []string{
		"in never, policy stimulus 0.05 never came into force: unemployment_rate > 99% was met in no replication",
		"in some, policy stimulus 0.05 came into force (vacancy_rate > ", ") in 2 of 4 replications only",
	} {
		if !strings.Contains(warned, part) {
			t.Errorf("%q lacks %q", warned, part)
		}
	}
}
