package run_test

import (
	"slices"
	"testing"

	"econ-mcp/internal/run"
)

// The seeds of a pilot are those of no replication of the experiment, and a longer pilot begins with them.
func TestPilotSeeds(t *testing.T) {
	own := run.Seeds(7, 1000)
	few, many := run.PilotSeeds(7, 8, own), run.PilotSeeds(7, 200, own)
	if !slices.Equal(few, many[:8]) || len(many) != 200 {
		t.Errorf("%v and %v", few, many[:8])
	}
	for _, seed := range many {
		if slices.Contains(own, seed) {
			t.Errorf("seed %d is one of the experiment", seed)
		}
	}
	if other := run.PilotSeeds(7, 8, append(own, few[2])); slices.Contains(other, few[2]) || len(other) != 8 || other[1] != few[1] {
		t.Errorf("without %d: %v", few[2], other)
	}
}
