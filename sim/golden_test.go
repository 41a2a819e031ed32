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
	version: "0.9.0",
	state:   "6d12e65cb4d8ce3f657f5e4b9009f020e2c4d73fe0f190d4e61fe1da3345a874",
	indicators: map[Indicator]float64{
		RealGDP: 7.999994948236191e+06, CPI: 101.40063268925692, UnemploymentRate: 0.08599999999999997,
		WealthGini: 0.5626487462952554, DebtToGDP: 0.11855601700591449,
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
