package presets_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

func mustLoad(tb testing.TB, name string) scenario.Scenario {
	tb.Helper()
	s, err := presets.Load(name)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// What each preset changes, and nothing else.
var changes = map[string][]string{
	"baseline":         nil,
	"high_tax":         {"income_tax_rate", "vat_rate", "corporate_tax_rate"},
	"low_tax":          {"income_tax_rate", "vat_rate", "corporate_tax_rate", "inherent_market_consumption_rate"},
	"crisis":           {"separation_rate", "confidence_shock", "loan_spread", "max_leverage"},
	"ai_adoption":      {"labor_productivity_factor"},
	"ubi":              {"universal_basic_income", "basic_income_financing"},
	"austerity":        nil,
	"green_transition": {"redistribution_share"},
	"pandemic":         nil,
	"oil_shock":        nil,
	"credit_crunch":    nil,
	"trade_war":        nil,
	"ai_wave":          {"ai_adoption_rate"},
	"demand_slump":     {"inherent_market_consumption_rate", "propensity_to_consume_income", "confidence_shock"},
}

func TestPresets(t *testing.T) {
	countries := []string{"at_like", "cn_like", "de_like", "us_like"}
	if got := len(presets.Names()); got != len(changes)+len(countries) {
		t.Errorf("%d presets, %d tested", got, len(changes)+len(countries))
	}
	for _, name := range presets.Names() {
		s := mustLoad(t, name)
		if s.Name != name {
			t.Errorf("%s calls itself %q", name, s.Name)
		}
		if strings.HasSuffix(name, "_like") {
			checkCountry(t, s)
			continue
		}
		if s.Description == "" || s.Source == "" ||
			!strings.ContainsFunc(s.DescriptionZH, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s: description %q, description_zh %q, source %q", name, s.Description, s.DescriptionZH, s.Source)
		}
		if got, want := sim.Diff(sim.Defaults(), s.Params), changes[name]; !slices.Equal(got, want) {
			t.Errorf("%s changes %q, want %q", name, got, want)
		}
		if own := s.BurnIn == s.Params; s.BurnIn != sim.Defaults() && !own || own && len(s.Interventions) == 0 && name != "baseline" {
			t.Errorf("%s: neither a burn-in of its own, with a plan, nor that of the baseline", name)
		}
		if name != "baseline" && len(s.Interventions) == 0 && len(changes[name]) == 0 {
			t.Errorf("%s is the baseline", name)
		}

		again, err := scenario.Decode(name, s.Encode())
		if err != nil || !reflect.DeepEqual(again, s) || again.Hash() != s.Hash() {
			t.Errorf("%s does not survive re-encoding: %v", name, err)
		}
	}
}

// checkCountry: a country's structure holds from the burn-in on, is documented, and has
// bands of its own.
func checkCountry(t *testing.T, s scenario.Scenario) {
	t.Helper()
	if s.BurnIn != s.Params || len(s.Interventions) > 0 || s.Description == "" || s.DescriptionZH == "" || s.Source == "" {
		t.Errorf("%s: not a structure with a burn-in of its own, in two languages", s.Name)
	}
	differ := sim.Diff(sim.Defaults(), s.Params)
	for _, name := range []string{
		"vat_rate", "corporate_tax_rate", "government_employment_share", "unemployment_benefit_rate", "import_share", "skill_dispersion",
		"natural_unemployment_rate",
	} {
		if !slices.Contains(differ, name) && name != "import_share" {
			t.Errorf("%s: %s is that of the baseline", s.Name, name)
		}
	}
	if len(s.Bands) < 6 {
		t.Errorf("%s: %d bands", s.Name, len(s.Bands))
	}
	again, err := scenario.Decode(s.Name, s.Encode())
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%s does not survive re-encoding: %v", s.Name, err)
	}
}

// The tax presets say that they are five points from the baseline: they must
// follow when the defaults are retuned.
func TestTaxPresetsAreFivePointsAway(t *testing.T) {
	base, high, low := sim.Defaults(), mustLoad(t, "high_tax").Params, mustLoad(t, "low_tax").Params
	for name, rate := range map[string]func(sim.Params) float64{
		"income_tax_rate":    func(p sim.Params) float64 { return p.IncomeTaxRate },
		"vat_rate":           func(p sim.Params) float64 { return p.VATRate },
		"corporate_tax_rate": func(p sim.Params) float64 { return p.CorporateTaxRate },
	} {
		if up := rate(high) - rate(base); math.Abs(up-.05) > 1e-9 {
			t.Errorf("high_tax raises %s by %g", name, up)
		}
		if down := rate(base) - rate(low); math.Abs(down-.05) > 1e-9 {
			t.Errorf("low_tax lowers %s by %g", name, down)
		}
	}
}

func TestSlumpsPointDown(t *testing.T) {
	base, crisis, slump := sim.Defaults(), mustLoad(t, "crisis").Params, mustLoad(t, "demand_slump").Params
	for what, worse := range map[string]bool{
		"crisis: confidence":     crisis.ConfidenceShock < base.ConfidenceShock,
		"crisis: loans dearer":   crisis.LoanSpread > base.LoanSpread,
		"crisis: less lending":   crisis.MaxLeverage < base.MaxLeverage,
		"crisis: separations":    crisis.SeparationRate > base.SeparationRate,
		"slump: confidence":      slump.ConfidenceShock < base.ConfidenceShock,
		"slump: less spending":   slump.PropensityToConsumeIncome < base.PropensityToConsumeIncome,
		"slump: fewer purchases": slump.InherentMarketConsumptionRate < base.InherentMarketConsumptionRate,
	} {
		if !worse {
			t.Errorf("%s: not worse than the baseline", what)
		}
	}
}

func TestUnknownPreset(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"high_taxes", `not_found: unknown preset "high_taxes"; did you mean "high_tax"?`},
		{"zzz", `not_found: unknown preset "zzz"; known: ` + strings.Join(presets.Names(), ", ")},
		{"../presets/baseline", `not_found: unknown preset "../presets/baseline"; did you mean "baseline"?`},
		{"", `not_found: unknown preset ""; known: ` + strings.Join(presets.Names(), ", ")},
	} {
		_, err := presets.Load(c.name)
		if fault.KindOf(err) != fault.NotFound || err.Error() != c.want {
			t.Errorf("Load(%q) = %v, want %s", c.name, err, c.want)
		}
	}
}

// The audit runs in every Step: a decade of each preset, with its own burn-in,
// keeps its books and stays an economy.
func TestPresetsRunADecade(t *testing.T) {
	for _, name := range presets.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mustLoad(t, name)
			burn, p := s.BurnIn, s.Params
			burn.NumHouseholds, p.NumHouseholds = 2000, 2000
			burn.BurnInMonths, p.BurnInMonths = 60, 60
			e, err := sim.New(burn, 1)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			step := func() {
				if err := e.Step(); err != nil {
					t.Fatal(err)
				}
			}
			for range burn.BurnInMonths {
				step()
			}
			e.BeginExperiment()
			if err := e.SetParams(p); err != nil {
				t.Fatal(err)
			}
			if err := e.Plan(s.Interventions); err != nil {
				t.Fatal(err)
			}
			for range 120 {
				step()
			}
			if got := e.Month(); got != 120 {
				t.Errorf("month %d after 120", got)
			}
			if u := e.Latest().Value(sim.UnemploymentRate); u <= 0 || u > .5 {
				t.Errorf("unemployment rate %v after a decade", u)
			}
		})
	}
}
