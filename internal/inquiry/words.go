package inquiry

import (
	"strings"

	"econ-mcp/sim"
)

// SaidMonths says when an intervention is in force, such as "from month 1 on".
func SaidMonths(v sim.Intervention, language string) string {
	return strings.TrimLeft(saidMonths(v, language), " ，")
}

// SaidValue is a value of a parameter or a package for people, shares in percent, with what it is of where its number alone
// would mislead.
func SaidValue(v any, unit, language string) string {
	text := number(v, unit)
	if _, isNumber := v.(float64); isNumber {
		text += per(unit, language)
	}
	return text
}

// InPercent says whether values in a unit of the catalogue are written in percent.
func InPercent(unit string) bool { return isShare(unit) }

// Named is what people call a parameter, a policy, a shock or a group that is paid, with its name behind it.
func Named(of sim.InterventionType, name, language string) string {
	switch of {
	case sim.TypePolicy, sim.TypeShock:
		return packageLabel(of, name, language)
	case sim.TypeInjection:
		return sayf(language, "money for %s", "发钱给%s", GroupLabel(name, language))
	}
	return parameterLabel(name, language)
}
