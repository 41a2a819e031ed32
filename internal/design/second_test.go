package design_test

import (
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/design"
)

// What a plan does not do is said: a lever that only stands in for what is asked, and a
// second value of one lever.
func TestWhatIsLeftOutIsSaid(t *testing.T) {
	for _, c := range []struct {
		question, lever string
		value           float64
		start           int
		note, unmapped  string
	}{
		{"Introduce a wealth tax of 50%.", "progressive_tax", .5, 1, `a stand-in for "wealth tax"`, "wealth tax"},
		{
			"Would a progressive tax and a wealth tax shrink the wealth gap?", "progressive_tax", .5, 1, `a stand-in for "wealth tax"`, "wealth tax",
		},
		{"开征遗产税会怎样？", "progressive_tax", .5, 1, "代替“遗产税”", "遗产税"},
		{"Introduce a progressive tax of 50%.", "progressive_tax", .5, 1, "", ""},
		{"Raise VAT to 10% in month 12 and to 15% in month 36.", "vat_rate", .1, 12, "", "15%"},
		{"Raise VAT to 10%, then raise VAT to 15% in month 36.", "vat_rate", .1, 1, "", "15%"},
		{"Raise VAT by 2 points in month 12 and by 3 points in month 36", "vat_rate", .1, 12, "", "3 points"},
		{"Impose a productivity shock of 5% in month 3 and of 10% in month 20", "productivity", .05, 3, "", "10%"},
		{"Pay a basic income of 300 in year 1 and 600 in year 3", "universal_basic_income", .1, 1, "300 units", "600"},
		{"Raise VAT from 8% to 15%. Is a VAT of 15% too much?", "vat_rate", .15, 1, "", ""},
		{"Introduce a wealth tax of 2%.", "progressive_tax", .5, 1, `a stand-in for "wealth tax"`, "2%"},
		{"生育率下降20%会怎样？", "population_growth", -.01, 1, "代替“生育率”", "20%"},
		{"央行购买相当于GDP 5%的国债", "central_bank_bond_share", .3, 1, "", "GDP 5%"},
		{"What if AI makes workers 30% more productive within five years?", "ai_adoption_rate", .01, 1, "", "30%"},
		{"Pay the bottom 20% of households 300 a month.", "bottom_decile", 300, 1, "", "bottom 20% of households"},
		{"cut the deficit by a third", "austerity", .02721088435, 1, "falls by 33.33 % of itself, or 0.4 % of GDP", ""},
		{"把赤字减少三分之一", "austerity", .02721088435, 1, "赤字减少其 33.33 %", ""},
	} {
		p, err := design.Read(c.question, baseline(t))
		if err != nil || len(p.Levers) != 1 {
			t.Errorf("%s: %+v, %v", c.question, p.Levers, err)
			continue
		}
		l := p.Levers[0]
		if l.Parameter != c.lever || l.Value != c.value || l.StartMonth != c.start || !strings.Contains(l.Note, c.note) ||
			c.note == "" && l.Note != "" {
			t.Errorf("%s: %+v", c.question, l)
		}
		said := slices.ContainsFunc(p.Unmapped, func(u design.Unmapped) bool { return u.Text == c.unmapped && u.Reason != "" })
		if said != (c.unmapped != "") || !said && len(p.Unmapped) > 0 {
			t.Errorf("%s: unmapped %q", c.question, p.Unmapped)
		}
	}
}
