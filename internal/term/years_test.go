package term

import (
	"math"
	"testing"
)

func TestAnnualGrowth(t *testing.T) {
	series := make([]float64, 36)
	for m := range series {
		series[m] = 100 * math.Pow(1.02, float64(m)/12)
	}
	if got := annualGrowth(series); math.Abs(got-0.02) > 1e-12 {
		t.Errorf("annualGrowth = %v, want 0.02", got)
	}
	if got := annualGrowth(series[:18]); !math.IsNaN(got) {
		t.Errorf("annualGrowth of 18 months = %v, want NaN", got)
	}
}
