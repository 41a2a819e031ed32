package run_test

import (
	"testing"

	"econ-mcp/internal/run"
)

func TestReplicationSeed(t *testing.T) {
	// Outputs 1 and 2 of SplitMix64 from state 1234567, of the reference
	// implementation by Vigna (https://prng.di.unimi.it/splitmix64.c), known from
	// https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64.
	for r, output := range map[int]uint64{1: 6457827717110365317, 2: 3203168211198807973} {
		if got, want := run.ReplicationSeed(1234567, r), output>>11; got != want {
			t.Errorf("ReplicationSeed(1234567, %d) = %d, want %d", r, got, want)
		}
	}
	if run.ReplicationSeed(7, 0) != 7 {
		t.Error("the first replication does not have the base seed")
	}
	seen := make(map[uint64]bool)
	for base := range uint64(20) {
		for r := range 100 {
			seed := run.ReplicationSeed(base, r)
			if seed >= 1<<53 || seen[seed] {
				t.Errorf("ReplicationSeed(%d, %d) = %d: too large or not new", base, r, seed)
			}
			seen[seed] = true
		}
	}
}
