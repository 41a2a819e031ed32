package lab_test

import (
	"fmt"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
)

// A question about a parameter that the draws vary is refused, whether an arm or all of them say it, and so is a control that
// draws do not reach; others are perturbed.
func TestDrawsFitTheQuestion(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	for _, test := range []struct{ inquiry, parameter, want string }{
		{"arms: {vat: {events: [{set: {vat_rate: 15%}}]}}", "vat_rate", "changes vat_rate"},
		{"arms: {vat: {set: {vat_rate: 15%}}}", "vat_rate", "changes vat_rate"},
		{"arms: {vat: {rules: [{when: inflation > 2%, until: inflation < 1%, do: {set: {vat_rate: 15%}}}]}}", "vat_rate", "changes vat_rate"},
		{"arms: {vat: {doses: {parameter: vat_rate, values: [10%, 15%]}}}", "vat_rate", "changes vat_rate"},
		{"arms: {floor: {events: [{policy: minimum_wage, level: 50%}]}}", "minimum_wage", "changes minimum_wage"},
		{"background: {set: {hiring_rate: 0.3}}\narms: {vat: {set: {vat_rate: 15%}}}", "hiring_rate", "changes hiring_rate"},
		{"control: us_like\narms: {vat: {set: {vat_rate: 15%}}}", "hiring_rate", "control is no part"},
		{"arms: {vat: {set: {vat_rate: 15%}}}", "hiring_rate", ""},
	} {
		q, err := inquiry.Decode([]byte(test.inquiry + "\noutcomes: [{metric: real_gdp}]\n"))
		if err != nil {
			t.Fatalf("%s: %v", test.inquiry, err)
		}
		p := lab.Perturbation{Posterior: "draws.csv", Draw: 1, Draws: 2, Set: test.parameter + "=0.2"}
		_, err = w.Written(lab.Question{Perturbation: &p}, q)
		if got := fmt.Sprint(err); (err != nil) != (test.want != "") || !strings.Contains(got, test.want) {
			t.Errorf("%s gave %v, not %q", test.inquiry, err, test.want)
		}
		if err != nil && fault.Public(err).Field != "--posterior" {
			t.Errorf("%s is told of %s", test.inquiry, fault.Public(err).Field)
		}
	}
}
