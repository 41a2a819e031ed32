package stats_test

import (
	"math"
	"testing"

	"econ-mcp/internal/stats"
)

func TestMSER5(t *testing.T) {
	ramp, step := make([]float64, 100), make([]float64, 200)
	for i := range ramp {
		ramp[i] = float64(i)
	}
	for i := range step {
		step[i] = math.Sin(float64(i * i)) // no mean, no trend
		if i < 37 {
			step[i] += 10
		}
	}
	for _, c := range []struct {
		name   string
		x      []float64
		warmup int
		ok     bool
	}{
		// numpy 1.24.2: z = nile.reshape(-1, 5).mean(1); k = len(z)
		//	np.argmin([((z[d:] - z[d:].mean())**2).sum() / (k - d)**2 for d in range(k - 4)]) * 5
		{"level shift of the Nile", nile, 45, true},
		{"settles after 37", step, 40, true},
		{"constant", make([]float64, 50), 0, true},
		{"never settles", ramp, 50, false},

		{"too short", nile[:49], 0, false},
		{"empty", nil, 0, false},
		{"NaN value", append([]float64{nan}, nile...), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			warmup, ok := stats.MSER5(c.x)
			if warmup != c.warmup || ok != c.ok {
				t.Errorf("%v, %v, want %v, %v", warmup, ok, c.warmup, c.ok)
			}
		})
	}
}
