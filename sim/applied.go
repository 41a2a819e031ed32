package sim

import "econ-mcp/internal/fault"

// Applied returns the parameters that an intervention alone makes of p when it is fully in
// force: a ramp has ended, a shock has just struck. An injection changes none.
func (v Intervention) Applied(p Params) Params {
	v.RampMonths = 0
	return under(p, []planned{{Intervention: v, Began: 1}}, 1)
}

// PackageByID finds a policy or a shock by its identifier; its error offers the nearest.
func PackageByID(t InterventionType, id string) (Package, error) {
	switch t {
	case TypePolicy:
		return packageByID(policyTable, "policy", id)
	case TypeShock:
		return packageByID(shockTable, "shock", id)
	}
	return Package{}, fault.New(fault.WrongType, "type", "an intervention of type %q has no packages", string(t))
}
