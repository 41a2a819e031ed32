package sim

import (
	"math"
	"runtime"
	"testing"
)

// golden pins a short run to the model version: whoever changes an equation sees it here,
// raises ModelVersion (hashes and caches depend on it) and says in CHANGELOG.md, under
// "Model changes", what it did. Exp and Log may differ in the last bit between processors:
// the state is that of amd64, the indicators hold on all (on 386, whose Exp and Log are
// other code, they differ by 1e-15).
var golden = struct {
	version, state string
	indicators     map[Indicator]float64
}{
	version: "0.8.0",
	state:   "5028a0f7c85e785ca4b7c22e02a7e28c1072c5c39f100d40052874ba40bdbe4f",
	indicators: map[Indicator]float64{
		RealGDP: 7.963311633596479e+06, CPI: 101.45681157166236, UnemploymentRate: 0.07950000000000002,
		WealthGini: 0.5631355365267492, DebtToGDP: 0.1476172501393793,
	},
}

func TestModelVersionPinsTheBits(t *testing.T) {
	p := Defaults()
	p.NumHouseholds = 2000
	e := mustNew(t, p, 2)
	mustStep(t, e, 24)
	for i, want := range golden.indicators {
		if got := e.Latest().Value(i); !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
			t.Errorf("model version %s gives %s %v; pinned is %v", ModelVersion, i, got, want)
		}
	}
	if ModelVersion != golden.version {
		t.Errorf("model version %s; pinned is %s", ModelVersion, golden.version)
	}
	if got := e.StateHash(); runtime.GOARCH == "amd64" && got != golden.state {
		t.Errorf("model version %s gives state %s; pinned is %s", ModelVersion, got, golden.state)
	}
}
