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
	version: "0.7.0",
	state:   "f952025f7e8c6298772d5ef2a96f6c77e2960b32f86f58cd2d9942de2593bfad",
	indicators: map[Indicator]float64{
		RealGDP: 7.426009205703302e+06, CPI: 102.25379824849723, UnemploymentRate: 0.10399999999999998,
		WealthGini: 0.5625089282190887, DebtToGDP: 0.20587118249613875,
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
