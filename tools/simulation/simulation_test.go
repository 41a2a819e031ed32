package simulation_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
	"econ-mcp/tools"
	"econ-mcp/tools/toolstest"
)

// number is a member as the tools write it: null is NaN.
func number(v any) float64 {
	if x, ok := v.(float64); ok {
		return x
	}
	return math.NaN()
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// What the tools tell of an experiment are the numbers of the same simulation without
// server, manager and store, to the bit.
func TestNumbersAreThoseOfASimulation(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("batch_set_parameters", `{"parameters":{"vat_rate":0.15,"random_state":7}}`)
	d.Run("x", `"control":"baseline","replications":3`)

	space, err := d.Spaces.Open(t.Context(), toolstest.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	control, err := d.Library.Scenario("baseline")
	if err != nil {
		t.Fatal(err)
	}
	arms, err := lab.Twins(space.Scenario(), control)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := lab.Experiment{Arms: arms, Replications: 3, Seed: 7, Months: 12}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stored, err := d.Store.Experiment(context.Background(), "x")
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range stored.Runs {
		if want := plain.Arms[k/3].Replications[k%3]; r.StateHash != want.StateHash || r.Seed != want.Seed {
			t.Errorf("%s: seed %d, state %.10s; want %d, %.10s", r.ID, r.Seed, r.StateHash, want.Seed, want.StateHash)
		}
	}

	for a, arm := range []string{"control", "treatment"} {
		all := d.Call("get_all_economic_indicators", `{"arm":"`+arm+`"}`)
		if len(all.List("months")) != 12 {
			t.Fatalf("months %v", all.At("months"))
		}
		for i := range sim.NumIndicators {
			name := i.String()
			series := d.Call("get_experiment_timeseries", `{"experiment_name":"x","metric":"`+name+`","aggregate":"all","arm":"`+arm+`"}`)
			series.Want(map[string]any{"metric": name, "unit": i.Info().Unit, "arm": arm})
			for m := range 12 {
				mean, low := plain.Arms[a].Mean[i][m], plain.Arms[a].Lower[i][m]
				for r := range 3 {
					if got, want := number(series.At(fmt.Sprintf("replications.%d.%d", r, m))),
						plain.Arms[a].Replications[r].Series[i][m]; !same(got, want) {
						t.Errorf("%s %s, replication %d, month %d: %g, want %g", arm, name, r+1, m+1, got, want)
					}
				}
				got, other := number(all.At(fmt.Sprintf("series.%s.%d", name, m))), number(series.At(fmt.Sprintf("data.%d", m)))
				if !same(got, other) {
					t.Errorf("%s %s, month %d: %g in one tool, %g in another", arm, name, m+1, got, other)
				}
				if !math.IsNaN(mean) && (!same(got, mean) || !same(number(series.At(fmt.Sprintf("lower.%d", m))), low)) {
					t.Errorf("%s %s, month %d: %g, want %g", arm, name, m+1, got, mean)
				}
			}
			for _, month := range []int{3, 12} {
				one := d.Call("get_economic_indicators", fmt.Sprintf(`{"arm":%q,"month":%d,"replication":2,"indicators":[%q]}`, arm, month, name))
				if got, want := number(one.At("indicators."+name+".value")), plain.Arms[a].Replications[1].Series[i][month-1]; !same(got, want) {
					t.Errorf("%s %s, replication 2, month %d: %g, want %g", arm, name, month, got, want)
				}
				if got, want := number(one.At("indicators."+name+".mean")),
					number(all.At(fmt.Sprintf("series.%s.%d", name, month-1))); !same(got, want) {
					t.Errorf("%s %s, month %d: mean %g, and %g in another tool", arm, name, month, got, want)
				}
			}
		}
	}

	// The kinds of monthly statistics have the same numbers under the same names.
	all := d.Call("get_all_economic_indicators", `{}`)
	shared := 0
	for _, kind := range []string{"economic", "household", "firm", "labor", "government", "bank", "innovation", "performance", "dismissal"} {
		there := d.Call("get_monthly_statistics", `{"experiment_name":"x","stat_type":"`+kind+`"}`).At("columns").(map[string]any)
		var names []string
		for name := range there {
			if _, ok := all.At("series").(map[string]any)[name]; ok {
				names = append(names, name)
			}
		}
		asked, err := json.Marshal(names)
		if err != nil || names == nil {
			continue
		}
		columns := d.Call("get_monthly_statistics", `{"experiment_name":"x","stat_type":"`+kind+`","series":`+string(asked)+`}`)
		for _, name := range names {
			shared++
			for m := range 12 {
				if got, want := number(columns.At(fmt.Sprintf("columns.%s.%d", name, m))),
					number(all.At(fmt.Sprintf("series.%s.%d", name, m))); !same(got, want) {
					t.Errorf("%s %s, month %d: %g, want %g", kind, name, m+1, got, want)
				}
			}
		}
	}
	if shared < len(all.At("series").(map[string]any)) {
		t.Errorf("%d columns are indicators", shared)
	}

	// So have the tables and the summary.
	latest := d.Call("get_economic_indicators", `{}`).Want(map[string]any{"month": 12.0, "arm": "treatment", "replications": 3.0})
	status := d.Call("get_simulation_status", `{}`)
	households := d.Call("get_household_summary", `{}`)
	firms := d.Call("get_firm_summary", `{}`)
	summary := d.Call("get_experiment_summary", `{"experiment_name":"x"}`)
	for _, c := range []struct {
		name   string
		got    any
		within float64
	}{
		{"poverty_rate", households.At("groups.0.poverty_rate.mean"), 0},
		{"income_gini", households.At("groups.0.income.gini.mean"), 0},
		{"unemployment_rate", households.At("groups.0.unemployment_rate.mean"), 0},
		{"saving_rate", households.At("groups.0.saving_rate.mean"), 0},
		{"firms", firms.At("groups.0.firms.mean"), 0},
		{"hhi", firms.At("groups.0.hhi.mean"), 1e-12},
		{"innovation_events", firms.At("groups.0.innovation_events.mean"), 0},
		{"unemployment_rate", summary.At("final_unemployment_rate"), 0},
		{"unemployment_rate", summary.At("arms.1.finals.final_unemployment_rate.mean"), 0},
		{"income_gini", summary.At("final_gini_coefficient"), 0},
		{"cpi", status.At("latest.cpi"), 0},
	} {
		if want := latest.Number("indicators." + c.name + ".mean"); math.Abs(number(c.got)-want) > c.within || math.IsNaN(number(c.got)) {
			t.Errorf("%s: %v, and %v in another tool", c.name, c.got, want)
		}
	}
	summary.Want(map[string]any{"total_households": 500.0, "total_months": 12.0, "scenario_hash": plain.Arms[1].ScenarioHash,
		"replications": 3.0})
	for r, seed := range summary.List("seeds") {
		if seed != float64(plain.Arms[0].Replications[r].Seed) {
			t.Errorf("seed %d: %v", r+1, seed)
		}
	}
}

// The latest month has whole tables, from memory or as they were kept, and an earlier one
// that does not hold a grouping is simulated again.
func TestTables(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("start_simulation", `{"experiment_name":"x","replications":2,"pause_at_month":8}`)
	d.Wait("x", "paused")
	live := map[string]string{}
	groupings := map[string][]string{
		"get_household_summary": {"", "income_decile", "wealth_decile", "employment", "skill", "family_size"},
		"get_firm_summary":      {"", "industry", "size"},
	}
	for tool, list := range groupings {
		for _, by := range list {
			a := d.Call(tool, fmt.Sprintf(`{"by":%q}`, by)).Want(map[string]any{"month": 8.0, "arm": "main", "replications": 2.0})
			live[tool+by] = fmt.Sprint(a.At("groups"))
		}
	}
	total := 0.0
	for _, row := range d.Call("get_household_summary", `{"by":"employment"}`).List("groups") {
		total += row.(map[string]any)["households"].(map[string]any)["mean"].(float64)
	}
	if total != 500 {
		t.Errorf("%g households by employment", total)
	}
	d.Call("stop_simulation", `{}`).Want(map[string]any{"stopped": true, "month": 8.0, "kept_months": 8.0})
	kept := func(when string) {
		t.Helper()
		for tool, list := range groupings {
			for _, by := range list {
				if got := fmt.Sprint(d.Call(tool, fmt.Sprintf(`{"experiment_name":"x","by":%q}`, by)).At("groups")); got != live[tool+by] {
					t.Errorf("%s by %q differs %s:\n%.300s\n%.300s", tool, by, when, got, live[tool+by])
				}
			}
		}
	}
	kept("as kept")
	d.Close()
	d.Open()
	kept("in another process")
	d.Run("y", `"replications":2`)
	for _, by := range []string{"employment", "skill", "family_size"} { // as y has gone through the month that x ended in
		if got := fmt.Sprint(d.Call("get_household_summary",
			fmt.Sprintf(`{"by":%q,"month":8}`, by)).At("groups")); got != live["get_household_summary"+by] {
			t.Errorf("simulated again, by %s: %.300s\nwant %.300s", by, got, live["get_household_summary"+by])
		}
	}
}

// Series have at most 5,000 numbers and 64 KiB; the error says which every fits, and it
// does.
func TestLongSeries(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("batch_set_parameters", `{"parameters":{"num_households":200,"households_per_firm":5,"num_iterations":600,"burn_in_months":1}}`)
	d.Run("long", `"control":"us_like","replications":2`)
	for _, c := range []struct{ tool, arguments string }{
		{"get_all_economic_indicators", ``},
		{"get_all_economic_indicators", `,"from_month":101,"to_month":400`},
		{"get_all_economic_indicators", `,"every":7`},
		{"get_all_economic_indicators", `,"indicators":["cpi","real_gdp","hhi","mark_up","loan_rate","policy_rate","poverty_rate",` +
			`"saving_rate"]`},
		{"get_monthly_statistics", `,"stat_type":"household"`},
		{"get_monthly_statistics", `,"stat_type":"firm"`},
		{"get_monthly_statistics", `,"stat_type":"firm","every":12`},
		{"get_monthly_statistics", `,"stat_type":"labor"`},
		{"get_monthly_statistics", `,"stat_type":"bank"`},
		{"get_experiment_timeseries", `,"metric":"real_gdp","aggregate":"all"`},
		{"get_experiment_timeseries", `,"metric":"real_gdp","aggregate":"quantiles"`},
		{"get_experiment_timeseries", `,"metric":"real_gdp"`},
	} {
		arguments := `{"experiment_name":"long"` + c.arguments + `}`
		_, err := d.Try(c.tool, arguments)
		if err != nil && !strings.Contains(arguments, `"every"`) {
			t.Errorf("%s %s does not work with its defaults: %v", c.tool, arguments, err)
		}
		if err == nil {
			d.Call(c.tool, arguments)
			continue
		}
		e := d.Refused(c.tool, arguments, fault.LimitExceeded, "every")
		if len(e.Allowed) != 1 || !strings.Contains(e.Hint, "every to "+e.Allowed[0]) {
			t.Errorf("%s: %v", c.tool, e)
			continue
		}
		before, _, _ := strings.Cut(arguments, `,"every"`)
		d.Call(c.tool, strings.TrimSuffix(before, "}")+`,"every":`+e.Allowed[0]+`}`)
		t.Logf("%s %s: every %s", c.tool, c.arguments, e.Allowed[0])
	}
	a := d.Call("get_all_economic_indicators", `{"from_month":5,"to_month":40,"every":10,"indicators":["cpi"]}`).
		Want(map[string]any{"months": []any{5.0, 15.0, 25.0, 35.0}, "arm": "treatment"})
	if len(a.Links) != 1 || a.Links[0].URI != "econ://experiments/long/timeseries.csv" {
		t.Errorf("links %v", a.Links)
	}
}

// All indicators and every kind of statistics of a default run come with the defaults; a few series
// come whole.
func TestDefaultsFit(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	months := d.Call("get_parameter", `{"name":"num_iterations"}`).Number("default_value")
	d.Run("usual", fmt.Sprintf(`"months":%g`, months))
	all := d.Call("get_all_economic_indicators", `{"experiment_name":"usual"}`)
	if n := len(all.At("series").(map[string]any)); n < 50 || len(all.List("months")) < 20 {
		t.Errorf("%d indicators in %d of %g months", n, len(all.List("months")), months)
	}
	for _, kind := range tables.StatTypes {
		d.Call("get_monthly_statistics", `{"experiment_name":"usual","stat_type":"`+kind+`"}`)
	}
	few := d.Call("get_monthly_statistics", `{"experiment_name":"usual","stat_type":"labor","series":["unemployment_rate","vacancies"]}`)
	if len(few.At("columns").(map[string]any)) != 2 || float64(len(few.List("months"))) != months {
		t.Errorf("%.300s", few.JSON)
	}
	if e := d.Refused("get_monthly_statistics", `{"experiment_name":"usual","stat_type":"labor","series":["unemploymnt_rate"]}`,
		fault.NotFound, "series"); !strings.Contains(e.Hint, "unemployment_rate") {
		t.Error(e)
	}
}

// A start says what was started; names are given where none is.
func TestStart(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("set_parameter", `{"parameter_name":"burn_in_months","value":2}`)
	a := d.Call("start_simulation", `{"replications":2,"seed":9,"months":5,"control":"us_like","question":"why?","wait_seconds":60,
		"plan":{"outcomes":["cpi"],"window":[2,5],"smallest_effect":0.5,"family":"rank"}}`)
	name := a.Text("experiment_name")
	if !strings.HasPrefix(name, "exp_500h_5m_") {
		t.Errorf("name %s", name)
	}
	a.Want(map[string]any{
		"simulation_started": true, "months": 5.0, "households": 500.0, "firms": 41.0, "running": false, "run_status": "completed", "month": 5.0,
		"arms":    []any{"control", "treatment"},
		"run_ids": []any{name + "/control/1", name + "/control/2", name + "/treatment/1", name + "/treatment/2"},
	})
	x, err := d.Store.Experiment(context.Background(), name)
	if err != nil || x.Seed != 9 || x.Question != "why?" {
		t.Errorf("%+v, %v", x, err)
	}
	for _, member := range []string{`"outcomes":["cpi"]`, `"window":[2,5]`, `"smallest_effect":0.5`, `"family":"rank"`,
		`"direction":"either"`, `"replications":2`, `"seed":9`, `"question":"why?"`} {
		if !strings.Contains(string(x.Plan), member) {
			t.Errorf("the plan has no %s: %s", member, x.Plan)
		}
	}
	sum := sha256.Sum256(x.Plan)
	a.Want(map[string]any{"plan_hash": hex.EncodeToString(sum[:])})
	d.Call("get_experiment_summary", `{"experiment_name":"`+name+`"}`).Want(map[string]any{"plan_hash": hex.EncodeToString(sum[:])})
	if a.Text("scenario_hash") != x.Arms[1].Hash {
		t.Error("another hash")
	}
	// A parameter that is not live has its arm burnt in apart.
	d.Call("batch_set_parameters", `{"parameters":{"skill_dispersion":0.4,"vat_rate":0.1}}`)
	d.Call("start_simulation", `{"control":"baseline"}`).Want(map[string]any{"burnt_in_apart": []any{"skill_dispersion"}})
	// Many runs do not make the answer too long, which would be an error after the start.
	d.Call("batch_set_parameters", `{"parameters":{"num_households":200,"households_per_firm":4}}`)
	long := strings.Repeat("n", 100)
	if n := len(d.Call("start_simulation", `{"experiment_name":"`+long+`","replications":800,"control":"us_like",`+
		`"months":1}`).List("run_ids")); n != 200 {
		t.Errorf("%d run ids", n)
	}
	d.Call("stop_simulation", `{}`)
}

// A start that is refused leaves nothing, whatever it is refused for.
func TestRefusedStartLeavesNothing(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{MemoryBytes: 64 << 20})
	before := d.State()
	e := d.Refused("start_simulation", `{"replications":1000}`, fault.LimitExceeded, "replications")
	if !strings.Contains(e.Hint, "lower replications to") {
		t.Error(e)
	}
	d.Call("set_parameter", `{"parameter_name":"num_households","value":2000000}`)
	d.Refused("start_simulation", `{}`, fault.LimitExceeded, "num_households")
	d.Call("set_parameter", `{"parameter_name":"num_households","value":500}`)
	d.Refused("start_simulation", `{"control":"baseline"}`, fault.Conflict, "control") // the same economy
	after := d.State()
	for _, table := range []string{"table experiment", "table arm", "table run"} {
		if before[table] != after[table] {
			t.Errorf("%s has %s", table, after[table])
		}
	}
}

// With one place, the second waits and says for what.
func TestQueue(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{Workers: 1})
	d.Call("start_simulation", `{"experiment_name":"first","months":6000}`)
	d.Call("start_simulation", `{"experiment_name":"second"}`).Want(map[string]any{"running": true, "run_status": "queued"})
	a := d.Call("get_simulation_status", `{}`).Want(map[string]any{
		"experiment_name": "second", "running": true, "paused": false, "run_status": "queued", "month": 0.0, "total_months": 12.0,
		"error": "", "latest": map[string]any{}, "eta_seconds": nil, "progress": 0.0, "arm": "",
	})
	if !strings.Contains(a.Text("note"), "turn") {
		t.Errorf("note %q", a.Text("note"))
	}
	d.Refused("get_economic_indicators", `{}`, fault.InvalidState, "experiment_name")
	d.Refused("get_all_economic_indicators", `{}`, fault.InvalidState, "experiment_name")
	d.Refused("get_household_summary", `{}`, fault.InvalidState, "experiment_name")
	for _, tool := range []string{"generate_experiment_report", "get_experiment_summary", "analyze_experiment"} {
		d.Refused(tool, `{"experiment_name":"second"}`, fault.InvalidState, "experiment_name")
	}
	d.Refused("get_monthly_statistics", `{"experiment_name":"second","stat_type":"labor"}`, fault.InvalidState, "experiment_name")
	d.Refused("get_experiment_timeseries", `{"experiment_name":"second","metric":"cpi"}`, fault.InvalidState, "experiment_name")
	d.Refused("compare_experiments", `{"experiment_names":["second"]}`, fault.InvalidState, "experiment_names")
	d.Call("capture_experiment", `{"experiment_name":"second","status":"pending"}`)
	d.Call("stop_simulation", `{"experiment_name":"first"}`).Want(map[string]any{"stopped": true})
	d.Wait("second", "completed").Want(map[string]any{"note": "", "progress": 1.0, "eta_seconds": 0.0, "replications_done": 1.0})
}

// Progress comes in order while a call waits, and giving up the wait leaves the run alone.
func TestWaiting(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("set_parameter", `{"parameter_name":"num_households","value":5000}`)
	d.Call("set_parameter", `{"parameter_name":"burn_in_months","value":40}`)
	var mu sync.Mutex
	var done []float64
	var texts []string
	c := tools.Call{Progress: func(at, total float64, text string) {
		mu.Lock()
		defer mu.Unlock()
		if total != 1 {
			t.Errorf("total %g", total)
		}
		done, texts = append(done, at), append(texts, text)
	}}
	d.CallAs(c, "start_simulation", `{"experiment_name":"x","months":40,"wait_seconds":60}`).Want(map[string]any{"running": false,
		"run_status": "completed"})
	if len(done) < 2 || !slices.IsSorted(done) {
		t.Errorf("progress %v %q", done, texts)
	}

	d.Call("start_simulation", `{"experiment_name":"y","months":6000}`)
	ctx, cancel := context.WithCancel(t.Context())
	got, err := d.TryAs(ctx, tools.Call{Progress: func(float64, float64, string) { cancel() }}, "get_simulation_status", `{"wait_seconds":60}`)
	if err != nil || !strings.Contains(string(got.JSON), `"running":true`) {
		t.Errorf("a wait that was given up: %.200s, %v", got.JSON, err)
	}
	a := d.Call("get_simulation_status", `{"wait_seconds":0.05}`).Want(map[string]any{"running": true})
	month := a.Number("month")
	d.Call("stop_simulation", `{}`)
	if kept := d.Call("get_simulation_status", `{}`).Want(map[string]any{"run_status": "stopped",
		"running": false}).Number("month"); kept < month {
		t.Errorf("%g months kept of %g", kept, month)
	}
	d.Refused("resume_simulation", `{}`, fault.InvalidState, "experiment_name")
}

// Limits of a principal name themselves.
func TestLimits(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{Limits: lab.Limits{HouseholdMonths: 30_000, Running: 2}, Stored: store.Limits{Bytes: 650_000}})
	as := func(principal, arguments string) error {
		_, err := d.TryAs(t.Context(), tools.Call{Workspace: toolstest.Workspace, Caller: access.Caller{Principal: principal, Role: access.Full}}, "start_simulation", arguments)
		return err
	}
	limited := func(err error, limit string) {
		t.Helper()
		if fault.KindOf(err) != fault.LimitExceeded || !strings.Contains(err.Error(), limit) || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%v, want the limit %s", err, limit)
		}
	}
	limited(as("ada", `{"replications":6}`), "household_months") // 500 x 12 x 6 = 36,000
	limited(as("ada", `{"months":61}`), "household_months")
	limited(as("ada", `{"months":31,"control":"us_like"}`), "household_months")
	for k := range 2 {
		if err := as("ada", fmt.Sprintf(`{"experiment_name":"ada%d","pause_at_month":1}`, k)); err != nil {
			t.Fatal(err)
		}
	}
	limited(as("ada", `{}`), "running_experiments")
	if err := as("bob", `{"experiment_name":"bob1","replications":5,"wait_seconds":60}`); err != nil {
		t.Fatal(err)
	}
	d.Wait("bob1", "completed")
	limited(as("bob", `{"replications":3}`), "stored_bytes") // what may come counts, and not what has
	left := d.CallAs(tools.Call{Caller: access.Caller{Principal: "bob", Role: access.Full}}, "start_simulation",
		`{"experiment_name":"bob2"}`).Number("stored_bytes_left")
	if left <= 0 || left >= 300_000 {
		t.Errorf("bob has %g bytes left", left)
	}
	d.Wait("bob2", "completed")
	for k := range 2 {
		d.Wait("ada"+strconv.Itoa(k), "paused")
		d.Call("stop_simulation", fmt.Sprintf(`{"experiment_name":"ada%d"}`, k))
	}
	if err := as("ada", `{"experiment_name":"ada2"}`); err != nil {
		t.Errorf("after two were stopped: %v", err)
	}
	d.Wait("ada2", "completed")

	// Two at once do not slip past the limit together.
	var mu sync.Mutex
	var group sync.WaitGroup
	started := 0
	for k := range 8 {
		group.Go(func() {
			if as("eve", fmt.Sprintf(`{"experiment_name":"eve%d","pause_at_month":1}`, k)) == nil {
				mu.Lock()
				defer mu.Unlock()
				started++
			}
		})
	}
	group.Wait()
	if started != 2 {
		t.Errorf("%d of 8 started", started)
	}
}
