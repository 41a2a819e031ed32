package history_test

import (
	"math"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/tools/toolstest"
)

// An agent asks for a threshold and for an equal cost with one call each, follows them as any other experiment,
// and reads both where arms are compared; what contradicts itself is refused before anything is stored.
func TestSearches(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	const background = `"background":{"set":{"num_households":500}},"design":{"months":4,"replications":3,"burn_in":3}`
	d.Call("start_simulation", `{"experiment_name":"found","inquiry":{"find":{"parameter":"vat_rate","within":["8%",0.4],`+
		`"outcome":"real_consumption","window":[2,4],"crosses":"-5%"},`+background+`}}`)
	d.Wait("found", "completed")
	a := d.Call("compare_experiments", `{"experiment_names":["found"]}`).Want(map[string]any{
		"found.threshold.found": true, "found.threshold.parameter": "vat_rate", "found.threshold.crosses": -.05, "found.equal_cost": nil,
	})
	value, low, high := a.Number("found.threshold.value"), a.Number("found.threshold.ci_low"), a.Number("found.threshold.ci_high")
	if !(.08 < low && low < value && value < high && high < .4) || len(a.List("found.threshold.points")) != 9 {
		t.Errorf("%g from %g to %g, %v", value, low, high, a.At("found.threshold.points"))
	}
	arms := `"arms":{"vat_cut":{"events":[{"set":{"vat_rate":"3%"},"for":3}]},"cheque":{"events":[{"pay":"all","amount":40,"for":3}]}},`
	d.Call("start_simulation", `{"experiment_name":"equal","inquiry":{`+arms+`"equal_cost":{"match":"cheque","to":"vat_cut",`+
		`"by":"events[0].amount","window":[1,3]},`+background+`}}`)
	d.Wait("equal", "completed")
	a = d.Call("compare_experiments", `{"experiment_names":["equal"]}`).Want(map[string]any{"found.equal_cost.match": "cheque",
		"found.threshold": nil})
	cost, to := a.Number("found.equal_cost.pilot.cost"), a.Number("found.equal_cost.pilot.cost_to")
	if math.Abs(cost/to-1) > .01 || a.Number("found.equal_cost.amount") <= 0 || a.At("found.equal_cost.ci_low") == nil {
		t.Errorf("%v", a.At("found"))
	}
	d.Refused("start_simulation", `{"inquiry":{`+arms+`"equal_cost":{"match":"cheque","to":"cheque","by":"events[0].amount","window":[1,3]}}}`,
		fault.Conflict, "inquiry.to")
	d.Refused("start_simulation", `{"inquiry":{"find":{"parameter":"vat_rate","within":["8%",0.4],"outcome":"real_consumption",`+
		`"window":[2,400],"crosses":"-5%"},`+background+`}}`, fault.OutOfRange, "inquiry.window")
}
