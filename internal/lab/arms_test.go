package lab_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// An experiment has any number of arms, from its start to what is stored, simulated again,
// exported and compared.
func TestThreeArms(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	order := lab.Order{Name: "x", Months: 8, PauseAt: 3, Replications: 2, Arms: []lab.Arm{
		{Name: "control", Scenario: mustScenario(t, "num_households", 500)},
		{Name: "vat", Scenario: mustScenario(t, "num_households", 500, "vat_rate", .15)},
		{Name: "skills", Scenario: mustScenario(t, "num_households", 500, "skill_dispersion", .8)}, // burnt in apart
	}}
	w.start(order)
	w.wait("x", run.StatePaused)
	if _, err := w.Inject(t.Context(), "x", "vat", minimumWage(6), access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.close() // and taken up by another process
	w.open()
	if _, err := w.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StateCompleted)

	x, err := w.Store.Experiment(context.Background(), "x")
	if err != nil || len(x.Arms) != 3 || len(x.Runs) != 6 || !slices.Equal(x.Arms[2].BurntInApart, []string{"skill_dispersion"}) {
		t.Fatalf("%d arms, %d runs, %v", len(x.Arms), len(x.Runs), err)
	}
	if r, _ := lab.RegistrationOf(x); len(r.Arms) != 3 || r.Arms[2].Name != "skills" || r.Arms[2].Hash != x.Arms[2].Hash {
		t.Errorf("registered are the arms %v", r.Arms)
	}
	same := 0
	if err := w.Rerun(t.Context(), "x", 0, func(r lab.Rerun) {
		if r.Same() {
			same++
		}
	}); err != nil || same != 6 {
		t.Errorf("%d of 6 runs are the same, %v", same, err)
	}
	table, err := w.CSV(context.Background(), "x")
	if lines := strings.Count(table, "\n"); err != nil || lines != 1+3*2*8 || !strings.Contains(table, "\nskills,2,8,") {
		t.Errorf("the table has %d lines, %v", lines, err)
	}

	c, err := w.Compare(context.Background(), []string{"x"}, inference.Choice{Metrics: []sim.Indicator{sim.CPI, sim.RealGDP}}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, r := range c.Rows {
		rows = append(rows, r.Arm+" "+r.Metric)
	}
	slices.Sort(rows)
	if want := []string{"skills cpi", "skills real_gdp", "vat cpi", "vat real_gdp"}; !slices.Equal(rows, want) {
		t.Errorf("compared are %v, want %v", rows, want)
	}
	files, err := w.Package(context.Background(), "x", "en", "")
	if err != nil {
		t.Fatal(err)
	}
	scenarios, tested := 0, map[string]bool{}
	for _, f := range files {
		if strings.HasPrefix(f.Path, "scenarios/") || strings.HasSuffix(f.Path, ".yaml") {
			scenarios++
		}
		if strings.HasSuffix(f.Path, ".parquet") && strings.Contains(f.Path, "results") {
			rows, err := parquet.Read[struct {
				Arm string `parquet:"arm"`
			}](bytes.NewReader(f.Data), int64(len(f.Data)))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				tested[r.Arm] = true
			}
		}
	}
	if scenarios != 3 || !tested["vat"] || !tested["skills"] || len(tested) != 2 {
		t.Errorf("%d scenarios; results of %v", scenarios, tested)
	}
	if _, _, err := w.Households(t.Context(), "x", "skills", 8, "skill"); err != nil {
		t.Error(err)
	}

	order.Name, order.Arms[1].Name = "twice", "control"
	if _, err := w.Start(context.Background(), order); fault.KindOf(err) != fault.Conflict {
		t.Errorf("two arms of one name: %v", err)
	}
	seven := uint64(7)
	order.Arms[1].Name, order.Seed, order.Replications = "vat", &seven, 1
	order.Arms[2].Scenario = mustScenario(t, "num_households", 500, "random_state", 3)
	if started, err := w.Start(context.Background(), order); err != nil || !slices.Equal(started.Arms, []string{"control", "vat", "skills"}) {
		t.Errorf("the seed of the order is that of all arms: %v, %v", started.Arms, err)
	}
	order.Name, order.Seed = "seeds", nil
	if _, err := w.Start(context.Background(), order); fault.KindOf(err) != fault.Conflict {
		t.Errorf("arms of two seeds: %v", err)
	}
}
