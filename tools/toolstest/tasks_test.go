package toolstest_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"econ-mcp/tools/toolstest"
)

// What a task may cost: calls, and tokens of what they answer, three bytes of JSON each.
const (
	mostCalls     = 12
	mostTokens    = 15_000
	bytesPerToken = 3
)

// task is a research task that is done with the tools alone, and what it has cost.
type task struct {
	*toolstest.Harness
	tb           testing.TB
	calls, bytes int
}

func newTask(t *testing.T) *task {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	return &task{Harness: toolstest.New(t, toolstest.Settings{}), tb: t}
}

// use is a call of the task.
func (k *task) use(tool string, arguments any) toolstest.Answer {
	k.tb.Helper()
	text, err := json.Marshal(arguments)
	if err != nil {
		k.tb.Fatal(err)
	}
	a := k.Call(tool, string(text))
	k.calls++
	k.bytes += len(a.JSON)
	return a
}

// ended waits until an experiment is over.
func (k *task) ended(name string) {
	k.tb.Helper()
	for {
		a := k.use("get_simulation_status", map[string]any{"experiment_name": name, "wait_seconds": 60})
		if a.At("running") != true {
			return
		}
	}
}

// cost says what the task has cost, and fails where that is too much.
func (k *task) cost() {
	k.tb.Helper()
	tokens := k.bytes / bytesPerToken
	k.tb.Logf("%d calls, %d tokens", k.calls, tokens)
	if k.calls > mostCalls || tokens > mostTokens {
		k.tb.Errorf("%d calls and %d tokens, at most %d and %d are allowed", k.calls, tokens, mostCalls, mostTokens)
	}
}

// difference is the mean difference of two arms over a window, from the series of all replications; it
// is no part of the task.
func (k *task) difference(name, metric, arm, with string, from, to int) float64 {
	k.tb.Helper()
	mean := func(arm string) float64 {
		a := k.Call("get_experiment_timeseries", fmt.Sprintf(
			`{"experiment_name":%q,"metric":%q,"arm":%q,"from_month":%d,"to_month":%d}`, name, metric, arm, from, to))
		list, _ := a.At("data").([]any)
		sum := 0.0
		for _, v := range list {
			x, ok := v.(float64)
			if !ok {
				k.tb.Fatalf("%s of %s: %v", metric, arm, list)
			}
			sum += x
		}
		return sum / float64(len(list))
	}
	return mean(arm) - mean(with)
}

// told checks a row of a comparison against the series.
func (k *task) told(a toolstest.Answer, name, metric, arm, with string, from, to int) {
	k.tb.Helper()
	rows, _ := a.At("rows").([]any)
	pair := arm
	if with != "control" {
		pair += " - " + with
	}
	for _, row := range rows {
		if toolstest.At(row, "metric") != metric || toolstest.At(row, "arm") != pair ||
			toolstest.At(row, "from_month") != float64(from) || toolstest.At(row, "to_month") != float64(to) {
			continue
		}
		got, _ := toolstest.At(row, "difference").(float64)
		if want := k.difference(name, metric, arm, with, from, to); math.Abs(got-want) > 1e-3*math.Abs(want)+1e-9 {
			k.tb.Errorf("%s of %s: told %g, the series say %g", metric, arm, got, want)
		}
		return
	}
	k.tb.Errorf("no row for %s, %s - %s, months %d to %d: %v", metric, arm, with, from, to, rows)
}

var small = map[string]any{"num_households": 500}

// How will AI agents reshape the labour market? From the question to an answer.
func TestTaskAIAndWork(t *testing.T) {
	k := newTask(t)
	a := k.use("analyze_question", map[string]any{"question": "How will AI agents reshape the labor market?"})
	if a.At("status") != "ready" {
		t.Fatalf("%v", a.Members)
	}
	inquiry, _ := a.At("inquiry").(map[string]any)
	inquiry["background"] = map[string]any{"set": small}
	inquiry["design"] = map[string]any{"months": 24, "replications": 4, "burn_in": 6}
	delete(inquiry, "outcomes")
	inquiry["outcomes"] = []any{map[string]any{"metric": "unemployment_rate"}, map[string]any{"metric": "labour_share"}}
	name := "ai"
	k.use("start_simulation", map[string]any{"experiment_name": name, "inquiry": inquiry, "wait_seconds": 60})
	k.ended(name)
	k.use("capture_experiment", map[string]any{"experiment_name": name, "hypothesis": a.At("hypothesis")})
	k.use("analyze_experiment", map[string]any{"experiment_name": name})
	c := k.use("compare_experiments", map[string]any{"experiment_names": []string{name}})
	k.cost()
	arm := fmt.Sprint(toolstest.At(c.At("rows.0"), "arm"))
	k.told(c, name, "unemployment_rate", arm, "control", 17, 24)
}

// Which dose of the minimum wage costs jobs? Four doses and one control are five arms.
func TestTaskMinimumWageByDose(t *testing.T) {
	k := newTask(t)
	name := "doses"
	started := k.use("start_simulation", map[string]any{
		"experiment_name": name, "wait_seconds": 60,
		"inquiry": map[string]any{
			"question":   "Which minimum wage costs jobs?",
			"background": map[string]any{"set": small},
			"arms":       map[string]any{"wage": map[string]any{"doses": map[string]any{"parameter": "minimum_wage", "values": []string{"40%", "50%", "60%", "70%"}}}},
			"outcomes":   []any{map[string]any{"metric": "employment_rate", "window": []int{1, 12}}, map[string]any{"metric": "real_wage_median", "window": []int{1, 12}}},
			"design":     map[string]any{"months": 12, "replications": 4, "burn_in": 6},
		},
	})
	if arms, _ := started.At("arms").([]any); len(arms) != 5 {
		t.Errorf("arms %v", arms)
	}
	k.ended(name)
	c := k.use("compare_experiments", map[string]any{"experiment_names": []string{name}})
	k.cost()
	for _, dose := range []string{"wage_0.4", "wage_0.7"} {
		k.told(c, name, "employment_rate", dose, "control", 1, 12)
	}
}

// 基本收入由谁出资更好？ Three ways of financing, asked in Chinese.
func TestTaskBasicIncomeByFinancing(t *testing.T) {
	k := newTask(t)
	name := "financing"
	arm := func(financing string) map[string]any {
		return map[string]any{"set": map[string]any{"universal_basic_income": "10%", "basic_income_financing": financing}}
	}
	k.use("start_simulation", map[string]any{
		"experiment_name": name, "wait_seconds": 60,
		"inquiry": map[string]any{
			"question":   "基本收入由所得税还是增值税出资更能减少贫困？",
			"background": map[string]any{"set": small},
			"arms":       map[string]any{"income_tax": arm("income_tax"), "vat": arm("vat"), "deficit": arm("deficit")},
			"outcomes":   []any{map[string]any{"metric": "poverty_rate", "window": []int{7, 12}}},
			"compare":    []string{"income_tax - control", "vat - control", "deficit - control", "vat - income_tax"},
			"design":     map[string]any{"months": 12, "replications": 4, "burn_in": 6},
		},
	})
	k.ended(name)
	a := k.use("analyze_experiment", map[string]any{"experiment_name": name})
	if text := fmt.Sprint(a.At("conclusion")); !strings.Contains(text, "贫困") {
		t.Errorf("the conclusion of a Chinese question: %s", text)
	}
	c := k.use("compare_experiments", map[string]any{"experiment_names": []string{name}})
	k.cost()
	k.told(c, name, "poverty_rate", "vat", "income_tax", 7, 12)
}

// Should a country in a recession cut VAT or send a cheque of the same cost?
func TestTaskVATCutAgainstCheque(t *testing.T) {
	k := newTask(t)
	name := "recession"
	k.use("start_simulation", map[string]any{
		"experiment_name": name, "wait_seconds": 60,
		"inquiry": map[string]any{
			"question": "Should a country in a recession cut VAT or send everybody a cheque of the same cost?",
			"background": map[string]any{
				"set": small, "events": []any{map[string]any{"shock": "demand", "size": -0.1, "persistence": 0.97, "from": 1}},
			},
			"arms": map[string]any{
				"vat_cut": map[string]any{"events": []any{map[string]any{"set": map[string]any{"vat_rate": "3%"}, "for": 12}}},
				"cheque":  map[string]any{"events": []any{map[string]any{"pay": "all", "amount": 60, "for": 12}}},
			},
			"equal_cost": map[string]any{
				"match": "cheque", "to": "vat_cut", "by": "events[0].amount", "measure": "gross", "window": []int{1, 12},
			},
			"outcomes": []any{map[string]any{"metric": "real_consumption", "window": []int{1, 12}}},
			"compare":  []string{"vat_cut - control", "cheque - control", "vat_cut - cheque"},
			"design":   map[string]any{"months": 12, "replications": 6, "burn_in": 6},
		},
	})
	k.ended(name)
	k.use("analyze_experiment", map[string]any{"experiment_name": name})
	c := k.use("compare_experiments", map[string]any{"experiment_names": []string{name}})
	k.cost()
	if cost, to := c.Number("found.equal_cost.pilot.cost"), c.Number("found.equal_cost.pilot.cost_to"); math.Abs(cost/to-1) > .01 {
		t.Errorf("the costs are %g and %g", cost, to)
	}
	k.told(c, name, "real_consumption", "vat_cut", "cheque", 1, 12)
}

// From which job retention on is unemployment in a recession half a point lower?
func TestTaskThresholdOfJobRetention(t *testing.T) {
	k := newTask(t)
	name := "threshold"
	k.use("start_simulation", map[string]any{
		"experiment_name": name, "wait_seconds": 60,
		"inquiry": map[string]any{
			"question": "How much job retention lowers unemployment in a recession by half a point?",
			"background": map[string]any{
				"set": small, "events": []any{map[string]any{"shock": "demand", "size": -0.25, "persistence": 0.97, "from": 1}},
			},
			"find": map[string]any{
				"parameter": "job_retention_share", "within": []string{"0%", "100%"}, "outcome": "unemployment_rate", "against": "control",
				"window": []int{3, 12}, "crosses": "-0.5pp",
			},
			"design": map[string]any{"months": 12, "replications": 4, "burn_in": 6},
		},
	})
	k.ended(name)
	c := k.use("compare_experiments", map[string]any{"experiment_names": []string{name}})
	k.cost()
	points := c.List("found.threshold.points")
	if len(points) != 9 {
		t.Fatalf("%v", c.At("found"))
	}
	if c.At("found.threshold.found") == true {
		low, x, high := c.Number("found.threshold.ci_low"), c.Number("found.threshold.value"), c.Number("found.threshold.ci_high")
		if !(0 <= low && low <= x && x <= high && high <= 1) {
			t.Errorf("%g from %g to %g", x, low, high)
		}
	}
	// The last point is that of its arm in the record.
	last := points[len(points)-1]
	arm, _ := toolstest.At(last, "arm").(string)
	got, _ := toolstest.At(last, "effect").(float64)
	if want := k.difference(name, "unemployment_rate", arm, "control", 3, 12); math.Abs(got-want) > 1e-9 {
		t.Errorf("%s: %g, the series say %g", arm, got, want)
	}
}

// Month by month against the Taylor rule: an agent sets the rate by hand.
func TestTaskLivePlay(t *testing.T) {
	k := newTask(t)
	name := "live"
	k.use("batch_set_parameters", map[string]any{"parameters": map[string]any{"policy_rate_rule": "fixed", "fixed_policy_rate": 0.02}})
	k.use("start_simulation", map[string]any{
		"experiment_name": name, "control": "baseline", "replications": 3, "pause_at_month": 3, "wait_seconds": 60,
		"plan": map[string]any{"outcomes": []string{"inflation"}, "window": []int{7, 12}},
	})
	rate := 0.02
	for month := 3; month < 12; month += 3 {
		k.use("inject_intervention", map[string]any{
			"intervention_type": "parameter_change", "target_month": month + 1, "parameters": map[string]any{"fixed_policy_rate": rate},
		})
		a := k.use("resume_simulation", map[string]any{
			"months": 3, "wait_seconds": 60, "indicators": []string{"inflation", "unemployment_rate", "policy_rate"},
		})
		inflation := a.Number("arms.treatment.inflation")
		if got := a.Number("arms.treatment.policy_rate"); math.Abs(got-rate) > 1e-9 {
			t.Errorf("the policy rate is %g, %g was set", got, rate)
		}
		rate = max(0, 0.02+1.5*(inflation-0.02))
	}
	c := k.use("compare_experiments", map[string]any{"experiment_names": []string{name}})
	k.cost()
	k.told(c, name, "inflation", "treatment", "control", 7, 12)
}

// Another agent's experiment is repeated, and gives the same numbers.
func TestTaskRepeat(t *testing.T) {
	k := newTask(t)
	k.Call("start_simulation", `{"experiment_name":"theirs","wait_seconds":60,"inquiry":{"question":"Does a lower VAT help?",
		"background":{"set":{"num_households":500}},"arms":{"cut":{"set":{"vat_rate":"3%"}}},
		"outcomes":[{"metric":"real_consumption","window":[1,6]}],"design":{"months":6,"replications":3,"burn_in":3}}}`)
	k.Wait("theirs", "completed")
	summary := k.use("get_experiment_summary", map[string]any{"experiment_name": "theirs"})
	k.use("start_simulation", map[string]any{"experiment_name": "mine", "wait_seconds": 60, "inquiry": summary.At("inquiry")})
	k.ended("mine")
	c := k.use("compare_experiments", map[string]any{"experiment_names": []string{"mine"}})
	theirs := k.use("compare_experiments", map[string]any{"experiment_names": []string{"theirs"}})
	k.cost()
	if got, want := c.Number("rows.0.difference"), theirs.Number("rows.0.difference"); got != want {
		t.Errorf("%g, theirs is %g", got, want)
	}
	k.told(c, "mine", "real_consumption", "cut", "control", 1, 6)
}
