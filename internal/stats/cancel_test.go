package stats_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"econ-mcp/internal/stats"
)

// countedSource cancels a context at one of its draws, and counts those after it.
type countedSource struct {
	rand.Source
	left   int // draws until it cancels
	cancel func()
	after  int
}

func (s *countedSource) Uint64() uint64 {
	if s.left--; s.left == 0 {
		s.cancel()
	} else if s.left < 0 {
		s.after++
	}
	return s.Source.Uint64()
}

// A cancelled context ends every Monte Carlo method with the sample that is being drawn.
func TestCancelled(t *testing.T) {
	const n = 40 // too many for all rearrangements
	a, b := make([]float64, n), make([]float64, n)
	other := make([]float64, n)
	for i := range a {
		a[i], b[i], other[i] = float64(i), float64(i*i%17), float64(i%5)
	}
	manyA, manyB := columns(a, b), columns(b, other)
	for name, draw := range map[string]func(ctx context.Context, random *rand.Rand){
		"sign flips":  func(ctx context.Context, r *rand.Rand) { stats.SignFlip(ctx, a, b, r) },
		"permutation": func(ctx context.Context, r *rand.Rand) { stats.Permutation(ctx, a, b, r) },
		"Brunner-Munzel": func(ctx context.Context, r *rand.Rand) {
			stats.BrunnerMunzel(ctx, a, b, r)
		},
		"paired Romano-Wolf": func(ctx context.Context, r *rand.Rand) {
			stats.PairedRomanoWolf(ctx, manyA, manyB, r)
		},
		"Welch Romano-Wolf": func(ctx context.Context, r *rand.Rand) {
			stats.WelchRomanoWolf(ctx, manyA, manyB, r)
		},
		"rank Romano-Wolf": func(ctx context.Context, r *rand.Rand) {
			stats.BrunnerMunzelRomanoWolf(ctx, manyA, manyB, r)
		},
		"band": func(ctx context.Context, r *rand.Rand) {
			stats.PairedBand(ctx, manyA, manyB, .95, r)
		},
		"bootstrap of pairs": func(ctx context.Context, r *rand.Rand) {
			stats.PairedBootstrapInterval(ctx, a, b, .95, r)
		},
		"bootstrap of two": func(ctx context.Context, r *rand.Rand) {
			stats.IndependentBootstrapInterval(ctx, a, b, .95, r)
		},
		"band of independent": func(ctx context.Context, r *rand.Rand) {
			stats.WelchBand(ctx, manyA, manyB, .95, r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			source := &countedSource{Source: rand.NewPCG(1, 2), left: 100, cancel: cancel}
			draw(ctx, rand.New(source))
			if source.left > 0 {
				t.Fatalf("it ended %d draws before it was cancelled", source.left)
			}
			if most := 4 * n; source.after > most { // numbers that one sample takes at most, of both sides
				t.Errorf("%d more draws once it was cancelled, more than %d", source.after, most)
			}
		})
	}
}

// Rearrangements that are gone through one by one end too: the data alone are looked at.
func TestCancelledExact(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, p := range map[string]float64{
		"sign flips":     stats.SignFlip(ctx, drug1, drug2, nil).P,
		"permutation":    stats.Permutation(ctx, plants1, plants3, nil).P,
		"Brunner-Munzel": stats.BrunnerMunzel(ctx, plants1, plants3, nil).P,
	} {
		if p != 1 {
			t.Errorf("%s: p = %v of more than one rearrangement", name, p)
		}
	}
}
