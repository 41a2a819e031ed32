package report

import (
	"slices"
	"testing"

	"econ-mcp/sim"
)

// A kind is said once for an arm: in how many replications, the worst value and the first month of all.
func TestImplausibleText(t *testing.T) {
	replications := [][]sim.Implausible{
		{{Kind: sim.MassUnemployment, Month: 140, Worst: .45}, {Kind: sim.HighDebt, Month: 9, Worst: 6}},
		nil,
		{{Kind: sim.MassUnemployment, Month: 131, Worst: .62}},
	}
	for language, want := range map[string][]string{
		English: {
			"treatment is implausible in 2 of 3 replications: unemployment reached 62 % (first above 40 % in month 131): read the effects with care",
			"treatment is implausible in 1 of 3 replications: public debt reached 6 times annual GDP (first above 5 in month 9): " +
				"read the effects with care",
		},
		Chinese: {
			"treatment 有 2/3 次重复不合常理：失业率达到 62 %（第131个月首次高于 40 %），解读效应时请谨慎",
			"treatment 有 1/3 次重复不合常理：公共债务达到年GDP的 6 倍（第9个月首次高于 5 倍），解读效应时请谨慎",
		},
	} {
		if got := ImplausibleText("treatment", replications, language); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := ImplausibleText("treatment", [][]sim.Implausible{nil, nil}, English); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
