package sweep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/sweep"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

type builtIn struct{}

func (builtIn) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

const asked = `inquiry:
  background: {set: {num_households: 600}}
  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}
  outcomes: [{metric: real_consumption, window: [1, 4]}, {metric: deficit_to_gdp, window: [1, 4]}]
  design: {months: 4, replications: 2, burn_in: 6}
`

// tiny varies an arm's tax, when it begins, and a parameter of all arms.
const tiny = asked + `factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
  arms.vat.events[0].from: {from: 1, to: 3}
  wage_adjustment_rate: {values: [0.05, 0.1]}
design: {kind: latin_hypercube, points: 12}
`

func plan(t *testing.T, text string) *sweep.Plan {
	t.Helper()
	d, err := sweep.Read([]byte(text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sweep.NewPlan(t.Context(), d, builtIn{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func work(t *testing.T, p *sweep.Plan, folder string, shard sweep.Shard, threads int) int {
	t.Helper()
	n, err := sweep.Work{Plan: p, Shard: shard, Folder: folder, Threads: threads}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func results(t *testing.T, p *sweep.Plan, folder string) *sweep.Results {
	t.Helper()
	known, err := sweep.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Results(known)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Whoever simulates it, in however many parts, killed or not: the same results, and nothing simulated twice.
func TestShardsMakeTheWhole(t *testing.T) {
	p, whole := plan(t, tiny), t.TempDir()
	if n := work(t, p, whole, sweep.Shard{I: 1, N: 1}, 2); n != len(p.Runs) {
		t.Errorf("%d of %d simulated", n, len(p.Runs))
	}
	want := results(t, p, whole)
	if len(want.Quantities) != 2 || len(want.Values[0]) != 12 || want.Values[0][0] == want.Values[0][1] {
		t.Errorf("quantities %+v, values %v", want.Quantities, want.Values)
	}

	parts, sum := t.TempDir(), 0
	for i := 1; i <= 3; i++ {
		// A worker that is stopped after a few economies goes on where it was.
		ctx, stop := context.WithCancel(t.Context())
		first, err := sweep.Work{Plan: p, Shard: sweep.Shard{I: i, N: 3}, Folder: parts, Threads: 1, Progress: func(done, _ int) {
			if done == 3 {
				stop()
			}
		}}.Run(ctx)
		stop()
		if first < 3 || first < len(p.Runs)/4 && err == nil {
			t.Errorf("shard %d: %d simulated before it was stopped, %v", i, first, err)
		}
		sum += first + work(t, p, parts, sweep.Shard{I: i, N: 3}, 1)
	}
	if sum != len(p.Runs) {
		t.Errorf("%d economies were simulated in parts, of %d", sum, len(p.Runs))
	}
	if got := results(t, p, parts); !reflect.DeepEqual(got, want) {
		t.Errorf("in parts %v, as a whole %v", got.Values, want.Values)
	}
	if n := work(t, p, parts, sweep.Shard{I: 1, N: 1}, 1); n != 0 {
		t.Errorf("%d economies that were known were simulated again", n)
	}
	// A design that shares points needs only what is new.
	more := plan(t, strings.Replace(tiny, "metric: deficit_to_gdp, window: [1, 4]", "metric: real_gdp, window: [2, 3]", 1))
	if n, _ := more.Left(mustLoad(t, parts)); n != len(more.Runs) {
		t.Errorf("%d economies lack an outcome that was not measured, of %d", n, len(more.Runs))
	}
	work(t, more, parts, sweep.Shard{I: 1, N: 1}, 2)
	if got := results(t, p, parts); !reflect.DeepEqual(got, want) {
		t.Error("another outcome changed what was known")
	}
}

func mustLoad(t *testing.T, folder string) sweep.Known {
	t.Helper()
	known, err := sweep.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// What a sweep records is what the engine simulates of each scenario by itself, whichever runs share a burn-in.
func TestRunsAreThoseOfTheEngine(t *testing.T) {
	for name, text := range map[string]string{
		"arms": tiny,
		"no arms, a factor of the burn-in": strings.Replace(asked, "  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}\n", "", 1) +
			"factors: {wage_adjustment_rate: {values: [0.05, 0.2]}, vat_rate: {values: [5%, 8%, 25%]}}\ndesign: {kind: factorial}\n",
		"33 of a burn-in": strings.Replace(asked, "replications: 2", "replications: 1", 1) +
			"factors:\n  arms.vat.events[0].set.vat_rate: {from: 9%, to: 25%}\n  wage_adjustment_rate: {values: [0.05, 0.2]}\n" +
			"design: {kind: sobol, points: 64}\n",
	} {
		p, folder := plan(t, text), t.TempDir()
		work(t, p, folder, sweep.Shard{I: 1, N: 1}, 2)
		known := mustLoad(t, folder)
		for _, r := range p.Runs {
			var state string
			_, err := run.Simulation{
				Arms: []run.Arm{{Name: "x", Scenario: *r.Scenario}}, Seeds: []uint64{r.Seed}, Months: r.Months, Threads: 1,
				Observe: func(_, _ int, e *sim.Economy) error { state = e.StateHash(); return nil },
			}.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if k := known[r.Key()]; k == nil || k.State != state {
				t.Errorf("%s: recorded %+v, simulated %s", name, k, state)
			}
		}
	}
}

// A point is the experiment that its inquiry is: the same effects, also of an arm that is another country.
func TestPointsAreInquiries(t *testing.T) {
	const text = `inquiry:
  background: {set: {num_households: 600}}
  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}, own: {preset: high_tax}, german: {preset: de_like}}
  outcomes: [{metric: real_consumption, window: [1, 4]}]
  design: {months: 4, replications: 2, burn_in: 6}
factors: {wage_adjustment_rate: {values: [0.05, 0.1]}}
design: {kind: factorial}
`
	p, folder := plan(t, text), t.TempDir()
	work(t, p, folder, sweep.Shard{I: 1, N: 1}, 2)
	got := results(t, p, folder)
	for k, values := range p.Values {
		q, err := p.Design.Point(values)
		if err != nil {
			t.Fatal(err)
		}
		scenarios, err := q.Scenarios(builtIn{})
		if err != nil {
			t.Fatal(err)
		}
		var arms []run.Arm
		for _, s := range scenarios {
			arms = append(arms, run.Arm{Name: s.Name, Scenario: s.Scenario})
		}
		sums := make([]float64, len(arms))
		_, err = run.Simulation{
			Arms: arms, Seeds: run.Seeds(1, 2), Months: 4, Threads: 1,
			Observe: func(arm, _ int, e *sim.Economy) error { sums[arm] += e.Latest().Value(sim.RealConsumption); return nil },
		}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for n, arm := range arms[1:] {
			if want := sums[n+1]/sums[0] - 1; math.Abs(got.Values[n][k]-want) > 1e-12 {
				t.Errorf("point %d, %s: %v, as an experiment %v", k+1, arm.Name, got.Values[n][k], want)
			}
		}
	}
}

// Files that were torn, broken, or written by others.
func TestFilesOfRuns(t *testing.T) {
	p, folder := plan(t, strings.Replace(tiny, "points: 12", "points: 2", 1)), t.TempDir()
	work(t, p, folder, sweep.Shard{I: 1, N: 1}, 2)
	want := results(t, p, folder)
	path := filepath.Join(folder, "shard-1-of-1.runs")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Killed in the middle of the last line.
	put(string(data[:len(data)-20]))
	if n := len(mustLoad(t, folder)); n != len(p.Runs)-1 {
		t.Errorf("%d of %d records of a torn file", n, len(p.Runs))
	}
	if n := work(t, p, folder, sweep.Shard{I: 1, N: 1}, 2); n != 1 {
		t.Errorf("%d simulated again", n)
	}
	if got := results(t, p, folder); !reflect.DeepEqual(got, want) {
		t.Error("other results after a torn line")
	}
	if again, err := os.ReadFile(path); err != nil || len(again) != len(data) {
		t.Errorf("%d bytes, not %d: %v", len(again), len(data), err)
	}
	for name, c := range map[string]struct{ text, message string }{
		"broken in the middle": {lines[0] + strings.Replace(lines[1], `"seed"`, `"seeD"`, 1) + strings.Join(lines[2:], ""), "line 2 of " + path +
			" is broken: its checksum is wrong"},
		"no line": {lines[0] + "\n" + lines[1], "line 2 of " + path + " is broken: it is too short"},
	} {
		put(c.text)
		if _, err := sweep.Load(folder); err == nil || !strings.Contains(err.Error(), c.message) || fault.KindOf(err) != fault.InvalidState {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct{ from, to, message string }{
		"another model":  {`"model_version":"` + sim.ModelVersion, `"model_version":"0.0.1`, "is of model 0.0.1, and this program has"},
		"another result": {`"state_hash":"`, `"state_hash":"0`, "came to state 0"},
	} {
		put(string(data))
		r := strings.Replace(lines[0][9:], c.from, c.to, 1)
		other := filepath.Join(folder, "z.runs")
		if err := os.WriteFile(other, []byte(sweep.Checked(strings.TrimSuffix(r, "\n"))), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := sweep.Load(folder); err == nil || !strings.Contains(err.Error(), c.message) ||
			!strings.Contains(err.Error(), "line 1 of "+other) {
			t.Errorf("%s: %v", name, err)
		}
		os.Remove(other)
	}
}

// The key of an economy is what it is, and not which experiment needed it.
func TestKeys(t *testing.T) {
	one := plan(t, strings.Replace(tiny, "replications: 2", "replications: 2, seed: 7", 1))
	second := run.ReplicationSeed(7, 1)
	other := plan(t, strings.Replace(tiny, "replications: 2", fmt.Sprintf("replications: 1, seed: %d", second), 1))
	keys := func(p *sweep.Plan) (list []string) {
		for _, r := range p.Runs {
			list = append(list, r.Key())
		}
		slices.Sort(list)
		return list
	}
	all := keys(one)
	for _, key := range keys(other) {
		if !slices.Contains(all, key) {
			t.Errorf("the economies of seed %d have other keys as a first and as a second replication", second)
			break
		}
	}
	if len(other.Runs) != len(one.Runs)/2 {
		t.Errorf("%d and %d economies", len(other.Runs), len(one.Runs))
	}
	if slices.Contains(all, keys(plan(t, strings.Replace(tiny, "months: 4", "months: 5", 1)))[0]) {
		t.Error("another number of months has the same key")
	}
}

func TestPoints(t *testing.T) {
	p := plan(t, asked+`factors:
  arms.vat.events[0].set.vat_rate: {values: [5%, 25%]}
  arms.vat.events[0].for: {from: 1, to: 3}
  num_industries: {values: [6, 12]}
design: {kind: factorial, levels: 3}
`)
	if len(p.Values) != 12 || !reflect.DeepEqual(p.Values[0], []float64{.05, 1, 6}) ||
		!reflect.DeepEqual(p.Values[11], []float64{.25, 3, 12}) {
		t.Fatalf("points %v", p.Values)
	}
	q, err := p.Design.Point(p.Values[11])
	if err != nil {
		t.Fatal(err)
	}
	event := q.Arms[0].Events[0]
	if v, _ := event.Parameters[0].Value.(float64); v != .25 || event.DurationMonths != 3 || q.Background.Set[1].Value != 12 {
		t.Errorf("point %+v", q)
	}
	// The text of a design reads as the same design.
	again, err := sweep.Read(p.Design.Encode(), nil, nil)
	if err != nil || again.Hash() != p.Design.Hash() {
		t.Errorf("%v\n%s", err, p.Design.Encode())
	}
	burnIn := plan(t, asked+"factors: {design.burn_in: {from: 1, to: 100, log: true}}\ndesign: {kind: sobol, points: 64}\n")
	low := 0
	for _, row := range burnIn.Values {
		if row[0] != math.Trunc(row[0]) || row[0] < 1 || row[0] > 100 {
			t.Errorf("a burn-in of %v", row[0])
		}
		if row[0] <= 10 {
			low++
		}
	}
	if low < 29 || low > 36 { // half of the logs, to 11 of 101
		t.Errorf("%d of 64 burn-ins are up to 10 months", low)
	}
	ends := plan(t, asked+"factors: {vat_rate: {from: 6%, to: 60%}, consumption_habit: {from: 0.07, to: 0.9, log: true}}\n"+
		"design: {kind: factorial, levels: 4}\n")
	if last := ends.Values[len(ends.Values)-1]; last[0] != .6 || last[1] != .9 {
		t.Errorf("the last point is %v", last)
	}
	same := plan(t, asked+"factors:\n  arms.vat.events[0].set.vat_rate: {values: [5%, 8%]}\ndesign: {kind: factorial}\n")
	folder := t.TempDir()
	work(t, same, folder, sweep.Shard{I: 1, N: 1}, 2)
	if effects := results(t, same, folder).Values[0]; effects[0] <= 0 || effects[1] != 0 {
		t.Errorf("effects %v where the arm is the control at the second point", effects)
	}
	log := plan(t, asked+"factors: {consumption_habit: {from: 0.01, to: 0.9, log: true}, "+
		"wage_adjustment_rate: {from: 0.05, to: 0.1}}\ndesign: {kind: fractional, points: 4}\n")
	if len(log.Values) != 4 || log.Values[0][0] != .01 || log.Values[3][0] != .9 {
		t.Errorf("points %v", log.Values)
	}
}

func TestDesignsThatCannotBe(t *testing.T) {
	const factor, kind = "factors: {vat_rate: {from: 5%, to: 20%}}\n", "design: {kind: sobol, points: 4}\n"
	for name, c := range map[string]struct{ text, message string }{
		"a billion points": {asked + factor + "design: {kind: sobol, points: 1000000000}\n",
			"1e+09 points with 2 arms and 2 replications are 4e+09 economies, and 100000 are allowed (line 7, column 9)"},
		"a grid of a billion": {asked + factor + "design: {kind: factorial, levels: 1000000000}\n", "1e+09 points"},
		"no such place": {asked + "factors:\n  arms.vat.events[1].size: {from: 1, to: 2}\n" + kind,
			"arms.vat.events[1].size leads to no number"},
		"no such arm": {asked + "factors:\n  arms.tax.events[0].from: {from: 1, to: 2}\n" + kind,
			"leads to no number of the inquiry"},
		"no such parameter": {asked + "factors: {vat_rat: {from: 5%, to: 20%}}\n" + kind, "vat_rate"},
		"outside the range": {asked + "factors: {vat_rate: {from: 5%, to: 500%}}\n" + kind,
			"vat_rate = 5 (line 6, column 36); allowed 0 to 0.6"},
		"turned around": {asked + "factors: {vat_rate: {from: 20%, to: 5%}}\n" + kind, "from below to"},
		"half a range":  {asked + "factors: {vat_rate: {from: 20%}}\n" + kind, "give {from: …, to: …} or {values: […]}"},
		"twice": {asked + "factors: {vat_rate: {from: 5%, to: 20%}, background.set.vat_rate: {from: 5%, to: 20%}}\n" + kind,
			"is given twice"},
		"not a power of two":       {asked + factor + "design: {kind: sobol_indices, points: 100}\n", "a power of two"},
		"no kind":                  {asked + factor + "design: {points: 100}\n", "kind"},
		"a kind that is not there": {asked + factor + "design: {kind: sobel, points: 4}\n", "sobol"},
		"an unknown key":           {asked + factor + "design: {kind: sobol, point: 4}\n", "points"},
		"groups of households": {strings.Replace(asked, "real_consumption", "real_income_tenth_1", 1) + factor + kind,
			"which sweeps do not measure"},
		"a search": {strings.NewReplacer("replications: 2", "replications: 3", "  design:",
			"  find: {parameter: minimum_wage, within: [0%, 90%], outcome: employment_rate, against: control, window: [1, 4], crosses: -0.5pp}\n "+
				" design:").Replace(asked) + factor + kind, "equal_cost and find have no place"},
		"auto": {strings.Replace(asked, "replications: 2", "replications: auto", 1) + factor + kind,
			"replications cannot be auto"},
		"seeds":   {asked + "factors:\n  design.seed: {values: [1, 2]}\n" + kind, "design.seed is the same at all points"},
		"windows": {asked + "factors:\n  outcomes[0].window[0]: {from: 1, to: 2}\n" + kind, "is the same at all points"},
		"the same place": {asked + "factors:\n  arms.vat.events[0].from: {from: 1, to: 2}\n  arms.vat.events[00].from: {from: 1, " +
			"to: 2}\n" + kind, "is given twice"},
		"logs of values": {asked + "factors: {vat_rate: {values: [5%, 6%], log: true}}\n" + kind, "log spreads a range"},
		"odd levels":     {asked + factor + "design: {kind: morris, levels: 3}\n", "levels: 3 is odd"},
		"a fraction of one factor": {asked + factor + "design: {kind: fractional, points: 4}\n",
			"factors: 1 is outside 2 to 11 (line 7, column 9)"},
		"the inquiry":            {strings.Replace(asked, "months: 4", "months: -4", 1) + factor + kind, "in the inquiry: months"},
		"where in the inquiry":   {strings.Replace(asked, "months: 4", "months: -4", 1) + factor + kind, "(line 5, column "},
		"a row beyond the range": {asked + factor + "design: {kind: list, rows: [[0.5]]}\n", "allowed "},
		"arms without a control": {strings.Replace(asked, "  outcomes:", "  control: none\n  outcomes:", 1) + factor +
			"design: {kind: sobol, points: 60000}\n", "are 1.2e+05 economies"},
		"a list without rows":    {asked + factor + "design: {kind: list}\n", "rows"},
		"a row that is too long": {asked + factor + "design: {kind: list, rows: [[5%, 6%]]}\n", "list of 1 values"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sweep.Read([]byte(c.text), nil, nil)
			e, ok := errors.AsType[*fault.Error](err)
			if !ok || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%v (a fault: %v), want %s", err, e, c.message)
			}
		})
	}
	for _, text := range []string{"", "0/4", "5/4", "1/0", "1/4 ", "a/b", "-1/4"} {
		if s, err := sweep.ParseShard(text); err == nil {
			t.Errorf("shard %q is read as %v", text, s)
		}
	}
}

// What matters is found, by each kind of design that can tell: the tax of the arm does, and a parameter that nothing asks for does not.
func TestWhatMatters(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	const factors = `factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
  arms.vat.events[0].set.robot_tax_rate: {from: 0, to: 0.5}
`
	text := strings.Replace(asked, "{set: {vat_rate: 10%}, from: 1}", "{set: {vat_rate: 10%, robot_tax_rate: 0.1}, from: 1}", 1) + factors
	folder := t.TempDir()
	for _, c := range []struct{ design, method string }{
		{"design: {kind: sobol_indices, points: 32, second_order: true}\n", "sobol"},
		{"design: {kind: morris, trajectories: 6}\n", "morris"},
		{"design: {kind: sobol, points: 64}\n", "pawn"},
	} {
		p := plan(t, text+c.design)
		work(t, p, folder, sweep.Shard{I: 1, N: 1}, 2)
		found, err := p.Analyse(results(t, p, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range found {
			tax, nothing := s.Factors[0], s.Factors[1]
			var clear bool
			switch c.method {
			case "sobol":
				clear = *tax.Matters && !*nothing.Matters && tax.Total.Value > .9 && nothing.Total.Value < 1e-6
			case "morris":
				clear = tax.MeanAbs.Value > 0 && nothing.MeanAbs.Value < 1e-6
			case "pawn":
				clear = *tax.Matters && !*nothing.Matters && tax.Shift.Value > nothing.Shift.Value
			}
			if s.Method != c.method || !clear {
				t.Errorf("%s: %+v", c.design, s)
			}
			// The control has a VAT of 8 %: consumption is higher with less, and the deficit too.
			if c.method == "pawn" && (s.Flip == nil || s.Flip.Factor != tax.Factor || s.Flip.Threshold < .07 || s.Flip.Threshold > .09) {
				t.Errorf("the sign flips at %+v", s.Flip)
			}
		}
	}
}

// What the guide shows can be asked as it stands there.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/GUIDE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(guide), "```yaml\ninquiry:")
	text, _, _ = strings.Cut(text, "```")
	if p := plan(t, "inquiry:"+text); !found || len(p.Points) != 5*64 {
		t.Errorf("%d points of\n%s", len(p.Points), text)
	}
}

// Tasks hold all that a worker needs: what it finds is what a local run finds, and nothing is entered twice.
func TestTasksMakeTheWhole(t *testing.T) {
	p, whole := plan(t, tiny), t.TempDir()
	work(t, p, whole, sweep.Shard{I: 1, N: 1}, 2)
	want := results(t, p, whole)

	folder := t.TempDir()
	into, err := sweep.NewRecorder(folder, "recorder")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sweep.NewRecorder(folder, "recorder"); err == nil {
		t.Error("two recorders of one file")
	}
	parts, runs := p.Parts(3*600*1.2*10), 0
	var tasks []sweep.Task
	for _, part := range parts {
		tasks = append(tasks, into.Tasks(p, part)...)
	}
	for _, task := range tasks {
		text, err := json.Marshal(task)
		if err != nil {
			t.Fatal(err)
		}
		var sent sweep.Task
		if err := json.Unmarshal(text, &sent); err != nil {
			t.Fatal(err)
		}
		if len(sent.Runs) > 7 {
			t.Errorf("a task of %d economies", len(sent.Runs))
		}
		for range 2 { // delivered twice
			fresh := 0
			if err := sent.Simulate(t.Context(), 1, run.Cache{}, nil, func(r *sweep.Record) error {
				isNew, err := into.Add(r)
				if isNew {
					fresh++
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			runs += fresh
		}
	}
	for k, part := range p.Parts(3 * 600 * 1.2 * 10) {
		if part.ID != parts[k].ID || len(into.Tasks(p, part)) != 0 {
			t.Errorf("part %d is another one, or not known", k)
		}
	}
	if runs != len(p.Runs) || len(parts) < 3 {
		t.Errorf("%d of %d economies entered by %d tasks", runs, len(p.Runs), len(tasks))
	}
	if err := into.Close(); err != nil {
		t.Fatal(err)
	}
	if got := results(t, p, folder); !reflect.DeepEqual(got, want) {
		t.Errorf("by tasks %v, as a whole %v", got.Values, want.Values)
	}

	// Nobody simulates what another version of the model would have, or what is not what its key says.
	other := tasks[0]
	other.Model = "0.0.1"
	none := func(*sweep.Record) error { t.Error("simulated"); return nil }
	if err := other.Simulate(t.Context(), 1, run.Cache{}, nil, none); fault.KindOf(err) != fault.Conflict {
		t.Errorf("another model: %v", err)
	}
	other = tasks[0]
	other.Runs = slices.Clone(other.Runs)
	other.Runs[0].Months++
	if err := other.Simulate(t.Context(), 1, run.Cache{}, nil, none); fault.KindOf(err) != fault.Conflict {
		t.Errorf("another economy: %v", err)
	}
}
