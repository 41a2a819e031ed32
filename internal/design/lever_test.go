package design

import (
	"strings"
	"testing"
	"unicode"

	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// TestEveryPhraseReachesItsLever: each phrase of the tables, raised and lowered, gives
// arms that are valid, with a lever of its row.
func TestEveryPhraseReachesItsLever(t *testing.T) {
	base := scenario.New(Baseline, sim.Defaults())
	for _, row := range levers {
		for n, phrase := range append(append([]string{}, row.en...), row.zh...) {
			phrase = strings.TrimLeft(phrase, "?!+-")
			forms := []string{"What about %?", "Raise %.", "Lower % by 10%."}
			if strings.ContainsFunc(phrase, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				forms = []string{"%怎么样？", "把%提高。", "把%降低10%。"}
			}
			for i, form := range forms {
				question := strings.Replace(form, "%", phrase, 1)
				p, err := Read(question, base)
				if err != nil {
					t.Fatalf("%s: %v", question, err)
				}
				if len(p.Levers) == 0 {
					if len(p.Unmapped) == 0 {
						t.Errorf("%s: no lever, and nothing is said", question)
					}
					continue
				}
				if n == 0 {
					if _, _, err := p.Arms(); err != nil {
						t.Errorf("%s: %v", question, err)
					}
				}
				got := levers[p.Levers[0].row]
				if i == 0 && got.id != row.id && got.nameOr() != row.nameOr() && row.whenLowered != got.id && row.whenRaised != got.id {
					t.Errorf("%s: reaches %s, not %s", question, got.id, row.id)
				}
			}
		}
	}
}

// TestRowsNameWhatThereIs: identifiers, needs, the levers that a direction turns into, and
// usual changes that stay within the range.
func TestRowsNameWhatThereIs(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range levers {
		if seen[r.id] {
			t.Errorf("%s stands twice", r.id)
		}
		seen[r.id] = true
		for _, other := range []string{r.whenLowered, r.whenRaised} {
			if _, ok := leverIndex[other]; other != "" && !ok {
				t.Errorf("%s turns into %s, which is no lever", r.id, other)
			}
		}
		for _, need := range r.needs {
			p := sim.Defaults()
			if err := p.Set(need.Name, need.Value); err != nil {
				t.Errorf("%s needs %v", r.id, err)
			}
		}
		if r.why == "" || r.of == "" {
			t.Errorf("%s does not say why its usual change, or its type", r.id)
		}
		low, high := 0.0, 1e6
		switch r.kind {
		case KindParameter:
			row, err := sim.Lookup(r.nameOr())
			if err != nil {
				t.Errorf("%s: %v", r.id, err)
			}
			if r.unit == switchUnit || r.unit == choiceUnit {
				p := sim.Defaults()
				if err := p.Set(row.Name, r.set); err != nil {
					t.Error(err)
				}
				continue
			}
			low, high = row.Min, row.Max
		case KindPolicy, KindShock:
			pack, err := sim.PackageByID(
				map[Kind]sim.InterventionType{KindPolicy: sim.TypePolicy, KindShock: sim.TypeShock}[r.kind],
				r.nameOr(),
			)
			if err != nil {
				t.Errorf("%s: %v", r.id, err)
			}
			low, high = pack.Min, pack.Max
		case KindPreset:
			if _, err := presets.Load(r.id); err != nil {
				t.Error(err)
			}
			continue
		}
		if !(0 < r.small && r.small <= r.typical && r.typical <= high-min(low, 0)) {
			t.Errorf("%s: usual changes of %g and %g, in a range from %g to %g", r.id, r.small, r.typical, low, high)
		}
	}
	for _, row := range typeTable {
		if _, ok := leverIndex[row.lever]; row.name != Other && !ok {
			t.Errorf("%s: no lever %s", row.name, row.lever)
		}
	}
}
