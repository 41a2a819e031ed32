package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"econ-mcp/internal/fault"
)

// Every field of Params has exactly one row, which addresses it.
func TestCatalogueCoversParams(t *testing.T) {
	var p Params
	v := reflect.ValueOf(&p).Elem()
	rows := map[uintptr]string{}
	for _, row := range Catalogue() {
		field := reflect.ValueOf(row.field(&p)).Pointer()
		if other, ok := rows[field]; ok {
			t.Errorf("%s and %s address the same field", row.Name, other)
		}
		rows[field] = row.Name
	}
	for i := range v.NumField() {
		if rows[v.Field(i).Addr().Pointer()] == "" {
			t.Errorf("the field %s has no row", v.Type().Field(i).Name)
		}
	}
}

func TestCatalogueRowsAreComplete(t *testing.T) {
	snakeCase := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	seen, labels := map[string]bool{}, map[string]string{}
	categories := []string{}
	for _, row := range Catalogue() {
		if !snakeCase.MatchString(row.Name) {
			t.Errorf("%q is not snake_case", row.Name)
		}
		if seen[row.Name] {
			t.Errorf("%s has two rows", row.Name)
		}
		seen[row.Name] = true
		if n := len(categories); n == 0 || categories[n-1] != row.Category {
			if slices.Contains(categories, row.Category) {
				t.Errorf("category %s is scattered", row.Category)
			}
			categories = append(categories, row.Category)
		}

		for what, text := range map[string]string{"Meaning": row.Meaning, "Effect": row.Effect} {
			if !strings.HasSuffix(text, ".") || strings.ContainsFunc(text, isHan) {
				t.Errorf("%s: %s %q is not an English sentence", row.Name, what, text)
			}
		}
		if !strings.HasSuffix(row.MeaningZH, "。") || !strings.ContainsFunc(row.MeaningZH, isHan) {
			t.Errorf("%s: MeaningZH %q is not a Chinese sentence", row.Name, row.MeaningZH)
		}
		if row.Label == "" || !strings.ContainsFunc(row.LabelZH, isHan) || labels[row.Label] != "" || labels[row.LabelZH] != "" {
			t.Errorf("%s: labels %q and %q are empty, or those of another one", row.Name, row.Label, row.LabelZH)
		}
		labels[row.Label], labels[row.LabelZH] = row.Name, row.Name
		if row.Source == "" {
			t.Errorf("%s has no source", row.Name)
		}
		if row.Technical && row.Live {
			t.Errorf("%s is technical and live", row.Name)
		}

		switch row.Type {
		case TypeNumber, TypeInteger:
			if row.Min >= row.Max {
				t.Errorf("%s: range %s is empty", row.Name, row.Range())
			}
		case TypeChoice:
			if len(row.Choices) < 2 {
				t.Errorf("%s: choices %q", row.Name, row.Choices)
			}
		case TypeSchedule:
			if row.Min >= row.Max || row.Keys == "" {
				t.Errorf("%s: range %s", row.Name, row.Range())
			}
		case TypeBoolean:
		default:
			t.Errorf("%s: type %q", row.Name, row.Type)
		}
	}
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

func TestDefaultsAreValid(t *testing.T) {
	p := Defaults()
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	for _, row := range Catalogue() {
		if got := row.Value(&p); got != row.Default {
			t.Errorf("%s: default is %v, Defaults has %v", row.Name, row.Default, got)
		}
	}
}

// Each row's extremes, and another value than the default, survive Set and Get
// and change that parameter alone.
func TestSetGetRoundTrip(t *testing.T) {
	for _, row := range Catalogue() {
		for _, want := range samples(row) {
			p := Defaults()
			if err := p.Set(row.Name, want); err != nil {
				t.Errorf("Set(%s, %v): %v", row.Name, want, err)
				continue
			}
			got, err := p.Get(row.Name)
			if err != nil || got != want {
				t.Errorf("Get(%s) = %v, %v after setting %v", row.Name, got, err, want)
			}
			wantDiff := []string{row.Name}
			if row.Technical || want == row.Default {
				wantDiff = nil
			}
			if got := Diff(Defaults(), p); !slices.Equal(got, wantDiff) {
				t.Errorf("after setting %s to %v, Diff = %q", row.Name, want, got)
			}
		}
	}
}

func samples(row Parameter) []any {
	switch row.Type {
	case TypeInteger:
		return []any{int(row.Min), int(row.Max)}
	case TypeBoolean:
		return []any{true, false}
	case TypeSchedule:
		if row.Keys == KeysIndustry {
			return []any{NoRates, fmt.Sprintf("01: %v, 07: %v", row.Min, row.Max)}
		}
		return []any{NoRates, fmt.Sprintf("0: %v, 1.5: %v", row.Min, row.Max)}
	case TypeChoice:
		var all []any
		for _, c := range row.Choices {
			all = append(all, c)
		}
		return all
	}
	return []any{row.Min, row.Max, row.Min + float64((row.Max-row.Min)/3)}
}

func TestSetConverts(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		want  any
	}{
		{"vat_rate", .1, .1},
		{"vat_rate", float32(.5), .5},
		{"vat_rate", 0, 0.0},
		{"vat_rate", "0.15", .15},
		{"vat_rate", " 0.15 ", .15},
		{"vat_rate", json.Number("1e-1"), .1},
		{"labor_productivity_factor", int64(115), 115.0},
		{"labor_productivity_factor", uint8(115), 115.0},
		{"benefit_months", 6, 6},
		{"benefit_months", int64(6), 6},
		{"benefit_months", uint(6), 6},
		{"benefit_months", 6.0, 6},
		{"benefit_months", "6", 6},
		{"benefit_months", "6.0", 6},
		{"benefit_months", json.Number("6"), 6},
		{"random_state", "9007199254740991", 1<<53 - 1},
		{"enable_dismissal", false, false},
		{"enable_dismissal", "False", false},
		{"policy_rate_rule", "fixed", "fixed"},
	} {
		p := Defaults()
		if err := p.Set(c.name, c.value); err != nil {
			t.Errorf("Set(%s, %#v): %v", c.name, c.value, err)
			continue
		}
		if got, _ := p.Get(c.name); got != c.want {
			t.Errorf("Set(%s, %#v) gives %#v, want %#v", c.name, c.value, got, c.want)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"vat_rate", 1.4, "out_of_range: vat_rate = 1.4; allowed 0 to 0.6"},
		{"vat_rate", -1, "out_of_range: vat_rate = -1; allowed 0 to 0.6"},
		{"vat_rate", math.NaN(), "out_of_range: vat_rate = NaN; allowed 0 to 0.6"},
		{"vat_rate", math.Inf(1), "out_of_range: vat_rate = +Inf; allowed 0 to 0.6"},
		{"vat_rate", "-inf", "out_of_range: vat_rate = -Inf; allowed 0 to 0.6"},
		{"vat_rate", "1e999", "out_of_range: vat_rate = +Inf; allowed 0 to 0.6"},
		{"vat_rate", "high", `wrong_type: vat_rate = "high"; must be of type number`},
		{"vat_rate", true, "wrong_type: vat_rate = true; must be of type number"},
		{"vat_rate", nil, "wrong_type: vat_rate = <nil>; must be of type number"},
		{"vat_rate", []float64{.1}, "wrong_type: vat_rate = [0.1]; must be of type number"},
		{"benefit_months", 1.5, "wrong_type: benefit_months = 1.5; must be of type integer"},
		{"benefit_months", "1.5", `wrong_type: benefit_months = "1.5"; must be of type integer`},
		{"benefit_months", "", `wrong_type: benefit_months = ""; must be of type integer`},
		{"benefit_months", math.NaN(), "out_of_range: benefit_months = NaN; allowed 0 to 120"},
		{"benefit_months", 1e300, "out_of_range: benefit_months = 1e+300; allowed 0 to 120"},
		{"benefit_months", uint64(math.MaxUint64), "out_of_range: benefit_months = 1.8446744073709552e+19; allowed 0 to 120"},
		{"benefit_months", 121, "out_of_range: benefit_months = 121; allowed 0 to 120"},
		{"num_households", 30_000_000, "out_of_range: num_households = 30000000; allowed 100 to 20000000"},
		{"random_state", 1 << 53, "out_of_range: random_state = 9007199254740992; allowed 0 to 9007199254740991"},
		{"enable_dismissal", 1, "wrong_type: enable_dismissal = 1; must be of type boolean"},
		{"enable_dismissal", "yes", `wrong_type: enable_dismissal = "yes"; must be of type boolean`},
		{"policy_rate_rule", "free", `out_of_range: policy_rate_rule = "free"; allowed taylor, fixed`},
		{"policy_rate_rule", 3, "wrong_type: policy_rate_rule = 3; must be of type choice (taylor, fixed)"},
		{"income_tax", .3, `unknown_parameter: unknown parameter "income_tax"; did you mean "income_tax_rate" or "income_tax_brackets"?`},
		{"", .3, `unknown_parameter: unknown parameter ""; none of the ` + strconv.Itoa(len(Catalogue())) + ` known names is similar`},
	} {
		p := Defaults()
		err := p.Set(c.name, c.value)
		if err == nil || err.Error() != c.want {
			t.Errorf("Set(%s, %#v):\ngot  %v\nwant %s", c.name, c.value, err, c.want)
		}
		if p != Defaults() {
			t.Errorf("Set(%s, %#v) failed but changed %q", c.name, c.value, Diff(Defaults(), p))
		}
	}
}

// Equal parameters must give equal bits, so there is only one zero.
func TestSetKnowsOneZero(t *testing.T) {
	p := Defaults()
	if err := p.Set("vat_rate", math.Copysign(0, -1)); err != nil {
		t.Fatal(err)
	}
	if math.Signbit(p.VATRate) {
		t.Error("vat_rate is -0")
	}
}

func TestLookupNamesTheNearest(t *testing.T) {
	if _, err := new(Params).Get("labour_productivity"); fault.KindOf(err) != fault.UnknownParameter {
		t.Errorf("Get: %v", err)
	}
	_, err := Lookup("labour_productivity")
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind != fault.UnknownParameter || !slices.Contains(e.Allowed, "labor_productivity_factor") {
		t.Errorf("Lookup: %v", err)
	}
}

// Whoever sets a parameter that has ended is told what to use instead, which exists.
func TestRetiredParameters(t *testing.T) {
	for name := range retired {
		_, err := Lookup(name)
		var e *fault.Error
		if !errors.As(err, &e) || e.Kind != fault.UnknownParameter ||
			!slices.ContainsFunc(ParameterNames(), func(now string) bool { return strings.Contains(e.Hint, now) }) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		edit  func(*Params)
		kind  fault.Kind
		field string
	}{
		{func(p *Params) { p.VATRate = math.NaN() }, fault.OutOfRange, "vat_rate"},
		{func(p *Params) { p.LoanSpread = math.Inf(1) }, fault.OutOfRange, "loan_spread"},
		{func(p *Params) { p.HouseholdsPerFirm = 0 }, fault.OutOfRange, "households_per_firm"},
		{func(p *Params) { p.PolicyRateRule = "" }, fault.OutOfRange, "policy_rate_rule"},
		{func(p *Params) { p.NumHouseholds = 400 }, fault.Conflict, "num_households"},
		{func(p *Params) { p.NumHouseholds, p.HouseholdsPerFirm = 100, 200 }, fault.Conflict, "num_households"},
		{func(p *Params) { p.NumHouseholds, p.SuppliersPerIndustry = 500, 8 }, fault.Conflict, "suppliers_per_industry"},
		{func(p *Params) { p.NumHouseholds, p.NumIndustries = 100, 1 }, "", ""},
	} {
		p := Defaults()
		c.edit(&p)
		err := p.Validate()
		if fault.KindOf(err) != c.kind {
			t.Errorf("%s: %v, want %q", c.field, err, c.kind)
			continue
		}
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Field != c.field {
			t.Errorf("%v, want field %s", err, c.field)
		}
	}
}

func TestDiffNotLive(t *testing.T) {
	a, b := Defaults(), Defaults()
	b.NumIterations, b.BurnInMonths, b.RandomState = 7, 7, 7
	b.VATRate, b.ConfidenceShock, b.MaxConcurrentTasks = .1, -.01, 3
	if got := DiffNotLive(a, b); got != nil {
		t.Errorf("DiffNotLive = %q", got)
	}
	b.NumHouseholds, b.SkillDispersion = 500, .3
	if got, want := DiffNotLive(a, b), []string{"num_households", "skill_dispersion"}; !slices.Equal(got, want) {
		t.Errorf("DiffNotLive = %q, want %q", got, want)
	}
}

func TestCatalogueIsACopy(t *testing.T) {
	Catalogue()[0].Name = "changed"
	if got := Catalogue()[0].Name; got != "num_households" {
		t.Errorf("a caller changed the catalogue: %s", got)
	}
}
