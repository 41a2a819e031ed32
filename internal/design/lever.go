package design

import (
	"slices"

	"econ-mcp/sim"
)

// Kind says what a lever is to the economy.
type Kind string

// The kinds of levers.
const (
	KindParameter Kind = "parameter" // a parameter of the catalogue
	KindPolicy    Kind = "policy"    // one of sim.Policies
	KindShock     Kind = "shock"     // one of sim.Shocks
	KindInjection Kind = "injection" // money for a group
	KindPreset    Kind = "preset"    // what a built-in scenario plans
)

// unit says how numbers in a question become values of a lever.
type unit int

const (
	rateUnit    unit = iota // a share; "by 5 %" is relative to it
	levelUnit               // a share of which "by 1 %" means points, such as a rate of interest
	gdpUnit                 // a share of GDP
	meanUnit                // a share of the mean wage; money is divided by it
	medianUnit              // a share of the median wage
	yearsUnit               // years
	spanUnit                // months
	indexUnit               // 100 = baseline
	numberUnit              // a number without a unit of its own
	switchUnit              // on or off
	choiceUnit              // one of a list
	sizeUnit                // of a shock: a relative deviation
	amountUnit              // currency units a head and month
	wholeUnit               // a preset: nothing to set
	monthlyUnit             // a share a month; "a year" is divided by 12
	yearlyUnit              // a share a year, of which "by 1 %" means points
)

// Measures that turn words of questions into units of the catalogue.
const (
	// meanWage is the mean wage at the start of an economy, currency units a month.
	meanWage = 3000.0
	// medianOfMean is the median over the mean of lognormal skills with the default
	// skill_dispersion: exp(-.55²/2).
	medianOfMean = 0.8596
	// usualDeficit is the deficit, a share of GDP, in years three to five of the baseline:
	// the control of econ-mcp ask "Cut the deficit by a third" (20 economies of 3,000
	// households). deficitResponse is the part of a cut in spending by which it falls there,
	// as taxes fall, too: by .54 points of GDP, 95 % interval .43 to .65, after a cut of .76.
	usualDeficit    = 0.012
	deficitResponse = 0.7
	// usualSpending and cutSpending are shares of GDP in ten years of the baseline: all
	// public spending, and the purchases, wages and benefits that the policy of austerity
	// cuts. From: econ-mcp run --households 3000 --replications 3 --format json.
	usualSpending = 0.217
	cutSpending   = 0.21
	// deficitPerCut is the level of austerity that lowers the deficit by one unit of GDP.
	deficitPerCut = 1 / (cutSpending * deficitResponse)
)

// row is a lever as questions name it.
//
// Phrases may begin with marks: + and - for those that say a direction themselves ("rate
// hike"), ! for those whose rise is the lever's fall ("patent protection" for
// imitation_probability), ~ for what the economy does not have and the lever stands in
// for ("wealth tax" for progressive_tax). ? comes first, for words that mean the lever only where the
// question names no other.
type row struct {
	id     string
	name   string // of the parameter or package, where it is not id
	kind   Kind
	of     Type
	unit   unit
	en, zh []string

	typical, small float64 // change of value where the question gives no number
	why            string  // why these
	reference      float64 // value before the change where the lever is off and the question lowers it
	falls          bool    // a question without a direction means less of it
	strictFalls    bool    // stricter means less of it
	set            any     // value of a switch or a choice that is meant
	persistence    float64 // of a shock: share left after a month
	relative       float64 // level of a policy per unit of relative change; 0 = 1
	perGDP         float64 // level of a policy per unit of GDP; 0 = 1
	whenRaised     string  // another lever that is meant where the question raises this one
	whenLowered    string
	lasts          string                // another lever that is meant where the question makes this one longer or shorter
	needs          []sim.ParameterChange // without which it does nothing: in both arms
	along          []string              // parameters shown beside it: what else drives it

	outcome sim.Indicator // that it moves first
	sign    int           // in which direction, as the lever rises; 0 = open
}

func needs(name string, value any) []sim.ParameterChange {
	return []sim.ParameterChange{{Name: name, Value: value}}
}

// levers lists all rows: those with words of their own, then every other live parameter
// under its own name.
var levers = append(slices.Concat(tradeLevers, moneyLevers, workLevers, peopleLevers, firmLevers, fiscalLevers), catalogueLevers()...)

var leverIndex = func() map[string]int {
	index := make(map[string]int, len(levers))
	for i, r := range levers {
		index[r.id] = i
	}
	return index
}()

// catalogueLevers are the live parameters that no row names.
func catalogueLevers() []row {
	named := map[string]bool{}
	for _, r := range slices.Concat(tradeLevers, moneyLevers, workLevers, peopleLevers, firmLevers, fiscalLevers) {
		named[r.id] = true
	}
	var list []row
	for _, p := range sim.Catalogue() {
		if named[p.Name] || !p.Live || p.Technical || p.Type == sim.TypeSchedule || p.Name == "confidence_shock" {
			continue
		}
		r := row{
			id:      p.Name,
			kind:    KindParameter,
			of:      typeOfCategory[p.Category],
			unit:    numberUnit,
			outcome: sim.RealGDP,
			why:     "a quarter of the default, or a tenth of the range where that is 0",
		}
		switch v := p.Default.(type) {
		case bool:
			r.unit, r.set = switchUnit, !v
		case string:
			r.unit, r.set = choiceUnit, p.Choices[len(p.Choices)-1]
		case int:
			r.typical = max(1, float64(v)/4)
		case float64:
			if r.typical = v / 4; v == 0 {
				r.typical = (p.Max - p.Min) / 10
			}
			if p.Max <= 1 {
				r.unit = rateUnit
			}
		}
		r.small = r.typical / 2
		list = append(list, r)
	}
	return list
}
