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
