package inference_test

import (
	"context"
	"errors"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// A cancelled comparison or analysis ends with the error of its context, and does not count
// as asked.
func TestCancelled(t *testing.T) {
	before, after := columns{}, columns{}
	for _, i := range inference.Outcomes {
		for r := range 10 {
			before[i], after[i] = append(before[i], 100+float64(r*r%7)), append(after[i], 101+float64(r*r%5))
		}
	}
	s := made("x", seeds(1, 10), before, after)
	for name, ask := range map[string]func(ctx context.Context, c inference.Choice) error{
		"compare": func(ctx context.Context, c inference.Choice) error {
			_, err := inference.Compare(ctx, []*tables.Study{s}, c)
			return err
		},
		"analyse": func(ctx context.Context, c inference.Choice) error {
			_, err := inference.Analyse(ctx, s, c, nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			asked := 0
			choice := inference.Choice{
				Metrics: []sim.Indicator{sim.RealGDP, sim.CPI},
				Ledger: func(now []inference.Asked) ([]inference.Asked, int, error) {
					asked++
					cancel() // what comes after is cancelled too
					return now, 0, nil
				},
			}
			if err := ask(ctx, choice); !errors.Is(err, context.Canceled) || asked != 1 {
				t.Errorf("cancelled at the ledger: %v, asked %d times", err, asked)
			}
			if err := ask(ctx, choice); !errors.Is(err, context.Canceled) || asked != 1 {
				t.Errorf("cancelled before: %v, asked %d times", err, asked)
			}
		})
	}
}
