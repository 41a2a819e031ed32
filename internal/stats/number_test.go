package stats_test

import (
	"encoding/json"
	"math"
	"testing"

	"econ-mcp/internal/stats"
)

// A number is written as encoding/json writes it, and one that is not there as null.
func TestNumberJSON(t *testing.T) {
	for _, x := range []float64{
		0, math.Copysign(0, -1), 1, -0.1, 1e-6, 9.9e-7, 1e20, 1e21, -1e21, 5e-324, math.MaxFloat64, 1.0 / 3, 123456789.125,
	} {
		want, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(stats.Number(x)); err != nil || string(got) != string(want) {
			t.Errorf("%g: %s, %v; want %s", x, got, err, want)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got, err := json.Marshal(stats.Number(x)); err != nil || string(got) != "null" {
			t.Errorf("%g: %s, %v; want null", x, got, err)
		}
	}
}
