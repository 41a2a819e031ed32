package report

import (
	"reflect"
	"strings"
	"testing"

	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

func TestLabels(t *testing.T) {
	seen := make(map[string]bool)
	for i := range sim.NumOutcomes {
		label := Label(i, English)
		if Label(i, Chinese) == "" {
			t.Errorf("%s has no label in Chinese", i)
		}
		if unitsZH[i.Info().Unit] == "" || Formula(i, Chinese) == "" {
			t.Errorf("%s has no unit or no formula in Chinese", i)
		}
		if label == "" || seen[label] || strings.ToUpper(label[:1]) != label[:1] || strings.Contains(label, "_") {
			t.Errorf("%s is labelled %q", i, label)
		}
		seen[label] = true
		if s := subjectOf(i, English); s == "" || strings.Contains(s, "_") || strings.HasSuffix(s, " ") {
			t.Errorf("%s is %q in a sentence", i, s)
		}
	}
}

func TestTimeAxis(t *testing.T) {
	for _, c := range []struct {
		months int
		label  string
		ticks  []float64
	}{
		{1, "Month", []float64{1}},
		{4, "Month", []float64{1, 2, 3, 4}},
		{18, "Month", []float64{1, 3, 6, 9, 12, 15, 18}},
		{36, "Month", []float64{1, 6, 12, 18, 24, 30, 36}},
		{60, "Month", []float64{1, 12, 24, 36, 48, 60}},
		{120, "Month", []float64{1, 24, 48, 72, 96, 120}},
		{240, "Year", nil},
	} {
		axis := newTimeAxis(c.months)
		if axis.label.en != c.label || !reflect.DeepEqual(axis.ticks, c.ticks) || len(axis.x) != c.months {
			t.Errorf("%d months: %s at %v, want %s at %v", c.months, axis.label, axis.ticks, c.label, c.ticks)
		}
	}
}

func TestIndexUnit(t *testing.T) {
	for _, c := range []struct {
		months, arms int
		want         string
	}{
		{120, 2, "real, first year of the control = 100"},
		{120, 1, "real, first year = 100"},
		{6, 2, "real, first 6 months of the control = 100"},
		{1, 1, "real, first month = 100"},
	} {
		if got := indexUnit(c.months, c.arms, English); got != c.want {
			t.Errorf("%d months, %d arms: %q, want %q", c.months, c.arms, got, c.want)
		}
	}
}

// An intervention is marked where it begins first, and never beyond the last month.
func TestMarks(t *testing.T) {
	series := new([sim.NumOutcomes][]float64)
	for i := range series {
		series[i] = make([]float64, 24)
	}
	f := Figures{Arms: []FigureArm{
		{Panel: tables.Panel{series}, Began: [][]int{{0}, {3}}},
		{Panel: tables.Panel{series}, Began: [][]int{{9, 0, 30}, {7, 0, 30}}},
	}}
	if got := f.marks(); !reflect.DeepEqual(got, []int{3, 7}) {
		t.Errorf("marks %v", got)
	}
	if got := f.markNote(); got.en != "dotted: interventions (months 3, 7)" || !strings.Contains(got.zh, "第3, 7个月") {
		t.Errorf("note %v", got)
	}
}
