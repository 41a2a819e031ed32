package design_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/design"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// folder is a library of presets and of YAML files in a folder.
type folder string

func (f folder) path(name string) string { return filepath.Join(string(f), name+".yaml") }

func (f folder) Scenario(name string) (scenario.Scenario, error) {
	data, err := os.ReadFile(f.path(name))
	if errors.Is(err, os.ErrNotExist) {
		return presets.Load(name)
	}
	if err != nil {
		return scenario.Scenario{}, err
	}
	return scenario.Decode(name, data)
}

func (f folder) SaveConfigs(_ context.Context, _ access.Caller, list []scenario.Scenario, replace func(scenario.Scenario) error) (paths []string, err error) {
	for _, s := range list {
		old, err := f.Scenario(s.Name)
		if fault.KindOf(err) != fault.NotFound {
			if err = errors.Join(err, replace(old)); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range list {
		paths = append(paths, f.path(s.Name))
		err = errors.Join(err, os.WriteFile(f.path(s.Name), s.Encode(), 0o644))
	}
	return paths, err
}

func baseline(tb testing.TB) scenario.Scenario {
	tb.Helper()
	s, err := presets.Load(design.Baseline)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func read(tb testing.TB, question string) design.Reading {
	tb.Helper()
	p, err := design.Read(question, baseline(tb))
	if err != nil {
		tb.Fatalf("%s: %v", question, err)
	}
	return p
}

func questions(tb testing.TB) []design.Labelled {
	tb.Helper()
	list, err := design.Questions()
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// TestLabels: a label that names what there is not, or stands twice, would measure nothing.
func TestLabels(t *testing.T) {
	english, chinese := 0, 0
	seen := map[string]bool{}
	for _, q := range questions(t) {
		if seen[q.Question] {
			t.Errorf("%s stands twice", q.Question)
		}
		seen[q.Question] = true
		if regexp.MustCompile(`\p{Han}`).MatchString(q.Question) {
			chinese++
		} else {
			english++
		}
		if !slices.Contains(design.Types(), q.Type) {
			t.Errorf("%s: no type %s", q.Question, q.Type)
		}
		for _, l := range q.Levers {
			_, param := sim.Lookup(l.Parameter)
			_, policy := sim.PackageByID(sim.TypePolicy, l.Parameter)
			_, shock := sim.PackageByID(sim.TypeShock, l.Parameter)
			if param != nil && policy != nil && shock != nil && !slices.Contains(sim.InjectionGroups, l.Parameter) &&
				!slices.Contains(presets.Names(), l.Parameter) {
				t.Errorf("%s: no lever %s", q.Question, l.Parameter)
			}
		}
	}
	if english < 60 || chinese < 60 {
		t.Errorf("%d English and %d Chinese questions; at least 60 each", english, chinese)
	}
}

// TestRecommended: what a plan recommends is taken by the parameters as it is.
func TestRecommended(t *testing.T) {
	for _, q := range questions(t) {
		p := read(t, q.Question)
		list := p.Recommended()
		if len(list) == 0 {
			t.Errorf("%s: nothing is recommended", q.Question)
		}
		params := sim.Defaults()
		for _, change := range list {
			if err := params.Set(change.Name, change.Value); err != nil {
				t.Errorf("%s: %v", q.Question, err)
			}
		}
		if err := params.Validate(); err != nil {
			t.Errorf("%s: %v", q.Question, err)
		}
		back := len(p.Levers) == 1 && p.Levers[0].From != nil &&
			p.Levers[0].Value == valueOf(t, p.Levers[0].Parameter) // to what the baseline has
		injects := len(p.Levers) == 1 && p.Levers[0].Kind == design.KindInjection
		if len(p.Levers) > 0 && !back && !injects && len(sim.Diff(sim.Defaults(), params)) == 0 {
			t.Errorf("%s: what is recommended changes nothing: %v", q.Question, list)
		}
	}
}

func valueOf(tb testing.TB, parameter string) any {
	tb.Helper()
	row, err := sim.Lookup(parameter)
	if err != nil {
		tb.Fatal(err)
	}
	return row.Default
}

// TestArms: both arms load as they were saved, and differ only in the levers.
func TestArms(t *testing.T) {
	name := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	for _, q := range questions(t) {
		p := read(t, q.Question)
		if !name.MatchString(p.Name) || !name.MatchString(p.ControlName()) {
			t.Errorf("%s: name %q", q.Question, p.Name)
		}
		control, treatment, err := p.Arms()
		if len(p.Levers) == 0 {
			if fault.KindOf(err) != fault.InvalidState {
				t.Errorf("%s: no lever, but %v", q.Question, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", q.Question, err)
			continue
		}
		for _, s := range []scenario.Scenario{control, treatment} {
			again, err := scenario.Decode(s.Name, s.Encode())
			if err != nil || again.Hash() != s.Hash() {
				t.Errorf("%s: %s does not load as it was saved: %v", q.Question, s.Name, err)
			}
		}
		if control.Hash() == treatment.Hash() {
			t.Errorf("%s: the arms are equal", q.Question)
		}
		levers := map[string]bool{}
		preset := false
		for _, l := range p.Levers {
			levers[l.Parameter] = true
			preset = preset || l.Kind == design.KindPreset
		}
		for _, name := range sim.Diff(control.Params, treatment.Params) {
			if !levers[name] && !preset {
				t.Errorf("%s: the arms differ in %s, which is no lever", q.Question, name)
			}
		}
		if !slices.EqualFunc(
			control.Interventions,
			treatment.Interventions[:len(control.Interventions)],
			func(a, b sim.Intervention) bool { return a.TargetMonth == b.TargetMonth && a.Type == b.Type },
		) {
			t.Errorf("%s: the treatment lacks what the control has planned", q.Question)
		}
		if live := len(sim.DiffNotLive(control.Params, treatment.Params)) == 0; live != (control.BurnInKey(1) == treatment.BurnInKey(1)) {
			t.Errorf("%s: live %v, but the burn-ins are otherwise", q.Question, live)
		}
	}
}

func TestDeterministic(t *testing.T) {
	for _, q := range questions(t)[:40] {
		a, b := read(t, q.Question), read(t, q.Question)
		if a.Name != b.Name || a.Describe() != b.Describe() || a.Confidence != b.Confidence {
			t.Errorf("%s: two readings differ", q.Question)
		}
		if a.Confidence < 0 || a.Confidence > 1 {
			t.Errorf("%s: confidence %g", q.Question, a.Confidence)
		}
	}
}

// TestReading: directions, magnitudes and times beyond the labelled questions.
func TestReading(t *testing.T) {
	for _, c := range []struct {
		question, parameter string
		value               float64
		start, lasts, ramp  int
	}{
		{"raise VAT from 8% to 15%", "vat_rate", .15, 1, 0, 0},
		{"Raise VAT by 5 percentage points", "vat_rate", .13, 1, 0, 0},
		{"raise VAT by 10%", "vat_rate", .088, 1, 0, 0},
		{"vat_rate to 0.2", "vat_rate", .2, 1, 0, 0},
		{"Double the VAT for 18 months", "vat_rate", .16, 1, 18, 0},
		{"VAT ought to be 12 per cent from year 3", "vat_rate", .12, 25, 0, 0},
		{"a 10 % tariff", "tariff_rate", .1, 1, 0, 0},
		{"give everyone 500 a month", "universal_basic_income", 1. / 6, 1, 0, 0},
		{"给每个人每月发1000元", "universal_basic_income", 1. / 3, 1, 0, 0},
		{"a basic income of $300 a month for every adult", "universal_basic_income", .1, 1, 0, 0},
		{"a minimum wage of 1500 a month", "minimum_wage", 1500 / (3000 * .8596), 1, 0, 0},
		{"balance the budget", "austerity", .012 / (.21 * .7), 1, 0, 0},
		{"cut the deficit by one percent of GDP", "austerity", .01 / (.21 * .7), 1, 0, 0},
		{"unemployment benefits at 70 % of the last wage after two years", "unemployment_benefit_rate", .7, 25, 0, 0},
		{"Gradually raise the corporate tax to 30 % within three years", "corporate_tax_rate", .3, 1, 0, 36},
		{"利率上调25个基点", "fixed_policy_rate", .0325, 1, 0, 0},
		{"一年后把增值税提高两个百分点，为期三年", "vat_rate", .1, 13, 36, 0},
		{"public debt target of 60 %", "debt_target", .6, 1, 0, 0},
	} {
		p := read(t, c.question)
		if len(p.Levers) != 1 {
			t.Errorf("%s: %d levers: %+v", c.question, len(p.Levers), p.Levers)
			continue
		}
		l := p.Levers[0]
		x, _ := l.Value.(float64)
		if l.Parameter != c.parameter || math.Abs(x-c.value) > 1e-6 || l.StartMonth != c.start || l.DurationMonths != c.lasts ||
			l.RampMonths != c.ramp ||
			l.Assumed {
			t.Errorf(
				"%s: %s = %v from month %d for %d in %d, assumed %v",
				c.question,
				l.Parameter,
				l.Value,
				l.StartMonth,
				l.DurationMonths,
				l.RampMonths,
				l.Assumed,
			)
		}
	}
}

func TestWholeWords(t *testing.T) {
	for _, q := range []string{"How do we raise a claim and maintain the rain gauge?", "Said the captain: the train was paid for in " +
		"Spain.", "What is a good name for a cat?", "你喜欢什么颜色？"} {
		if p := read(t, q); p.Type != design.Other || len(p.Levers) > 0 {
			t.Errorf("%s: %s %+v", q, p.Type, p.Levers)
		}
	}
	if p := read(t, "Will AI take over?"); p.Type != design.LaborProductivity {
		t.Errorf("AI as a word: %s", p.Type)
	}
}

func TestTiesFollowTheOrderOfTypes(t *testing.T) {
	p := read(t, "Raise tariffs and cut the corporate tax.")
	if p.Type != design.Tariff || len(p.Candidates) != 2 || p.Candidates[0].Confidence != p.Candidates[1].Confidence ||
		p.Candidates[1].Type != design.Tax {
		t.Errorf("%s, %+v", p.Type, p.Candidates)
	}
}

func TestKeywordsHaveTheirPlace(t *testing.T) {
	for _, q := range []string{"What if VAT rises to 15%?", "如果增值税提高到15%会怎样？"} {
		p := read(t, q)
		found := false
		for _, k := range p.Keywords {
			if got := string([]rune(p.Question)[k.From:k.To]); got != k.Text {
				t.Errorf("%s: %q stands at %d, not %q", q, got, k.From, k.Text)
			}
			found = found || k.Meaning == "lever" && k.Of == design.Tax
		}
		if !found {
			t.Errorf("%s: no lever among %+v", q, p.Keywords)
		}
	}
}

func TestWhatIsLeftAloneAndWhatCannotBeMapped(t *testing.T) {
	p := read(t, "Increase public research without raising income taxes, by 2030.")
	if len(p.Levers) != 1 || p.Levers[0].Parameter != "public_research_share" || len(p.Held) != 1 {
		t.Errorf("levers %+v, held %v", p.Levers, p.Held)
	}
	if len(p.Unmapped) != 1 || p.Unmapped[0].Text != "2030" || !strings.Contains(p.Describe(), "2030") {
		t.Errorf("the calendar year is not said: %+v", p.Unmapped)
	}
	p = read(t, "Raise the income tax for the bottom 20% by 2 points.")
	if len(p.Unmapped) != 1 || !strings.Contains(p.Unmapped[0].Text, "bottom 20%") {
		t.Errorf("the group is not said: %+v", p.Unmapped)
	}
	p = read(t, "Set VAT to 8%.")
	if len(p.Levers) != 0 || len(p.Unmapped) != 1 {
		t.Errorf("no change is not said: %+v, %+v", p.Levers, p.Unmapped)
	}
}

func TestConditions(t *testing.T) {
	p := read(t, "If unemployment rises above 8%, raise government purchases by 2% of GDP.")
	if len(p.Levers) != 1 || p.Levers[0].When != "unemployment_rate > 0.08" || p.Levers[0].Value != .12 {
		t.Fatalf("%+v", p.Levers)
	}
	_, treatment, err := p.Arms()
	if err != nil || len(treatment.Interventions) != 1 || treatment.Interventions[0].When == "" {
		t.Errorf("%+v, %v", treatment.Interventions, err)
	}
}

// TestFromDecidesTheControl: what the question starts from is what the control has.
func TestFromDecidesTheControl(t *testing.T) {
	control, treatment, err := read(t, "raise VAT from 10% to 15%").Arms()
	if err != nil || control.Params.VATRate != .1 || treatment.Params.VATRate != .15 || control.BurnIn.VATRate != .1 {
		t.Errorf("%v to %v, burnt in with %v: %v", control.Params.VATRate, treatment.Params.VATRate, control.BurnIn.VATRate, err)
	}
}

func TestBadQuestions(t *testing.T) {
	for _, c := range []struct {
		question string
		want     fault.Kind
	}{
		{"", fault.WrongType}, {"   ", fault.WrongType}, {"?!… 123", fault.WrongType}, {strings.Repeat("税", 4001), fault.OutOfRange},
		{strings.Repeat("a", 100_000), fault.OutOfRange},
	} {
		if _, err := design.Read(c.question, baseline(t)); fault.KindOf(err) != c.want {
			t.Errorf("%.20q: %v", c.question, err)
		}
	}
	p := read(t, "raise\x00 VAT\u202e to \x1b15%\x07")
	if len(p.Levers) != 1 || p.Levers[0].Value != .15 || strings.ContainsAny(p.Question, "\x00\x1b\x07\u202e") {
		t.Errorf("control characters: %q %+v", p.Question, p.Levers)
	}
	for _, long := range []string{
		strings.Repeat("raise VAT by 5% and ", 200), strings.Repeat("把增值税提高到15%，", 300), strings.Repeat("9", 3990) + " a",
		strings.Repeat("- ", 1500) + "tax",
	} {
		read(t, long)
	}
}

func FuzzRead(f *testing.F) {
	for _, q := range questions(f) {
		f.Add(q.Question)
	}
	f.Add("raise VAT by 1e308% for 99999999 years from year 0 over -5 months")
	base := baseline(f)
	f.Fuzz(func(t *testing.T, question string) {
		p, err := design.Read(question, base)
		if err != nil {
			return
		}
		for _, l := range p.Levers {
			if x, ok := l.Value.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
				t.Fatalf("%q: %+v", question, l)
			}
		}
		if len(p.Levers) == 0 {
			return
		}
		if _, _, err := p.Arms(); err != nil {
			t.Fatalf("%q: %v", question, err)
		}
	})
}

func TestGenerate(t *testing.T) {
	lib := folder(t.TempDir())
	question := "raise VAT from 8% to 15%"
	g, err := design.Generate(context.Background(), lib, question, "", true, access.Operator())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []scenario.Scenario{g.Control, g.Treatment} {
		if saved, err := lib.Scenario(s.Name); err != nil || saved.Hash() != s.Hash() {
			t.Errorf("%s was not saved as it is: %v", s.Name, err)
		}
	}
	if _, err := design.Generate(context.Background(), lib, question, "", true, access.Operator()); err != nil {
		t.Errorf("over its own: %v", err)
	}

	edited := g.Treatment // by hand: the source says still that it was generated
	edited.Params.IncomeTaxRate = .31
	for _, own := range []scenario.Scenario{scenario.New(g.Treatment.Name, sim.Defaults()), edited} {
		if err := os.WriteFile(lib.path(own.Name), own.Encode(), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := design.Generate(context.Background(), lib, question, "", true, access.Operator()); fault.KindOf(err) != fault.Conflict {
			t.Errorf("over a user's own: %v", err)
		}
		if kept, err := lib.Scenario(own.Name); err != nil || kept.Hash() != own.Hash() {
			t.Errorf("a user's config was changed: %v", err)
		}
	}

	other, err := design.Generate(context.Background(), lib, question, "crisis", false, access.Operator())
	if err != nil || other.Path != "" || other.Treatment.Name == g.Treatment.Name || other.Control.Params.MaxLeverage != .68 {
		t.Errorf("on another base: %s %q %v", other.Treatment.Name, other.Path, err)
	}
	if _, err := design.Generate(context.Background(), lib, question, "no-such", true, access.Operator()); fault.KindOf(err) != fault.NotFound {
		t.Errorf("unknown base: %v", err)
	}
}
