package stats_test

import (
	"context"
	"testing"

	"econ-mcp/internal/stats"
)

func TestStdDev(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want float64
	}{
		{"Nile", nile, 169.22750063065095},                   // R 4.2.2: sd(Nile)
		{"sleep", drug1, 1.7890096577591625},                 // R 4.2.2: sd(sleep$extra[1:10])
		{"two values", []float64{1, 2}, 0.70710678118654757}, // R 4.2.2: sd(c(1, 2))

		{"equal values", equal, 0},
		{"empty", nil, nan},
		{"one value", []float64{1}, nan},
		{"NaN value", []float64{1, nan}, nan},
		{"infinite values", []float64{inf, inf}, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkNear(t, "StdDev", stats.StdDev(c.x), c.want)
		})
	}
}

func TestKurtosis(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want float64
	}{
		// scipy 1.10.1: scipy.stats.kurtosis(x, fisher=False)
		{"thin tails", nile, 2.6950931549795203},
		{"fat tails", islands, 13.146560552216936},

		{"two values", []float64{1, 2}, 1}, // the smallest possible
		{"equal values", []float64{2, 2, 2}, nan},
		{"empty", nil, nan},
		{"one value", []float64{1}, nan},
		{"infinite value", []float64{1, 2, inf}, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d stats.Deviations
			for _, x := range c.x {
				d.Add(x - sum(c.x)/float64(len(c.x)))
			}
			checkNear(t, "Kurtosis", d.Kurtosis(), c.want)
			if d.Len() != len(c.x) {
				t.Errorf("%d deviations, want %d", d.Len(), len(c.x))
			}
		})
	}
}

func TestCorrelationAndSlope(t *testing.T) {
	for _, c := range []struct {
		name               string
		x, y               []float64
		correlation, slope float64
	}{
		// R 4.2.2: cor(women$height, women$weight); coef(lm(weight ~ height, women))
		{"women", height, weight, 0.99549476778421608, 3.4500000000000028},
		// R 4.2.2: a <- sleep$extra[1:10]; b <- sleep$extra[11:20]
		//	cor(a, b); coef(lm(b ~ a))
		{"sleep", drug1, drug2, 0.79517020583357778, 0.88994966151709776},

		{"falling line", []float64{1, 2, 4}, []float64{6, 4, 0}, -1, -2},
		{"x does not vary", equal, []float64{1, 2, 4}, nan, nan},
		{"y does not vary", []float64{1, 2, 4}, equal, nan, 0},
		{"empty", nil, nil, nan, nan},
		{"one pair", []float64{1}, []float64{2}, nan, nan},
		{"NaN in x", []float64{1, 2, nan}, []float64{1, 2, 4}, nan, nan},
		{"infinity in y", []float64{1, 2, 4}, []float64{1, 2, inf}, nan, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkNear(t, "Correlation", stats.Correlation(c.x, c.y), c.correlation)
			checkNear(t, "Slope", stats.Slope(c.x, c.y), c.slope)
		})
	}
}

func TestAutocorrelation(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		lag  int
		want float64
	}{
		// R 4.2.2: acf(Nile, lag.max = 99, plot = FALSE)$acf[lag + 1]; the same
		// from statsmodels 0.13.5: acf(nile, nlags=99, fft=False)[lag]
		{"lag 0", nile, 0, 1},
		{"lag 1", nile, 1, 0.498408184133029453},
		{"lag 2", nile, 2, 0.384576903904872536},
		{"lag 5", nile, 5, 0.228421986720840214},
		{"last lag", nile, 99, -0.012692976323090431},

		{"lag too long", nile, 100, nan},
		{"negative lag", nile, -1, nan},
		{"equal values", equal, 1, nan},
		{"empty", nil, 0, nan},
		{"one value", []float64{1}, 0, nan},
		{"NaN value", []float64{1, 2, nan}, 1, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkNear(t, "Autocorrelation", stats.Autocorrelation(c.x, c.lag), c.want)
		})
	}
}

func TestUnequalLengthsPanic(t *testing.T) {
	short, long := []float64{1}, []float64{1, 2}
	for name, call := range map[string]func(){
		"PairedInterval": func() { stats.PairedInterval(short, long, 0.95) },
		"Correlation":    func() { stats.Correlation(short, long) },
		"Slope":          func() { stats.Slope(short, long) },
		"SignFlip":       func() { stats.SignFlip(context.Background(), short, long, nil) },
		"MeanBand":       func() { stats.MeanBand(context.Background(), [][]float64{short, long}, 0.95, nil) },
		"PairedBand":     func() { stats.PairedBand(context.Background(), [][]float64{long}, [][]float64{short}, 0.95, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}
