package stats_test

import (
	"fmt"
	"slices"
	"testing"

	"econ-mcp/internal/stats"
)

func TestHPFilter(t *testing.T) {
	// statsmodels 0.13.5, with nile as in data_test.go:
	//	from statsmodels.tsa.filters.hp_filter import hpfilter
	//	cycle, trend = hpfilter(y, lamb); trend[[0, 1, 2, 50, 98, 99]]
	for _, c := range []struct {
		name   string
		y      []float64
		lambda float64
		trend  map[int]float64
	}{
		{"years", nile, 6.25, map[int]float64{
			0: 1114.6114651270757, 1: 1110.730422435327, 2: 1107.711545323246,
			50: 823.6635595699008, 98: 741.2075318006142, 99: 705.9011154273805}},
		{"quarters", nile, 1600, map[int]float64{
			0: 1124.582345063515, 1: 1121.3459777844273, 2: 1118.1067465396745,
			50: 828.0992571652378, 98: 836.9194448411332, 99: 828.3871713634842}},
		{"months", nile, 129600, map[int]float64{
			0: 1121.25485807315, 1: 1115.4897475165703, 2: 1109.7246272774435,
			50: 873.2654043169006, 98: 850.119958493538, 99: 850.2251684098502}},
		{"logs", stats.Logs(nile), 1600, map[int]float64{
			0: 7.020312886458314, 1: 7.017066201718943, 2: 7.013819998903215,
			50: 6.7067878729922485, 98: 6.717519050122588, 99: 6.707200928627178}},
		{"three values", nile[:3], 1600, map[int]float64{
			0: 1159.495885845073, 1: 1081.008228309517, 2: 1002.4958858453077}},
		{"four values", nile[:4], 1600, map[int]float64{
			0: 1102.3140388307525, 1: 1109.5902171531318, 2: 1116.8774492012417, 3: 1124.2182948150923}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := slices.Clone(c.y)
			trend, cycle := stats.HPFilter(c.y, c.lambda)
			for i, want := range c.trend {
				checkNear(t, fmt.Sprintf("trend[%d]", i), trend[i], want)
			}
			for i := range c.y {
				checkNear(t, fmt.Sprintf("trend+cycle at %d", i), trend[i]+cycle[i], c.y[i])
			}
			if !slices.Equal(c.y, before) {
				t.Error("the filter changed its argument")
			}
		})
	}
}

// Both follow from the minimised sum: a straight line has no bends to price,
// and a bend that costs nothing is never avoided.
func TestHPFilterWithoutCycle(t *testing.T) {
	line := []float64{5, 7, 9, 11, 13, 15, 17}
	for _, c := range []struct {
		name   string
		y      []float64
		lambda float64
	}{
		{"straight line", line, 1600},
		{"free bends", nile, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, cycle := stats.HPFilter(c.y, c.lambda)
			for i, v := range cycle {
				checkNear(t, fmt.Sprintf("cycle[%d]", i), v, 0)
			}
		})
	}
}

func TestHPFilterUndefined(t *testing.T) {
	for _, c := range []struct {
		name   string
		y      []float64
		lambda float64
	}{
		{"empty", nil, 1600},
		{"two values", nile[:2], 1600},
		{"negative lambda", nile, -1},
		{"NaN lambda", nile, nan},
		{"infinite lambda", nile, inf},
		{"lambda too large", nile, 1e11},
		{"NaN value", []float64{1, 2, nan, 4}, 1600},
		{"infinite value", []float64{1, 2, 3, inf}, 1600},
	} {
		t.Run(c.name, func(t *testing.T) {
			trend, cycle := stats.HPFilter(c.y, c.lambda)
			if len(trend) != len(c.y) || len(cycle) != len(c.y) {
				t.Fatalf("lengths %d and %d, want %d", len(trend), len(cycle), len(c.y))
			}
			for i := range trend {
				checkNear(t, fmt.Sprintf("trend[%d]", i), trend[i], nan)
				checkNear(t, fmt.Sprintf("cycle[%d]", i), cycle[i], nan)
			}
		})
	}
}
