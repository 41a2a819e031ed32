package stats_test

import (
	"fmt"
	"testing"

	"econ-mcp/internal/stats"
)

func TestQuarterly(t *testing.T) {
	for _, c := range []struct {
		name    string
		monthly []float64
		want    []float64
	}{
		// R 4.2.2: colMeans(matrix(Nile[1:9], 3))
		{"three quarters", nile[:9], []float64{1081, 1176.6666666666667, 1137.6666666666667}},

		{"months left over", nile[:8], []float64{1081, 1176.6666666666667}},
		{"too short", nile[:2], nil},
		{"empty", nil, nil},
		{"NaN stays in its quarter", []float64{1, nan, 2, 3, 3, 3}, []float64{nan, 3}},
		{"infinite value", []float64{1, 2, inf}, []float64{nan}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkSeries(t, stats.Quarterly(c.monthly), c.want)
		})
	}
}

func TestLogs(t *testing.T) {
	for _, c := range []struct {
		name    string
		x, want []float64
	}{
		// R 4.2.2: log(c(1120, 1, 0.5))
		{"positive", []float64{1120, 1, 0.5}, []float64{7.02108396428914006, 0, -0.69314718055994529}},

		{"undefined", []float64{1, 0, -1, nan, inf}, []float64{0, nan, nan, nan, nan}},
		{"empty", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkSeries(t, stats.Logs(c.x), c.want)
		})
	}
}

func checkSeries(t *testing.T, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		checkNear(t, fmt.Sprintf("value %d", i), got[i], want[i])
	}
}
