package analysis

import "econ-mcp/sim"

// Test is a family of tests.
type Test string

// The families.
const (
	TestT           Test = "t"
	TestRank        Test = "rank"
	TestPermutation Test = "permutation"
)

// Tests lists the families.
var Tests = []Test{TestT, TestRank, TestPermutation}

// Adjustment is how p-values are corrected for their number.
type Adjustment string

// The corrections.
const (
	AdjustRomanoWolf        Adjustment = "romano_wolf"
	AdjustHolm              Adjustment = "holm"
	AdjustBenjaminiHochberg Adjustment = "benjamini_hochberg"
)

// Planned is what was registered before an experiment ran.
type Planned struct {
	Outcomes []sim.Indicator
	From, To int
	Test     Test
	Smallest float64               // of the primary outcome, in its unit; 0 = the default one
	Expected map[sim.Indicator]int // 1 rises, -1 falls; absent = either
}

func (Test) Enum() []string { return []string{"t", "rank", "permutation"} }

func (Adjustment) Enum() []string { return []string{"romano_wolf", "holm", "benjamini_hochberg"} }

type Asked struct {
	Hypothesis string
	P          float64
}
