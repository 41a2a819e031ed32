package analysis

import (
	"reflect"
	"strings"
	"testing"

	"econ-mcp/sim"
)

func TestLabels(t *testing.T) {
	seen := make(map[string]bool)
	for i, row := range labels {
		label := row.en
		if row.zh == "" {
			t.Errorf("%s has no label in Chinese", sim.Indicator(i))
		}
		if label == "" || seen[label] || strings.ToUpper(label[:1]) != label[:1] || strings.Contains(label, "_") {
			t.Errorf("%s is labelled %q", sim.Indicator(i), label)
		}
		seen[label] = true
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
		{24, "Month", []float64{1, 3, 6, 9, 12, 15, 18, 21, 24}},
		{48, "Month", []float64{1, 6, 12, 18, 24, 30, 36, 42, 48}},
		{120, "Month", []float64{1, 12, 24, 36, 48, 60, 72, 84, 96, 108, 120}},
		{240, "Year", nil},
	} {
		months := make([]int, c.months)
		for m := range months {
			months[m] = m + 1
		}
		axis := newTimeAxis(months)
		if axis.label != c.label || !reflect.DeepEqual(axis.ticks, c.ticks) || len(axis.x) != c.months {
			t.Errorf("%d months: %s at %v, want %s at %v", c.months, axis.label, axis.ticks, c.label, c.ticks)
		}
	}
}

func TestIndexUnit(t *testing.T) {
	for _, c := range []struct {
		months, arms int
		want         string
	}{
		{120, 2, "real, index, first year of the control = 100"},
		{120, 1, "real, index, first year = 100"},
		{6, 2, "real, index, first 6 months of the control = 100"},
		{1, 1, "real, index, first month = 100"},
	} {
		if got := indexUnit(c.months, c.arms); got != c.want {
			t.Errorf("%d months, %d arms: %q, want %q", c.months, c.arms, got, c.want)
		}
	}
}
