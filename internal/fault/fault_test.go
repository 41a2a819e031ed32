package fault_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
)

var names = []string{
	"income_tax_rate", "tax_allowance", "vat_rate", "corporate_tax_rate", "unemployment_benefit_rate",
	"minimum_wage", "labor_productivity_factor", "separation_rate", "dismissal_rate", "depreciation_rate",
	"job_search_intensity", "num_households", "households_per_firm", "loan_spread", "inflation_target",
}

func TestErrorSentence(t *testing.T) {
	for _, c := range []struct {
		err  *fault.Error
		want string
	}{
		{fault.Unknown(fault.UnknownParameter, "parameter", "income_tax", []string{"vat_rate", "income_tax_rate"}),
			`unknown_parameter: unknown parameter "income_tax"; did you mean "income_tax_rate"?`},
		{fault.Unknown(fault.NotFound, "preset", "hi_tax", []string{"high_tax", "low_tax", "crisis"}),
			`not_found: unknown preset "hi_tax"; did you mean "high_tax"?`},
		{fault.Unknown(fault.UnknownParameter, "parameter", "tax_rate", []string{"vat_rate", "income_tax_rate"}),
			`unknown_parameter: unknown parameter "tax_rate"; did you mean "income_tax_rate" or "vat_rate"?`},
		{fault.Unknown(fault.NotFound, "preset", "zzz", []string{"high_tax", "crisis"}),
			`not_found: unknown preset "zzz"; known: high_tax, crisis`},
		{fault.Unknown(fault.NotFound, "preset", "zzz", nil), `not_found: unknown preset "zzz"; there are none yet`},
		{fault.Unknown(fault.UnknownParameter, "parameter", "zzz", names),
			`unknown_parameter: unknown parameter "zzz"; none of the 15 known names is similar`},
		{fault.Missing("name", "give string name"), `required: name is missing; give string name`},
		{fault.Range("vat_rate", "1.4", "0 to 0.6"), `out_of_range: vat_rate = 1.4; allowed 0 to 0.6`},
		{fault.Range("policy_rate_rule", `"free"`, "taylor", "fixed"),
			`out_of_range: policy_rate_rule = "free"; allowed taylor, fixed`},
		{fault.Type("benefit_months", "1.5", "integer"), `wrong_type: benefit_months = 1.5; must be of type integer`},
		{fault.New(fault.Internal, "", "disk %d is full", 3), `internal: disk 3 is full`},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// What concerns the machine is told its owner and nobody else.
func TestPublic(t *testing.T) {
	full := fault.New(fault.Internal, "name", "the disk is full").WithDetail("%s: %d bytes left", "/srv/data", 0).WithHint("free some space")
	for _, c := range []struct {
		err         error
		whole, told string
	}{
		{full, "internal: the disk is full: /srv/data: 0 bytes left; free some space", "internal: the disk is full; free some space"},
		{fmt.Errorf("saving /srv/data/x: %w", full), "saving /srv/data/x: internal: the disk is full: /srv/data: 0 bytes left; free some space",
			"internal: the disk is full; free some space"},
		{errors.New("open /srv/data/x: no such file"), "open /srv/data/x: no such file", "internal: an error of the program or its machine"},
		{fault.Type("months", "1.5", "integer"), "wrong_type: months = 1.5; must be of type integer",
			"wrong_type: months = 1.5; must be of type integer"},
	} {
		if told := fault.Public(c.err).Error(); c.err.Error() != c.whole || told != c.told {
			t.Errorf("%q is told as %q, want %q and %q", c.err, told, c.whole, c.told)
		}
	}
	data, err := json.Marshal(full)
	if err != nil || !strings.Contains(string(data), `"message":"the disk is full: /srv/data: 0 bytes left"`) {
		t.Errorf("%s, %v", data, err)
	}
}

func TestErrorStaysShort(t *testing.T) {
	err := fault.Unknown(fault.NotFound, "preset", strings.Repeat("é", 10_000), names)
	if n := len(err.Error()); n > 400 {
		t.Errorf("a 20 kB name gives a message of %d bytes", n)
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"ab cd", 3, "ab…"}, {"ab ", 3, "ab "}, {"通货膨胀", 2, "通货…"}} {
		if got := fault.Shorten(c.text, c.most); got != c.want {
			t.Errorf("Shorten(%q, %d) = %q", c.text, c.most, got)
		}
	}
}

func TestKindOf(t *testing.T) {
	wrapped := fmt.Errorf("load: %w", fault.Range("vat_rate", "2", "0 to 0.6"))
	var e *fault.Error
	if !errors.As(wrapped, &e) || e.Field != "vat_rate" {
		t.Errorf("errors.As found %+v", e)
	}
	for _, c := range []struct {
		err  error
		want fault.Kind
	}{
		{nil, ""},
		{wrapped, fault.OutOfRange},
		{errors.New("other"), fault.Internal},
	} {
		if got := fault.KindOf(c.err); got != c.want {
			t.Errorf("KindOf(%v) = %q, want %q", c.err, got, c.want)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, c := range []struct {
		err  *fault.Error
		want string
	}{
		{fault.Range("vat_rate", "1.4", "0 to 0.6"),
			`{"code":"out_of_range","field":"vat_rate","message":"vat_rate = 1.4","hint":"allowed 0 to 0.6","allowed":["0 to 0.6"]}`},
		{fault.New(fault.Internal, "", "full"),
			`{"code":"internal","field":"","message":"full","hint":"","allowed":[]}`},
	} {
		got, err := json.Marshal(map[string]error{"error": c.err})
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"error":` + c.want + `}`; string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name string
		want []string
	}{
		{"income_tax", []string{"income_tax_rate"}},
		{"vat_rat", []string{"vat_rate"}},
		{"VAT_rate", []string{"vat_rate"}},
		{"vta_rate", []string{"vat_rate"}},
		{"tax_vat", []string{"vat_rate"}},
		{"labour_productivity", []string{"labor_productivity_factor"}},
		{"wage_minimum", []string{"minimum_wage"}},
		{"households", []string{"num_households", "households_per_firm"}},
		{"banana_rate", nil},
		{"x", nil},
		{"", nil},
		{strings.Repeat("vat_rate", 100), nil},
		{"通货膨胀", nil},
	} {
		got := fault.Nearest(c.name, names, 3)
		if c.want == nil && got != nil {
			t.Errorf("Nearest(%q) = %q, want none", c.name, got)
		}
		if c.want != nil && (len(got) == 0 || got[0] != c.want[0] || !containsAll(got, c.want)) {
			t.Errorf("Nearest(%q) = %q, want %q first", c.name, got, c.want)
		}
	}
	if got := fault.Nearest("tax", names, 2); len(got) != 2 {
		t.Errorf("Nearest(tax, 2) = %q, want two names", got)
	}
	if got := fault.Nearest("vat_rate", names, 0); got != nil {
		t.Errorf("Nearest(…, 0) = %q", got)
	}
}

func containsAll(got, want []string) bool {
	return !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(got, w) })
}
